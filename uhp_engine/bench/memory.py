"""How large the search's trees are."""

from __future__ import annotations

from dataclasses import dataclass

from ..search.searcher import Searcher
from ..search.tree import EDGE, EDGES_USED, NODE, NODES_USED


@dataclass(frozen=True)
class TreeSize:
    """How large a searcher's trees are.

    Attributes:
        nodes: in use.
        edges: in use.
        used_bytes: what these take.
        reserved_bytes: what all arenas may take when full.
    """

    nodes: int
    edges: int
    used_bytes: int
    reserved_bytes: int


def tree_size(searcher: Searcher) -> TreeSize:
    """Return the size of a searcher's trees, all threads together."""
    nodes = edges = reserved = 0
    for worker in searcher.workers:
        nodes += int(worker.tree.counters[NODES_USED])
        edges += int(worker.tree.counters[EDGES_USED])
        reserved += worker.tree.nodes.nbytes + worker.tree.edges.nbytes
    used = nodes * NODE.itemsize + edges * EDGE.itemsize
    return TreeSize(nodes, edges, used, reserved)
