"""The plane of hexagons: ways from one cell to another, as steps and as a distance."""

from __future__ import annotations

import numpy as np

from .layout import CELLS, ROW


def vectors() -> tuple[np.ndarray, np.ndarray]:
    """Return the axial steps q and r, each -16 to 15, of every difference of two cell numbers."""
    difference = np.arange(CELLS)
    q = (difference + ROW // 2) % ROW - ROW // 2
    r = ((difference - q) // ROW + ROW // 2) % ROW - ROW // 2
    return q, r


def _distances() -> np.ndarray:
    q, r = vectors()
    return np.asarray(np.maximum(np.maximum(abs(q), abs(r)), abs(q + r)))


# Difference of two cells, kept to CELL_MASK -> the steps from one to the other.
DISTANCE = _distances()
