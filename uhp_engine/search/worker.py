"""One tree, and the loop that makes it grow."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from ..game import Move
from . import mcts
from .tree import DRAW_PROOF, EDGES_MAX, NO_CHILD, ROOT, ROOT_PROOF, Tree

if TYPE_CHECKING:
    from .searcher import Search

# The kernel is left this often to look at the clock and for a stop.
SLICE_SECONDS = 0.002
FIRST_SLICE = 16
MOST_PER_SLICE = 1000  # what was cheap so far may not be in the next slice
# A cautious figure (330 to 860 million were measured), and the share of its time that a search
# may spend on keeping what it knew.
MOVE_EDGES_PER_SECOND = 100e6
MOVE_SHARE = 0.2
# A tree that is fuller than this after recycling is left full.
MOST_FULL = 0.75
SETTLING_SIMULATIONS = 50_000
# Where several lines are wanted, the root's priors weigh so much more: its second and third move
# get some percent of the simulations, not one.
SPREAD_OVER_LINES = 8.0


class Worker:
    """One tree, and the loop that makes it grow. Each thread has one."""

    def __init__(self, memory_bytes: int, seed: int) -> None:
        self.tree = Tree(memory_bytes)
        self.seed = seed
        self.path = mcts.new_path()
        self.records = mcts.new_records()
        self.states: np.ndarray | None = None
        self.simulations = 0

    def forget(self) -> None:
        """Forget the tree and the records of moves."""
        self.tree.clear()
        self.records[:] = 0.0

    def _keep(self, node: int, least_visits: int) -> None:
        tree = self.tree
        mcts.keep_subtree(tree.nodes, tree.edges, tree.counters, node, least_visits)

    def _least_visits(self, most_edges: float) -> int:
        """Return from how many visits on nodes are kept, for so many edges at most to be moved."""
        least = 2
        while self.tree.edges_kept(least) > most_edges:
            least *= 2
        return least

    def enter(self, moves: list[Move], seconds: float | None) -> bool:
        """Make the position after some moves the root, keeping what is below; False if unknown.

        Where the search has little time, little is kept: moving a large tree takes a while.
        """
        if self.tree.is_empty:
            return False
        node = ROOT
        for move in moves:
            edges = self.tree.edges_of(node)
            found = np.flatnonzero((edges["move"] == move.code) & (edges["child"] != NO_CHILD))
            if len(found) == 0:
                return False
            node = int(edges["child"][found[0]])
        if moves:
            share = float("inf") if seconds is None else seconds * MOVE_SHARE
            self._keep(node, self._least_visits(share * MOVE_EDGES_PER_SECOND))
        return True

    def recycle(self) -> bool:
        """Drop the least visited nodes; say whether a good part of both arenas is free now."""
        most_edges = int(self.tree.counters[EDGES_MAX]) / 2
        least = self._least_visits(most_edges)
        self._keep(ROOT, least)
        while self.tree.fullness > MOST_FULL and least < int(self.tree.nodes[ROOT]["visits"]):
            least *= 2
            self._keep(ROOT, least)
        return self.tree.fullness <= MOST_FULL

    def _simulate(self, search: Search, wanted: int, may_fill: bool) -> int:
        """Run so many simulations at most; return how many."""
        tree = self.tree

        def run(count: int) -> int:
            return int(
                mcts.run(
                    self.states,
                    search.searcher.models,
                    self.records,
                    tree.nodes,
                    tree.edges,
                    tree.counters,
                    self.path,
                    search.history,
                    search.exact_history,
                    search.window,
                    self.seed,
                    count,
                    int(may_fill),
                )
            )

        if not search.spreads:
            return run(wanted)
        run(0)  # makes the root
        priors = tree.root_edges()["prior"]
        priors *= SPREAD_OVER_LINES  # a power of two: dividing gives exactly what was there
        try:
            return run(wanted)
        finally:
            priors /= SPREAD_OVER_LINES

    def run(self, search: Search, share: int | None) -> None:
        """Run simulations until the search ends, the tree is settled, or the share is used up.

        What a share of simulations finds depends on nothing but the tree: proofs and full arenas
        are seen after the same simulation, however long the kernel's slices are.
        """
        self.simulations = 0
        slice_size = FIRST_SLICE
        last = share
        known_proof = 0
        may_fill = False
        while not search.over.is_set() and (last is None or self.simulations < last):
            tree = self.tree
            proof = int(tree.counters[ROOT_PROOF])
            if proof != known_proof:
                known_proof = proof
                end = _settled_after(proof, self.simulations)
                last = end if last is None else min(end, last)
                continue
            if not tree.has_room and not may_fill:
                may_fill = not search.allows_moving(tree) or not self.recycle()
                continue
            wanted = slice_size if last is None else min(slice_size, last - self.simulations)
            before = time.perf_counter()
            done = self._simulate(search, wanted, may_fill)
            self.simulations += done
            rate = max(done, 1) / (time.perf_counter() - before)
            left = max(search.seconds_left(), 0.0)
            fitting = int(rate * min(SLICE_SECONDS, left))
            slice_size = max(1, min(fitting, slice_size * 4, MOST_PER_SLICE))
            search.after_slice(self)
        if known_proof and share is None:
            search.over.set()


def _settled_after(proof: int, simulations: int) -> int:
    """Return after how many simulations a proven root is settled, proven after so many.

    At once where the end is near or a draw; else a shorter win, or a longer defence, is looked
    for as long again, or for SETTLING_SIMULATIONS.
    """
    if abs(proof) <= 3 or proof == DRAW_PROOF:
        return simulations
    return simulations + max(simulations, SETTLING_SIMULATIONS)
