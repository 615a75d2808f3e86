"""Why a move is illegal, in plain words. Works on an illegal move only, so it may be slow."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .core.layout import CELL_MASK, STEPS
from .core.pieces import (
    ANT,
    BEETLE,
    BUG_COUNTS,
    BUG_NAMES,
    FIRST_INDEX,
    GRASSHOPPER,
    LADYBUG,
    MOSQUITO,
    NUMBER_OF_INDEX,
    PIECE_NAMES,
    PILLBUG,
    QUEEN,
    SPIDER,
    bug_of,
    colour_of,
)

COLOUR_NAMES = ("White", "Black")


class _Board:
    """A position read as Python values, and the questions asked about it."""

    def __init__(self, states: Any) -> None:
        s = states[0]
        self.side = int(s["side"])
        self.ply = int(s["ply"])
        self.last = int(s["last"])
        self.queen_opening = bool(s["queen_opening"])
        self.hand = [int(count) for count in s["hand"]]
        self.top = [int(piece) for piece in s["top"]]
        self.height = [int(height) for height in s["height"]]
        self.cell = [int(cell) for cell in s["cell"]]

    def neighbours(self, cell: int) -> list[int]:
        return [(cell + step) & CELL_MASK for step in STEPS]

    def filled(self, cell: int) -> list[int]:
        return [near for near in self.neighbours(cell) if self.top[near] >= 0]

    def without(self, piece: int) -> _Board:
        """Return the board with a single ground piece lifted."""
        other = object.__new__(_Board)
        other.__dict__ = {**self.__dict__, "top": list(self.top), "height": list(self.height)}
        other.top[self.cell[piece]] = -1
        other.height[self.cell[piece]] = 0
        return other

    def is_pinned(self, piece: int) -> bool:
        cell = self.cell[piece]
        if self.height[cell] > 1:
            return False
        rest = self.without(piece)
        occupied = {near for near, top in enumerate(rest.top) if top >= 0}
        if not occupied:
            return False
        reached = {min(occupied)}
        border = list(reached)
        while border:
            fresh = set(rest.filled(border.pop())) - reached
            reached |= fresh
            border.extend(fresh)
        return reached != occupied

    def slides(self, cell: int, gates: bool) -> Iterable[int]:
        """Yield the cells one step away on the ground, keeping contact, through gates or not."""
        around = self.neighbours(cell)
        for d, near in enumerate(around):
            flanks = (self.top[around[d - 1]] >= 0) + (self.top[around[(d + 1) % 6]] >= 0)
            if self.top[near] < 0 and flanks and (flanks == 1 or not gates):
                yield near

    def walk(self, cell: int, steps: int, gates: bool) -> set[int]:
        """Return the cells reached by just `steps` slides without treading on one twice."""
        paths = [[cell]]
        for _ in range(steps):
            paths = [
                [*path, near]
                for path in paths
                for near in self.slides(path[-1], gates)
                if near not in path
            ]
        return {path[-1] for path in paths}

    def roam(self, cell: int, gates: bool) -> set[int]:
        """Return the cells reached by any number of slides."""
        reached = {cell}
        border = [cell]
        while border:
            fresh = set(self.slides(border.pop(), gates)) - reached
            reached |= fresh
            border.extend(fresh)
        return reached

    def gate_blocks(self, start: int, end: int, height: int) -> bool:
        """Say whether the stacks beside a step between neighbours stand too high."""
        flanks = set(self.neighbours(start)) & set(self.neighbours(end))
        return min(self.height[flank] for flank in flanks) > max(height, self.height[end])


def explain(states: Any, piece: int, target: int) -> str:
    """Return why a piece may not go to a cell, in one line without a final stop.

    Args:
        states: array of one position, of a game that is not over, in which the move is illegal.
        piece: the piece named by the move.
        target: the cell that it would go to.
    """
    board = _Board(states)
    name = PIECE_NAMES[piece]
    bug = bug_of(piece)
    colour = colour_of(piece)
    side = COLOUR_NAMES[board.side]
    cell = board.cell[piece]
    if cell < 0:
        in_box = board.hand[colour << 3 | bug] > 0
        if not in_box:
            return f"{name} is not in this game: its type has no {BUG_NAMES[bug]}"
        if colour != board.side:
            return f"it is {side}'s turn: {name} cannot be placed now"
        return _why_not_placed(board, piece, target)
    if colour != board.side and board.cell[board.side << 4 | QUEEN] < 0:
        return f"it is {side}'s turn: {name} is not {side}'s"
    if board.cell[board.side << 4 | QUEEN] < 0:
        return f"no piece of {side} may move before {'wb'[board.side]}Q is placed"
    if board.top[cell] != piece:
        return f"{name} is covered by {PIECE_NAMES[board.top[cell]]}"
    if target == cell:
        return f"{name} is there already"
    if colour != board.side:
        return _why_not_thrown(board, piece, target, f"it is {side}'s turn: ")
    if piece == board.last:
        return f"{name} was moved last turn"
    if board.is_pinned(piece):
        return f"{name} is pinned: moving it would split the hive"
    touched = set(board.filled(target))
    if not touched or (touched == {cell} and board.height[cell] == 1):
        return f"{name} would leave the hive there"
    if board.top[target] >= 0 and not _climbs(board, piece):
        return f"{name} cannot go there: {PIECE_NAMES[board.top[target]]} is in the way"
    if len(STEPS) == len(board.filled(cell)) and bug in (QUEEN, SPIDER, ANT, PILLBUG):
        return f"{name} cannot slide away: it is walled in"
    return _why_not_moved(board, piece, target)


def _climbs(board: _Board, piece: int) -> bool:
    """Say whether a piece may end on top of another: a beetle, or a mosquito acting as one."""
    cell = board.cell[piece]
    if bug_of(piece) == MOSQUITO:
        touched = {bug_of(board.top[near]) for near in board.filled(cell)}
        return board.height[cell] > 1 or BEETLE in touched
    return bug_of(piece) == BEETLE


def _why_not_placed(board: _Board, piece: int, target: int) -> str:
    name = PIECE_NAMES[piece]
    bug = bug_of(piece)
    queen = f"{'wb'[board.side]}Q"
    turn = board.ply >> 1
    if bug == QUEEN and turn == 0 and board.queen_opening:
        return f"{name} may not be the first piece placed (TournamentOpening is on)"
    if bug != QUEEN and turn >= 3 and board.cell[board.side << 4 | QUEEN] < 0:
        return f"{queen} must be placed now"
    next_number = BUG_COUNTS[bug] - board.hand[board.side << 3 | bug] + 1
    if NUMBER_OF_INDEX[piece & 15] != next_number:
        following = PIECE_NAMES[board.side << 4 | (FIRST_INDEX[bug] + next_number - 1)]
        return f"{name} cannot be placed yet: {following} comes first"
    if board.top[target] >= 0:
        return f"{name} cannot be placed there: {PIECE_NAMES[board.top[target]]} is in the way"
    touched = [board.top[near] for near in board.filled(target)]
    if not touched:
        return f"{name} would not touch the hive there"
    enemies = [near for near in touched if colour_of(near) != board.side]
    if enemies:
        return f"{name} cannot be placed there: it would touch {PIECE_NAMES[enemies[0]]}"
    return f"{name} cannot be placed there"


def _why_not_thrown(board: _Board, piece: int, target: int, prefix: str = "") -> str:
    """Explain why no pillbug's power of the side to move carries a piece to a cell."""
    name = PIECE_NAMES[piece]
    cell = board.cell[piece]
    between = set(board.neighbours(cell)) & set(board.neighbours(target))
    throwers = [board.top[near] for near in between if _throws(board, board.top[near])]
    if not throwers:
        return f"{prefix}no pillbug of {COLOUR_NAMES[board.side]} can throw {name} there"
    if piece == board.last:
        return f"{name} was moved last turn"
    if board.is_pinned(piece):
        return f"{name} is pinned: moving it would split the hive"
    if board.height[cell] > 1:
        return f"{prefix}{name} stands on another piece: a stacked piece cannot be thrown"
    if board.top[target] >= 0:
        return (
            f"{prefix}{name} cannot be thrown there: {PIECE_NAMES[board.top[target]]} is in the way"
        )
    if all(thrower == board.last for thrower in throwers):
        return f"{prefix}{PIECE_NAMES[throwers[0]]} was moved last turn and cannot throw"
    return f"{prefix}{name} cannot be thrown there: the gate of stacks is too high"


