"""Where everything of a position lies in the plane, for whatever draws it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..core.layout import CELL_MASK, STEPS
from ..core.pieces import AXIAL_STEPS, PIECE_NAMES
from ..game import PASS, Game, Move, Placed

Axial = tuple[int, int]

_ROOT3 = math.sqrt(3)


@dataclass(frozen=True)
class Scene:
    """A position in axial coordinates (q to the east, r to the south-east).

    Attributes:
        pieces: every piece on the board, stacks from the bottom up.
        cells: axial coordinates of each kernel cell on the hive or beside it.
        last_from: the cell that the last move left, None for a placement or a pass.
        last_to: the cell where it ended, None where none was played or it was a pass.
    """

    pieces: tuple[Placed, ...]
    cells: dict[int, Axial]
    last_from: Axial | None
    last_to: Axial | None

    @property
    def stacks(self) -> dict[Axial, list[int]]:
        """The pieces of each cell, from the bottom up."""
        found: dict[Axial, list[int]] = {}
        for placed in self.pieces:
            found.setdefault((placed.q, placed.r), []).append(placed.piece)
        return found


def scene_of(game: Game) -> Scene:
    """Return the scene of a game's position now."""
    pieces = tuple(game.placed())
    cells: dict[int, Axial] = {}
    for placed in pieces:
        cells[game.cell_of(placed.piece)] = (placed.q, placed.r)
    for cell, (q, r) in list(cells.items()):
        for step, (dq, dr) in zip(STEPS, AXIAL_STEPS, strict=True):
            cells.setdefault((cell + step) & CELL_MASK, (q + dq, r + dr))
    if not cells:
        cells[0] = (0, 0)
    last_from, last_to = _last_move(game)
    return Scene(
        pieces,
        cells,
        None if last_from is None else cells.get(last_from),
        None if last_to is None else cells.get(last_to),
    )


def _last_move(game: Game) -> tuple[int | None, int | None]:
    if not game.moves or game.moves[-1] == PASS:
        return None, None
    before = game.copy()
    before.undo()
    move = game.moves[-1]
    start = before.cell_of(move.piece)
    return (start if start >= 0 else None), move.cell


def centre(at: Axial, radius: float) -> tuple[float, float]:
    """Return the centre of a cell: pointed hexes of that radius (to a corner), y downwards."""
    q, r = at
    return _ROOT3 * radius * (q + r / 2), 1.5 * radius * r


def hex_points(x: float, y: float, radius: float) -> str:
    """Return the corners of a hex as SVG wants them."""
    corners = (math.radians(60 * i - 90) for i in range(6))
    return " ".join(
        f"{x + radius * math.cos(a):.1f},{y + radius * math.sin(a):.1f}" for a in corners
    )


def describe(game: Game) -> str:
    """Return the position in words, for those who cannot see a picture.

    >>> describe(Game("Base"))
    'Hive, Base, turn 1, White to move. The board is empty.'
    """
    side = ("White", "Black")[game.side]
    state = game.state
    turn = f"turn {game.turn}, {side} to move" if not state.is_over else state.value
    stacks = scene_of(game).stacks
    if not stacks:
        return f"Hive, {game.game_type}, {turn}. The board is empty."
    high = [
        " on ".join(PIECE_NAMES[piece] for piece in reversed(stack))
        for stack in stacks.values()
        if len(stack) > 1
    ]
    count = sum(map(len, stacks.values()))
    text = f"Hive, {game.game_type}, {turn}. {count} pieces on the board"
    return f"{text}; stacks: {', '.join(high)}." if high else f"{text}."


def target_of(scene: Scene, move: Move) -> Axial | None:
    """Return where a move ends, None for a pass."""
    return scene.cells.get(move.cell) if move != PASS else None
