"""Kernels for the ways of each bug: where a piece that is free to move can go by itself.

All take one record of `layout.STATE`, named `s`. Those named `list_` write the moves of one
piece, each once, into `s.moves` from index `at` on and return the index after the last one;
those named `count_` return how many that would be.
"""

from __future__ import annotations

import numpy as np

from .board import BACK, BUG, STEP, neighbour, ring, tally_without, toggle_around
from .jit import kernel
from .layout import CELL_MASK
from .pieces import ANT, BEETLE, GRASSHOPPER, LADYBUG, MOSQUITO, PILLBUG, QUEEN, SPIDER
from .pins import LOWEST
from .tally import LONELY, SLIDES, regions, shore_cells, stacks

BIT_COUNT = np.array([bin(mask).count("1") for mask in range(64)], dtype=np.int64)


@kernel
def climb_open(s, cell, direction, height_from, height_to):
    """Say whether a step from a height to a height passes the gate of stacks on both sides."""
    left = s.height[(cell + STEP[direction - 1 if direction else 5]) & CELL_MASK]
    right = s.height[(cell + STEP[direction + 1 if direction < 5 else 0]) & CELL_MASK]
    return min(left, right) <= max(height_from, height_to)


@kernel
def list_steps(s, at, piece, cell, directions):
    """List one step in each direction of a mask."""
    while directions:
        s.moves[at] = piece << 10 | neighbour(cell, LOWEST[directions])
        directions &= directions - 1
        at += 1
    return at


@kernel
def slides(s, cell):
    """Return the directions of one step on the ground: queen and pillbug."""
    return SLIDES[ring(s, cell)]


@kernel
def climbs(s, cell):
    """Return the directions of one step at any height: beetle, and mosquito on a stack."""
    own_height = s.height[cell] - 1
    occupied = ring(s, cell)
    directions = SLIDES[occupied] | occupied if own_height == 0 else 63
    # A gate on the hive takes two stacks beside the way, neither of them left by the piece.
    if stacks(s.tally) > (1 if own_height == 0 else 2):
        for direction in range(6):
            height = s.height[neighbour(cell, direction)]
            if max(own_height, height) > 0 and not climb_open(
                s, cell, direction, own_height, height
            ):
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
def forget_regions(s):
    """Forget the regions of another position."""
    s.regions_before = s.regions


@kernel
def region_at(s, start):
    """Return the number, from 1 on, of the region of empty cells that holds a cell.

    A region is all that slides on the ground can reach from one of its cells, with every piece
    in its place. Its cells are found once a position: region n is
    `s.walk[s.region_end[n - 1]:s.region_end[n]]`.
    """
    known = s.region[start] - s.regions_before
    if known > 0:
        return known
    s.regions += 1
    label = s.regions
    number = label - s.regions_before
    done = s.region_end[number - 1]
    end = done + 1
    s.walk[done] = start
    s.region[start] = label
    while done < end:
        here = s.walk[done]
        done += 1
        rest = SLIDES[ring(s, here)]
        while rest:
            there = neighbour(here, LOWEST[rest])
            rest &= rest - 1
            s.walk[end] = there
            end += 1 if s.region[there] != label else 0
            s.region[there] = label
    s.region_end[number] = end
    return number


@kernel
def regions_reached(s, cell, occupied):
    """Return a bit mask of the numbers of the regions beside an ant, or 0 where that is not all.

    Lifting an ant changes the ways between the cells of its ring alone. It comes to the ends of
    each gap in its ring and so to all their regions. What lies between the ends is lost where it
    touches the ant alone; where it touches another piece, ways may open and close.
    """
    rest = LONELY[occupied]
    while rest:
        direction = LOWEST[rest]
        rest &= rest - 1
        if ring(s, neighbour(cell, direction)) != BACK[direction]:
            return 0
    reached = 0
    rest = SLIDES[occupied]
    while rest:
        reached |= 1 << region_at(s, neighbour(cell, LOWEST[rest]))
        rest &= rest - 1
    return reached


@kernel
def list_walk(s, at, piece, cell):
    """Ant: any number of steps on the ground, walked with the piece lifted."""
    take_from_ground(s, piece, cell)
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
    return_to_ground(s, piece, cell)
    for index in range(1, end):
        s.moves[at] = piece << 10 | s.queue[index]
        at += 1
    return at


@kernel
def relabel(s, cell, directions, label):
    """Give the cells in the directions of a mask a region's label; return what one had before."""
    before = 0
    while directions:
        there = neighbour(cell, LOWEST[directions])
        directions &= directions - 1
        before = s.region[there]
        s.region[there] = label
    return before


