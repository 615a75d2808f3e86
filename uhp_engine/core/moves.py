"""Kernels for Hive's rules of movement: every legal move of a position, each listed once.

All take one record of `layout.STATE`, named `s`. Those that list moves write them into
`s.moves` from index `at` on and return the index after the last one written.
"""

from __future__ import annotations

import numpy as np

from .board import BUG, BUG_COUNT, FIRST, STEP, neighbour, ring, toggle_around
from .jit import entry, kernel
from .layout import CELL_MASK, PASS
from .pieces import (
    ANT,
    BEETLE,
    GRASSHOPPER,
    LADYBUG,
    MOSQUITO,
    PIECES_PER_SIDE,
    PILLBUG,
    QUEEN,
    SPIDER,
)


def _slides(occupied: int) -> int:
    """Return the directions open to a slide on the ground, given the occupied cells around.

    The target is empty and just one of the two cells beside the way is filled: one to keep
    contact with, the other free to pass through.
    """
    mask = 0
    for d in range(6):
        flanks = (occupied >> (d + 1) % 6 & 1) + (occupied >> (d + 5) % 6 & 1)
        if not occupied >> d & 1 and flanks == 1:
            mask |= 1 << d
    return mask


def _is_split(occupied: int) -> bool:
    """Say whether the occupied cells around form two runs or more."""
    return sum(occupied >> d & 1 and not occupied >> (d + 1) % 6 & 1 for d in range(6)) > 1


SLIDES = np.array([_slides(occupied) for occupied in range(64)], dtype=np.int64)
SPLIT = np.array([_is_split(occupied) for occupied in range(64)], dtype=np.int64)
# The lowest set bit of a six-bit mask.
LOWEST = np.array([(m & -m).bit_length() - 1 for m in range(64)], dtype=np.int64)


@kernel
def split_pieces(s):
    """Return a bit mask of single top pieces whose neighbours form two runs or more.

    Only these can be pinned: neighbours in one run stay joined without the piece.
    """
    found = 0
    for colour in range(2):
        if s.on_board[colour]:
            for piece in range(colour << 4, (colour << 4) + PIECES_PER_SIDE):
                cell = s.cell[piece]
                if cell >= 0 and s.height[cell] == 1 and SPLIT[ring(s, cell)]:
                    found |= 1 << piece
    return found


@kernel
def find_pinned(s):
    """Store in `s.pinned` a bit mask of the pieces that may not leave their cell (one hive).

    A single pass for the cut vertices of the graph of occupied cells, each named by its top
    piece (Hopcroft and Tarjan, CACM 16, 1973), without recursion: `s.queue` holds the walk's
    pieces, and from 64 on the directions still to look at.
    """
    candidates = split_pieces(s)
    if candidates == 0:
        s.pinned = 0
        return
    for piece in range(30):
        s.order[piece] = 0
    root = 0
    while (candidates >> root) & 1 == 0:
        root += 1
    pinned = 0
    root_branches = 0
    count = 1
    depth = 0
    s.order[root] = 1
    s.low[root] = 1
    s.queue[0] = root
    s.queue[64] = ring(s, s.cell[root])
    while depth >= 0:
        piece = s.queue[depth]
        rest = s.queue[64 + depth]
        if rest:
            s.queue[64 + depth] = rest & (rest - 1)
            cell = neighbour(s.cell[piece], LOWEST[rest])
            other = s.top[cell]
            if s.order[other] == 0:
                count += 1
                depth += 1
                s.order[other] = count
                s.low[other] = count
                s.queue[depth] = other
                s.queue[64 + depth] = ring(s, cell)
            elif s.order[other] < s.low[piece]:
                s.low[piece] = s.order[other]
        else:
            depth -= 1
            if depth == 0:
                root_branches += 1
            elif depth > 0:
                parent = s.queue[depth]
                if s.low[piece] < s.low[parent]:
                    s.low[parent] = s.low[piece]
                if s.low[piece] >= s.order[parent]:
                    pinned |= 1 << parent
    if root_branches > 1:
        pinned |= 1 << root
    s.pinned = pinned & candidates


