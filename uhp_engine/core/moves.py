"""Kernels that list every legal move of a position, each once.

All take one record of `layout.STATE`, named `s`. Those that list moves write them into
`s.moves` from index `at` on and return the index after the last one written.
"""

from __future__ import annotations

import numpy as np

from .board import BUG, BUG_COUNT, FIRST, list_border, neighbour, ring, settle
from .jit import entry, kernel
from .layout import CELL_MASK, PASS
from .pieces import MOSQUITO, PIECES_PER_SIDE, PILLBUG, QUEEN
from .pins import LOWEST, RUNS, find_pinned, is_pinned
from .reach import (
    bugs_touched,
    gate_open,
    list_piece,
)
from .tally import CELL_TALLY, open_cells, stacks


@kernel
def can_throw(s, piece):
    """Say whether a piece has the pillbug's power now.

    A pillbug, or a mosquito touching one, on the ground, uncovered, that was not itself placed,
    moved or thrown last turn. It may be pinned.
    """
    cell = s.cell[piece]
    if cell < 0 or piece == s.last or s.top[cell] != piece or s.height[cell] != 1:
        return False
    return BUG[piece] == PILLBUG or (bugs_touched(s, cell) >> PILLBUG) & 1 == 1


@kernel
def list_throws(s, at, thrower):
    """List what a thrower can lift onto itself and set down beside it.

    Marks each of them in `s.thrown` and `s.throwable`, and lists none that is marked already.
    """
    cell = s.cell[thrower]
    gated = stacks(s.tally) > 1
    for lifted in range(6):
        origin = neighbour(cell, lifted)
        piece = s.top[origin]
        if (
            piece < 0
            or s.height[origin] != 1
            or piece == s.last
            or is_pinned(s, piece, origin)
            or (gated and not gate_open(s, cell, lifted, np.int64(1)))
        ):
            continue
        s.throwable |= 1 << piece
        rest = ring(s, cell) ^ 63
        while rest:
            direction = LOWEST[rest]
            rest &= rest - 1
            there = neighbour(cell, direction)
            if gated and not gate_open(s, cell, direction, np.int64(1)):
                continue
            if (s.thrown[there] >> piece) & 1 == 0:
                s.thrown[there] |= 1 << piece
                s.moves[at] = piece << 10 | there
                at += 1
    return at


@kernel
def forget_throws(s, thrower):
    """Clear the marks of `list_throws` in `s.thrown`."""
    for direction in range(6):
        s.thrown[neighbour(s.cell[thrower], direction)] = 0


@kernel
def drop_thrown(s, piece, start, at):
    """Keep of one piece's moves in s.moves[start:at] those that no throw makes; return the end."""
    end = start
    for index in range(start, at):
        move = s.moves[index]
        s.moves[end] = move
        end += 1 if (s.thrown[move & CELL_MASK] >> piece) & 1 == 0 else 0
    return end


@kernel
def begin_board_moves(s, at):
    """Find out what holds for all moves on the board, list the throws and mark them."""
    find_pinned(s)
    s.throwable = 0
    for bug in (MOSQUITO, PILLBUG):
        thrower = s.side << 4 | FIRST[bug]
        if s.cell[thrower] >= 0 and can_throw(s, thrower):
            at = list_throws(s, at, thrower)
    return at


@kernel
def end_board_moves(s):
    """Clear what `begin_board_moves` marked."""
    if s.throwable:
        for bug in (MOSQUITO, PILLBUG):
            thrower = s.side << 4 | FIRST[bug]
            if s.cell[thrower] >= 0:
                forget_throws(s, thrower)


@kernel
def is_free(s, piece, cell):
    """Say whether a piece on the board may move by itself now."""
    if s.top[cell] != piece or piece == s.last:
        return False
    if RUNS[ring(s, cell)] < 2:
        return True
    return s.height[cell] > 1 or not is_pinned(s, piece, cell)


@kernel
def list_open_cells(s):
    """Write the cells open to the side to move into `s.queue`; return how many."""
    if s.ply == 0:
        s.queue[0] = 0
        return 1
    # A first piece goes next to the opponent's: any cell of the border.
    any_cell = s.on_board[s.side] == 0
    count = 0
    for index in range(s.border_end):
        there = s.border[index]
        s.queue[count] = there
        count += open_cells(np.int64(CELL_TALLY[s.around[there]]), s.side) | any_cell
    return count


@kernel
def placeable_bugs(s):
    """Return a bit mask of the bugs that the side to move may place now.

    The queen not as a first piece (tournament rule), and nothing but her at the fourth turn.
    """
    bugs = 0
    for bug in range(8):
        if s.hand[s.side << 3 | bug] > 0:
            bugs |= 1 << bug
    if bugs & 1:
        turn = s.ply >> 1
        if turn == 0 and s.queen_opening:
            bugs ^= 1
        elif turn >= 3:
            bugs = 1
    return bugs


@kernel
def next_in_hand(s, bug):
    """Return the lowest piece of a bug that the side to move still has in hand."""
    return s.side << 4 | (FIRST[bug] + BUG_COUNT[bug] - s.hand[s.side << 3 | bug])


@kernel
def placements(s, at):
    """List all placements of the side to move."""
    bugs = placeable_bugs(s)
    if bugs == 0:
        return at
    cells = list_open_cells(s)
    bug = 0
    while bugs >> bug:
        if (bugs >> bug) & 1:
            piece = next_in_hand(s, bug)
            index = 0
            while index < cells:
                s.moves[at] = piece << 10 | s.queue[index]
                at += 1
                index += 1
        bug += 1
    return at


@kernel
def list_board_moves(s, at):
    """List all moves but placements, where the tally and `s.border` are up to date."""
    first = s.side << 4
    if s.cell[first | QUEEN] < 0:
        return at
    end = begin_board_moves(s, at)
    for piece in range(first, first + PIECES_PER_SIDE):
        cell = s.cell[piece]
        if cell >= 0 and is_free(s, piece, cell):
            start = end
            end = list_piece(s, end, piece, cell)
            if (s.throwable >> piece) & 1:
                end = drop_thrown(s, piece, start, end)
    end_board_moves(s)
    return end


@kernel
def generate(s, at):
    """List every legal move from `at` on, PASS alone where there is no other; return the end.

    Whether the game is over is not asked here.
    """
    if s.unsettled:
        settle(s)
    list_border(s)
    end = list_board_moves(s, placements(s, at))
    if end == at:
        s.moves[at] = PASS
        end = at + 1
    return end


@entry
def generate_at(states):
    """List the legal moves of states[0] from index 0 on; return how many. Called from Python."""
    return generate(states[0], np.int64(0))
