"""Kernels that count the legal moves of a position without listing them all.

All take one record of `layout.STATE`, named `s`. `s.moves` from index `at` on is their scratch.
They count just what moves.py lists, by shorter ways where there are any: what stands around a
piece gives the number of its steps and jumps, and the tally that of an ant's walk.
"""

from __future__ import annotations

from .board import BIT_COUNT, BUG, ring, settle, tally_without
from .jit import kernel
from .layout import CELL_MASK
from .moves import (
    begin_board_moves,
    drop_thrown,
    end_board_moves,
    is_free,
    placeable_bugs,
)
from .pieces import ANT, BEETLE, GRASSHOPPER, MOSQUITO, PIECES_PER_SIDE, PILLBUG, QUEEN
from .reach import (
    bugs_touched,
    climbs,
    drop_repeats,
    list_over_hive,
    list_piece,
    return_to_ground,
    take_from_ground,
)
from .tally import SLIDES, open_cells, regions, shore_cells


@kernel
def on_shore(s, move):
    """Say whether a move ends where an ant can walk, its piece lifted and all in one region."""
    cell = move & CELL_MASK
    return s.top[cell] < 0 and SLIDES[ring(s, cell)] != 0


@kernel
def count_thrown_on_shore(s, first, at, piece):
    """Count the throws of a piece, all throws being s.moves[first:at], to where it can walk."""
    count = 0
    for index in range(first, at):
        if s.moves[index] >> 10 == piece and on_shore(s, s.moves[index]):
            count += 1
    return count


@kernel
def walked_bugs(s, piece, cell):
    """Return a bit mask of the bugs by whose ways an ant or a mosquito by one moves, 0 for others.

    0 as well for those that cannot slide at all, or that are on a stack.
    """
    if s.height[cell] > 1 or SLIDES[ring(s, cell)] == 0:
        return 0
    if BUG[piece] == ANT:
        return 1 << ANT
    bugs = bugs_touched(s, cell) if BUG[piece] == MOSQUITO else 0
    return bugs if (bugs >> ANT) & 1 else 0


@kernel
def count_walker(s, first, at, piece, cell, bugs):
    """Count the moves of an ant, or a mosquito by one, where all shore is one region.

    Args:
        s: the position, the piece lifted.
        first: where the throws begin in `s.moves`; what they do is not counted again.
        at: where they end and scratch begins.
        piece: the ant or mosquito.
        cell: where it was.
        bugs: see `walked_bugs`.
    """
    count = -1  # its own cell
    if (s.throwable >> piece) & 1:
        count -= count_thrown_on_shore(s, first, at, piece)
    end = drop_repeats(s, at, list_over_hive(s, at, piece, cell, bugs))
    for index in range(at, drop_thrown(s, piece, at, end)):
        count += 0 if on_shore(s, s.moves[index]) else 1
    return count


@kernel
def count_piece(s, first, at, piece, cell):
    """Count the moves of a free top piece that are not among the throws, s.moves[first:at]."""
    bug = BUG[piece]
    bugs = walked_bugs(s, piece, cell)
    if bugs:
        tally = tally_without(s, piece, cell)
        if regions(tally) == 1:
            if bugs == 1 << ANT and (s.throwable >> piece) & 1 == 0:
                return shore_cells(tally) - 1
            take_from_ground(s, piece, cell)
            count = shore_cells(tally) + count_walker(s, first, at, piece, cell, bugs)
            return_to_ground(s, piece, cell)
            return count
    if (s.throwable >> piece) & 1 == 0:
        if s.height[cell] > 1 or bug == BEETLE:
            return BIT_COUNT[climbs(s, cell, s.height[cell] - 1)]
        if bug == GRASSHOPPER:
            return BIT_COUNT[ring(s, cell)]
        if bug == QUEEN or bug == PILLBUG:
            return BIT_COUNT[SLIDES[ring(s, cell)]]
    return drop_thrown(s, piece, at, list_piece(s, at, piece, cell)) - at


@kernel
def count_placements(s):
    """Count what `placements` lists."""
    kinds = BIT_COUNT[placeable_bugs(s)]
    if s.ply == 0:
        return kinds
    return kinds * (open_cells(s.tally, s.side) if s.on_board[s.side] else 6)


@kernel
def count_moves(s, first):
    """Count what `generate` lists; `s.moves` from `first` on is scratch."""
    if s.unsettled:
        settle(s)
    count = count_placements(s)
    own = s.side << 4
    if s.cell[own | QUEEN] >= 0:
        at = begin_board_moves(s, first)
        count += at - first
        for piece in range(own, own + PIECES_PER_SIDE):
            cell = s.cell[piece]
            if cell >= 0 and is_free(s, piece, cell):
                count += count_piece(s, first, at, piece, cell)
        end_board_moves(s)
    return max(count, 1)
