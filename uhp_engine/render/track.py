"""A game's moves in coordinates that stay put from the first move to the last."""

from __future__ import annotations

from dataclasses import dataclass

from ..core.layout import CELL_MASK, STEPS
from ..core.pieces import AXIAL_STEPS
from ..game import PASS, Game, Move
from .scene import Axial


@dataclass(frozen=True)
class Step:
    """A move in the plane: the piece, and the axial cell where it ends."""

    piece: int
    q: int
    r: int


class Tracker:
    """Follows a game move by move; the first piece lies at 0, 0 for good.

    The rules' board wraps, so a hive that walks far comes back to the same cells there; here its
    coordinates just grow.

    Args:
        game: a game at its start; it is played on.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self._where: dict[int, Axial] = {}

    def locate(self, move: Move) -> Step | None:
        """Return a legal move in the plane, None for a pass."""
        if move == PASS:
            return None
        return Step(move.piece, *self._axial(move))

    def play(self, move: Move) -> Step | None:
        """Play a move and return it in the plane."""
        step = self.locate(move)
        self.game.play(move)
        if step is not None:
            self._where[step.piece] = (step.q, step.r)
        return step

    def _axial(self, move: Move) -> Axial:
        """Find a target by a piece on it or beside it; the mover's own place counts last."""
        if not self._where:
            return 0, 0
        for moved in (False, True):
            for piece, (q, r) in self._where.items():
                if (piece == move.piece) is not moved:
                    continue
                cell = self.game.cell_of(piece)
                if cell == move.cell:
                    return q, r
                for step, (dq, dr) in zip(STEPS, AXIAL_STEPS, strict=True):
                    if (cell + step) & CELL_MASK == move.cell:
                        return q + dq, r + dr
        raise ValueError(f"{move} touches no piece")
