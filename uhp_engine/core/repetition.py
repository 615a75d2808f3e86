"""Kernel that names a position for the count of repetitions, wherever on the board it lies."""

from __future__ import annotations

import numpy as np

from .board import BUG, SIDE_KEY, mix, placed_key
from .jit import entry, kernel
from .layout import CELL_MASK, CELLS, MAX_DEPTH, MAX_MOVES, PASS
from .moves import generate
from .pieces import PIECES_PER_SIDE, QUEEN, WHITE

AS_IT_LIES = np.arange(CELLS)


@kernel
def layout_key(s, origin, places):
    """Return the key of bugs, colours, heights and cells.

    Args:
        s: the position.
        origin: the cell that cells are counted from.
        places: int64 array (CELLS,), what stands for each difference of a cell and the origin.
    """
    key = 0
    for colour in range(2):
        for piece in range(colour << 4, (colour << 4) + PIECES_PER_SIDE):
            cell = s.cell[piece]
            if cell < 0 or s.top[cell] != piece:
                continue
            height = s.height[cell] - 1
            stacked = piece
            while stacked >= 0:
                key ^= placed_key(stacked, height, places[(cell - origin) & CELL_MASK])
                stacked = s.below[stacked]
                height -= 1
    return key


@kernel
def position_key(s):
    """Return a key that two positions of one game share where they count as the same.

    Bugs and colours lie alike (numbers aside; moved as a whole across the board, not turned or
    mirrored), the same side is to move and the same moves are legal.
    """
    # Nothing moves before a queen is placed, so only positions with White's queen, or without
    # any move of Black's pieces that depends on her, can recur; without her the place is fixed.
    origin = s.cell[WHITE << 4 | QUEEN]
    if origin < 0:
        origin = 0
    key = layout_key(s, origin, AS_IT_LIES)
    if s.side:
        key ^= SIDE_KEY
    first = np.int64((MAX_DEPTH - 1) * MAX_MOVES)
    for index in range(first, generate(s, first)):
        move = s.moves[index]
        if move == PASS:
            key ^= mix(1 << 40)
            continue
        piece = move >> 10
        start = s.cell[piece]
        start = CELLS if start < 0 else (start - origin) & CELL_MASK
        end = (move - origin) & CELL_MASK
        key ^= mix(1 << 41 | start << 20 | end << 8 | (piece >> 4) << 4 | BUG[piece])
    return key


@entry
def repetition_key(states):
    """`position_key` of states[0], to be called from Python."""
    return position_key(states[0])
