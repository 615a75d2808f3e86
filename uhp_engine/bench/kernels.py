"""Kernels that do one thing many times, so that the cost of calling from Python is not measured.

They are compiled anew by every process that measures, and by no other: the engine's cache holds
what a game needs, and each entry more would cost every start some milliseconds.
"""

from __future__ import annotations

import numpy as np

from ..core.board import make, unmake
from ..core.jit import uncached_entry
from ..core.moves import generate
from ..search.evaluation import count_features, weigh
from ..search.policy import prior_weight


@uncached_entry
def make_and_unmake(states, times):
    """Make and take back every legal move so many times; return how many moves that were."""
    s = states[0]
    end = generate(s, np.int64(0))
    for _ in range(times):
        for index in range(end):
            unmake(s, s.moves[index], make(s, s.moves[index]))
    return times * end


@uncached_entry
def list_moves(states, times):
    """List the legal moves so many times; return how many moves were listed."""
    s = states[0]
    listed = 0
    for _ in range(times):
        listed += generate(s, np.int64(0))
    return listed


@uncached_entry
def evaluate(states, models, times):
    """Judge the position so many times, as a search does at a leaf; return the values' sum."""
    s = states[0]
    total = 0.0
    for _ in range(times):
        if not count_features(s):
            total += weigh(s, models[0])
    return total


@uncached_entry
def weigh_priors(states, models, times):
    """Find the prior of every legal move so many times; return the moves and the priors' sum."""
    s = states[0]
    end = generate(s, np.int64(0))
    total = 0.0
    for _ in range(times):
        for index in range(end):
            total += prior_weight(s, models[0], s.moves[index])
    return times * end, total