@kernel
def climb_open(s, cell, direction, height_from, height_to):
    """Say whether a step from a height to a height passes the gate of stacks on both sides."""
    left = s.height[(cell + STEP[direction - 1 if direction else 5]) & CELL_MASK]
    right = s.height[(cell + STEP[direction + 1 if direction < 5 else 0]) & CELL_MASK]
    return min(left, right) <= max(height_from, height_to)


@kernel
def list_move(s, at, piece, cell):
    """Add a move, unless the same piece can already be thrown to that cell."""
    if (s.thrown[cell] >> piece) & 1:
        return at
    s.moves[at] = piece << 10 | cell
    return at + 1


@kernel
def take_from_ground(s, piece, cell):
    """Lift a single piece while its own ways are walked; `return_to_ground` puts it back."""
    s.top[cell] = -1
    s.height[cell] = 0
    toggle_around(s, cell, piece >> 4)


@kernel
def return_to_ground(s, piece, cell):
    """Undo `take_from_ground`."""
    s.top[cell] = piece
    s.height[cell] = 1
    toggle_around(s, cell, piece >> 4)


@kernel
def slide_moves(s, at, piece, cell):
    """Queen and pillbug: one step on the ground."""
    rest = SLIDES[ring(s, cell)]
    while rest:
        at = list_move(s, at, piece, neighbour(cell, LOWEST[rest]))
        rest &= rest - 1
    return at


@kernel
def ant_moves(s, at, piece, cell):
    """Ant: any number of steps on the ground. The piece has been lifted."""
    s.flood += 1
    s.mark[cell] = s.flood
    s.queue[0] = cell
    done = 0
    reached = 1
    while done < reached:
        here = s.queue[done]
        done += 1
        rest = SLIDES[ring(s, here)]
        while rest:
            there = neighbour(here, LOWEST[rest])
            rest &= rest - 1
            if s.mark[there] != s.flood:
                s.mark[there] = s.flood
                s.queue[reached] = there
                reached += 1
                at = list_move(s, at, piece, there)
    return at


@kernel
def spider_moves(s, at, piece, cell):
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
                    at = list_move(s, at, piece, third)
    return at


@kernel
def grasshopper_moves(s, at, piece, cell):
    """Grasshopper: straight over one piece or more to the first empty cell."""
    rest = ring(s, cell)
    while rest:
        step = STEP[LOWEST[rest]]
        rest &= rest - 1
        there = (cell + step) & CELL_MASK
        while s.top[there] >= 0:
            there = (there + step) & CELL_MASK
        at = list_move(s, at, piece, there)
    return at


@kernel
def beetle_moves(s, at, piece, cell):
    """Beetle: one step at any height."""
    own_height = s.height[cell] - 1
    open_slides = SLIDES[ring(s, cell)]
    for direction in range(6):
        there = neighbour(cell, direction)
        height = s.height[there]
        if own_height == 0 and height == 0:
            is_open = (open_slides >> direction) & 1 == 1
        else:
            is_open = climb_open(s, cell, direction, own_height, height)
        if is_open:
            at = list_move(s, at, piece, there)
    return at


