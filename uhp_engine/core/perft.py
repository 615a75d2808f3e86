"""Perft: the number of ways to play a number of plies, the standard check of a move generator."""

from __future__ import annotations

import numpy as np

from .board import IN_PROGRESS, make, outcome, unmake
from .count import count_moves
from .jit import entry
from .layout import MAX_MOVES
from .moves import generate


@entry
def perft_at(states, depth):
    """Count the leaves `depth` plies below the position in states[0].

    A finished game has no moves; a forced pass counts as one; the last ply is counted in bulk.
    Written without recursion: numba's cached code of a function that calls itself crashes.

    Args:
        states: array of one position; unchanged in the end.
        depth: plies to play, at least 0, less than MAX_DEPTH.
    """
    s = states[0]
    if depth == 0:
        return 1
    if outcome(s) != IN_PROGRESS:
        return 0
    if depth == 1:
        return count_moves(s, np.int64(0))
    nodes = 0
    level = 0
    s.next[0] = 0
    s.end[0] = generate(s, np.int64(0))
    while level >= 0:
        if s.next[level] == s.end[level]:
            level -= 1
            if level >= 0:
                unmake(s, s.moves[s.next[level] - 1], s.undo[level])
            continue
        move = s.moves[s.next[level]]
        s.next[level] += 1
        s.undo[level] = make(s, move)
        if outcome(s) == IN_PROGRESS:
            first = (level + 1) * MAX_MOVES
            if level + 2 < depth:
                level += 1
                s.next[level], s.end[level] = first, generate(s, first)
                continue
            nodes += count_moves(s, first)
        unmake(s, move, s.undo[level])
    return nodes
