"""Kernels that judge a position at a leaf: counts chosen by hand, and what a model makes of them.

The side to move has block 0 of the counts, its opponent block 1; `BLOCK` slots each:

    slot     what is counted for a side ("own" is that side)
    0-5      1 at the number of filled cells around its queen
    6        1 where its queen is not placed
    7-12     the same as 0-5, where the queen can move or be thrown by its own side
    13-16    empty cells around its queen that the enemy can fill now, by `CLASS` of filled cells
    17-20    enemy pieces that can do so, by `CLASS`
    21, 22   1 where an enemy / an own piece lies on top of its queen
    23-30    own pieces that can move, by bug
    31-38    own pieces in hand, by bug
    39       1 where an own pillbug's power stands beside its queen
    40       own pieces beside its queen that can move away
    41       own pieces under an enemy piece
    42       moves, in units of eight
"""

from __future__ import annotations

import math

import numpy as np

from ..core.attacks import list_attacks
from ..core.board import BIT_COUNT, BUG, filled_around, list_border, neighbour, ring, settle
from ..core.jit import entry, kernel
from ..core.layout import CELL_MASK, CELLS, HIDDEN_UNITS, MAX_MOVES, STEPS
from ..core.moves import can_throw, list_board_moves, placements
from ..core.pieces import FIRST_INDEX, MOSQUITO, PIECES_PER_SIDE, PILLBUG, QUEEN
from .near import near_exp
from .oversight import LIMITED, leave_seen
from .places import list_rows
from .shapes import BLOCK
from .sums import add_rows

# After the two blocks: bit p set where either side can move or throw piece p.
MOVABLE = 2 * BLOCK
CLASS = np.array([0, 0, 0, 1, 2, 3, 3], dtype=np.int64)

# Difference of two cells -> the bit of the direction where they are neighbours, else 0.
BESIDE = np.zeros(CELLS, dtype=np.int8)
for _direction, _step in enumerate(STEPS):
    BESIDE[_step & CELL_MASK] = 1 << _direction


@kernel
def empties_ring_cell(s, piece, queen):
    """Say whether a piece leaving its place empties a cell beside a queen's cell."""
    origin = s.cell[piece]
    return origin >= 0 and s.height[origin] == 1 and BESIDE[(origin - queen) & CELL_MASK] != 0


@kernel
def can_win_at_once(s, first, end):
    """Say whether one of the side to move's moves listed in s.moves[first:end] surrounds.

    It fills the last free cell around the enemy queen, from elsewhere than her ring, and does
    not surround the own queen as well.
    """
    enemy = s.cell[(s.side ^ 1) << 4 | QUEEN]
    if enemy < 0:
        return False
    around = ring(s, enemy)
    if BIT_COUNT[around] != 5:
        return False
    direction = 0
    while (around >> direction) & 1:
        direction += 1
    hole = neighbour(enemy, direction)
    own = s.cell[s.side << 4 | QUEEN]
    own_free = 6 - BIT_COUNT[ring(s, own)] if own >= 0 else 6
    for index in range(first, end):
        move = s.moves[index]
        if move & CELL_MASK != hole:
            continue
        piece = move >> 10
        if empties_ring_cell(s, piece, enemy) or piece == (s.side ^ 1) << 4 | QUEEN:
            continue  # throwing the enemy queen is too rare to judge here; the tree will see it
        if piece & 15 == QUEEN:
            if ring(s, hole) == 63:
                continue  # both queens: a draw
        elif own_free == 1 and BESIDE[(hole - own) & CELL_MASK]:
            if not empties_ring_cell(s, piece, own):
                continue  # both queens: a draw
        return True
    return False


@kernel
def list_seen(s, at):
    """List from `at` on the moves that a count needs; return their end and how many there are.

    See `attacks.list_attacks`, which also says what must be up to date.
    """
    if s.sight[LIMITED]:
        end = leave_seen(s, at, list_board_moves(s, placements(s, at)))
        return end, end - at
    return list_attacks(s, at)


@kernel
def keeping_ring(s, queen):
    """Return a bit mask of the pieces that empty a cell beside a queen's cell by leaving theirs."""
    pieces = 0
    for direction in range(6):
        cell = neighbour(queen, direction)
        pieces |= (1 if s.height[cell] == 1 else 0) << (s.top[cell] & 31)
    return pieces


@kernel
def count_moves(s, first, end, moves, own, enemy):
    """Add to the counts what the moves of one side say. Branches nobody could foretell are avoided.

    Args:
        s: the position.
        first: index in s.moves of the first of those that `list_seen` listed.
        end: index after the last.
        moves: how many the side has in all.
        own: index of the side's block in s.features.
        enemy: index of the other side's block.

    Returns:
        The pieces on the board that the side can move or throw, bit p for piece p.
    """
    colour = s.side
    queen = s.cell[(colour ^ 1) << 4 | QUEEN]
    empty, keeping = 0, 0
    if queen >= 0:
        empty = ring(s, queen) ^ 63
        keeping = keeping_ring(s, queen)
    movable = 0
    attackers = 0
    fillable = 0
    for index in range(first, end):
        piece = s.moves[index] >> 10
        fills = BESIDE[(s.moves[index] - queen) & CELL_MASK] & empty
        fills &= ((keeping >> piece) & 1) - 1
        movable |= 1 << piece
        fillable |= fills
        attackers |= (1 if fills else 0) << piece
    filled = CLASS[filled_around(s, colour ^ 1)]
    s.features[enemy + 13 + filled] = BIT_COUNT[fillable]
    attacking = 0
    while attackers:
        attackers &= attackers - 1
        attacking += 1
    s.features[enemy + 17 + filled] = min(attacking, 4)
    own_queen = s.cell[colour << 4 | QUEEN]
    beside_queen = 0
    for piece in range(colour << 4, (colour << 4) + PIECES_PER_SIDE):
        cell = s.cell[piece]
        moves_away = (movable >> piece) & (1 if cell >= 0 else 0)
        s.features[own + 23 + BUG[piece]] += moves_away
        beside_queen += moves_away & (1 if BESIDE[(cell - own_queen) & CELL_MASK] else 0)
    if own_queen >= 0:
        s.features[own + 40] = beside_queen
        if (movable >> (colour << 4 | QUEEN)) & 1:
            s.features[own + 7 + min(filled_around(s, colour), 5)] = 1
    s.features[own + 42] = moves >> 3
    return movable


