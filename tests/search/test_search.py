"""The search: wins seen and played, time and memory kept, the same result from the same seed."""

from __future__ import annotations

import time

import numpy as np
import pytest

from uhp_engine.game import Game, GameState, RepetitionDraw
from uhp_engine.notation import format_move, parse_game, parse_move
from uhp_engine.search import mcts, worker
from uhp_engine.search.limits import Limits
from uhp_engine.search.searcher import Searcher, safest
from uhp_engine.search.tree import DRAW_PROOF, EDGE, NO_CHILD, NODE, NODES_USED, ROOT, Tree

MIDDLE = (
    "Base+MLP;;;wL;bL \\wL;wM wL\\;bM \\bL;wA1 wM\\;bA1 bM-;wQ -wM;bQ bM/;wA1 -bM;bA1 wM-;wA2 /wQ;"
    "bP bM-;wP wA2-;bA2 bQ-"
)


@pytest.fixture
def searcher() -> Searcher:
    return Searcher(memory_mib=256)


def test_all_forced_wins_are_found(rows):
    """10 of 11 within 5 s each are asked for. A proof may be longer than the shortest win."""
    cases = rows("forced_wins.tsv")
    missed = []
    for text, _plies, move in cases:
        game = parse_game(text)
        result = Searcher().search(game, Limits(seconds=5))
        if result.move != parse_move(game, move) or not 0 < result.best.proof < 20:
            missed.append((text, move, format_move(game, result.move), result.best.proof))
    assert missed == []
    assert len(cases) == 11


def test_every_win_at_once_is_played(rows):
    """500 of 500 at 0.1 s a move: the game is over after the move chosen."""
    searcher = Searcher(memory_mib=64)
    cases = rows("win_in_one.tsv")
    missed = []
    for text, _ in cases:
        game = parse_game(text)
        result = searcher.search(game, Limits(seconds=0.1))
        winner = ("WhiteWins", "BlackWins")[game.side]
        game.play(result.move)
        if game.state.value != winner or result.best.proof != 1:
            missed.append(text)
    assert missed == []
    assert len(cases) == 500


def test_the_same_seed_gives_the_same_search():
    found = []
    for _ in range(2):
        result = Searcher(seed=7).search(parse_game(MIDDLE), Limits(simulations=5000))
        found.append([(line.move, line.visits, line.value, line.pv) for line in result.lines])
        assert result.simulations == 5000
    assert found[0] == found[1]


def test_another_seed_gives_another_tree():
    one, other = (
        [
            line.visits
            for line in Searcher(seed=seed)
            .search(parse_game(MIDDLE), Limits(simulations=5000))
            .lines
        ]
        for seed in (1, 2)
    )
    assert one != other


def test_a_depth_stands_for_a_budget_and_forgets_what_was_known(searcher):
    game = parse_game(MIDDLE)
    first = searcher.search(game, Limits.depth(3))
    assert first.simulations == 64 * 4**3
    searcher.search(game, Limits(simulations=3000))
    again = searcher.search(game, Limits.depth(3))
    assert [(line.move, line.visits) for line in again.lines] == [
        (line.move, line.visits) for line in first.lines
    ]


def test_a_depth_does_not_depend_on_the_clock(rows, monkeypatch):
    """However long the kernel's slices are, the same is found."""
    text, _, move = rows("forced_wins.tsv")[1]
    won = parse_game(text)
    lost = won.copy()
    lost.play(parse_move(won, move))
    for game, memory in ((won, 64), (lost, 64), (parse_game(MIDDLE), 4)):
        found = set()
        for slice_seconds in (0.0002, 0.002, 0.01):
            monkeypatch.setattr(worker, "SLICE_SECONDS", slice_seconds)
            result = Searcher(memory_mib=memory).search(game, Limits.depth(5))
            lines = tuple((line.move, line.visits, line.proof) for line in result.lines)
            found.add((result.simulations, lines))
        assert len(found) == 1


