"""Kernels of Monte Carlo tree search: select, expand, judge, back up.

PUCT (Rosin 2011; Silver et al. 2017) with priors from move features, a static evaluation in place
of playouts, expansion on the second visit, and MCTS-Solver (Winands, Björnsson and Saito 2008).
The arguments `nodes`, `edges` and `counters` are a tree's arrays, described in tree.py.

A move chosen often before is followed by several simulations at once, some percent of its visits:
each chooses anew below it, and what they bring goes on to the root as one sum. So the plies near
the root, where one visit more or less decides nothing, cost a fraction of their time.

Several threads may run in one tree. Visits are counted on the way down, so that a thread that is
still on its way up makes its moves less attractive to the others (the unobserved samples of Liu et
al. 2020, "Watch the Unobserved"); an edge on its first visit is left alone by them. Only what must
never be done twice has locks. Visits and values are written without: once in a while, two threads
at one edge, a visit is not counted, or two threads make the same child and the later is not used.
"""

from __future__ import annotations

import math

import numpy as np

from ..core.board import DRAW, IN_PROGRESS, UNDO_ORIGIN, WHITE_WINS, make, mix, outcome, unmake
from ..core.jit import entry, kernel
from ..core.layout import MAX_MOVES, PASS
from ..core.moves import generate
from ..core.repetition import position_key
from .evaluation import count_features, weigh
from .locks import acquire, fence, release
from .near import near_exp, near_log1p
from .oversight import LIMITED, leave_seen, misjudged
from .policy import prior_weight
from .tree import (
    ARENA_LOCK,
    DRAW_PROOF,
    EDGES_MAX,
    EDGES_USED,
    FULL,
    LINE_WORDS,
    LONGEST_PROOF,
    MOST_VISITS,
    NO_CHILD,
    NODE_LOCKS,
    NODES_MAX,
    NODES_USED,
    ROOT,
    ROOT_PROOF,
    zeros_apart,
)

# Longer lines of play are judged where they stand.
MAX_PATH = 256

# One ply of a line of play: a position on it, and the move made there.
PLY = np.dtype(
    [
        # The position's node; how many simulations are to start from it before the line is taken
        # back farther; how many did, and the sum of their values for the side that moved last.
        ("node", np.int64),
        ("wanted", np.int64),
        ("ran", np.int64),
        ("brought", np.float64),
        # The edge followed from it, what takes the move back, and the key of the position after.
        ("edge", np.int64),
        ("undo", np.int64),
        ("key", np.int64),
        # The first ply whose key that position may repeat, and `marks_of` the keys from there on:
        # of those that it may repeat, and of the others.
        ("back", np.int64),
        ("marks", np.int64),
        ("other_marks", np.int64),
    ]
)

# By this the bits of a small number come to all bits of its 32-bit product (Knuth, TAOCP 3, 6.4).
SPREAD = 0x9E3779B1

# Records of moves, a float32 for each side and move: by how much more than expected it brought of
# late, wherever it was played. A pass has the number that no piece has.
RECORDS = 1 << 17


@kernel
def bring_forward(edges, first, count, place):
    """Swap the unvisited edge of the highest prior to a place in a node's block."""
    if place >= count:
        return
    here = first + place
    best, most = here, edges[here].prior
    for index in range(here + 1, first + count):
        is_better = edges[index].prior > most  # without a branch: nobody could foretell it
        best = index if is_better else best
        most = max(edges[index].prior, most)
    move, prior = edges[here].move, edges[here].prior
    edges[here].move, edges[here].prior = edges[best].move, edges[best].prior
    edges[best].move, edges[best].prior = move, prior


@kernel
def has_room(counters):
    """Say whether one more node is sure to fit."""
    return (
        counters[NODES_USED] < counters[NODES_MAX]
        and counters[EDGES_USED] + MAX_MOVES <= counters[EDGES_MAX]
    )


@kernel
def expand(s, m, records, nodes, edges, counters, seed):
    """Make a node for the position with an edge for each legal move.

    Returns:
        The node's index; NO_CHILD where the arenas are full.
    """
    count = generate(s, np.int64(0))
    if s.sight[LIMITED]:
        count = leave_seen(s, np.int64(0), count)
    acquire(counters, np.int64(ARENA_LOCK))
    node = counters[NODES_USED]
    first = counters[EDGES_USED]
    fits = has_room(counters)
    if fits:
        counters[NODES_USED] = node + 1
        counters[EDGES_USED] = first + count
    else:
        counters[FULL] = 1
    release(counters, np.int64(ARENA_LOCK))
    if not fits:
        return np.int64(NO_CHILD)
    total = 0.0
    salt = mix((s.key ^ seed) & ((1 << 60) - 1)) & ((1 << 24) - 1)
    for index in range(count):
        move = s.moves[index]
        weight = prior_weight(s, m, move)
        weight *= near_exp(m.record_weight * records[s.side << 16 | move])
        luck = (((salt ^ move) * SPREAD) >> 22) & 1023
        weight *= 1.0 + m.prior_jitter * (luck / 1024.0 - 0.5)
        total += weight
        edge = edges[first + index]
        edge.move = move
        edge.proof = 0
        edge.prior = weight
        edge.visits = 0
        edge.value = 0.0
        edge.child = NO_CHILD
    for index in range(first, first + count):
        edges[index].prior /= total
    bring_forward(edges, first, count, np.int64(0))
    nodes[node].first = first
    nodes[node].count = count
    nodes[node].visited = 0
    nodes[node].place = 0
    nodes[node].tally = s.tally
    nodes[node].visits = 0
    return node


