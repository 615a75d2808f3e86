"""MoveStrings: `wS1`, `bS1 wS1-`, `bB1 wS1`, `pass`.

On input any spelling that names the move is taken: any neighbour, also a covered one or the mover's
own place, any letter case, blanks. On output there is one, Mzinga's: the mover lifted, the first
occupied neighbour of its target in the order upper left, upper right, right, lower right, lower
left, left.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from ..core.layout import CELL_MASK, STEPS
from ..core.pieces import (
    BUG_COUNTS,
    BUG_LETTERS,
    EAST,
    NORTH_EAST,
    NORTH_WEST,
    PIECE_NAMES,
    PIECE_OF_NAME,
    SOUTH_EAST,
    SOUTH_WEST,
    WEST,
)
from ..game import PASS, Game, Move

# The mark before or after the named neighbour -> the direction from it to the mover.
_BEFORE = {"\\": NORTH_WEST, "-": WEST, "/": SOUTH_WEST}
_AFTER = {"/": NORTH_EAST, "-": EAST, "\\": SOUTH_EAST}
_PREFIX = {direction: mark for mark, direction in _BEFORE.items()}
_SUFFIX = {direction: mark for mark, direction in _AFTER.items()}

_MOVE = re.compile(r"(\w{1,8}) ?([-/\\]?) ?(?:(\w{1,8}) ?([-/\\]?))?", re.ASCII)
LONGEST_TEXT = 40


class MoveStringError(ValueError):
    """A text that names no move; says what was expected."""


def _parse_piece(name: str, text: str) -> int:
    name = name.lower()
    if name[-1:] == "1" and name[:-1] in PIECE_OF_NAME:  # `wM1`, as some write it
        name = name[:-1]
    piece = PIECE_OF_NAME.get(name)
    if piece is None:
        numbered = "".join(
            letter for letter, count in zip(BUG_LETTERS, BUG_COUNTS, strict=True) if count > 1
        )
        raise MoveStringError(
            f"unable to read {text!r}: {name!r} is no piece; expected w or b, a letter of "
            f"{BUG_LETTERS}, and a number for {numbered}, such as wA1"
        )
    return piece


def parse_move(game: Game, text: str) -> Move:
    """Return the move that a text names in a game; whether it is legal is not asked here.

    Raises:
        MoveStringError: the text names no move of a piece to a place.
    """
    text = " ".join(text.split())
    if text.lower() == "pass":
        return PASS
    match = _MOVE.fullmatch(text) if len(text) <= LONGEST_TEXT else None
    if match is None:
        text = text[:LONGEST_TEXT]
        raise MoveStringError(
            f"unable to read {text!r}: expected a piece and a neighbour, such as 'bS1 wS1-', "
            "or 'pass'"
        )
    mover, before, reference, after = match.groups()
    piece = _parse_piece(mover, text)
    if reference is None:
        if before or game.ply > 0:
            raise MoveStringError(
                f"unable to read {text!r}: expected a neighbour of the place where "
                f"{PIECE_NAMES[piece]} ends, such as '{PIECE_NAMES[piece]} wS1-'"
            )
        return Move(piece, 0)
    other = _parse_piece(reference, text)
    cell = game.cell_of(other)
    if cell < 0:
        raise MoveStringError(f"{PIECE_NAMES[other]} is not on the board, so nothing is beside it")
    if before or after:
        direction = _BEFORE[before] if before else _AFTER[after]
        target = (cell + STEPS[direction]) & CELL_MASK
        stack = game.stack(target)
        if stack and stack != [piece]:
            raise MoveStringError(
                f"there is {PIECE_NAMES[stack[-1]]} in that place: to climb it write "
                f"'{PIECE_NAMES[piece]} {PIECE_NAMES[stack[-1]]}'"
            )
        return Move(piece, target)
    if other == piece:
        raise MoveStringError(f"{PIECE_NAMES[piece]} is there already")
    top = game.stack(cell)[-1]
    if top not in (other, piece):
        raise MoveStringError(
            f"{PIECE_NAMES[other]} is covered: the top piece there is {PIECE_NAMES[top]}"
        )
    return Move(piece, cell)


def format_move(game: Game, move: Move) -> str:
    """Return the canonical text of a move legal in a game that has not yet played it."""
    return format_moves(game, [move])[0]


def format_moves(game: Game, moves: list[Move]) -> list[str]:
    """Return the canonical text of each of several moves legal now."""
    state = game.states[0]
    top, below, cells = state["top"], state["below"], state["cell"]
    return [_text(top, below, cells, move) for move in moves]


def format_line(game: Game, moves: Iterable[Move]) -> list[str]:
    """Return the canonical text of each of several moves, each legal after those before it.

    The game is unchanged in the end.
    """
    replay = game.copy()
    texts = []
    for move in moves:
        texts.append(format_move(replay, move))
        replay.play(move)
    return texts


def _text(top: Any, below: Any, cells: Any, move: Move) -> str:
    if move == PASS:
        return "pass"
    piece, target = move
    name = PIECE_NAMES[piece]
    if top[target] >= 0:
        return f"{name} {PIECE_NAMES[int(top[target])]}"
    for direction in range(6):
        near = (target + STEPS[direction]) & CELL_MASK
        other = int(below[piece] if near == cells[piece] else top[near])
        if other >= 0:
            # The neighbour sees the mover in the opposite direction.
            seen = (direction + 3) % 6
            return f"{name} {_PREFIX.get(seen, '')}{PIECE_NAMES[other]}{_SUFFIX.get(seen, '')}"
    return name
