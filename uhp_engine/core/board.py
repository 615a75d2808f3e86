"""Kernels that read and change a position: rings, put and lift, make and unmake, the outcome.

All take one record of `layout.STATE`, named `s`, and change it in place.
"""

from __future__ import annotations

import numpy as np

from .jit import entry, kernel
from .layout import CELL_MASK, CELLS, PASS, PIECE_SLOTS, STEPS
from .pieces import BUG_COUNTS, BUG_OF_INDEX, FIRST_INDEX, QUEEN

IN_PROGRESS, WHITE_WINS, BLACK_WINS, DRAW = range(4)

STEP = np.array(STEPS, dtype=np.int64)
BUG = np.array([*BUG_OF_INDEX, 0, 0] * 2, dtype=np.int64)
BUG_COUNT = np.array(BUG_COUNTS, dtype=np.int64)
FIRST = np.array(FIRST_INDEX, dtype=np.int64)

KEY_MASK = (1 << 62) - 1
SIDE_KEY = 0x2545F4914F6CDD1D & KEY_MASK
MIX_1 = 0x1E3779B97F4A7C15
MIX_2 = 0x3F58476D1CE4E5B9


@kernel
def mix(number):
    """Return a well-spread 62-bit number for a small one (two rounds of multiply and shift).

    After the finaliser of splitmix64 (Steele, Lea and Flood, OOPSLA 2014), kept to 62 bits so
    that nothing overflows an int64 without being masked.
    """
    number = ((number + 1) * MIX_1) & KEY_MASK
    number = ((number ^ (number >> 29)) * MIX_2) & KEY_MASK
    return number ^ (number >> 31)


@kernel
def placed_key(piece, height, cell):
    """Return the key of one piece lying at a height (0 on the ground) on a cell."""
    return mix(((piece >> 4) << 16) | (BUG[piece] << 13) | (height << 10) | cell)


@kernel
def neighbour(cell, direction):
    """Return the cell next to `cell` in a direction (0 NW, clockwise, to 5 W)."""
    return (cell + STEP[direction]) & CELL_MASK


@kernel
def ring(s, cell):
    """Return the occupied cells around `cell`: bit d for direction d."""
    return (s.around[cell] | (s.around[cell] >> 6)) & 63


@kernel
def toggle_around(s, cell, colour):
    """Tell the six cells around `cell` that a top piece of `colour` came there or went."""
    for direction in range(6):
        opposite = direction + 3 if direction < 3 else direction - 3
        s.around[(cell + STEP[direction]) & CELL_MASK] ^= 1 << (opposite + 6 * colour)


@kernel
def put(s, piece, cell):
    """Lay a piece that is nowhere on top of a cell."""
    covered = s.top[cell]
    if covered < 0:
        toggle_around(s, cell, piece >> 4)
    elif (covered ^ piece) >> 4:
        toggle_around(s, cell, 0)
        toggle_around(s, cell, 1)
    s.key ^= placed_key(piece, s.height[cell], cell)
    s.below[piece] = covered
    s.top[cell] = piece
    s.height[cell] += 1
    s.cell[piece] = cell


@kernel
def lift(s, piece):
    """Take a top piece off the board, uncovering what lies beneath."""
    cell = s.cell[piece]
    beneath = s.below[piece]
    s.height[cell] -= 1
    s.top[cell] = beneath
    if beneath < 0:
        toggle_around(s, cell, piece >> 4)
    elif (beneath ^ piece) >> 4:
        toggle_around(s, cell, 0)
        toggle_around(s, cell, 1)
    s.key ^= placed_key(piece, s.height[cell], cell)
    s.cell[piece] = -1


@kernel
def make(s, move):
    """Play a legal move (`piece << 10 | cell`, or PASS) and return what `unmake` needs to undo it.

    The returned number is `(origin + 1) << 6 | (last + 1)`, origin -1 meaning the hand.
    """
    undo = s.last + 1
    if move == PASS:
        s.last = -1
    else:
        piece = move >> 10
        origin = s.cell[piece]
        undo |= (origin + 1) << 6
        if origin < 0:
            s.hand[(piece >> 4) << 3 | BUG[piece]] -= 1
            s.on_board[piece >> 4] += 1
        else:
            lift(s, piece)
        put(s, piece, move & CELL_MASK)
        s.last = piece
    s.side ^= 1
    s.ply += 1
    s.key ^= SIDE_KEY
    return undo


@kernel
def unmake(s, move, undo):
    """Take back the last move played, given what `make` returned for it."""
    s.side ^= 1
    s.ply -= 1
    s.key ^= SIDE_KEY
    s.last = (undo & 63) - 1
    if move != PASS:
        piece = move >> 10
        origin = (undo >> 6) - 1
        lift(s, piece)
        if origin < 0:
            s.hand[(piece >> 4) << 3 | BUG[piece]] += 1
            s.on_board[piece >> 4] -= 1
        else:
            put(s, piece, origin)


@kernel
def is_surrounded(s, colour):
    """Say whether the six cells around a colour's queen are filled."""
    cell = s.cell[colour << 4 | QUEEN]
    return cell >= 0 and ring(s, cell) == 63


@kernel
def outcome(s):
    """Return IN_PROGRESS, WHITE_WINS, BLACK_WINS or DRAW (both queens surrounded)."""
    return (WHITE_WINS if is_surrounded(s, 1) else 0) | (BLACK_WINS if is_surrounded(s, 0) else 0)


@entry
def reset(states, bugs, queen_opening):
    """Set up the start position in states[0].

    Args:
        states: array of one record.
        bugs: bit mask of the bugs in the box, see `pieces.bugs_of_type`.
        queen_opening: 1 where nobody may place the queen as a first piece, else 0.
    """
    s = states[0]
    for cell in range(CELLS):
        s.top[cell] = -1
        s.height[cell] = 0
        s.around[cell] = 0
        s.thrown[cell] = 0
        s.mark[cell] = 0
    for piece in range(PIECE_SLOTS):
        s.cell[piece] = -1
        s.below[piece] = -1
    for colour in range(2):
        s.on_board[colour] = 0
        for bug in range(8):
            s.hand[colour << 3 | bug] = BUG_COUNT[bug] if (bugs >> bug) & 1 else 0
    s.side = 0
    s.ply = 0
    s.last = -1
    s.queen_opening = queen_opening
    s.key = 0
    s.flood = 0
    s.pinned = 0


@entry
def make_at(states, move):
    """`make` for states[0], to be called from Python."""
    return make(states[0], move)


@entry
def unmake_at(states, move, undo):
    """`unmake` for states[0], to be called from Python."""
    unmake(states[0], move, undo)


@entry
def outcome_at(states):
    """`outcome` of states[0], to be called from Python."""
    return outcome(states[0])