def _throws(board: _Board, piece: int) -> bool:
    """Say whether a piece has the pillbug's power, last turn's move aside."""
    if piece < 0 or colour_of(piece) != board.side or board.height[board.cell[piece]] != 1:
        return False
    touched = {bug_of(board.top[near]) for near in board.filled(board.cell[piece])}
    return bug_of(piece) == PILLBUG or (bug_of(piece) == MOSQUITO and PILLBUG in touched)


def _why_not_moved(board: _Board, piece: int, target: int) -> str:
    """Explain why a free piece of the side to move cannot reach a cell in its own way."""
    name = PIECE_NAMES[piece]
    cell = board.cell[piece]
    bug = bug_of(piece)
    height = board.height[cell] - 1
    near = target in board.neighbours(cell)
    if height or bug == BEETLE:
        if not near:
            return (
                f"{name} cannot go there: a {BUG_NAMES[bug]} on the hive moves one step"
                if (bug != BEETLE)
                else f"{name} cannot go there: a beetle moves one step"
            )
        if height or board.height[target]:
            return f"{name} cannot climb there: the gate of stacks is too high"
        return _why_no_slide(board, piece, board.neighbours(cell), target)
    if bug == MOSQUITO:
        touched = sorted({bug_of(board.top[other]) for other in board.filled(cell)})
        if touched == [MOSQUITO]:
            return f"{name} cannot move: it touches only a mosquito"
        if BEETLE in touched and near and board.gate_blocks(cell, target, height):
            return f"{name} cannot climb there: the gate of stacks is too high"
        names = ", ".join(BUG_NAMES[other] for other in touched if other != MOSQUITO)
        return f"{name} cannot go there: it touches {names}, and none of them moves so"
    if bug == GRASSHOPPER:
        return (
            f"{name} cannot jump there: a grasshopper leaps in a straight line over one piece or "
            "more to the first empty cell"
        )
    if bug == LADYBUG:
        return (
            f"{name} cannot get there: a ladybug takes two steps on top of the hive, then one down"
        )
    lifted = board.without(piece)
    if bug == ANT:
        return _why_no_slide(board, piece, lifted.roam(cell, gates=False), target)
    if bug == SPIDER:
        if target in lifted.walk(cell, 3, gates=False):
            return _why_no_slide(board, piece, {target}, target)
        return f"{name} cannot get there: a spider slides just three steps"
    if not near:
        return f"{name} cannot go there: a {BUG_NAMES[bug]} slides one step"
    return _why_no_slide(board, piece, board.neighbours(cell), target)


def _why_no_slide(board: _Board, piece: int, loose: Iterable[int], target: int) -> str:
    """Tell a gate from lost contact; `loose` are the cells reached were there no gates."""
    name = PIECE_NAMES[piece]
    lifted = board.without(piece)
    cell = board.cell[piece]
    if target in set(loose):
        one_step = target in board.neighbours(cell)
        touching = set(lifted.slides(cell, gates=False))
        if one_step and target not in touching and bug_of(piece) != ANT:
            return f"{name} cannot slide there: it would lose touch with the hive on the way"
        return f"{name} cannot slide there: the gap is too narrow"
    return f"{name} cannot slide there: no way along the hive leads to that cell"
