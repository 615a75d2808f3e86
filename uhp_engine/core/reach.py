"""Kernels for the ways of each bug: where a piece that is free to move can go by itself.

All take one record of `layout.STATE`, named `s`. Those named `list_` write the moves of one
piece, each once, into `s.moves` from index `at` on and return the index after the last one.
"""

from __future__ import annotations

import numpy as np

from .board import BUG, STEP, neighbour, ring, tally_without, toggle_around
from .jit import kernel
from .layout import CELL_MASK
from .pieces import ANT, BEETLE, GRASSHOPPER, LADYBUG, MOSQUITO, PILLBUG, QUEEN, SPIDER
from .pins import LOWEST
from .tally import SLIDES, regions, stacks


@kernel
def gate_open(s, cell, direction, level):
    """Say whether a step passes between the stacks on both sides.

    `level` is the greater of the heights it leads from and to, the piece not counted.
    """
    left = s.height[(cell + STEP[direction - 1 if direction else 5]) & CELL_MASK]
    right = s.height[(cell + STEP[direction + 1 if direction < 5 else 0]) & CELL_MASK]
    return min(left, right) <= level


@kernel
def list_steps(s, at, piece, cell, directions):
    """List one step in each direction of a mask."""
    while directions:
        s.moves[at] = piece << 10 | neighbour(cell, LOWEST[directions])
        directions &= directions - 1
        at += 1
    return at


@kernel
def climbs(s, cell, own_height):
    """Return the directions of one step from a height: beetle, and mosquito on a stack."""
    occupied = ring(s, cell)
    directions = SLIDES[occupied] | occupied if own_height == 0 else 63
    # A gate on the hive takes two stacks beside the way, neither of them left by the piece.
    if stacks(s.tally) > (1 if own_height == 0 else 2):
        for direction in range(6):
            level = max(own_height, s.height[neighbour(cell, direction)])
            if level > 0 and not gate_open(s, cell, direction, level):
                directions &= ~(1 << direction)
    return directions


@kernel
def list_jumps(s, at, piece, cell):
    """Grasshopper: straight over one piece or more to the first empty cell."""
    rest = ring(s, cell)
    while rest:
        step = STEP[LOWEST[rest]]
        rest &= rest - 1
        there = (cell + step) & CELL_MASK
        while s.top[there] >= 0:
            there = (there + step) & CELL_MASK
        s.moves[at] = piece << 10 | there
        at += 1
    return at


@kernel
def take_from_ground(s, piece, cell):
    """Lift a single piece while its own ways are walked; `return_to_ground` puts it back."""
    s.top[cell] = -1
    s.height[cell] = 0
    toggle_around(s, cell, 1 << (6 * (piece >> 4)))


@kernel
def return_to_ground(s, piece, cell):
    """Undo `take_from_ground`."""
    s.top[cell] = piece
    s.height[cell] = 1
    toggle_around(s, cell, 1 << (6 * (piece >> 4)))


@kernel
def one_region(s, piece, cell):
    """Say whether without a single piece all that slides reach around the hive hangs together."""
    return regions(tally_without(s, piece, cell)) == 1


@kernel
def list_shore(s, at, piece):
    """List the cells of `s.border` from which slides lead on. The piece has been lifted."""
    for index in range(s.border_end):
        there = s.border[index]
        s.moves[at] = piece << 10 | there
        at += 1 if SLIDES[ring(s, there)] else 0
    return at


@kernel
def list_walk(s, at, piece, cell):
    """List what any number of slides reach, by a flood. The piece has been lifted."""
    s.flood += 1
    s.mark[cell] = s.flood
    s.queue[0] = cell
    done = 0
    end = 1
    while done < end:
        here = s.queue[done]
        done += 1
        rest = SLIDES[ring(s, here)]
        while rest:
            there = neighbour(here, LOWEST[rest])
            rest &= rest - 1
            s.queue[end] = there
            end += 1 if s.mark[there] != s.flood else 0
            s.mark[there] = s.flood
    for index in range(1, end):
        s.moves[at] = piece << 10 | s.queue[index]
        at += 1
    return at


@kernel
def list_ant(s, at, piece, cell, joined):
    """Ant: any number of steps on the ground. The piece has been lifted.

    `joined` is what `one_region` said before that; `s.border` is up to date if so.
    """
    if SLIDES[ring(s, cell)] == 0:
        return at
    return list_shore(s, at, piece) if joined else list_walk(s, at, piece, cell)


@kernel
def list_spider(s, at, piece, cell):
    """Spider: just three steps on the ground, no cell twice. The piece has been lifted."""
    s.flood += 1
    rest_1 = SLIDES[ring(s, cell)]
    while rest_1:
        first = neighbour(cell, LOWEST[rest_1])
        rest_1 &= rest_1 - 1
        rest_2 = SLIDES[ring(s, first)]
        while rest_2:
            second = neighbour(first, LOWEST[rest_2])
            rest_2 &= rest_2 - 1
            if second == cell:
                continue
            rest_3 = SLIDES[ring(s, second)]
            while rest_3:
                third = neighbour(second, LOWEST[rest_3])
                rest_3 &= rest_3 - 1
                if third != first and third != cell and s.mark[third] != s.flood:
                    s.mark[third] = s.flood
                    s.moves[at] = piece << 10 | third
                    at += 1
    return at


