"""The pieces and their numbers: plain integers, shared by the kernels and by all above them.

A piece is one number, `colour << 4 | index`: 28 numbers below 30. The index runs over one
player's fourteen pieces in the protocol's order: Q S1 S2 B1 B2 G1 G2 G3 A1 A2 A3 M L P.
Nothing here imports numba.
"""

from __future__ import annotations

WHITE, BLACK = 0, 1

QUEEN, SPIDER, BEETLE, GRASSHOPPER, ANT, MOSQUITO, LADYBUG, PILLBUG = range(8)
BUG_LETTERS = "QSBGAMLP"
BUG_NAMES = ("queen", "spider", "beetle", "grasshopper", "ant", "mosquito", "ladybug", "pillbug")

PIECES_PER_SIDE = 14
BUG_COUNTS = (1, 2, 2, 3, 3, 1, 1, 1)
BUG_OF_INDEX = tuple(bug for bug, count in enumerate(BUG_COUNTS) for _ in range(count))
FIRST_INDEX = tuple(BUG_OF_INDEX.index(bug) for bug in range(8))
NUMBER_OF_INDEX = tuple(index - FIRST_INDEX[bug] + 1 for index, bug in enumerate(BUG_OF_INDEX))

ALL_PIECES = tuple(colour << 4 | index for colour in (0, 1) for index in range(PIECES_PER_SIDE))
LAST_PIECE = ALL_PIECES[-1]

# Directions clockwise from the upper left, the order in which Mzinga names a neighbour.
NORTH_WEST, NORTH_EAST, EAST, SOUTH_EAST, SOUTH_WEST, WEST = range(6)
# Axial steps (q, r): q grows to the east, r to the south-east.
AXIAL_STEPS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))

GAME_TYPES = (
    "Base",
    "Base+M",
    "Base+L",
    "Base+P",
    "Base+ML",
    "Base+MP",
    "Base+LP",
    "Base+MLP",
)


def colour_of(piece: int) -> int:
    """Return WHITE or BLACK."""
    return piece >> 4


def bug_of(piece: int) -> int:
    """Return the bug's number, QUEEN to PILLBUG."""
    return BUG_OF_INDEX[piece & 15]


def piece_name(piece: int) -> str:
    """Return the protocol's name, such as `wQ` or `bA2`.

    >>> piece_name(0), piece_name(16 + 9)
    ('wQ', 'bA2')
    """
    bug = bug_of(piece)
    number = str(NUMBER_OF_INDEX[piece & 15]) if BUG_COUNTS[bug] > 1 else ""
    return "wb"[piece >> 4] + BUG_LETTERS[bug] + number


PIECE_NAMES = {piece: piece_name(piece) for piece in ALL_PIECES}
PIECE_OF_NAME = {name.lower(): piece for piece, name in PIECE_NAMES.items()}


def bugs_of_type(game_type: str) -> int:
    """Return a bit mask of the bugs in the box of a game type (bit QUEEN to bit PILLBUG)."""
    extra = game_type.partition("+")[2]
    return 0b11111 | sum(1 << BUG_LETTERS.index(letter) for letter in extra)