@kernel
def take_fresh(nodes, edges, counters, node, otherwise):
    """Return the next unvisited edge of a node; `otherwise` where other threads took the last."""
    lock = (1 + node % NODE_LOCKS) * LINE_WORDS
    acquire(counters, lock)
    found = otherwise
    visited = np.int64(nodes[node].visited)
    count = np.int64(nodes[node].count)
    if visited < count:
        found = nodes[node].first + visited
        nodes[node].visited = visited + 1
        bring_forward(edges, nodes[node].first, count, visited + 1)
    release(counters, lock)
    return found


@kernel
def select(m, nodes, edges, counters, node):
    """Return the edge to follow from a node: the best sum of value and exploration.

    Proven losses, and what another thread visits for the first time now, are left alone while there
    is anything else.
    """
    first = nodes[node].first
    count = np.int64(nodes[node].count)
    visited = np.int64(nodes[node].visited)
    visits = nodes[node].visits
    growth = 1.0 + near_log1p(visits / m.cpuct_base)
    explore = m.cpuct * growth * math.sqrt(visits + 1.0)
    best = -1
    best_score = -1e9
    worth = 0.0
    weight = 0
    tried = 0.0
    under_way = first
    for index in range(first, first + visited):
        edge = edges[index]
        worth += edge.value * edge.visits
        weight += edge.visits
        tried += edge.prior
        if edge.visits == 0:
            under_way = index
            continue
        if edge.proof < 0:
            continue
        score = edge.value + explore * edge.prior / (1.0 + edge.visits)
        best = index if score > best_score else best
        best_score = max(score, best_score)
    if visited < count:
        fresh = first + visited
        mean = worth / weight if weight else 0.0
        guess = mean - m.fpu_reduction * math.sqrt(tried)
        if best < 0 or guess + explore * edges[fresh].prior > best_score:
            return take_fresh(nodes, edges, counters, node, best if best >= 0 else under_way)
    return best if best >= 0 else under_way


@kernel
def judge(s, m):
    """Return the value and the proof of the position for the side that has just moved."""
    result = outcome(s)
    if result != IN_PROGRESS:
        if result == DRAW:
            return 0.0, DRAW_PROOF
        winner = 0 if result == WHITE_WINS else 1
        return (-1.0, -1) if winner == s.side else (1.0, 1)
    if count_features(s):
        return -1.0, -2
    value = weigh(s, m)
    return -(misjudged(s, value) if s.sight[LIMITED] else value), 0


@kernel
def proven_value(proof):
    """Return the value of a proof for the side that moves."""
    if proof == DRAW_PROOF:
        return 0.0
    return 1.0 if proof > 0 else -1.0


@kernel
def node_proof(nodes, edges, node):
    """Return what a node's edges prove for the side to move there, 0 where they do not."""
    first = nodes[node].first
    shortest = 0
    longest = 0
    draw = False
    unproven = nodes[node].visited < nodes[node].count
    for index in range(first, first + nodes[node].visited):
        proof = edges[index].proof
        if proof == 0:
            unproven = True
        elif proof == DRAW_PROOF:
            draw = True
        elif proof > 0:
            if shortest == 0 or proof < shortest:
                shortest = proof
        elif proof < longest:
            longest = proof
    if shortest:
        return shortest
    if unproven:
        return 0
    return DRAW_PROOF if draw else longest


@kernel
def proof_before(proof):
    """Return an edge's proof, given what its child proves for the side to move there."""
    if proof == 0 or proof == DRAW_PROOF:
        return proof
    longer = min(abs(proof) + 1, LONGEST_PROOF)
    return -longer if proof > 0 else longer


