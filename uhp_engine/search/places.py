"""Kernel that lists where each piece stands, seen from both queens: rows of the network's table.

Once both queens are placed, each piece on the board gives two rows, one for its distance from the
queen of the side to move and one for its distance from the other:

    row = (((queen * 2 + colour) * 8 + bug) * 4 + state) * DISTANCES + distance

`queen` and `colour` are 0 for the side to move and 1 for its opponent. Two more rows tell the
distances of the piece moved last: LAST_ROW + queen * DISTANCES + distance. And from the start one
row tells the game type: TYPE_ROW + 1 with the mosquito + 2 with the ladybug + 4 with the pillbug.

All of it is the same for the twelve symmetric images of a position. Rows for cells instead of
distances learned their games by heart (docs/network.md).
"""

from __future__ import annotations

import numpy as np

from ..core.board import BUG, extra_bugs
from ..core.jit import kernel
from ..core.layout import CELL_MASK
from ..core.pieces import PIECES_PER_SIDE, QUEEN
from ..core.plane import DISTANCE
from .shapes import DISTANCES, FAR, LAST_ROW, QUEEN_ROWS, TYPE_ROW

NEARNESS = np.minimum(DISTANCE, FAR)

# On the ground and free to move or be thrown; on the ground and not so; on others; under another.
MOBILE, STILL, RAISED, COVERED = range(4)


@kernel
def list_rows(s, movable):
    """Write the rows of the position into s.queue and return how many.

    Args:
        s: the position.
        movable: bit p set where either side can move or throw piece p, were it to move.
    """
    s.queue[0] = TYPE_ROW + extra_bugs(s)
    own = s.cell[s.side << 4 | QUEEN]
    enemy = s.cell[(s.side ^ 1) << 4 | QUEEN]
    if own < 0 or enemy < 0:
        return 1
    end = 1
    if s.last >= 0:
        cell = s.cell[s.last]
        s.queue[1] = LAST_ROW + NEARNESS[(cell - own) & CELL_MASK]
        s.queue[2] = LAST_ROW + DISTANCES + NEARNESS[(cell - enemy) & CELL_MASK]
        end = 3
    for colour in range(2):
        first = (s.side ^ colour) << 4
        for piece in range(first, first + PIECES_PER_SIDE):
            cell = s.cell[piece]
            if cell < 0:
                continue
            state = STILL - ((movable >> piece) & 1)
            state = RAISED if s.height[cell] > 1 else state
            state = COVERED if s.top[cell] != piece else state
            row = ((colour << 3 | BUG[piece]) << 2 | state) * DISTANCES
            s.queue[end] = row + NEARNESS[(cell - own) & CELL_MASK]
            s.queue[end + 1] = row + QUEEN_ROWS + NEARNESS[(cell - enemy) & CELL_MASK]
            end += 2
    return end
