"""How many times the simulations of one thread several threads run together."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

from ..notation import parse_game
from ..search.limits import Limits
from ..search.searcher import Searcher
from .positions import ten_positions
from .searches import MEMORY_MIB, SEED

THREADS = 2


class Speeds(NamedTuple):
    """Simulations a second of one thread and of `THREADS`, in searches made in turn."""

    one: float
    together: float

    @property
    def ratio(self) -> float:
        """How many times as many they are together."""
        return self.together / self.one


def is_possible() -> bool:
    """Say whether each thread can have a core."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) >= THREADS
    return (os.cpu_count() or 1) >= THREADS


def measure(simulations: int, runs: int) -> Iterator[Speeds]:
    """Search ten positions for so many simulations with one thread and with more; yield each run.

    Each search has a fresh tree, but in memory that was used in a round before them all: new memory
    comes from the system, which threads have to wait for.
    """
    searchers = [
        Searcher(memory_mib=MEMORY_MIB, threads=threads, seed=SEED) for threads in (1, THREADS)
    ]
    games = [parse_game(position.text) for position in ten_positions()]
    limits = Limits(simulations=simulations, fresh=True)
    for run in range(runs + 1):
        seconds = [0.0, 0.0]
        done = [0, 0]
        for game in games:
            for number, searcher in enumerate(searchers):
                result = searcher.search(game, limits)
                seconds[number] += result.seconds
                done[number] += result.simulations
        if run:
            yield Speeds(done[0] / seconds[0], done[1] / seconds[1])
