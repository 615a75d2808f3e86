"""How a position lies in memory: one numpy record, nearly all of it int64.

A record is passed between kernels as a bare address, without reference counts, which is worth a
factor of ten here; and with int64 for all that the rules need the same source runs under
NUMBA_DISABLE_JIT=1.

The board is a torus of 32 by 32 hexagons, walked by adding a step and keeping ten bits. Two
copies of one cell are 32 steps apart, so a hive of 28 pieces, at most 28 cells long, neither
touches itself nor ever runs out of coordinates, however far it wanders.
"""

from __future__ import annotations

import numpy as np

CELLS = 1024
CELL_MASK = CELLS - 1
ROW = 32
# One step in each direction, NW NE E SE SW W, as a difference of cell numbers.
STEPS = (-ROW, 1 - ROW, 1, ROW, ROW - 1, -1)

PIECE_SLOTS = 32
# More than any position can have: at most 128 placements beside some 300 board moves.
MAX_MOVES = 512
# Buffers for positions along one line of play: perft's depth and the search's scratch.
MAX_DEPTH = 24

FEATURE_SLOTS = 128
HIDDEN_UNITS = 32

# At most 60 empty cells lie beside 28 pieces.
BORDER_SLOTS = 64
SIGHT_SLOTS = 16

# A move is `piece << 10 | cell`; a pass has a number of its own.
PASS = 1 << 15

STATE = np.dtype(
    [
        # The piece on top of each cell, -1 where empty.
        ("top", np.int64, CELLS),
        # The number of pieces on each cell.
        ("height", np.int64, CELLS),
        # Who tops the six cells around: bit d white, bit 6 + d black, d = NW NE E SE SW W.
        ("around", np.int64, CELLS),
        # Scratch, zero between kernels: bit p set where piece p can be thrown to this cell.
        ("thrown", np.int64, CELLS),
        # Scratch: the number of the last flood that reached this cell, see `flood`.
        ("mark", np.int64, CELLS),
        # The cell of each piece, -1 in hand.
        ("cell", np.int64, PIECE_SLOTS),
        # The piece directly beneath each piece, -1 on the ground.
        ("below", np.int64, PIECE_SLOTS),
        # How many of each bug are in hand: [colour * 8 + bug].
        ("hand", np.int64, 16),
        # How many pieces of each colour are on the board.
        ("on_board", np.int64, 2),
        # Seven counts in one number, see tally.py.
        ("tally", np.int64),
        # The last move where the tally does not know of it yet, else 0; see `board.settle`.
        ("unsettled", np.int64),
        # Whose move it is: 0 white, 1 black.
        ("side", np.int64),
        # Plies played.
        ("ply", np.int64),
        # The piece placed, moved or thrown in the last ply; -1 after a pass or at the start.
        ("last", np.int64),
        # 1: nobody places the queen as a first piece (tournament rule); 0: the old rule book.
        ("queen_opening", np.int64),
        # Zobrist key of bugs, colours, cells, heights and side to move; depends on the place.
        ("key", np.int64),
        # Scratch: counts floods, so that `mark` never needs clearing.
        ("flood", np.int64),
        # Scratch: see `pins.find_pinned`.
        ("pinned", np.int64),
        # Scratch: bit p set where piece p can be thrown, see `thrown`.
        ("throwable", np.int64),
        # Scratch: the empty cells beside the hive, and how many; by `board.list_border`.
        ("border", np.int64, BORDER_SLOTS),
        ("border_end", np.int64),
        # Scratch: discovery order and low point of each piece, and the walk's stack.
        ("order", np.int64, PIECE_SLOTS),
        ("low", np.int64, PIECE_SLOTS),
        ("queue", np.int64, CELLS),
        # Scratch of perft, by level: the next move, the end of the moves, what undoes the last.
        ("next", np.int64, MAX_DEPTH),
        ("end", np.int64, MAX_DEPTH),
        ("undo", np.int64, MAX_DEPTH),
        # Scratch of the search: what an evaluation counted, see search/evaluation.py.
        ("features", np.int64, FEATURE_SLOTS),
        # What the units of its network add up.
        ("hidden", np.float32, HIDDEN_UNITS),
        # How badly the searching player sees, see search/oversight.py; zero for no handicap.
        ("sight", np.int64, SIGHT_SLOTS),
        # Legal moves, MAX_MOVES for each level of MAX_DEPTH.
        ("moves", np.int64, MAX_MOVES * MAX_DEPTH),
    ]
)


def new_states(count: int = 1) -> np.ndarray:
    """Return an array of `count` zeroed positions; `reset` in board.py sets them up.

    Elements are `np.record`s, so that the kernels' `s.top` works without numba, too.
    """
    return np.zeros(count, dtype=np.dtype((np.record, STATE)))