@kernel
def count_board(s, colour, own):
    """Add to the counts what the board alone says of one side."""
    queen = s.cell[colour << 4 | QUEEN]
    if queen < 0:
        s.features[own + 6] = 1
    else:
        s.features[own + min(filled_around(s, colour), 5)] = 1
        top = s.top[queen]
        if top != colour << 4 | QUEEN:
            s.features[own + 21 + (1 if top >> 4 == colour else 0)] = 1
        for index in (FIRST_INDEX[PILLBUG], FIRST_INDEX[MOSQUITO]):
            piece = colour << 4 | index
            if s.cell[piece] >= 0 and BESIDE[(s.cell[piece] - queen) & CELL_MASK]:
                if can_throw(s, piece):
                    s.features[own + 39] = 1
    for bug in range(8):
        s.features[own + 31 + bug] = s.hand[colour << 3 | bug]
    for piece in range(colour << 4, (colour << 4) + PIECES_PER_SIDE):
        cell = s.cell[piece]
        if cell >= 0 and s.top[cell] >> 4 != colour:
            s.features[own + 41] += 1


@kernel
def count_features(s):
    """Fill s.features for the position and return 1 where the side to move can win at once.

    Uses the move buffers of levels 0 and 1. A win at once leaves the counts unfinished.
    """
    own_first, enemy_first = np.int64(0), np.int64(MAX_MOVES)
    own, enemy = np.int64(0), np.int64(BLOCK)
    if s.unsettled:
        settle(s)
    list_border(s)
    own_end, own_moves = list_seen(s, own_first)
    if can_win_at_once(s, own_first, own_end):
        return 1
    for slot in range(2 * BLOCK):
        s.features[slot] = 0
    s.features[MOVABLE] = count_moves(s, own_first, own_end, own_moves, own, enemy)
    count_board(s, s.side, own)
    count_board(s, s.side ^ 1, enemy)
    last = s.last
    s.last = -1
    s.side ^= 1
    enemy_end, enemy_moves = list_seen(s, enemy_first)
    s.features[MOVABLE] |= count_moves(s, enemy_first, enemy_end, enemy_moves, enemy, own)
    s.side ^= 1
    s.last = last
    return 0


@kernel
def ask_network(s, m):
    """Return the result that the network expects, from -1 (lost) to 1 (won)."""
    for unit in range(m.units):
        s.hidden[unit] = m.hidden_bias[unit]
    used = 0
    for slot in range(2 * BLOCK):  # most are 0
        s.queue[used] = slot
        used += 1 if s.features[slot] else 0
    add_rows(s.hidden, m.count_weights, s.queue, used, s.features)
    add_rows(s.hidden, m.place_weights, s.queue, list_rows(s, s.features[MOVABLE]), None)
    win = m.output_bias[0]
    draw = m.output_bias[1]
    loss = m.output_bias[2]
    for unit in range(HIDDEN_UNITS):
        active = max(s.hidden[unit], np.float32(0.0))
        win += active * m.output_weights[unit, 0]
        draw += active * m.output_weights[unit, 1]
        loss += active * m.output_weights[unit, 2]
    most = max(win, draw, loss)  # so that nothing overflows
    winning = near_exp(max(win - most, -200.0))
    losing = near_exp(max(loss - most, -200.0))
    return (winning - losing) / (winning + near_exp(max(draw - most, -200.0)) + losing)


@kernel
def weigh(s, m):
    """Return what a model makes of the counts, as the expected result: -1 (lost) to 1 (won)."""
    if m.learned:
        return ask_network(s, m)
    total = m.bias
    for slot in range(2 * BLOCK):
        if s.features[slot]:
            total += m.value[slot] * s.features[slot]
    return math.tanh(0.5 * total)


@entry
def inputs_at(states, counts, rows):
    """Write what a network reads of states[0], and return 1 for a win at once.

    Args:
        states: array of one position.
        counts: int64 array (2 * BLOCK,).
        rows: int64 array (MOST_ROWS,), filled with the rows of places.py, then with -1.
    """
    s = states[0]
    wins = count_features(s)
    for slot in range(2 * BLOCK):
        counts[slot] = s.features[slot]
    end = 0 if wins else list_rows(s, s.features[MOVABLE])
    for index in range(len(rows)):
        rows[index] = s.queue[index] if index < end else -1
    return wins
