"""Threads that grow one tree together: nothing is lost, torn or done twice."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
import pytest

from uhp_engine.bench.positions import all_positions
from uhp_engine.core.jit import uncached_entry
from uhp_engine.game import Game, Move
from uhp_engine.notation import parse_game, parse_move
from uhp_engine.search import searcher as searcher_module
from uhp_engine.search.crew import Crew
from uhp_engine.search.keeping import recycle
from uhp_engine.search.limits import Limits
from uhp_engine.search.locks import acquire, release
from uhp_engine.search.searcher import Search, Searcher
from uhp_engine.search.tree import ARENA_LOCK, EDGES_USED, NO_CHILD, NODES_USED, ROOT, Tree
from uhp_engine.search.worker import Worker

pytestmark = pytest.mark.usefixtures("compiled")


@pytest.fixture
def game() -> Game:
    return parse_game(all_positions()[8].text)


def run_side_by_side(count: int, work: Callable[[int], object]) -> None:
    """Run `work` with the numbers below `count` in threads of their own; raise what they raise."""
    errors: list[BaseException] = []

    def guarded(number: int) -> None:
        try:
            work(number)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(n,), daemon=True) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    if errors:
        raise errors[0]


@uncached_entry
def count_up(words, lock, times):
    for _ in range(times):
        acquire(words, lock)
        words[1] += 1
        words[2] = words[1] + words[2] // 3
        release(words, lock)


def test_a_lock_lets_one_thread_in_at_a_time():
    words = np.zeros(3, dtype=np.int64)
    count_up(words, 0, 1)
    run_side_by_side(4, lambda number: count_up(words, 0, 500_000))
    assert words[0] == 0
    assert words[1] == 2_000_001


def lines_below(tree: Tree, game: Game, node: int, depth: int) -> int:
    """Check that a node has just the legal moves, and so down; return how many nodes were seen."""
    block = tree.edges_of(node)
    if game.state.is_over:
        return 0
    assert sorted(block["move"].tolist()) == sorted(move.code for move in game.legal_moves())
    assert float(block["prior"].sum()) == pytest.approx(1.0, abs=1e-4)
    visited = int(tree.nodes[node]["visited"])
    assert (block["visits"][:visited] > 0).all()
    assert (block["visits"][visited:] == 0).all()
    assert (np.abs(block["value"]) <= 1).all()
    seen = 1
    if depth:
        for edge in block[:visited].tolist():
            if edge[2] != NO_CHILD:
                assert edge[2] > node
                game.play(Move.from_code(edge[4]))
                seen += lines_below(tree, game, edge[2], depth - 1)
                game.undo()
    return seen


@pytest.mark.parametrize("text", ["Base", "Base+MLP", *(at.text for at in all_positions()[::6])])
def test_the_tree_is_whole_whoever_grew_it(text):
    game = parse_game(text)
    searcher = Searcher(memory_mib=64, threads=4)
    result = searcher.search(game, Limits(simulations=40_001))
    assert result.simulations == 40_001 or result.is_settled
    visits = sum(line.visits for line in result.lines)
    assert 0.85 * result.simulations <= visits <= result.simulations
    assert lines_below(searcher.tree, game, ROOT, 3) > 100
    tree = searcher.tree
    nodes = tree.nodes[: int(tree.counters[NODES_USED])]
    assert np.array_equal(nodes["first"], np.cumsum(nodes["count"]) - nodes["count"])
    assert int(nodes["count"].sum()) == tree.counters[EDGES_USED]
    assert not tree.counters[ARENA_LOCK:].any()  # no lock is held any more


def test_a_full_tree_is_recycled_by_one_thread_while_the_others_wait(game, monkeypatch):
    rounds = []
    simulating: set[Worker] = set()
    simulate = Worker.simulate

    def watched(worker: Worker, search: Search, wanted: int, most: int) -> int:
        simulating.add(worker)
        try:
            return simulate(worker, search, wanted, most)
        finally:
            simulating.discard(worker)

    def noting(tree: Tree) -> bool:
        assert tree.is_full
        assert not simulating
        rounds.append(threading.get_ident())
        return recycle(tree)

    monkeypatch.setattr(Worker, "simulate", watched)
    monkeypatch.setattr(searcher_module, "recycle", noting)
    searcher = Searcher(memory_mib=4, threads=3)
    result = searcher.search(game, Limits(simulations=60_000))
    assert len(rounds) > 3
    assert 0.85 * 60_000 <= sum(line.visits for line in result.lines) <= 60_000
    assert lines_below(searcher.tree, game, ROOT, 2) > 20


def test_what_recycling_raises_is_raised_and_all_threads_end(game, monkeypatch):
    def failing(tree: Tree) -> bool:
        raise MemoryError("none left")

    monkeypatch.setattr(searcher_module, "recycle", failing)
    searcher = Searcher(memory_mib=1, threads=3)
    with pytest.raises(MemoryError, match="none left"):
        searcher.search(game, Limits(simulations=100_000))
    monkeypatch.undo()
    assert searcher.search(game, Limits(simulations=100)).simulations == 100


def test_several_lines_leave_the_priors_as_they_were(game):
    """Also where the tree is recycled meanwhile, and where the search ends with an error."""
    searcher = Searcher(memory_mib=4, threads=2)
    searcher.search(game, Limits(simulations=60_000), variations=3)
    assert float(searcher.tree.root_edges()["prior"].sum()) == pytest.approx(1.0, abs=1e-4)

    def failing(result: object) -> None:
        raise ValueError("shown to nobody")

    with pytest.raises(ValueError, match="shown to nobody"):
        searcher.search(game, Limits(seconds=20), variations=3, on_progress=failing)
    assert float(searcher.tree.root_edges()["prior"].sum()) == pytest.approx(1.0, abs=1e-4)


def test_the_tree_is_kept_for_all_threads(game):
    searcher = Searcher(memory_mib=64, threads=2)
    result = searcher.search(game, Limits(simulations=20_000))
    for move in result.best.pv[:2]:
        game.play(move)
    kept = searcher.search(game, Limits(simulations=2))
    assert sum(line.visits for line in kept.lines) > 1000


def test_together_they_find_every_forced_win(rows):
    for text, _, move in rows("forced_wins.tsv"):
        game = parse_game(text)
        result = Searcher(memory_mib=64, threads=3).search(game, Limits(simulations=300_000))
        assert 0 < result.best.proof < 20
        assert result.move == parse_move(game, move)


def test_a_crew_meets_when_all_are_there():
    crew = Crew(3)
    come = [0, 0, 0]
    seen: list[list[int]] = []

    def member(number: int) -> None:
        for _ in range(200):
            come[number] += 1
            crew.meet(lambda: seen.append(list(come)))
        crew.leave()

    run_side_by_side(3, member)
    assert seen == [[times] * 3 for times in range(1, 201)]


def test_a_crew_does_not_wait_for_who_has_left():
    crew = Crew(3)
    worked: list[int] = []

    def member(number: int) -> None:
        for _ in range(number * 10):
            crew.meet(lambda: worked.append(number))
        crew.leave()

    run_side_by_side(3, member)
    assert len(worked) == 20


def test_a_dismissed_crew_waits_for_nobody():
    crew = Crew(2)
    worked: list[int] = []
    waiting = threading.Thread(target=crew.meet, args=(lambda: worked.append(1),), daemon=True)
    waiting.start()
    waiting.join(0.05)
    assert waiting.is_alive()
    crew.dismiss()
    waiting.join(60)
    assert not waiting.is_alive()
    crew.meet(lambda: worked.append(2))
    assert worked == []
