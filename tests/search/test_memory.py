"""The tree's memory: kept to its limit, recycled when full, right however large."""

from __future__ import annotations

import mmap
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from uhp_engine.bench.memory import tree_size
from uhp_engine.bench.positions import all_positions
from uhp_engine.bench.resident import resident_bytes
from uhp_engine.game import Game
from uhp_engine.notation import parse_game
from uhp_engine.search import searcher as searcher_module
from uhp_engine.search import tree as tree_module
from uhp_engine.search.keeping import keep, recycle
from uhp_engine.search.limits import Limits
from uhp_engine.search.result import SearchResult
from uhp_engine.search.searcher import Searcher
from uhp_engine.search.tree import (
    EDGE,
    EDGES_MAX,
    EDGES_USED,
    NO_CHILD,
    NODE,
    NODES_MAX,
    NODES_USED,
    ROOT,
    Tree,
)

pytestmark = pytest.mark.usefixtures("compiled")

MIB = 2**20
MAP_NORESERVE = 0x4000  # Linux; Python knows the name from 3.11 on
# Pages that are not written take no memory, so that arenas may be larger than the machine's.
needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="reserves memory as Linux does")


@pytest.fixture
def game() -> Game:
    return parse_game(all_positions()[8].text)


def summary(result: SearchResult) -> list[tuple[int, int, float, int]]:
    return [(line.move.code, line.visits, line.value, line.proof) for line in result.lines]


@pytest.fixture
def endless(monkeypatch):
    """Let arenas be reserved however large."""

    def reserve(count: int, dtype: np.dtype) -> np.ndarray:
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_NORESERVE
        return np.frombuffer(mmap.mmap(-1, count * dtype.itemsize, flags=flags), dtype=dtype)

    monkeypatch.setattr(tree_module, "np", SimpleNamespace(**{**vars(np), "empty": reserve}))


@needs_linux
@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("mib", [16, 64, 512, 1024, 24576])
def test_the_arenas_come_within_five_percent_of_the_limit(game, endless, mib, threads):
    searcher = Searcher(memory_mib=mib, threads=threads)
    searcher.search(game, Limits(simulations=threads))
    reserved = tree_size(searcher).reserved_bytes
    assert 0.95 * mib * MIB <= reserved <= mib * MIB


def check_tree(tree: Tree) -> None:
    """Check what must hold of every tree: whole blocks, visits that add up, children in order."""
    nodes_used, edges_used = (int(tree.counters[slot]) for slot in (NODES_USED, EDGES_USED))
    assert 0 < nodes_used <= tree.counters[NODES_MAX]
    assert 0 < edges_used <= tree.counters[EDGES_MAX]
    nodes, edges = tree.nodes[:nodes_used], tree.edges[:edges_used]
    assert int(nodes["count"].sum()) == edges_used
    ends = np.cumsum(nodes["count"])
    assert np.array_equal(nodes["first"], ends - nodes["count"])  # in order, without gaps
    assert not nodes["place"].any()
    children = edges["child"][edges["child"] != NO_CHILD]
    assert np.array_equal(np.sort(children), np.arange(1, nodes_used))  # each has one parent
    parents = np.repeat(np.arange(nodes_used), nodes["count"])[edges["child"] != NO_CHILD]
    assert (children > parents).all()
    totals = np.add.reduceat(edges["visits"].astype(np.int64), nodes["first"])
    assert np.array_equal(totals, nodes["visits"])
    for node in range(nodes_used):
        block = tree.edges_of(node)
        visited = int(nodes["visited"][node])
        assert np.all(block["visits"][:visited] > 0)
        assert np.all(block["visits"][visited:] == 0)


@pytest.fixture
def recycled(monkeypatch) -> list[int]:
    """Note how many bytes of each tree were in use when it was recycled."""
    used: list[int] = []

    def noting(tree: Tree) -> bool:
        nodes, edges = (int(tree.counters[slot]) for slot in (NODES_USED, EDGES_USED))
        used.append(nodes * NODE.itemsize + edges * EDGE.itemsize)
        return recycle(tree)

    monkeypatch.setattr(searcher_module, "recycle", noting)
    return used


def test_an_overfull_tree_goes_on_and_stays_right(game, recycled):
    searcher = Searcher(memory_mib=16)
    for total in range(1, 9):
        result = searcher.search(game, Limits(simulations=10_000))
        assert sum(line.visits for line in result.lines) == 10_000 * total
        assert all(-1 <= line.value <= 1 for line in result.lines)
        check_tree(searcher.tree)
    assert len(recycled) > 3