@kernel
def is_repeated(s, path, back, depth, history, exact_history, window):
    """Say whether a position occurred on the way since the root, or twice within `window` plies.

    The plies before it are `history`, the game's with the root, and then `depth` of the path, of
    which those before `back` saw another number of pieces. Whoever could go round in the tree
    could do so in the game, so that once is enough there.

    Keys of places are compared; a hive that has crept elsewhere meanwhile goes unnoticed.
    """
    earliest = len(history) + depth - window
    for index in range(max(earliest - len(history), back), depth):
        if path[index].key == s.key:
            return True
    if back:
        return False
    count = 0
    for index in range(max(earliest, 0), len(history)):
        count += 1 if history[index] == s.key else 0
    if count < 2 or len(exact_history) == 0:
        return count >= 2
    count = 0
    key = position_key(s)
    for index in range(max(earliest, 0), len(exact_history)):
        count += 1 if exact_history[index] == key else 0
    return count >= 2


@kernel
def marks_of(keys, first):
    """Return a mask with bit key & 63 set for every other key from an index on."""
    marks = np.int64(0)
    for index in range(first, len(keys), 2):
        marks |= np.int64(1) << (keys[index] & 63)
    return marks


@kernel
def back_up(s, m, records, nodes, edges, path, depth, fresh_proof):
    """Take back the last move of a line of play, and bring to where it was made what it brought.

    The move's record (the history heuristic, Schaeffer 1989) moves towards what the simulations
    brought more than the position's mean before it.

    Args:
        s: the position at the line's end; the one before in the end.
        m: the model.
        records: float32 array (RECORDS,).
        nodes: array of NODE.
        edges: array of EDGE.
        path: array of PLY, the line.
        depth: its length in plies, at least 1.
        fresh_proof: True where the last edge has just been proven.

    Returns:
        What is proven of the node where the move was made, 0 unless `fresh_proof`.
    """
    here, end = path[depth - 1], path[depth]
    edge = edges[here.edge]
    move = np.int64(edge.move)
    unmake(s, move, here.undo)
    ran = end.ran
    brought = ran * proven_value(edge.proof) if fresh_proof else end.brought
    if ran < end.wanted and edge.visits < MOST_VISITS:
        edge.visits -= end.wanted - ran
    if edge.visits == 0:
        edge.visits = 1  # all others were counted on the way down
    edge.value += (brought - ran * edge.value) / edge.visits
    expected = -edges[path[depth - 2].edge].value if depth > 1 else edge.value
    record = s.side << 16 | move
    surprise = brought / ran - expected
    for _ in range(ran):
        records[record] += np.float32(m.record_rate * (surprise - records[record]))
    nodes[here.node].visits += ran
    here.ran += ran
    here.brought -= brought
    return node_proof(nodes, edges, here.node) if fresh_proof else 0


@kernel
def prove_root(nodes, edges, counters):
    """Find what is proven of the root, and say whether that is news."""
    acquire(counters, np.int64(ARENA_LOCK))
    proof = node_proof(nodes, edges, np.int64(ROOT))
    is_news = proof != counters[ROOT_PROOF]
    counters[ROOT_PROOF] = proof
    release(counters, np.int64(ARENA_LOCK))
    return is_news