@kernel
def list_ant(s, at, piece, cell):
    """Ant: any number of steps on the ground."""
    occupied = ring(s, cell)
    if SLIDES[occupied] == 0:
        return at
    reached = regions_reached(s, cell, occupied)
    if reached == 0:
        return list_walk(s, at, piece, cell)
    lost = LONELY[occupied]
    label = relabel(s, cell, lost, 0)
    number = 0
    while reached >> number:
        if (reached >> number) & 1:
            for index in range(s.region_end[number - 1], s.region_end[number]):
                there = s.walk[index]
                s.moves[at] = piece << 10 | there
                at += 1 if s.region[there] else 0
        number += 1
    relabel(s, cell, lost, label)
    return at


@kernel
def count_ant(s, at, piece, cell):
    """Count what `list_ant` lists; `s.moves` from `at` on is scratch."""
    if SLIDES[ring(s, cell)] == 0:
        return 0
    tally = tally_without(s, piece, cell)
    if regions(tally) == 1:
        return shore_cells(tally) - 1
    return list_walk(s, at, piece, cell) - at


@kernel
def list_spider(s, at, piece, cell):
    """Spider: just three steps on the ground, no cell twice, walked with the piece lifted."""
    take_from_ground(s, piece, cell)
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
    return_to_ground(s, piece, cell)
    return at


@kernel
def list_ladybug(s, at, piece, cell):
    """Ladybug: two steps on top of the hive, then down, not to where it began.

    Walked with the piece lifted.
    """
    take_from_ground(s, piece, cell)
    gated = stacks(s.tally) > 1
    s.flood += 1
    s.mark[cell] = s.flood
    rest_1 = ring(s, cell)
    while rest_1:
        direction = LOWEST[rest_1]
        rest_1 &= rest_1 - 1
        first = neighbour(cell, direction)
        height_1 = s.height[first]
        if gated and not climb_open(s, cell, direction, 0, height_1):
            continue
        rest_2 = ring(s, first)
        while rest_2:
            direction = LOWEST[rest_2]
            rest_2 &= rest_2 - 1
            second = neighbour(first, direction)
            height_2 = s.height[second]
            if gated and not climb_open(s, first, direction, height_1, height_2):
                continue
            rest_3 = ring(s, second) ^ 63
            while rest_3:
                direction = LOWEST[rest_3]
                rest_3 &= rest_3 - 1
                third = neighbour(second, direction)
                if s.mark[third] != s.flood:
                    if gated and not climb_open(s, second, direction, height_2, 0):
                        continue
                    s.mark[third] = s.flood
                    s.moves[at] = piece << 10 | third
                    at += 1
    return_to_ground(s, piece, cell)
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
def list_mosquito(s, at, piece, cell):
    """Mosquito on the ground: the ways of all it touches, save of another mosquito."""
    bugs = bugs_touched(s, cell)
    start = at
    if (bugs >> ANT) & 1:  # an ant's cells include a spider's and those one step away
        at = list_ant(s, at, piece, cell)
    elif (bugs >> SPIDER) & 1:
        at = list_spider(s, at, piece, cell)
    if (bugs >> GRASSHOPPER) & 1:
        at = list_jumps(s, at, piece, cell)
    if (bugs >> LADYBUG) & 1:
        at = list_ladybug(s, at, piece, cell)
    if (bugs >> BEETLE) & 1:
        at = list_steps(s, at, piece, cell, climbs(s, cell))
    elif bugs & (1 << QUEEN | 1 << PILLBUG):
        at = list_steps(s, at, piece, cell, slides(s, cell))
    return drop_repeats(s, start, at)


@kernel
def list_piece(s, at, piece, cell):
    """List the moves that a free top piece makes of itself (its throws not counted)."""
    bug = BUG[piece]
    if s.height[cell] > 1 or bug == BEETLE:
        return list_steps(s, at, piece, cell, climbs(s, cell))
    if bug == ANT:
        return list_ant(s, at, piece, cell)
    if bug == GRASSHOPPER:
        return list_jumps(s, at, piece, cell)
    if bug == SPIDER:
        return list_spider(s, at, piece, cell)
    if bug == MOSQUITO:
        return list_mosquito(s, at, piece, cell)
    if bug == LADYBUG:
        return list_ladybug(s, at, piece, cell)
    return list_steps(s, at, piece, cell, slides(s, cell))


@kernel
def count_piece(s, at, piece, cell):
    """Count what `list_piece` lists; `s.moves` from `at` on is scratch."""
    bug = BUG[piece]
    if s.height[cell] > 1 or bug == BEETLE:
        return BIT_COUNT[climbs(s, cell)]
    if bug == ANT:
        return count_ant(s, at, piece, cell)
    if bug == GRASSHOPPER:
        return BIT_COUNT[ring(s, cell)]
    if bug == SPIDER:
        return list_spider(s, at, piece, cell) - at
    if bug == MOSQUITO:
        return list_mosquito(s, at, piece, cell) - at
    if bug == LADYBUG:
        return list_ladybug(s, at, piece, cell) - at
    return BIT_COUNT[slides(s, cell)]