@kernel
def list_ladybug(s, at, piece, cell):
    """Ladybug: two steps on top of the hive, then down, not to where it began.

    The piece has been lifted.
    """
    gated = stacks(s.tally) > 1
    s.flood += 1
    s.mark[cell] = s.flood
    rest_1 = ring(s, cell)
    while rest_1:
        direction = LOWEST[rest_1]
        rest_1 &= rest_1 - 1
        first = neighbour(cell, direction)
        height_1 = s.height[first]
        if gated and not gate_open(s, cell, direction, height_1):
            continue
        rest_2 = ring(s, first)
        while rest_2:
            direction = LOWEST[rest_2]
            rest_2 &= rest_2 - 1
            second = neighbour(first, direction)
            height_2 = s.height[second]
            if gated and not gate_open(s, first, direction, max(height_1, height_2)):
                continue
            rest_3 = ring(s, second) ^ 63
            while rest_3:
                direction = LOWEST[rest_3]
                rest_3 &= rest_3 - 1
                third = neighbour(second, direction)
                if s.mark[third] != s.flood:
                    if gated and not gate_open(s, second, direction, height_2):
                        continue
                    s.mark[third] = s.flood
                    s.moves[at] = piece << 10 | third
                    at += 1
    return at


@kernel
def bugs_touched(s, cell):
    """Return a bit mask of the bugs of the top pieces around a cell."""
    bugs = 0
    rest = ring(s, cell)
    while rest:
        bugs |= 1 << BUG[s.top[neighbour(cell, LOWEST[rest])]]
        rest &= rest - 1
    return bugs


@kernel
def drop_repeats(s, start, at):
    """Keep the first of each move of one piece in s.moves[start:at]; return the new end."""
    s.flood += 1
    end = start
    for index in range(start, at):
        move = s.moves[index]
        cell = move & CELL_MASK
        if s.mark[cell] != s.flood:
            s.mark[cell] = s.flood
            s.moves[end] = move
            end += 1
    return end


@kernel
def list_over_hive(s, at, piece, cell, bugs):
    """List a mosquito's ways over or onto other pieces, some twice. It has been lifted."""
    if (bugs >> GRASSHOPPER) & 1:
        at = list_jumps(s, at, piece, cell)
    if (bugs >> LADYBUG) & 1:
        at = list_ladybug(s, at, piece, cell)
    if (bugs >> BEETLE) & 1:
        at = list_steps(s, at, piece, cell, climbs(s, cell, np.int64(0)) & ring(s, cell))
    return at


@kernel
def list_mosquito(s, at, piece, cell, bugs, joined):
    """Mosquito on the ground: the ways of all it touches, save of another mosquito.

    `bugs` is what it touches; `joined` as for `list_ant`.
    """
    start = at
    take_from_ground(s, piece, cell)
    if (bugs >> ANT) & 1:  # an ant's cells include a spider's and those one slide away
        at = list_ant(s, at, piece, cell, joined)
    else:
        if (bugs >> SPIDER) & 1:
            at = list_spider(s, at, piece, cell)
        if bugs & (1 << QUEEN | 1 << PILLBUG | 1 << BEETLE):
            at = list_steps(s, at, piece, cell, SLIDES[ring(s, cell)])
    at = list_over_hive(s, at, piece, cell, bugs)
    return_to_ground(s, piece, cell)
    return drop_repeats(s, start, at)


@kernel
def list_lifted(s, at, piece, cell):
    """List the moves of an ant, spider or ladybug, lifting it meanwhile."""
    bug = BUG[piece]
    joined = bug == ANT and one_region(s, piece, cell)
    take_from_ground(s, piece, cell)
    if bug == ANT:
        at = list_ant(s, at, piece, cell, joined)
    elif bug == SPIDER:
        at = list_spider(s, at, piece, cell)
    else:
        at = list_ladybug(s, at, piece, cell)
    return_to_ground(s, piece, cell)
    return at


@kernel
def list_piece(s, at, piece, cell):
    """List the moves that a free top piece makes of itself (its throws not counted)."""
    bug = BUG[piece]
    height = s.height[cell]
    if height > 1 or bug == BEETLE:
        return list_steps(s, at, piece, cell, climbs(s, cell, height - 1))
    if bug == GRASSHOPPER:
        return list_jumps(s, at, piece, cell)
    if bug == ANT or bug == SPIDER or bug == LADYBUG:
        return list_lifted(s, at, piece, cell)
    if bug == MOSQUITO:
        bugs = bugs_touched(s, cell)
        joined = (bugs >> ANT) & 1 == 1 and one_region(s, piece, cell)
        return list_mosquito(s, at, piece, cell, bugs, joined)
    return list_steps(s, at, piece, cell, SLIDES[ring(s, cell)])