@entry
def run(
    states,
    models,
    records,
    nodes,
    edges,
    counters,
    path,
    history,
    exact_history,
    window,
    seed,
    simulations,
    most,
    may_fill,
):
    """Run simulations: each walks from the root to a leaf, judges it, and backs up its value.

    It ends early, after a whole simulation, where the root's proof changes, and after one that
    finds no room for a node, whose value stands for its children's then; not so if `may_fill`.

    Args:
        states: array of one position, the root's; unchanged in the end.
        models: array of one MODEL.
        records: float32 array (RECORDS,), what is known of moves wherever they are played.
        nodes: array of NODE.
        edges: array of EDGE.
        counters: int64 array of the tree's counters.
        path: array of PLY (MAX_PATH + 1,), scratch.
        history: keys of the game's positions since a piece was last placed.
        exact_history: their `position_key`s where a third occurrence is a draw by the rules;
            empty where it only means that nothing was achieved.
        window: how many plies an occurrence is looked for.
        seed: spreads the priors.
        simulations: how many to run, or some more, where the last would leave others that go
            together with it: so what is found does not depend on this number.
        most: how many to run at most.
        may_fill: 1 to go on when the arenas are full, else 0.

    Returns:
        How many simulations were run.
    """
    s = states[0]
    m = models[0]
    if counters[NODES_USED] == 0:
        expand(s, m, records, nodes, edges, counters, seed)
    path[0].node = ROOT
    path[0].wanted = most
    path[0].ran = 0
    path[0].back = 0
    # Of positions so far, with the other side to move and with the root's: a position whose bit is
    # not set is new, and most are.
    path[0].marks = marks_of(history, np.int64(len(history) & 1))
    path[0].other_marks = marks_of(history, np.int64((len(history) & 1) ^ 1))
    depth = np.int64(0)
    is_full = False
    is_news = False
    while depth or (path[0].ran < simulations and not is_news and (may_fill or not is_full)):
        value = 0.0
        fresh_proof = False
        growing = np.int64(-1)  # the edge whose child is to be made
        while True:
            here, end = path[depth], path[depth + 1]
            if growing >= 0:
                node = expand(s, m, records, nodes, edges, counters, seed)
                if node == NO_CHILD:
                    is_full = True
                    value = edges[growing].value
                    break
                if edges[growing].child == NO_CHILD:
                    fence()
                    edges[growing].child = node
                here.node = edges[growing].child  # another thread may have been faster
                growing = np.int64(-1)
            index = select(m, nodes, edges, counters, here.node)
            edge = edges[index]
            is_new = edge.visits == 0
            end.wanted = 1
            if not is_new and edge.visits < MOST_VISITS:
                together = min(1 + (edge.visits >> m.together_shift), m.most_together)
                end.wanted = min(together, here.wanted - here.ran)
                edge.visits += end.wanted
            end.ran = 0
            end.brought = 0.0
            here.edge = index
            move = np.int64(edge.move)
            s.tally = nodes[here.node].tally
            s.unsettled = 0
            here.undo = make(s, move)
            here.key = s.key
            end.back, marks, end.marks = here.back, here.marks, here.other_marks
            if here.undo & UNDO_ORIGIN == 0 and move != PASS:
                end.back = depth  # a piece was placed
                marks, end.marks = np.int64(0), np.int64(0)
            repeated = (marks >> (s.key & 63)) & 1 and is_repeated(
                s, path, end.back, depth, history, exact_history, window
            )
            end.other_marks = marks | np.int64(1) << (s.key & 63)
            depth += 1
            if repeated:
                break
            if edge.proof != 0:
                value = proven_value(edge.proof)
                # Two threads may have proven a node's last two moves at once, neither seeing the
                # other's: then nothing but losses and draws is left to choose from here.
                fresh_proof = edge.proof < 0 or edge.proof == DRAW_PROOF
                break
            if is_new:
                value, proof = judge(s, m)
                if proof != 0:
                    edge.proof = proof
                    fresh_proof = True
                break
            if edge.child != NO_CHILD:
                end.node = edge.child
            elif depth < MAX_PATH and not (may_fill and counters[FULL]):
                growing = index
            else:
                value = edge.value
                break
        path[depth].ran = 1
        path[depth].brought = value
        is_over = True
        while depth and is_over:
            proof = back_up(s, m, records, nodes, edges, path, depth, fresh_proof)
            depth -= 1
            if fresh_proof and depth == 0:
                is_news = prove_root(nodes, edges, counters)
            elif proof != 0:
                edges[path[depth - 1].edge].proof = proof_before(proof)
            fresh_proof = proof != 0
            is_over = (
                fresh_proof or path[depth].ran >= path[depth].wanted or (is_full and not may_fill)
            )
    return path[0].ran


@entry
def keep_subtree(nodes, edges, counters, root, least_visits):
    """Make a node the root, keeping of what is below it the nodes of at least so many visits.

    All that is kept moves to the front of the arenas, in the order in which it lay: so nothing is
    written over before it was read. An edge whose child is dropped keeps its visits and value; it
    is expanded anew later.
    """
    used = counters[NODES_USED]
    kept = 0
    nodes[root].place = 1
    for index in range(root, used):
        node = nodes[index]
        if node.place == 0:
            continue
        kept += 1
        node.place = kept
        for edge in range(node.first, node.first + node.visited):
            child = edges[edge].child
            if child != NO_CHILD:
                if nodes[child].visits >= least_visits:
                    nodes[child].place = 1
                else:
                    edges[edge].child = NO_CHILD
    done = 0
    edges_done = 0
    for index in range(root, used):
        place = nodes[index].place
        if place == 0:
            continue
        first = nodes[index].first
        count = np.int64(nodes[index].count)
        for offset in range(count):
            edges[edges_done + offset] = edges[first + offset]
            child = edges[edges_done + offset].child
            if child != NO_CHILD:
                edges[edges_done + offset].child = nodes[child].place - 1
        nodes[done] = nodes[index]
        nodes[done].first = edges_done
        nodes[done].place = 0
        done += 1
        edges_done += count
    counters[NODES_USED] = done
    counters[EDGES_USED] = edges_done
    counters[FULL] = 0
    counters[ROOT_PROOF] = node_proof(nodes, edges, np.int64(ROOT))


def new_records() -> np.ndarray:
    """Return records of moves that say nothing yet."""
    return zeros_apart(RECORDS, np.float32)


def new_path() -> np.ndarray:
    """Return the scratch array that `run` wants."""
    return zeros_apart(MAX_PATH + 1, PLY)
