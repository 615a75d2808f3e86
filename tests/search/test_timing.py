"""How much of a game's clock a move gets: no clock is looked at here."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest

from uhp_engine.game import Move
from uhp_engine.notation import parse_game
from uhp_engine.search import timing
from uhp_engine.search.limits import GameClock, Limits
from uhp_engine.search.result import Line, SearchResult
from uhp_engine.search.searcher import Searcher
from uhp_engine.search.timing import Budget, Pace, budget_of

MIDDLE = (
    "Base+MLP;;;wL;bL \\wL;wM wL\\;bM \\bL;wA1 wM\\;bA1 bM-;wQ -wM;bQ bM/;wA1 -bM;bA1 wM-;wA2 /wQ;"
    "bP bM-;wP wA2-;bA2 bQ-"
)
ONE, TWO, THREE = (Move(piece, 500) for piece in (1, 2, 3))


def found(
    seconds: float, *lines: tuple[Move, int, float], simulations: int | None = None
) -> SearchResult:
    """Return what a search knows after some seconds, at 10,000 simulations a second."""
    made = tuple(Line(move, visits, value, 0, (move,)) for move, visits, value in lines)
    count = int(10_000 * seconds) if simulations is None else simulations
    return SearchResult(made[0].move, made, count, seconds)


def level(seconds: float) -> SearchResult:
    """Return two moves side by side: neither settled nor unstable."""
    half = int(5_000 * seconds)
    return found(seconds, (ONE, half, 0.1), (TWO, half - 1, 0.05))


# -- the budget ------------------------------------------------------------------------------------


def test_a_budget_is_within_what_is_left():
    several = itertools.product(
        (0.0, 0.01, 0.1, 1.0, 5.0, 60.0, 3600.0), (0.0, 0.05, 30.0), (0, 1, 2, 40), (0, 10, 29, 200)
    )
    for remaining, increment, moves_to_go, moves_made in several:
        budget = budget_of(GameClock(remaining, increment, moves_to_go), moves_made)
        assert 0 <= budget.target <= budget.most
        assert budget.most <= max(0.0, remaining - timing.OVERHEAD_SECONDS)
        if moves_to_go != 1:
            assert budget.most <= remaining / 4


def test_a_clock_never_runs_out():
    """Whatever is taken, up to the most, 400 times: something is left."""
    for increment in (0.0, 0.05):
        remaining = 5.0
        for move in range(400):
            remaining -= budget_of(GameClock(remaining, increment), move).most
            assert remaining > 0
            remaining += increment
    left, shares = 60.0, []
    for move in range(30):
        shares.append(budget_of(GameClock(left), move).target)
        left -= shares[-1]
    assert shares[0] == pytest.approx(59.98 / 30)
    assert sum(shares) > 45  # and it is used, in a game of average length


def test_moves_to_go_share_all_there_is():
    left = 10.0
    for to_go in range(10, 0, -1):
        left -= budget_of(GameClock(left, 0.0, to_go), 3).target
    assert 0 < left < 0.5
    last = budget_of(GameClock(2.0, 0.0, 1), 3)
    assert last.target == last.most == 2.0 - timing.OVERHEAD_SECONDS


def looks_at(make: Callable[[int], SearchResult], first: int = 1) -> dict[float, SearchResult]:
    """Return what is found at each look, given its number; one comes every 0.05 s."""
    return {round(0.05 * number, 6): make(number) for number in range(first, 100)}


# -- the pace --------------------------------------------------------------------------------------


def seconds_taken(pace: Pace, looks: dict[float, SearchResult] | None = None, step=0.05) -> float:
    """Return after how many seconds a search ends that finds `level` where it is not told."""
    count = 1
    while True:
        seconds = round(count * step, 6)
        given = (looks or {}).get(seconds, level(seconds))
        if pace.is_over(given):
            return seconds
        count += 1
        assert seconds < 100


def test_a_usual_move_gets_the_usual_time():
    assert seconds_taken(Pace(Budget(1.0, 4.0))) == 1.0


def test_a_best_move_that_changed_lately_gets_more():
    changed = looks_at(lambda n: found(0.05 * n, (TWO, 255 * n, 0.1), (ONE, 245 * n, 0.0)), 18)
    assert seconds_taken(Pace(Budget(1.0, 4.0)), changed) == timing.CHANGED_STRETCH


def test_a_change_of_long_ago_is_forgotten():
    pace = Pace(Budget(1.0, 4.0))
    early = {0.05: found(0.05, (TWO, 300, 0.1), (ONE, 290, 0.0))}
    assert seconds_taken(pace, early) == 1.0


def test_a_rival_of_better_value_gets_more_time():
    rival = looks_at(lambda n: found(0.05 * n, (ONE, 255 * n, 0.1), (TWO, 245 * n, 0.2)))
    assert seconds_taken(Pace(Budget(1.0, 4.0)), rival) == timing.RIVAL_STRETCH
    seldom = looks_at(
        lambda n: found(0.05 * n, (ONE, 250 * n, 0.1), (THREE, 245 * n, 0.0), (TWO, 5 * n, 0.2))
    )
    assert seconds_taken(Pace(Budget(1.0, 4.0)), seldom) == 1.0


def test_a_falling_value_gets_more_time():
    falling = looks_at(
        lambda n: found(0.05 * n, (ONE, 255 * n, 0.5 - 0.02 * n), (TWO, 245 * n, -0.9))
    )
    assert seconds_taken(Pace(Budget(1.0, 4.0)), falling) == timing.FALL_STRETCH


def test_the_most_is_never_exceeded():
    def unstable(n: int) -> SearchResult:
        best = ((ONE, TWO)[n % 2], 255 * n, 0.5 - 0.02 * n)
        return found(0.05 * n, best, (THREE, 245 * n, 0.9))

    assert seconds_taken(Pace(Budget(1.0, 2.0)), looks_at(unstable)) == 2.0
    whole = timing.CHANGED_STRETCH * timing.RIVAL_STRETCH * timing.FALL_STRETCH
    assert seconds_taken(Pace(Budget(1.0, 9.0)), looks_at(unstable)) == pytest.approx(
        whole, abs=0.05
    )


def test_a_clear_move_gets_less_time():
    clear = looks_at(lambda n: found(0.05 * n, (ONE, 440 * n, 0.3), (TWO, 60 * n, 0.0)))
    taken = seconds_taken(Pace(Budget(1.0, 4.0)), clear)
    assert 0.25 < taken <= timing.CLEAR_STRETCH  # not before the second cannot catch up


def test_the_end_comes_when_the_second_cannot_catch_up():
    """With a lead out of an earlier search; at the rate that was measured, and some more."""
    ahead = looks_at(
        lambda n: found(0.05 * n, (ONE, 8_000 + 250 * n, 0.1), (TWO, 1_700 + 250 * n, 0.0))
    )
    # A lead of 6,300: more than 1.25 * 10,000 * (1 - t) from t = 0.496 on.
    assert seconds_taken(Pace(Budget(1.0, 4.0)), ahead) == 0.5


def test_a_slow_start_is_no_slow_rate():
    """What copying the tree took does not count: the rate is that since the first look."""
    pace = Pace(Budget(1.0, 4.0))
    late = found(0.2, (ONE, 5_000, 0.1), (TWO, 1_000, 0.0), simulations=16)
    assert not pace.is_over(late)
    assert not pace.is_over(found(0.25, (ONE, 5_250, 0.1), (TWO, 1_250, 0.0), simulations=516))
    assert not pace.is_over(found(0.4, (ONE, 6_000, 0.1), (TWO, 2_000, 0.0), simulations=2016))


def test_lost_moves_are_no_seconds():
    pace = Pace(Budget(1.0, 4.0))
    lost = Line(TWO, 4_000, -1.0, -4, (TWO,))
    for seconds in (0.1, 0.3):
        best = Line(ONE, 4_000, 0.1, 0, (ONE,))
        result = SearchResult(ONE, (best, lost), int(1000 * seconds), seconds)
    assert not pace.is_over(SearchResult(ONE, (best, lost), 100, 0.1))
    assert pace.is_over(result)


# -- the search ------------------------------------------------------------------------------------


def test_the_search_asks_its_pace(monkeypatch):
    """It ends at the look that says so, with what that look saw."""
    seen: list[SearchResult] = []

    def third(self: Pace, result: SearchResult) -> bool:
        seen.append(result)
        return len(seen) == 3

    monkeypatch.setattr(Pace, "is_over", third)
    game = parse_game(MIDDLE)
    result = Searcher(memory_mib=64).search(game, Limits(clock=GameClock(3600.0)))
    assert len(seen) == 3
    assert result.move == seen[-1].move
    assert result.simulations == seen[-1].simulations


@pytest.mark.parametrize("threads", [1, 2])
def test_moves_within_the_clock(threads):
    searcher = Searcher(memory_mib=64, threads=threads)
    game = parse_game(MIDDLE)
    for clock in (GameClock(0.0), GameClock(0.3, 0.01), GameClock(0.5, 0.0, 1)):
        result = searcher.search(game, Limits(clock=clock))
        assert result.move in game.legal_moves()


def test_without_a_clock_there_is_no_early_end(monkeypatch):
    monkeypatch.setattr(Pace, "is_over", lambda self, result: pytest.fail("nobody asked for it"))
    Searcher(memory_mib=64).search(parse_game(MIDDLE), Limits(seconds=0.1))