@kernel
def ladybug_moves(s, at, piece, cell):
    """Ladybug: two steps on top of the hive, then down, not to where it began.

    The piece has been lifted.
    """
    s.flood += 1
    s.mark[cell] = s.flood
    rest_1 = ring(s, cell)
    while rest_1:
        direction = LOWEST[rest_1]
        rest_1 &= rest_1 - 1
        first = neighbour(cell, direction)
        height_1 = s.height[first]
        if not climb_open(s, cell, direction, 0, height_1):
            continue
        rest_2 = ring(s, first)
        while rest_2:
            direction = LOWEST[rest_2]
            rest_2 &= rest_2 - 1
            second = neighbour(first, direction)
            height_2 = s.height[second]
            if not climb_open(s, first, direction, height_1, height_2):
                continue
            rest_3 = ring(s, second) ^ 63
            while rest_3:
                direction = LOWEST[rest_3]
                rest_3 &= rest_3 - 1
                third = neighbour(second, direction)
                if s.mark[third] != s.flood and climb_open(s, second, direction, height_2, 0):
                    s.mark[third] = s.flood
                    at = list_move(s, at, piece, third)
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
def mosquito_moves(s, at, piece, cell):
    """Mosquito on the ground: the ways of all it touches, save of another mosquito."""
    bugs = bugs_touched(s, cell)
    start = at
    if (bugs >> BEETLE) & 1:
        at = beetle_moves(s, at, piece, cell)
    if (bugs >> GRASSHOPPER) & 1:
        at = grasshopper_moves(s, at, piece, cell)
    if bugs & (1 << QUEEN | 1 << PILLBUG):
        at = slide_moves(s, at, piece, cell)
    if bugs & (1 << SPIDER | 1 << ANT | 1 << LADYBUG):
        take_from_ground(s, piece, cell)
        if (bugs >> ANT) & 1:
            at = ant_moves(s, at, piece, cell)
        elif (bugs >> SPIDER) & 1:
            at = spider_moves(s, at, piece, cell)
        if (bugs >> LADYBUG) & 1:
            at = ladybug_moves(s, at, piece, cell)
        return_to_ground(s, piece, cell)
    return drop_repeats(s, start, at)


@kernel
def piece_moves(s, at, piece, cell):
    """List the moves that a free top piece makes of itself (its throws not counted)."""
    bug = BUG[piece]
    if s.height[cell] > 1:
        return beetle_moves(s, at, piece, cell)
    if bug == ANT:
        take_from_ground(s, piece, cell)
        at = ant_moves(s, at, piece, cell)
        return_to_ground(s, piece, cell)
    elif bug == GRASSHOPPER:
        at = grasshopper_moves(s, at, piece, cell)
    elif bug == BEETLE:
        at = beetle_moves(s, at, piece, cell)
    elif bug == SPIDER:
        take_from_ground(s, piece, cell)
        at = spider_moves(s, at, piece, cell)
        return_to_ground(s, piece, cell)
    elif bug == LADYBUG:
        take_from_ground(s, piece, cell)
        at = ladybug_moves(s, at, piece, cell)
        return_to_ground(s, piece, cell)
    elif bug == MOSQUITO:
        at = mosquito_moves(s, at, piece, cell)
    else:
        at = slide_moves(s, at, piece, cell)
    return at


@kernel
def can_throw(s, piece):
    """Say whether a piece has the pillbug's power now.

    A pillbug, or a mosquito touching one, on the ground, uncovered, that was not itself placed,
    moved or thrown last turn. It may be pinned.
    """
    cell = s.cell[piece]
    if cell < 0 or piece == s.last or s.top[cell] != piece or s.height[cell] != 1:
        return False
    return BUG[piece] == PILLBUG or (bugs_touched(s, cell) >> PILLBUG) & 1 == 1


@kernel
def throw_moves(s, at, thrower):
    """List what a thrower can lift onto itself and set down beside it, marking `s.thrown`."""
    cell = s.cell[thrower]
    for lifted in range(6):
        origin = neighbour(cell, lifted)
        piece = s.top[origin]
        if (
            piece < 0
            or s.height[origin] != 1
            or piece == s.last
            or (s.pinned >> piece) & 1
            or not climb_open(s, cell, lifted, 0, 1)
        ):
            continue
        for direction in range(6):
            there = neighbour(cell, direction)
            if s.top[there] < 0 and climb_open(s, cell, direction, 1, 0):
                end = list_move(s, at, piece, there)
                s.thrown[there] |= 1 << piece
                at = end
    return at


