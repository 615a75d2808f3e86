"""How many numbers an evaluation, its priors and its network read; no kernels here.

What the slots and rows mean stands in evaluation.py, policy.py and places.py.
"""

from __future__ import annotations

from ..core.pieces import PIECES_PER_SIDE

# Counts of a side.
BLOCK = 43

# Weights of a move's features, and how many a move has at most.
SLOTS = 112
MOST_PER_MOVE = 11

# Rows of the network's table, and how many a position has at most.
STATES = 4
FAR = 6  # from here on all distances are one
DISTANCES = FAR + 1
QUEEN_ROWS = 2 * 8 * STATES * DISTANCES
LAST_ROW = 2 * QUEEN_ROWS
TYPE_ROW = LAST_ROW + 2 * DISTANCES
ROWS = TYPE_ROW + 8
MOST_ROWS = 4 * PIECES_PER_SIDE + 3
