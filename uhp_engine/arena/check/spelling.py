"""All the texts that name one move."""

from __future__ import annotations

from ...core.layout import CELL_MASK, STEPS
from ...core.pieces import EAST, NORTH_EAST, NORTH_WEST, PIECE_NAMES, SOUTH_EAST, SOUTH_WEST, WEST
from ...game import PASS, Game, Move

# The direction in which the named neighbour sees the mover -> the text around its name.
_MARKS = {
    NORTH_WEST: "\\{}",
    WEST: "-{}",
    SOUTH_WEST: "/{}",
    NORTH_EAST: "{}/",
    EAST: "{}-",
    SOUTH_EAST: "{}\\",
}


def all_texts(game: Game, move: Move) -> list[str]:
    """Return a text for each neighbour that the mover has after a move to the ground.

    One of them is the canonical text. A neighbour that is the mover itself, or is covered, is
    left out: that engines take these too is an opinion.
    """
    if move == PASS or game.ply == 0 or game.stack(move.cell):
        return []
    texts = []
    for direction in range(6):
        near = (move.cell + STEPS[direction]) & CELL_MASK
        stack = game.stack(near)
        if stack and stack[-1] != move.piece:
            seen = _MARKS[(direction + 3) % 6].format(PIECE_NAMES[stack[-1]])
            texts.append(f"{PIECE_NAMES[move.piece]} {seen}")
    return texts
