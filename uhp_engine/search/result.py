"""What a search found: the root's moves, the best first."""

from __future__ import annotations

from dataclasses import dataclass

from ..game import Move
from .tree import DRAW_PROOF


@dataclass(frozen=True)
class Line:
    """One move of the root and what the search found.

    Attributes:
        move: the move.
        visits: simulations that chose it.
        value: expected result for the side to move, -1 to 1.
        proof: 0, or the plies to a proven win (above 0) or loss (below); DRAW_PROOF for a draw.
        pv: the principal variation, the move first; of the best lines alone, else just the move.
    """

    move: Move
    visits: int
    value: float
    proof: int
    pv: tuple[Move, ...]

    @property
    def score(self) -> float:
        """The expected result, -1 to 1: what is proven, where it is, and else `value`."""
        if self.proof:
            return 0.0 if self.is_draw else 1.0 if self.proof > 0 else -1.0
        return min(1.0, max(-1.0, self.value))

    @property
    def is_draw(self) -> bool:
        """True where the move is proven to draw."""
        return self.proof == DRAW_PROOF


@dataclass(frozen=True)
class SearchResult:
    """What a search found.

    Attributes:
        move: the best move.
        lines: every move that was looked at, the best first, the others by visits.
        simulations: how many this search ran.
        seconds: how long it took.
    """

    move: Move
    lines: tuple[Line, ...]
    simulations: int
    seconds: float

    @property
    def best(self) -> Line:
        """The best move's line."""
        return self.lines[0]

    @property
    def is_settled(self) -> bool:
        """True where more searching finds no better move: a proven win, or all moves proven."""
        best = self.best
        return (best.proof > 0 and not best.is_draw) or all(line.proof for line in self.lines)
