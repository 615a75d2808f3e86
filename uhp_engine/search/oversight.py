"""Kernels by which a weak player overlooks moves and misjudges positions, as people do.

A position whose `sight` is all zero is seen as it is. Otherwise the slots say how badly it is
seen, and by whom; levels.py fills them. What is overlooked is drawn by a hash of the thought's
salt and the move: so the same resource stays unseen in every line of one thought, and may be
seen the next time. A misjudgement belongs to the position, whoever comes across it.
"""

from __future__ import annotations

import math

import numpy as np

from ..core.board import BIT_COUNT, BUG, filled_around, mix, ring
from ..core.jit import kernel
from ..core.layout import CELL_MASK, PASS
from ..core.pieces import QUEEN
from ..core.plane import DISTANCE

# Slots of `sight`: 1 where anything is overlooked or misjudged at all; the salts of the thought
# and of the player; the player's colour; the ply of the position thought about; shares in 1/1000:
# of a move overlooked whose weight below is 1000; the misjudgement's standard deviation and the
# hope for each filled cell around the own queen, both in logits.
LIMITED, THOUGHT, PLAYER, COLOUR, PLY, BLINDNESS, MISJUDGEMENT, HOPE = range(8)

# How easily a move is overlooked, in 1/1000 of the blindness: a walk or climb by bug (queen,
# spider, beetle, grasshopper, ant, mosquito, ladybug, pillbug), and more for each cell it is long.
WALK = np.array([150, 700, 350, 300, 200, 800, 900, 300], dtype=np.int64)
WALK_FURTHER = np.array([0, 0, 0, 130, 90, 60, 0, 0], dtype=np.int64)
PLACEMENT = 200
CLIMB = 650
THROW = 1000
# Factors in 1/1000: what the opponent can do; what fills the enemy queen's last gap at once (one
# looks for that) and the own queen's (one fears that); an attack on the queen one is after; an
# attack on the own queen while one is busy with the other; what happens where the last move was.
OPPONENT = 1500
WINS_NOW = 120
LOSES_NEXT = 450
OWN_ATTACK = 600
WHILE_ATTACKING = 1300
NEAR_LAST = 700
MOST = 950  # nothing is overlooked for certain


@kernel
def difficulty(s, move):
    """Return how easily a move's kind is overlooked, in 1/1000, whoever makes it."""
    piece = move >> 10
    target = move & CELL_MASK
    origin = s.cell[piece]
    if origin < 0:
        return PLACEMENT
    if piece >> 4 != s.side:
        return THROW
    if s.top[target] >= 0:
        return CLIMB
    far = DISTANCE[(target - origin) & CELL_MASK]
    return WALK[BUG[piece]] + WALK_FURTHER[BUG[piece]] * (far - 1)


@kernel
def attention(s, target):
    """Return the factor, in 1/1000, that the place and the mover give to a move's difficulty."""
    own = s.side == s.sight[COLOUR]
    factor = 1000 if own else OPPONENT
    queen = s.cell[(s.side ^ 1) << 4 | QUEEN]
    if queen >= 0 and DISTANCE[(target - queen) & CELL_MASK] == 1 and s.top[target] < 0:
        last_gap = BIT_COUNT[ring(s, queen)] == 5
        if own:
            at_once = last_gap and s.ply == s.sight[PLY]
            factor = factor * (WINS_NOW if at_once else OWN_ATTACK) // 1000
        elif last_gap:
            factor = factor * LOSES_NEXT // 1000
        elif filled_around(s, s.side) >= 3:
            factor = factor * WHILE_ATTACKING // 1000
    if s.last >= 0 and DISTANCE[(target - s.cell[s.last]) & CELL_MASK] == 1:
        factor = factor * NEAR_LAST // 1000
    return factor


@kernel
def is_overlooked(s, move):
    """Say whether the player overlooks a move of the side to move in this thought."""
    weight = difficulty(s, move) * attention(s, move & CELL_MASK) // 1000
    share = min(s.sight[BLINDNESS] * weight // 1000, MOST)
    return mix(s.sight[THOUGHT] ^ move) % 1000 < share


@kernel
def leave_seen(s, first, end):
    """Keep the moves in s.moves[first:end] that are not overlooked; return the new end.

    All stay where all would go.
    """
    if s.moves[first] == PASS:
        return end
    kept = first
    for index in range(first, end):
        move = s.moves[index]
        if not is_overlooked(s, move):
            s.moves[kept] = move
            kept += 1
    return kept if kept > first else end


@kernel
def misjudged(s, value):
    """Return what the player takes a position for, given its value for the side to move."""
    spread = mix((s.key ^ s.sight[PLAYER]) & ((1 << 60) - 1))
    # The sum of four even draws from -1 to 1, standard deviation 1 after the root.
    luck = -4.0
    for _ in range(4):
        luck += (spread & 4095) / 2048.0
        spread >>= 12
    luck *= 0.866
    hope = s.sight[HOPE] * filled_around(s, s.sight[COLOUR])
    if s.side != s.sight[COLOUR]:
        hope = -hope
    logit = math.log((1.0 + value + 1e-9) / (1.0 - value + 1e-9))
    logit += 0.001 * (hope + s.sight[MISJUDGEMENT] * luck)
    return math.tanh(0.5 * logit)
