"""Kernels that read and change a position: rings, put and lift, make and unmake, the outcome.

All take one record of `layout.STATE`, named `s`, and change it in place.
"""

from __future__ import annotations

import hashlib

import numpy as np

from .jit import entry, kernel
from .layout import CELL_MASK, CELLS, PASS, PIECE_SLOTS, STEPS
from .pieces import BUG_COUNTS, BUG_OF_INDEX, FIRST_INDEX, LAST_PIECE, MOSQUITO, QUEEN
from .tally import CELL_TALLY, EMPTY_BOARD, PIECE_TALLY, STACK_TALLY

IN_PROGRESS, WHITE_WINS, BLACK_WINS, DRAW = range(4)

# How many bits are set, of a mask of cells around or of bugs.
BIT_COUNT = np.array([bin(mask).count("1") for mask in range(256)], dtype=np.int64)

# Where `make` writes a move's origin into what it returns: 0 there for the hand and for a pass.
UNDO_ORIGIN = 2047 << 6

STEP = np.array(STEPS, dtype=np.int64)
BUG = np.array([*BUG_OF_INDEX, 0, 0] * 2, dtype=np.int64)
BUG_COUNT = np.array(BUG_COUNTS, dtype=np.int64)
FIRST = np.array(FIRST_INDEX, dtype=np.int64)

# The bit by which the neighbour in each direction knows this cell.
BACK = np.array([1 << (direction + 3) % 6 for direction in range(6)], dtype=np.int64)
BOTH_COLOURS = 1 | 1 << 6

KEY_MASK = (1 << 62) - 1
SIDE_KEY = 0x2545F4914F6CDD1D & KEY_MASK
MIX_1 = 0x1E3779B97F4A7C15
MIX_2 = 0x3F58476D1CE4E5B9


def _random_odd(number: int) -> int:
    """Return an odd 62-bit number with the digits of a hash."""
    digest = hashlib.blake2b(number.to_bytes(4, "big"), digest_size=8).digest()
    return int.from_bytes(digest, "big") & KEY_MASK | 1


# By piece and height, and by cell: pieces of one bug and colour share their numbers.
PIECE_KEY = np.array(
    [
        _random_odd(CELLS + ((piece >> 4 << 3 | int(BUG[piece])) << 3 | height))
        for piece in range(PIECE_SLOTS)
        for height in range(8)
    ],
    dtype=np.int64,
)
CELL_KEY = np.array([_random_odd(cell) for cell in range(CELLS)], dtype=np.int64)


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
    product = (PIECE_KEY[piece << 3 | height] * CELL_KEY[cell]) & KEY_MASK
    return product ^ (product >> 31)


@kernel
def extra_bugs(s):
    """Return the game type: 1 with the mosquito, plus 2 with the ladybug, 4 with the pillbug."""
    extra = 0
    for bit in range(3):  # White's three have numbers in a row
        if s.hand[MOSQUITO + bit] or s.cell[FIRST_INDEX[MOSQUITO] + bit] >= 0:
            extra |= 1 << bit
    return extra


@kernel
def neighbour(cell, direction):
    """Return the cell next to `cell` in a direction (0 NW, clockwise, to 5 W)."""
    return (cell + STEP[direction]) & CELL_MASK


@kernel
def ring(s, cell):
    """Return the occupied cells around `cell`: bit d for direction d."""
    return (s.around[cell] | (s.around[cell] >> 6)) & 63


@kernel
def colours_changed(piece, beneath):
    """Return the colours, as for `toggle_around`, in which a cell differs by its top piece."""
    if beneath < 0:
        return 1 << (6 * (piece >> 4))
    return BOTH_COLOURS if (beneath ^ piece) >> 4 else 0


@kernel
def toggle_around(s, cell, colours):
    """Tell the six cells around `cell` that a top piece came there or went.

    `colours` is 1 for a white one, 1 << 6 for a black one, both for one in place of another.
    """
    for direction in range(6):
        s.around[(cell + STEP[direction]) & CELL_MASK] ^= BACK[direction] * colours


@kernel
def change_around(s, cell, colours):
    """Return what `toggle_around` would add to the tally: the share of the empty cells around."""
    filled = ring(s, cell)
    change = 0
    for direction in range(6):
        before = s.around[(cell + STEP[direction]) & CELL_MASK]
        after = before ^ (BACK[direction] * colours)
        is_filled = (filled >> direction) & 1
        change += (CELL_TALLY[after] - CELL_TALLY[before]) & (is_filled - 1)
    return change


@kernel
def tally_without(s, piece, cell):
    """Return what the tally would be without a single piece on the ground."""
    own_share = CELL_TALLY[s.around[cell]] - PIECE_TALLY[ring(s, cell)]
    return s.tally + own_share + change_around(s, cell, 1 << (6 * (piece >> 4)))


@kernel
def tally_of_top(s, piece, cell, beneath, height, is_there):
    """Return what a piece on top of a cell adds to the tally.

    Args:
        s: the position.
        piece: the piece.
        cell: its cell.
        beneath: the piece directly under it, or -1.
        height: the number of pieces under it.
        is_there: False where it is not there yet, and its neighbours know nothing of it.
    """
    if beneath < 0:
        tally = PIECE_TALLY[ring(s, cell)] - CELL_TALLY[s.around[cell]]
    else:
        tally = STACK_TALLY if height == 1 else 0
    colours = colours_changed(piece, beneath)
    if colours:
        change = change_around(s, cell, colours)
        tally += -change if is_there else change
    return tally


