"""How often a second the kernels do one thing, over all the given positions together."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from ..core.perft import perft_at
from ..search.model import new_models
from . import kernels
from .spread import Spread

# Does its work on one position so many times; returns how many units of it that was.
Work = Callable[[np.ndarray, int], int]

PERFT_DEPTH = 3


def works() -> dict[str, tuple[str, Work]]:
    """Return what is measured: its key, its unit in words, and the work."""
    models = new_models()

    def generate(states: np.ndarray, times: int) -> int:
        kernels.list_moves(states, times)
        return times

    def evaluate(states: np.ndarray, times: int) -> int:
        kernels.evaluate(states, models, times)
        return times

    def priors(states: np.ndarray, times: int) -> int:
        return int(kernels.weigh_priors(states, models, times)[0])

    return {
        "make_unmake": ("moves made and taken back", kernels.make_and_unmake),
        "generate": ("positions whose moves are listed", generate),
        "moves_listed": ("moves listed", kernels.list_moves),
        "evaluate": ("positions evaluated", evaluate),
        "priors": ("priors of moves", priors),
        "perft_bulk": ("perft, last ply counted in bulk", _perft(bulk=True)),
        "perft_made": ("perft, every move made", _perft(bulk=False)),
    }


def _perft(bulk: bool) -> Work:
    def work(states: np.ndarray, times: int) -> int:
        return sum(int(perft_at(states, PERFT_DEPTH, bulk)) for _ in range(times))

    return work


def prepare(positions: Sequence[np.ndarray]) -> None:
    """Compile the kernels: some ten seconds."""
    for _, work in works().values():
        work(positions[0], 1)


def measure(
    positions: Sequence[np.ndarray], runs: int, seconds: float
) -> Iterator[tuple[str, str, Spread]]:
    """Yield the key, the unit and the units a second of each kind of work.

    Args:
        positions: each an array of one `layout.STATE`.
        runs: how often each is measured.
        seconds: how long a measurement takes, or a little longer.
    """
    for key, (unit, work) in works().items():
        times = _times_for(work, positions, seconds)
        yield key, unit, Spread.of(_rate(work, positions, times) for _ in range(runs))


def _rate(work: Work, positions: Sequence[np.ndarray], times: int) -> float:
    started = time.perf_counter()
    units = sum(int(work(states, times)) for states in positions)
    return units / (time.perf_counter() - started)


def _times_for(work: Work, positions: Sequence[np.ndarray], seconds: float) -> int:
    """Return how many times the work must be done for a measurement to take so long."""
    times = 1
    while True:
        started = time.perf_counter()
        for states in positions:
            work(states, times)
        took = time.perf_counter() - started
        if took >= seconds:
            return times
        times = max(times + 1, min(10 * times, int(times * 1.2 * seconds / max(took, 1e-9))))
