"""What of a tree is kept when the game goes on, and when its memory is full."""

from __future__ import annotations

import numpy as np

from ..game import Move
from .mcts import keep_subtree
from .tree import EDGES_MAX, NO_CHILD, ROOT, Tree

# A cautious figure (330 to 860 million were measured), and the share of its time that a search
# may spend on keeping what it knew.
MOVE_EDGES_PER_SECOND = 100e6
MOVE_SHARE = 0.2
# A tree that is fuller than this after recycling is left full.
MOST_FULL = 0.75


def keep(tree: Tree, node: int, least_visits: int) -> None:
    """Make a node the root, and drop all but what is below it and has so many visits."""
    keep_subtree(tree.nodes, tree.edges, tree.counters, node, least_visits)


def _least_visits(tree: Tree, most_edges: float) -> int:
    """Return from how many visits on nodes are kept, for so many edges at most to be moved."""
    least = 2
    while tree.edges_kept(least) > most_edges:
        least *= 2
    return least


def enter(tree: Tree, moves: list[Move], seconds: float | None) -> bool:
    """Make the position after some moves the root, keeping what is below; False if unknown.

    Where the search has little time, little is kept: moving a large tree takes a while.
    """
    if tree.is_empty:
        return False
    node = ROOT
    for move in moves:
        edges = tree.edges_of(node)
        found = np.flatnonzero((edges["move"] == move.code) & (edges["child"] != NO_CHILD))
        if len(found) == 0:
            return False
        node = int(edges["child"][found[0]])
    if moves:
        share = float("inf") if seconds is None else seconds * MOVE_SHARE
        keep(tree, node, _least_visits(tree, share * MOVE_EDGES_PER_SECOND))
    return True


def seconds_to_recycle(tree: Tree) -> float:
    """Return how long recycling takes at most."""
    return int(tree.counters[EDGES_MAX]) / 2 / MOVE_EDGES_PER_SECOND


def recycle(tree: Tree) -> bool:
    """Drop the least visited nodes; say whether a good part of both arenas is free now."""
    most_edges = int(tree.counters[EDGES_MAX]) / 2
    least = _least_visits(tree, most_edges)
    keep(tree, ROOT, least)
    while tree.fullness > MOST_FULL and least < int(tree.nodes[ROOT]["visits"]):
        least *= 2
        keep(tree, ROOT, least)
    return tree.fullness <= MOST_FULL
