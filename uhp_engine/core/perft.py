"""Perft: the number of ways to play a number of plies, the standard check of a move generator."""

from __future__ import annotations

from .board import IN_PROGRESS, make, outcome, unmake
from .jit import kernel
from .layout import MAX_MOVES
from .moves import generate


@kernel
def perft(s, depth, level):
    """Count the leaves `depth` plies below a position.

    A finished game has no moves; a forced pass counts as one; the last ply is counted in bulk.

    Args:
        s: the position; unchanged in the end.
        depth: plies to play, at least 0, at most MAX_DEPTH.
        level: which move buffer to use first, 0 from outside.
    """
    if depth == 0:
        return 1
    if outcome(s) != IN_PROGRESS:
        return 0
    first = level * MAX_MOVES
    end = generate(s, first)
    if depth == 1:
        return end - first
    nodes = 0
    for index in range(first, end):
        move = s.moves[index]
        undo = make(s, move)
        nodes += perft(s, depth - 1, level + 1)
        unmake(s, move, undo)
    return nodes


@kernel
def perft_at(states, depth):
    """`perft` of states[0], to be called from Python."""
    return perft(states[0], depth, 0)
