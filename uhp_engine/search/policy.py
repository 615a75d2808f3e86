"""Kernels that guess how promising each move is, before it is searched: priors from its features.

A move's features are slots of one table of weights; each move has at most MOST_PER_MOVE:

    slot       meaning
    0-39       placement of a bug: [bug * 5 + own turn, 0 to 3, 4 for later]
    40-47      move of an own piece by itself or thrown, by bug
    48-55      throw of an enemy piece, by bug
    56-71      enemy queen's ring: [4 * CLASS of filled cells + 2 * leaves the ring + enters it]
    72-87      own queen's ring, in the same way
    88-91      climbs onto: the enemy queen, the own queen, another enemy, another own piece
    92         leaves the top of the enemy queen
    93-96      ends with one neighbour that is: an enemy, an own piece, the enemy, the own queen
    97, 98     leaves a single neighbour that is an enemy / an own piece
    99         ends beside the piece moved last
    100-105    the own queen moves, by filled cells around her
    106-111    ends with 1 to 6 neighbours
"""

from __future__ import annotations

from ..core.board import BIT_COUNT, BUG, filled_around, neighbour, ring
from ..core.jit import entry, kernel
from ..core.layout import CELL_MASK, PASS
from ..core.moves import LOWEST
from ..core.pieces import QUEEN
from .evaluation import BESIDE, CLASS


@kernel
def ring_change(s, queen, origin, target):
    """Return 1 where a move enters a queen's ring, plus 2 where it leaves it (empties a cell)."""
    enters = BESIDE[(target - queen) & CELL_MASK] and s.top[target] < 0
    leaves = origin >= 0 and BESIDE[(origin - queen) & CELL_MASK] and s.height[origin] == 1
    return (1 if enters else 0) + (2 if leaves else 0)


@kernel
def lone_neighbour(s, cell, occupied):
    """Return the top piece of the one neighbour in a ring mask with a single bit."""
    return s.top[neighbour(cell, LOWEST[occupied])]


@kernel
def move_slots(s, move, at):
    """Write the slots of a move of the side to move into s.queue[at:]; return the end."""
    side = s.side
    piece = move >> 10
    target = move & CELL_MASK
    origin = s.cell[piece]
    bug = BUG[piece]
    if origin < 0:
        s.queue[at] = bug * 5 + min(s.ply >> 1, 4)
    else:
        s.queue[at] = (40 if piece >> 4 == side else 48) + bug
    at += 1
    for whose in range(2):
        colour = side ^ 1 if whose == 0 else side
        queen = s.cell[colour << 4 | QUEEN]
        if queen >= 0 and piece != colour << 4 | QUEEN:
            change = ring_change(s, queen, origin, target)
            if change:
                s.queue[at] = 56 + 16 * whose + 4 * CLASS[filled_around(s, colour)] + change
                at += 1
    under = s.top[target]
    if under >= 0:
        is_enemy = under >> 4 != side
        s.queue[at] = 88 + (0 if under & 15 == QUEEN else 2) + (0 if is_enemy else 1)
        at += 1
    if origin >= 0:
        if s.height[origin] > 1 and s.below[piece] == (side ^ 1) << 4 | QUEEN:
            s.queue[at] = 92
            at += 1
        if bug == QUEEN and piece >> 4 == side:
            s.queue[at] = 100 + min(filled_around(s, side), 5)
            at += 1
        left = ring(s, origin)
        if BIT_COUNT[left] == 1 and s.height[origin] == 1:
            s.queue[at] = 97 + (1 if lone_neighbour(s, origin, left) >> 4 == side else 0)
            at += 1
    occupied = ring(s, target)
    if origin >= 0 and s.height[origin] == 1:
        occupied &= ~BESIDE[(origin - target) & CELL_MASK]
    neighbours = BIT_COUNT[occupied]
    if neighbours:
        s.queue[at] = 105 + neighbours
        at += 1
    if neighbours == 1 and under < 0:
        lone = lone_neighbour(s, target, occupied)
        s.queue[at] = 93 + (2 if lone & 15 == QUEEN else 0) + (1 if lone >> 4 == side else 0)
        at += 1
    if s.last >= 0 and BESIDE[(s.cell[s.last] - target) & CELL_MASK]:
        s.queue[at] = 99
        at += 1
    return at


@kernel
def prior_weight(s, m, move):
    """Return the unnormalised prior of a move of the side to move, by a model."""
    if move == PASS:
        return 1.0
    weight = 1.0
    for index in range(move_slots(s, move, 0)):
        weight *= m.policy[s.queue[index]]
    return weight


@entry
def slots_at(states, moves, out):
    """Write the slots of each of `moves` into the rows of `out` (int64, -1 where unused)."""
    s = states[0]
    for row in range(len(moves)):
        end = 0 if moves[row] == PASS else move_slots(s, moves[row], 0)
        for column in range(out.shape[1]):
            out[row, column] = s.queue[column] if column < end else -1