@kernel
def lay(s, piece, cell):
    """Lay a piece on top of a cell, telling no neighbours; return what it covers."""
    covered = s.top[cell]
    s.below[piece] = covered
    s.top[cell] = piece
    s.height[cell] += 1
    s.cell[piece] = cell
    return covered


@kernel
def take(s, piece, cell):
    """Take a top piece off its cell, telling no neighbours; return what it uncovers."""
    beneath = s.below[piece]
    s.height[cell] -= 1
    s.top[cell] = beneath
    s.cell[piece] = -1
    return beneath


@kernel
def tell_change(s, piece, cell, beneath):
    """Tell the neighbours that a piece came to or left a cell where `beneath` lies under it."""
    colours = colours_changed(piece, beneath)
    if colours:
        toggle_around(s, cell, colours)


@kernel
def put(s, piece, cell):
    """Lay a piece that is nowhere on top of a cell."""
    tell_change(s, piece, cell, lay(s, piece, cell))


@kernel
def lift(s, piece, cell):
    """Take a top piece off its cell, uncovering what lies beneath."""
    tell_change(s, piece, cell, take(s, piece, cell))


@kernel
def settle(s):
    """Bring the tally up to date with the last move, which `make` left to whoever needs it."""
    piece = (s.unsettled >> 11) & 31
    origin = (s.unsettled & 2047) - 1
    cell = s.cell[piece]
    beneath = s.below[piece]
    s.tally += tally_of_top(s, piece, cell, beneath, s.height[cell] - 1, True)
    if origin >= 0:  # taken away meanwhile, since the two places may be close
        tell_change(s, piece, cell, beneath)
        s.tally -= tally_of_top(s, piece, origin, s.top[origin], s.height[origin], False)
        tell_change(s, piece, cell, beneath)
    s.unsettled = 0


@kernel
def make(s, move):
    """Play a legal move (`piece << 10 | cell`, or PASS) and return what `unmake` needs to undo it.

    The returned number is `tally << 17 | (origin + 1) << 6 | (last + 1)`, origin -1 meaning the
    hand, all as they were before.
    """
    if s.unsettled:
        settle(s)
    move = np.int64(move)  # a search may keep moves in fewer bits
    undo = s.tally << 17 | (s.last + 1)
    key = SIDE_KEY
    if move == PASS:
        s.last = -1
    else:
        piece = (move >> 10) & 31
        cell = move & CELL_MASK
        origin = s.cell[piece]
        undo |= (origin + 1) << 6
        if origin < 0:
            s.hand[(piece >> 4) << 3 | BUG[piece]] -= 1
            s.on_board[piece >> 4] += 1
        else:
            lift(s, piece, origin)
            key ^= placed_key(piece, s.height[origin], origin)
        key ^= placed_key(piece, s.height[cell], cell)
        put(s, piece, cell)
        s.last = piece
        s.unsettled = 1 << 16 | piece << 11 | (origin + 1)
    s.key ^= key
    s.side ^= 1
    s.ply += 1
    return undo


@kernel
def unmake(s, move, undo):
    """Take back the last move played, given what `make` returned for it."""
    move = np.int64(move)
    s.side ^= 1
    s.ply -= 1
    s.last = (undo & 63) - 1
    s.tally = undo >> 17
    s.unsettled = 0
    key = SIDE_KEY
    if move != PASS:
        piece = (move >> 10) & 31
        cell = move & CELL_MASK
        origin = ((undo >> 6) & 2047) - 1
        lift(s, piece, cell)
        key ^= placed_key(piece, s.height[cell], cell)
        if origin < 0:
            s.hand[(piece >> 4) << 3 | BUG[piece]] += 1
            s.on_board[piece >> 4] -= 1
        else:
            key ^= placed_key(piece, s.height[origin], origin)
            put(s, piece, origin)
    s.key ^= key


@kernel
def list_border(s):
    """Write the empty cells beside the hive into `s.border`, `s.border_end` of them, once each."""
    end = 0
    for piece in range(LAST_PIECE + 1):
        cell = s.cell[piece]
        if cell < 0 or s.top[cell] != piece:
            continue
        occupied = ring(s, cell)
        for direction in range(6):
            there = (cell + STEP[direction]) & CELL_MASK
            s.border[end] = there
            # Of all its neighbours just the first in order names a cell.
            earlier = ring(s, there) & (BACK[direction] - 1)
            end += 1 if earlier == 0 and (occupied >> direction) & 1 == 0 else 0
    s.border_end = end


@kernel
def filled_around(s, colour):
    """Return how many cells around a colour's queen are filled; 0 while she is in hand."""
    cell = s.cell[colour << 4 | QUEEN]
    return BIT_COUNT[ring(s, cell)] if cell >= 0 else 0


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
    s.tally = EMPTY_BOARD
    s.unsettled = 0
    s.flood = 0
    s.pinned = 0
    s.throwable = 0
    s.border_end = 0


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