@kernel
def forget_throws(s, thrower):
    """Clear the marks of `throw_moves`."""
    for direction in range(6):
        s.thrown[neighbour(s.cell[thrower], direction)] = 0


@kernel
def board_moves(s, at):
    """List all moves of pieces on the board for the side to move; its queen is placed."""
    find_pinned(s)
    first = s.side << 4
    mosquito = first | FIRST[MOSQUITO]
    pillbug = first | FIRST[PILLBUG]
    pillbug_throws = can_throw(s, pillbug)
    mosquito_throws = can_throw(s, mosquito)
    if pillbug_throws:
        at = throw_moves(s, at, pillbug)
    if mosquito_throws:
        at = throw_moves(s, at, mosquito)
    for piece in range(first, first + PIECES_PER_SIDE):
        cell = s.cell[piece]
        if cell >= 0 and s.top[cell] == piece and piece != s.last and (s.pinned >> piece) & 1 == 0:
            at = piece_moves(s, at, piece, cell)
    if pillbug_throws:
        forget_throws(s, pillbug)
    if mosquito_throws:
        forget_throws(s, mosquito)
    return at


@kernel
def placement_cells(s):
    """Write the cells open to the side to move into `s.queue`; return how many."""
    if s.ply == 0:
        s.queue[0] = 0
        return 1
    count = 0
    own, other = s.side, s.side ^ 1
    if s.on_board[own] == 0:  # a first piece goes next to the opponent's
        first = other << 4
        while s.cell[first] < 0:
            first += 1
        for direction in range(6):
            s.queue[direction] = neighbour(s.cell[first], direction)
        return 6
    for piece in range(own << 4, (own << 4) + PIECES_PER_SIDE):
        cell = s.cell[piece]
        if cell < 0 or s.top[cell] != piece:
            continue
        rest = ring(s, cell) ^ 63
        while rest:
            direction = LOWEST[rest]
            rest &= rest - 1
            there = neighbour(cell, direction)
            around = s.around[there]
            # Of all own neighbours just the first in order names the cell.
            opposite = direction + 3 if direction < 3 else direction - 3
            if (around >> 6 * other) & 63 == 0 and LOWEST[(around >> 6 * own) & 63] == opposite:
                s.queue[count] = there
                count += 1
    return count


@kernel
def placeable_bugs(s):
    """Return a bit mask of the bugs that the side to move may place now.

    The queen not as a first piece (tournament rule), and nothing but her at the fourth turn.
    """
    bugs = 0
    for bug in range(8):
        if s.hand[s.side << 3 | bug] > 0:
            bugs |= 1 << bug
    if bugs & 1:
        turn = s.ply >> 1
        if turn == 0 and s.queen_opening:
            bugs ^= 1
        elif turn >= 3:
            bugs = 1
    return bugs


@kernel
def next_in_hand(s, bug):
    """Return the lowest piece of a bug that the side to move still has in hand."""
    return s.side << 4 | (FIRST[bug] + BUG_COUNT[bug] - s.hand[s.side << 3 | bug])


@kernel
def placements(s, at):
    """List all placements of the side to move."""
    bugs = placeable_bugs(s)
    if bugs == 0:
        return at
    cells = placement_cells(s)
    for bug in range(8):
        if (bugs >> bug) & 1:
            piece = next_in_hand(s, bug)
            for index in range(cells):
                s.moves[at + index] = piece << 10 | s.queue[index]
            at += cells
    return at


@kernel
def generate(s, at):
    """List every legal move from `at` on, PASS alone where there is no other; return the end.

    Whether the game is over is not asked here.
    """
    end = placements(s, at)
    if s.cell[s.side << 4 | QUEEN] >= 0:
        end = board_moves(s, end)
    if end == at:
        s.moves[at] = PASS
        end = at + 1
    return end


@entry
def generate_at(states):
    """List the legal moves of states[0] from index 0 on; return how many. Called from Python."""
    return generate(states[0], np.int64(0))
