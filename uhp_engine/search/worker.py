"""A thread's part in a search: the loop that makes the tree grow."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from . import mcts
from .tree import DRAW_PROOF, ROOT_PROOF, zeros_apart

if TYPE_CHECKING:
    from .searcher import Search

# The kernel is left this often to look at the clock and for a stop.
SLICE_SECONDS = 0.002
FIRST_SLICE = 16
MOST_PER_SLICE = 1000  # what was cheap so far may not be in the next slice
NO_LIMIT = 1 << 40
SETTLING_SIMULATIONS = 50_000


class Worker:
    """What a thread needs of its own to grow the tree that all of them share."""

    def __init__(self) -> None:
        self.path = mcts.new_path()
        self.records = mcts.new_records()
        self.states: np.ndarray = np.zeros(0)
        self.simulations = 0

    def forget(self) -> None:
        """Forget the records of moves."""
        self.records[:] = 0.0

    def stand(self, states: np.ndarray) -> None:
        """Stand where the game does: in a copy of its array of one position."""
        self.states = zeros_apart(len(states), states.dtype)
        self.states[:] = states

    def simulate(self, search: Search, wanted: int, most: int) -> int:
        """Run so many simulations, or up to `most` where some go together; return how many.

        The root is made if there is none.
        """
        tree = search.tree
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
                search.searcher.seed,
                wanted,
                most,
                int(search.may_fill),
            )
        )

    def run(self, search: Search, share: int | None) -> None:
        """Run simulations until the search ends, the tree is settled, or the share is used up."""
        try:
            self._run(search, share)
        finally:
            search.crew.leave()

    def _run(self, search: Search, share: int | None) -> None:
        """See `run`.

        What a share of simulations finds depends on nothing but the tree, where one thread grows
        it: proofs and full arenas are seen after the same simulation, however long the kernel's
        slices are.
        """
        self.simulations = 0
        slice_size = FIRST_SLICE
        last = share
        known_proof = 0
        while not search.over.is_set() and (last is None or self.simulations < last):
            proof = int(search.tree.counters[ROOT_PROOF])
            if proof != known_proof:
                known_proof = proof
                end = _settled_after(proof, self.simulations)
                last = end if last is None else min(end, last)
                continue
            if search.tree.is_full and not search.may_fill:
                search.crew.meet(search.make_room)
                continue
            most = NO_LIMIT if last is None else last - self.simulations
            before = time.perf_counter()
            done = self.simulate(search, min(slice_size, most), most)
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
