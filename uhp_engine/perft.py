"""Perft from the shell and the protocol: depth, nodes, seconds, nodes a second, a line a depth."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .core.layout import MAX_DEPTH
from .game import Game

DEPTH_AT_ONCE = 4  # counted without a look at whether to stop


@dataclass(frozen=True)
class PerftRow:
    """The count at one depth, and the seconds it took."""

    depth: int
    nodes: int
    seconds: float

    def line(self) -> str:
        """Return the row as text; what compares engines reads the first two numbers."""
        speed = self.nodes / self.seconds if self.seconds > 0 else 0.0
        return f"{self.depth:7d} {self.nodes:15d} {self.seconds:11.6f} {speed:13.0f}"


def header() -> str:
    """Return the columns' names."""
    return f"{'depth':>7} {'nodes':>15} {'seconds':>11} {'nodes/s':>13}"


def parse_depth(text: str) -> int:
    """Return a perft depth.

    Raises:
        ValueError: it is no number from 0 to the kernels' limit.
    """
    if not re.fullmatch(r"0*[0-9]{1,2}", text, re.ASCII) or int(text[-2:]) >= MAX_DEPTH:
        raise ValueError(f"expected a depth from 0 to {MAX_DEPTH - 1}, not {text[:40]!r}")
    return int(text[-2:])


def count_depths(
    game: Game, depth: int, stopped: Callable[[], bool] = lambda: False
) -> Iterator[PerftRow]:
    """Yield the counts at depths 0 to `depth`; stop early where `stopped` says so.

    A deep count is made of shallower ones, so that it can be stopped in between.
    """
    game = game.copy()
    for plies in range(depth + 1):
        started = time.perf_counter()
        nodes = _count(game, plies, stopped)
        if nodes is None:
            return
        yield PerftRow(plies, nodes, time.perf_counter() - started)


def _count(game: Game, depth: int, stopped: Callable[[], bool]) -> int | None:
    """Return a count, or None where it was stopped."""
    if depth <= DEPTH_AT_ONCE:
        return game.perft(depth)
    total = 0
    for move in game.legal_moves():
        game.play(move)
        nodes = None if stopped() else _count(game, depth - 1, stopped)
        game.undo()
        if nodes is None:
            return None
        total += nodes
    return total