def test_a_search_takes_its_time_unless_the_root_is_settled(searcher):
    """However clear the best move seems: another may still turn out to win."""
    game = parse_game(MIDDLE)
    first = searcher.search(game, Limits(seconds=0.3))
    again = searcher.search(game, Limits(seconds=0.3))
    assert first.best.proof == again.best.proof == 0
    for result in (first, again):
        assert result.seconds > 0.25


def test_the_tree_is_kept_from_move_to_move(searcher):
    game = parse_game(MIDDLE)
    result = searcher.search(game, Limits(simulations=20_000))
    reply = result.best.pv[1]
    game.play(result.move)
    game.play(reply)
    kept = searcher.search(game, Limits(simulations=1))
    assert sum(line.visits for line in kept.lines) > 1000
    game.undo()
    fresh = searcher.search(game, Limits(simulations=1))
    assert sum(line.visits for line in fresh.lines) <= 1


def test_a_position_is_unchanged_by_a_search(searcher):
    game = parse_game(MIDDLE)
    game.legal_moves()  # leaves its traces in the scratch fields
    before = game.states.copy()
    searcher.search(game, Limits(simulations=2000))
    assert before.tobytes() == game.states.tobytes()


def test_only_legal_moves_with_visits_that_add_up(searcher):
    game = parse_game(MIDDLE)
    result = searcher.search(game, Limits(simulations=10_000))
    assert {line.move for line in result.lines} == set(game.legal_moves())
    assert sum(line.visits for line in result.lines) == 10_000
    assert all(-1 <= line.value <= 1 for line in result.lines)
    replay = game.copy()
    for move in result.best.pv:
        replay.play(move)


@pytest.mark.parametrize("text", [MIDDLE, "Base+MLP"])
@pytest.mark.parametrize("simulations", [1000, 9999, 40_000])
def test_simulations_that_go_together_are_counted_one_by_one(text, simulations):
    """Every node passed on just what its moves were chosen for, and the root all that was asked."""
    searcher = Searcher(memory_mib=64)
    result = searcher.search(parse_game(text), Limits(simulations=simulations))
    assert result.simulations == simulations
    tree = searcher.tree
    nodes = tree.nodes[: int(tree.counters[NODES_USED])]
    assert nodes["visits"][ROOT] == simulations
    for number, node in enumerate(nodes):
        edges = tree.edges_of(number)
        assert edges["visits"].sum() == node["visits"]
        for edge in edges[edges["child"] != NO_CHILD]:
            # The first was judged where the node is now; others may have ended there by proof.
            assert nodes["visits"][edge["child"]] < edge["visits"]


def test_going_together_saves_time_and_no_more():
    """Neither the best move nor what it is worth depends on it, where there are visits enough."""
    found = []
    for shift in (5, 62):
        searcher = Searcher(memory_mib=64)
        searcher.models["together_shift"] = shift
        found.append(searcher.search(parse_game(MIDDLE), Limits(simulations=100_000)))
    together, single = found
    assert together.move == single.move
    assert abs(together.best.value - single.best.value) < 0.05
    assert [line.visits for line in together.lines] != [line.visits for line in single.lines]


def test_a_full_tree_is_recycled_and_the_search_goes_on():
    searcher = Searcher(memory_mib=1)
    game = parse_game(MIDDLE)
    result = searcher.search(game, Limits(simulations=60_000))
    assert sum(line.visits for line in result.lines) == 60_000
    tree = searcher.tree
    assert tree.nodes.nbytes + tree.edges.nbytes <= 1.05 * 2**20


def test_tree_arenas_keep_to_their_memory():
    for mib in (1, 64, 1024):
        tree = Tree(mib * 2**20)
        assert tree.nodes.nbytes + tree.edges.nbytes <= 1.05 * mib * 2**20
    assert NODE.itemsize <= 32
    assert EDGE.itemsize <= 24


def test_a_stop_ends_the_search_with_a_move(searcher):
    calls = []

    def stopped() -> bool:
        calls.append(time.perf_counter())
        return len(calls) > 5

    result = searcher.search(parse_game(MIDDLE), Limits(), stopped=stopped)
    assert len(calls) == 6
    assert result.move in parse_game(MIDDLE).legal_moves()


