"""Kernels that list the moves which could fill a cell around the enemy queen, and count the rest.

All take one record of `layout.STATE`, named `s`. They find what moves.py lists, for an evaluation
that asks of most moves no more than how many they are.
"""

from __future__ import annotations

from .board import BUG, neighbour, ring, tally_without
from .count import count_placements
from .jit import kernel
from .moves import begin_board_moves, drop_thrown, end_board_moves, is_free, placements
from .pieces import ANT, PIECES_PER_SIDE, QUEEN
from .pins import LOWEST
from .reach import list_piece, return_to_ground, take_from_ground
from .tally import SLIDES, regions, shore_cells


@kernel
def list_walk_to_ring(s, at, piece, cell, queen):
    """List an ant's moves to the ring of a queen (-1: not placed), all shore being one region.

    Before them comes one to where the ant stands, which says that it can move at all.
    """
    s.moves[at] = piece << 10 | cell
    at += 1
    if queen >= 0:
        rest = ring(s, queen) ^ 63
        take_from_ground(s, piece, cell)
        while rest:
            there = neighbour(queen, LOWEST[rest])
            rest &= rest - 1
            s.moves[at] = piece << 10 | there
            at += 1 if SLIDES[ring(s, there)] else 0
        return_to_ground(s, piece, cell)
    return at


@kernel
def list_attacks(s, at):
    """List the moves of the side to move from `at` on, without some that touch no enemy queen.

    What may be left out are placements and the walks of ants; an ant whose walks are left out has
    at least a move to where it stands. The tally and `s.border` are up to date.

    Returns:
        The end of the moves, and how many the side has in all, 0 where it must pass.
    """
    first = s.side << 4
    queen = s.cell[(s.side ^ 1) << 4 | QUEEN]
    end = at
    left_out = 0
    if s.cell[first | QUEEN] >= 0:
        end = begin_board_moves(s, end)
        for piece in range(first, first + PIECES_PER_SIDE):
            cell = s.cell[piece]
            if cell < 0 or not is_free(s, piece, cell):
                continue
            start = end
            is_thrown = (s.throwable >> piece) & 1
            if BUG[piece] == ANT and not is_thrown and SLIDES[ring(s, cell)]:
                tally = tally_without(s, piece, cell)
                if regions(tally) == 1:
                    end = list_walk_to_ring(s, end, piece, cell, queen)
                    left_out += shore_cells(tally) - 1 - (end - start)
                    continue
            end = list_piece(s, end, piece, cell)
            if is_thrown:
                end = drop_thrown(s, piece, start, end)
        end_board_moves(s)
    # A placement touches no enemy, unless it is the first or an own piece lies on the queen.
    if s.on_board[s.side] == 0 or (queen >= 0 and s.top[queen] >> 4 == s.side):
        end = placements(s, end)
    else:
        left_out += count_placements(s)
    return end, end - at + left_out
