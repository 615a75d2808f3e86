"""Perft from the shell and the protocol: depth, nodes, seconds, nodes a second, a line a depth."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .core.layout import MAX_DEPTH
from .game import Game


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
    if not (text.isascii() and text.isdigit() and int(text[:9]) < MAX_DEPTH):
        raise ValueError(f"expected a depth from 0 to {MAX_DEPTH - 1}, not {text[:40]!r}")
    return int(text)


def count_depths(
    game: Game, depth: int, stopped: Callable[[], bool] = lambda: False
) -> Iterator[PerftRow]:
    """Yield the counts at depths 0 to `depth`; stop early where `stopped` says so.

    A deep count is made move by move, so that it can be stopped in between.
    """
    game = game.copy()
    for plies in range(depth + 1):
        started = time.perf_counter()
        nodes = 0
        if plies < 4:
            nodes = game.perft(plies)
        else:
            for move in game.legal_moves():
                if stopped():
                    return
                game.play(move)
                nodes += game.perft(plies - 1)
                game.undo()
        yield PerftRow(plies, nodes, time.perf_counter() - started)