def test_progress_is_told(searcher):
    seen = []
    searcher.search(parse_game(MIDDLE), Limits(simulations=200_000), on_progress=seen.append)
    assert len(seen) >= 1
    assert all(result.best.pv for result in seen)


def test_a_single_move_is_not_searched(searcher):
    game = parse_game(
        "Base;;;wA1;bS1 wA1-;wQ -wA1;bQ bS1/;wQ \\wA1;bA1 bS1\\;wQ -wA1;bA2 bQ\\;wQ \\wA1;bA1 \\wQ;"
        "wG1 /wQ;bA2 /wG1"
    )
    result = searcher.search(game, Limits(seconds=5))
    assert result.simulations == 0
    assert format_move(game, result.move) == "pass"


def test_a_finished_game_is_refused(searcher, rows):
    text = next(row[0] for row in rows("real_games.tsv") if row[2] == "surround")
    with pytest.raises(ValueError, match="the game is over"):
        searcher.search(parse_game(text), Limits(simulations=1))


def test_a_loss_is_put_off_as_long_as_it_can_be(rows):
    """After the first move of a forced win the loser takes the longest way that is known."""
    tried = 0
    for text, plies, move in rows("forced_wins.tsv"):
        if int(plies) < 3:
            continue
        game = parse_game(text)
        game.play(parse_move(game, move))
        if len(game.legal_moves()) == 1:
            continue
        result = Searcher().search(game, Limits(seconds=3))
        assert result.best.proof < 0
        assert result.best.proof == min(line.proof for line in result.lines)
        tried += 1
    assert tried >= 4


def test_lost_positions_are_proven_lost(rows):
    """Step back from positions that win at once: the side before could lose; proofs must agree."""
    proven = 0
    for text, winning in rows("win_in_one.tsv")[:60]:
        game = parse_game(text)
        game.undo()
        result = Searcher(memory_mib=64).search(game, Limits(simulations=4000))
        blunder = parse_game(text).moves[-1]
        line = next(line for line in result.lines if line.move == blunder)
        if line.visits:
            assert line.proof == -2, (text, winning)
            proven += 1
        if result.best.proof == -2:
            assert all(line.proof < 0 for line in result.lines)
    assert proven > 20


def test_repetition_counts_where_it_is_a_rule():
    """A side that is losing takes the third occurrence that saves it."""
    dance = "Base;;;wS1;bB1 wS1-;wQ \\wS1;bQ bB1\\;"
    there_and_back = "wQ -wS1;bQ bB1-;wQ \\wS1;bQ bB1\\;"
    game = parse_game(
        dance + there_and_back + "wQ -wS1;bQ bB1-;wQ \\wS1",
        repetition_draw=RepetitionDraw.THREEFOLD,
    )
    repeating = parse_move(game, "bQ bB1\\")
    result = Searcher().search(game, Limits(simulations=2000))
    line = next(line for line in result.lines if line.move == repeating)
    assert line.visits > 0
    assert line.value == 0.0


def test_going_round_is_worth_nothing_where_no_rule_ends_it():
    """Won games must be brought to an end, and a locked-in opponent can only pass."""
    dance = "Base;;;wS1;bB1 wS1-;wQ \\wS1;bQ bB1\\;"
    there_and_back = "wQ -wS1;bQ bB1-;wQ \\wS1;bQ bB1\\;"
    game = parse_game(dance + there_and_back + "wQ -wS1;bQ bB1-;wQ \\wS1")
    repeating = parse_move(game, "bQ bB1\\")
    result = Searcher().search(game, Limits(simulations=2000))
    assert next(line for line in result.lines if line.move == repeating).value == 0.0
    game.play(repeating)
    assert game.state is GameState.IN_PROGRESS


def test_proofs_one_ply_earlier():
    proof_before = mcts.proof_before.py_func
    assert proof_before(1) == -2
    assert proof_before(-2) == 3
    assert proof_before(DRAW_PROOF) == DRAW_PROOF
    assert proof_before(0) == 0


