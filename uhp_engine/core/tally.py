"""Counts of a whole position that a move changes near itself alone, all in one number.

`s.tally` holds seven of them, so that `make` changes it by one sum and `unmake` restores it by one
store. From the lowest bit on:

    bits    what is counted
    0-5     open cells of White: empty, with white neighbours and no black ones
    6-11    open cells of Black
    12-17   shore: empty cells from which a slide on the ground leads on
    18-21   pits: empty cells with all six neighbours filled
    22-29   gates, seen from both sides, less two for each dead end; may be negative: plus 128
    30-34   stacks of two pieces or more
    35-     connected parts of the hive less its holes

A gate lies between two empty neighbours whose other two common neighbours are filled; a dead end
is an empty cell beside the hive from which no slide leads on. What slides join is a region.

How many regions there are follows: the hive and its gates, each drawn as a line between the two
pieces beside it, are one connected figure, which divides the plane into as many areas as it has
loops, and one more: holes + gates + 1 (Euler). Whoever walks along the border of an area slides
all the way round, so each area's shore is one region. Dead ends are areas of their own.
"""

from __future__ import annotations

import numpy as np

from .jit import kernel

BLACK_OPEN_SHIFT, SHORE_SHIFT, PITS_SHIFT = 6, 12, 18
GATES_SHIFT, STACKS_SHIFT, EULER_SHIFT = 22, 30, 35
GATES_ZERO = 128
EMPTY_BOARD = GATES_ZERO << GATES_SHIFT
STACK_TALLY = 1 << STACKS_SHIFT


def empty_with(occupied: int, flanks: int) -> int:
    """Return the empty cells around that have so many occupied cells beside them in the ring."""
    mask = 0
    for d in range(6):
        beside = (occupied >> (d + 1) % 6 & 1) + (occupied >> (d + 5) % 6 & 1)
        if not occupied >> d & 1 and beside == flanks:
            mask |= 1 << d
    return mask


# By the occupied cells around: the directions open to a slide on the ground. The target is empty
# and just one cell beside the way is filled: one to keep contact with, one free to pass.
SLIDES = np.array([empty_with(occupied, 1) for occupied in range(64)], dtype=np.int64)


def _cell_tally(around: int) -> int:
    """Return what an empty cell adds to the tally, given who is around."""
    white, black = around & 63, around >> 6
    occupied = white | black
    if not occupied:
        return 0
    gates = bin(empty_with(occupied, 2)).count("1")
    slides = int(SLIDES[occupied])
    return (
        (1 if not black else 1 << BLACK_OPEN_SHIFT if not white else 0)
        + (1 << SHORE_SHIFT if slides else 0)
        + (1 << PITS_SHIFT if occupied == 63 else 0)
        + ((gates if slides else gates - 2) << GATES_SHIFT)
    )


def _piece_tally(occupied: int) -> int:
    """Return what a piece on the ground adds to the tally, given the occupied cells around.

    Cells less borders plus corners that three share counts connected parts less holes (Euler).
    A piece adds one cell, a border for each neighbour and a corner for each two in a row.
    """
    borders = sum(occupied >> d & 1 for d in range(6))
    corners = sum(occupied >> d & occupied >> (d + 1) % 6 & 1 for d in range(6))
    return (1 - borders + corners) * (1 << EULER_SHIFT)


CELL_TALLY = np.array([_cell_tally(around) for around in range(4096)], dtype=np.int32)
PIECE_TALLY = np.array([_piece_tally(occupied) for occupied in range(64)], dtype=np.int64)


@kernel
def open_cells(tally, colour):
    """Return how many empty cells have neighbours of one colour only, the one asked for."""
    return (tally >> (BLACK_OPEN_SHIFT * colour)) & 63


@kernel
def shore_cells(tally):
    """Return how many empty cells a slide leads on from."""
    return (tally >> SHORE_SHIFT) & 63


@kernel
def pits(tally):
    """Return how many empty cells have six filled neighbours; each is a hole of the hive."""
    return (tally >> PITS_SHIFT) & 15


@kernel
def stacks(tally):
    """Return how many cells hold two pieces or more."""
    return (tally >> STACKS_SHIFT) & 31


@kernel
def holes(tally):
    """Return how many separate groups of empty cells a connected hive encloses."""
    return 1 - (tally >> EULER_SHIFT)


@kernel
def regions(tally):
    """Return how many regions of more than one cell there are around a connected hive."""
    return 1 + holes(tally) + ((((tally >> GATES_SHIFT) & 255) - GATES_ZERO) >> 1)
