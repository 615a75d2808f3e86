"""Perft: the number of ways to play a number of plies, the standard check of a move generator."""

from __future__ import annotations

import numpy as np

from .board import IN_PROGRESS, make, outcome, unmake
from .count import count_moves
from .jit import entry, kernel
from .layout import MAX_MOVES
from .moves import generate


@kernel
def last_ply(s, first, bulk):
    """Return the number of legal moves; not in bulk: list, make and unmake each of them.

    `s.moves` from `first` on is scratch.
    """
    if bulk:
        return count_moves(s, first)
    end = generate(s, first)
    for index in range(first, end):
        move = s.moves[index]
        unmake(s, move, make(s, move))
    return end - first


@entry
def perft_at(states, depth, bulk):
    """Count the leaves `depth` plies below the position in states[0].

    A finished game has no moves; a forced pass counts as one.
    Written without recursion: numba's cached code of a function that calls itself crashes.

    Args:
        states: array of one position; unchanged in the end.
        depth: plies to play, at least 0, less than MAX_DEPTH.
        bulk: True to count the moves of the last ply, False to list, make and unmake each.
    """
    s = states[0]
    if depth == 0:
        return 1
    if outcome(s) != IN_PROGRESS:
        return 0
    if depth == 1:
        return last_ply(s, np.int64(0), bulk)
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
            nodes += last_ply(s, first, bulk)
        unmake(s, move, s.undo[level])
    return nodes