@pytest.mark.parametrize("text", ["Base", "Base+MLP", *(at.text for at in all_positions()[::7])])
def test_a_full_tree_uses_its_memory(recycled, text):
    """Whether nodes have few edges or many."""
    Searcher(memory_mib=16).search(parse_game(text), Limits(simulations=60_000))
    assert recycled
    assert all(0.95 * 16 * MIB < used <= 16 * MIB for used in recycled)


def test_what_is_kept_is_the_subtree_as_it_was(game):
    """After a move each line of play below it has the numbers that it had, by any threshold."""
    searcher = Searcher(memory_mib=64)
    searcher.search(game, Limits(simulations=20_000))
    tree = searcher.tree

    def shape(node: int, least: int) -> tuple:
        """Return a node and what is below it as values that do not depend on where they lie."""
        rows = []
        for value, visits, child, prior, move, proof in tree.edges_of(node).tolist():
            below = None
            if child != NO_CHILD and tree.nodes[child]["visits"] >= least:
                below = shape(child, least)
            rows.append((value, visits, prior, move, proof, below))
        return (int(tree.nodes[node]["visited"]), int(tree.nodes[node]["visits"]), tuple(rows))

    best = max(tree.root_edges().tolist(), key=lambda edge: edge[1])
    for node, least in ((ROOT, 2), (best[2], 4), (ROOT, 40)):
        expected = shape(node, least)
        keep(tree, node, least)
        check_tree(tree)
        assert shape(ROOT, 1) == expected


def test_a_small_tree_chooses_as_well_as_a_large_one(recycled):
    """What the small tree chooses is about as good as anything, to the large one's mind."""
    for position in all_positions()[6:12:2]:
        game = parse_game(position.text)
        limits = Limits(simulations=60_000)
        small = Searcher(memory_mib=16).search(game, limits)
        assert recycled
        recycled.clear()
        large = Searcher(memory_mib=1024).search(game, limits)
        assert not recycled
        chosen = next(line for line in large.lines if line.move == small.move)
        assert chosen.value > large.best.value - 0.1
        assert small.best.value == pytest.approx(large.best.value, abs=0.15)


@pytest.mark.skipif(resident_bytes() is None, reason="the system does not tell")
def test_the_process_grows_by_the_limit_and_no_more(game):
    code = f"""
from uhp_engine import warmup
warmup.load()
from uhp_engine.bench.resident import resident_bytes
from uhp_engine.notation import parse_game
from uhp_engine.search.limits import Limits
from uhp_engine.search.searcher import Searcher
game = parse_game({str(all_positions()[8].text)!r})
Searcher(memory_mib=1).search(game, Limits(simulations=5_000))
before = resident_bytes()
searcher = Searcher(memory_mib=16)
searcher.search(game, Limits(simulations=60_000))
print(resident_bytes() - before)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=600, check=True
    )
    assert 0.75 * 16 * MIB < int(done.stdout) < 1.05 * 16 * MIB + MIB


@needs_linux
@pytest.mark.parametrize("mib", [24 * 1024, 1024 * 1024])
def test_indices_do_not_overflow_in_the_largest_arenas(game, endless, mib):
    """The end of 24 GiB, and of the option's greatest value, is as good as the beginning."""
    usual = Searcher(memory_mib=64)
    usual.search(game, Limits(simulations=1))
    expected = usual.search(game, Limits(simulations=4000))
    searcher = Searcher(memory_mib=mib)
    searcher.search(game, Limits(simulations=1))
    tree = searcher.tree
    assert tree.edges.nbytes + tree.nodes.nbytes > 0.95 * mib * MIB
    tree.counters[NODES_USED] = tree.counters[NODES_MAX] - 3000
    tree.counters[EDGES_USED] = tree.counters[EDGES_MAX] - 300_000
    result = searcher.search(game, Limits(simulations=4000))
    assert summary(result) == summary(expected)
    assert result.best.pv == expected.best.pv
    far = tree.root_edges()["child"].max()
    assert far >= tree.counters[NODES_MAX] - 3000
    assert tree.nodes[far]["first"] >= tree.counters[EDGES_MAX] - 300_000


@needs_linux
def test_the_end_of_24_gib_is_recycled_like_any_other(game, endless):
    searcher = Searcher(memory_mib=24 * 1024)
    searcher.search(game, Limits(simulations=1))
    tree = searcher.tree
    tree.counters[NODES_USED] = tree.counters[NODES_MAX] - 3000
    tree.counters[EDGES_USED] = tree.counters[EDGES_MAX] - 100_000
    result = searcher.search(game, Limits(simulations=9_999))
    assert sum(line.visits for line in result.lines) == 10_000
    assert tree.counters[NODES_USED] < 10_000
    check_tree(tree)