def test_a_kernel_is_not_for_python_to_call():
    """It has no code for that; trying would crash."""
    with pytest.raises(TypeError, match="proof_before is for kernels to call"):
        mcts.proof_before(1)


@pytest.mark.parametrize("game_type", ["Base", "Base+MLP"])
@pytest.mark.slow
def test_a_mover_of_random_legal_moves_never_wins(game_type):
    """25 games of each type, both colours."""
    import random

    choice = random.Random(11)
    searcher = Searcher(memory_mib=64)
    for number in range(25):
        game = Game(game_type)
        mine = number % 2
        while not game.state.is_over and game.ply < 300:
            if game.side == mine:
                game.play(searcher.search(game, Limits(simulations=800)).move)
            else:
                game.play(choice.choice(game.legal_moves()))
        assert game.state.value == ("WhiteWins", "BlackWins")[mine], (number, str(game.state))


@pytest.mark.slow
def test_searching_ten_times_longer_wins():
    """40 games, both colours from the same openings: at least 30 points."""
    import random

    choice = random.Random(3)
    points = 0.0
    for _ in range(20):
        opening = Game("Base+MLP")
        for _ in range(4):
            opening.play(choice.choice(opening.legal_moves()))
        for mine in (0, 1):
            game = opening.copy()
            game.repetition_draw = RepetitionDraw.THREEFOLD
            players = [Searcher(memory_mib=64), Searcher(memory_mib=64)]
            while not game.state.is_over and game.ply < 150:
                budget = 4000 if game.side == mine else 400
                game.play(players[game.side].search(game, Limits(simulations=budget)).move)
            if game.state.value == ("WhiteWins", "BlackWins")[mine]:
                points += 1
            elif not game.state.value.endswith("Wins"):
                points += 0.5
    assert points >= 30


def test_moves_have_records_that_go_with_the_tree():
    """What was learned of moves in one game has no part in a search that begins anew."""
    searcher = Searcher(memory_mib=64)
    searcher.search(Game("Base+P"), Limits(simulations=5000))
    records = searcher.workers[0].records
    assert np.count_nonzero(records) > 20
    assert abs(records).max() < 2
    limits = Limits(simulations=3000, fresh=True)
    again = searcher.search(parse_game(MIDDLE), limits)
    first = Searcher(memory_mib=64).search(parse_game(MIDDLE), limits)
    assert [(line.move, line.visits, line.value) for line in again.lines] == [
        (line.move, line.visits, line.value) for line in first.lines
    ]


def test_records_of_moves_change_the_priors():
    game = parse_game(MIDDLE)
    visits = []
    for weight in (0.0, 2.0):
        searcher = Searcher(memory_mib=64)
        searcher.models["record_weight"] = weight
        result = searcher.search(game, Limits(simulations=3000))
        visits.append({line.move: line.visits for line in result.lines})
    assert visits[0] != visits[1]


@pytest.mark.parametrize(
    ("ranked", "best"),
    [
        # Visits and mean value of the root's moves, by visits, what is proven last.
        ([(1000, 0.1, 0), (900, 0.2, 0), (50, 0.9, 0)], 1),  # 50 visits are too few to tell
        ([(1000, 0.1, 0), (400, 0.105, 0)], 0),  # hardly better, and less sure
        ([(1000, -0.1, 0), (900, 0.0, DRAW_PROOF)], 1),
        ([(1000, 0.1, 0), (900, 0.0, DRAW_PROOF)], 0),
        ([(100, 0.5, 3), (1000, 0.9, 0)], 0),  # a proven win is played
        ([(1000, 0.1, 0), (900, 0.9, -4)], 0),  # a proven loss is not
        ([(0, 0.0, 0), (0, 0.0, 0)], 0),
        ([(10, -1.0, -4), (20, -1.0, -2)], 0),
    ],
)
def test_the_move_played_has_the_highest_lower_bound(ranked, best):
    assert safest(ranked) == best
