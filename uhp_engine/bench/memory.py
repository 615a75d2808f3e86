"""How large the search's tree is."""

from __future__ import annotations

from dataclasses import dataclass

from ..search.searcher import Searcher
from ..search.tree import EDGE, EDGES_USED, NODE, NODES_USED


@dataclass(frozen=True)
class TreeSize:
    """How large a searcher's tree is.

    Attributes:
        nodes: in use.
        edges: in use.
        used_bytes: what these take.
        reserved_bytes: what both arenas may take when full.
    """

    nodes: int
    edges: int
    used_bytes: int
    reserved_bytes: int


def tree_size(searcher: Searcher) -> TreeSize:
    """Return the size of a searcher's tree."""
    tree = searcher.tree
    nodes, edges = int(tree.counters[NODES_USED]), int(tree.counters[EDGES_USED])
    used = nodes * NODE.itemsize + edges * EDGE.itemsize
    return TreeSize(nodes, edges, used, tree.nodes.nbytes + tree.edges.nbytes)
