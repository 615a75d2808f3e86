"""Kernels for the one-hive rule: which pieces hold the hive together and may not leave.

All take one record of `layout.STATE`, named `s`.
"""

from __future__ import annotations

import numpy as np

from .board import neighbour, ring
from .jit import kernel
from .pieces import QUEEN
from .tally import empty_with, holes, pits


def _runs(occupied: int) -> int:
    """Return in how many runs the occupied cells around lie."""
    return sum(occupied >> d & 1 and not occupied >> (d + 1) % 6 & 1 for d in range(6))


# The lowest set bit of a six-bit mask.
LOWEST = np.array([(m & -m).bit_length() - 1 for m in range(64)], dtype=np.int64)

RUNS = np.array([_runs(occupied) for occupied in range(64)], dtype=np.int64)
# The empty cells around with both cells beside them in the ring filled.
ONE_CELL_GAPS = np.array([empty_with(occupied, 2) for occupied in range(64)], dtype=np.int64)

EVERY_PIECE = -1


@kernel
def find_pinned(s):
    """Store in `s.pinned` a bit mask of the pieces that may be pinned, for `is_pinned`.

    The queen of the side to move is on the board.

    Only a piece whose neighbours form two runs or more can be pinned. Without it two runs stay
    joined only where a hole lies in a gap between them: else the way from one gap through the
    piece to the next leads on around the outside and divides the hive. Where all holes are pits
    of one cell, `is_pinned` sees them; only a larger one needs a search of the whole hive.
    """
    s.pinned = EVERY_PIECE if holes(s.tally) <= pits(s.tally) else cut_vertices(s)


@kernel
def is_pinned(s, piece, cell):
    """Say whether a single piece, on top of its cell, may not leave (one hive)."""
    occupied = ring(s, cell)
    if RUNS[occupied] < 2 or (s.pinned >> piece) & 1 == 0:
        return False
    if pits(s.tally) == 0:
        return True
    gaps = RUNS[occupied]
    rest = ONE_CELL_GAPS[occupied]
    while rest:
        if ring(s, neighbour(cell, LOWEST[rest])) == 63:
            gaps -= 1
        rest &= rest - 1
    return gaps > 1


@kernel
def cut_vertices(s):
    """Return a bit mask of the top pieces on cells that the hive would fall apart without.

    A single pass for the cut vertices of the graph of occupied cells, each named by its top
    piece (Hopcroft and Tarjan, CACM 16, 1973), without recursion: `s.queue` holds the walk's
    pieces, and from 64 on the directions still to look at.
    """
    root = s.top[s.cell[s.side << 4 | QUEEN]]
    for piece in range(30):
        s.order[piece] = 0
    pinned = 0
    root_branches = 0
    count = 1
    depth = 0
    s.order[root] = 1
    s.low[root] = 1
    s.queue[0] = root
    s.queue[64] = ring(s, s.cell[root])
    while depth >= 0:
        piece = s.queue[depth]
        rest = s.queue[64 + depth]
        if rest:
            s.queue[64 + depth] = rest & (rest - 1)
            cell = neighbour(s.cell[piece], LOWEST[rest])
            other = s.top[cell]
            if s.order[other] == 0:
                count += 1
                depth += 1
                s.order[other] = count
                s.low[other] = count
                s.queue[depth] = other
                s.queue[64 + depth] = ring(s, cell)
            elif s.order[other] < s.low[piece]:
                s.low[piece] = s.order[other]
        else:
            depth -= 1
            if depth == 0:
                root_branches += 1
            elif depth > 0:
                parent = s.queue[depth]
                if s.low[piece] < s.low[parent]:
                    s.low[parent] = s.low[piece]
                if s.low[piece] >= s.order[parent]:
                    pinned |= 1 << parent
    if root_branches > 1:
        pinned |= 1 << root
    return pinned
