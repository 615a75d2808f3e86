"""How the search tree lies in memory: an arena of nodes and an arena of edges.

A node is a position that was visited at least twice; its edges are one block, one for each legal
move, and carry what is known of the child: so selection reads one run of memory. Edges that were
visited come first in the block; the rest are brought forward in the order of their priors, one
at a time, as visits grow.

Values are expected results from -1 (lost) to 1 (won), always for the side that makes the move.

Proofs are numbers of plies: 0 nothing is proven; n > 0: the move wins, the game ending n plies
after the position it is made in; n < 0: it loses, -n plies after; DRAW_PROOF: a proven draw.
"""

from __future__ import annotations

import numpy as np

NODE = np.dtype(
    [
        # Index of the first edge, and how many there are. A node's edges lie after those of the
        # nodes before it, and its children are nodes after it.
        ("first", np.int64),
        ("count", np.int16),
        # How many edges, from the first on, were visited, or are just being so.
        ("visited", np.int16),
        # Scratch of `mcts.keep_subtree`, else 0.
        ("place", np.int32),
        # The position's `layout.STATE` tally, so that none is brought up to date on the way down.
        ("tally", np.int64),
        # Simulations that passed on through this node.
        ("visits", np.int64),
    ]
)

EDGE = np.dtype(
    [
        # The mean value of the simulations that chose this move (a float32 would stand still
        # after some million), and how many they were, at most MOST_VISITS.
        ("value", np.float64),
        ("visits", np.int32),
        # The child's node, -1 where it has none.
        ("child", np.int32),
        # The policy's share, the block's priors adding up to 1.
        ("prior", np.float32),
        # The kernels' number of the move.
        ("move", np.uint16),
        # What is proven, see above.
        ("proof", np.int16),
    ]
)

# The tree's counters, an int64 array: how many nodes and edges are used, and how many they may
# be; what is proven of the root for the side to move; 1 once a node did not fit; then locks, see
# locks.py: of the arenas, for taking room in them and for the root's proof, and of the nodes, some
# sharing one, for bringing an edge forward. A node's lock has cache lines of its own.
NODES_USED, EDGES_USED, NODES_MAX, EDGES_MAX, ROOT_PROOF, FULL, ARENA_LOCK = range(7)
APART_BYTES = 128  # lines of 64 bytes are fetched in pairs
LINE_WORDS = APART_BYTES // 8
NODE_LOCKS = 64
COUNTERS = (1 + NODE_LOCKS) * LINE_WORDS

ROOT = 0
NO_CHILD = -1
DRAW_PROOF = 10_000
LONGEST_PROOF = 9_000
MOST_VISITS = 2**31 - 2**16  # threads that meet there may each add some more

# What is reckoned with when memory is shared out: fewer than nearly all positions have (30 early
# in Base, 70 in a middle game), so that nodes, the smaller arena, are not what runs out.
EDGES_PER_NODE = 24


def zeros_apart(count: int, dtype: np.dtype | type) -> np.ndarray:
    """Return an array of zeros that shares no cache line with anything else.

    Threads that write to one line, each to its own part, slow each other down all the same.
    """
    size = count * np.dtype(dtype).itemsize
    room = np.zeros(size + 2 * APART_BYTES, dtype=np.uint8)
    begin = -room.ctypes.data % APART_BYTES
    return room[begin : begin + size].view(dtype)


class Tree:
    """One tree's arenas.

    Attributes:
        nodes: array of NODE; the root is ROOT once `counters[NODES_USED]` is not 0.
        edges: array of EDGE.
        counters: int64 array (COUNTERS,), see NODES_USED and what follows.
    """

    def __init__(self, memory_bytes: int) -> None:
        share = NODE.itemsize + EDGES_PER_NODE * EDGE.itemsize
        node_count = max(memory_bytes // share, 64)
        # Pages are taken from the system only when they are first written.
        self.nodes = np.empty(node_count, dtype=NODE)
        self.edges = np.empty(max(node_count * EDGES_PER_NODE, 4096), dtype=EDGE)
        self.counters = zeros_apart(COUNTERS, np.int64)
        self.counters[NODES_MAX] = len(self.nodes)
        self.counters[EDGES_MAX] = len(self.edges)

    @property
    def is_empty(self) -> bool:
        """True before a root was made."""
        return int(self.counters[NODES_USED]) == 0

    @property
    def fullness(self) -> float:
        """The used share of the fuller arena."""
        nodes = int(self.counters[NODES_USED]) / int(self.counters[NODES_MAX])
        return max(nodes, int(self.counters[EDGES_USED]) / int(self.counters[EDGES_MAX]))

    @property
    def is_full(self) -> bool:
        """True once a node did not fit."""
        return bool(self.counters[FULL])

    def edges_kept(self, least_visits: int) -> int:
        """Return how many edges belong to nodes of at least so many visits."""
        nodes = self.nodes[: int(self.counters[NODES_USED])]
        return int(nodes["count"][nodes["visits"] >= least_visits].sum())

    def clear(self) -> None:
        """Forget everything."""
        self.counters[NODES_USED] = 0
        self.counters[EDGES_USED] = 0
        self.counters[ROOT_PROOF] = 0
        self.counters[FULL] = 0

    def root_edges(self) -> np.ndarray:
        """Return the root's edges as a view of the arena."""
        root = self.nodes[ROOT]
        return self.edges[int(root["first"]) : int(root["first"]) + int(root["count"])]

    def edges_of(self, node: int) -> np.ndarray:
        """Return a node's edges as a view of the arena."""
        first = int(self.nodes[node]["first"])
        return self.edges[first : first + int(self.nodes[node]["count"])]
