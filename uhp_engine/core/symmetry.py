"""The twelve symmetries of the plane of hexagons, and a key that symmetric positions share.

A symmetry is a number: turned by `symmetry % 6` sixths clockwise, from 6 on mirrored after that.
"""

from __future__ import annotations

import numpy as np

from .board import SIDE_KEY, extra_bugs, mix
from .jit import entry, kernel
from .layout import CELL_MASK, ROW
from .pieces import PIECES_PER_SIDE, QUEEN, WHITE
from .plane import vectors
from .repetition import layout_key

SYMMETRIES = 12


def transformed(q: np.ndarray, r: np.ndarray, symmetry: int) -> tuple[np.ndarray, np.ndarray]:
    """Return vectors, as axial steps, after a symmetry."""
    for _ in range(symmetry % 6):
        q, r = -r, q + r
    return (r, q) if symmetry >= 6 else (q, r)


def _transformed_differences() -> np.ndarray:
    """Return what each symmetry makes of each difference of two cell numbers: (12, CELLS)."""
    images = [transformed(*vectors(), symmetry) for symmetry in range(SYMMETRIES)]
    return np.array([(q + ROW * r) & CELL_MASK for q, r in images])


TRANSFORMED = _transformed_differences()


@kernel
def origin_of(s):
    """Return the cell of White's queen, or else of White's first piece in the box's order."""
    for piece in range(WHITE << 4 | QUEEN, (WHITE << 4) + PIECES_PER_SIDE):
        if s.cell[piece] >= 0:
            return s.cell[piece]
    return 0


@entry
def symmetric_key(states):
    """Return a key that states[0] shares with its images under all symmetries, wherever they lie.

    Bugs and colours lie alike, numbers aside, in the same game type; the same side is to move, and
    the piece moved last lies alike. Before White's queen is placed, positions that differ in the
    numbers of White's first pieces may get different keys.
    """
    s = states[0]
    origin = origin_of(s)
    least = 0
    for symmetry in range(SYMMETRIES):
        key = mix(1 << 40 | extra_bugs(s))
        if s.side:
            key ^= SIDE_KEY
        key ^= layout_key(s, origin, TRANSFORMED[symmetry])
        if s.last >= 0:
            key ^= mix(1 << 30 | TRANSFORMED[symmetry, (s.cell[s.last] - origin) & CELL_MASK])
        if symmetry == 0 or key < least:
            least = key
    return least
