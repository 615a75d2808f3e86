from __future__ import annotations

import itertools
import math
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from uhp_engine.arena.ratings import PRIOR_GAMES, Meeting, crosstable, rate
from uhp_engine.arena.statistics import Score

FOUR = {
    ("a", "b"): (20, 12, 8),
    ("a", "c"): (25, 9, 6),
    ("b", "c"): (14, 15, 11),
    ("c", "d"): (30, 2, 8),
    ("d", "a"): (3, 1, 16),
}


def davidson(results: Any, prior_games: Any = PRIOR_GAMES) -> Any:
    """Strengths (mean 0), ln nu and their covariance, by scipy and numerical derivatives."""
    names = sorted({name for pair in results for name in pair})
    rows = [(names.index(a), names.index(b), *counts) for (a, b), counts in results.items()]
    shares = (prior_games / 4, prior_games / 2, prior_games / 4)
    rows += [(i, len(names), *shares) for i in range(len(names))]

    def loss(z: Any) -> Any:
        x, nu = [*z[:-1], 0.0], math.exp(z[-1])
        total = 0.0
        for a, b, wins, draws, losses in rows:
            tie = nu * math.exp((x[a] + x[b]) / 2)
            whole = math.exp(x[a]) + math.exp(x[b]) + tie
            total -= wins * (x[a] - math.log(whole)) + losses * (x[b] - math.log(whole))
            total -= draws * math.log(tie / whole)
        return total

    best = minimize(loss, np.zeros(len(names) + 1), method="BFGS", options={"gtol": 1e-9})
    z = best.x
    h = 1e-4
    unit = np.eye(len(z)) * h
    hessian = np.array(
        [
            [
                (loss(z + i + j) - loss(z + i - j) - loss(z - i + j) + loss(z - i - j))
                / (4 * h * h)
                for j in unit
            ]
            for i in unit
        ]
    )
    return names, z, np.linalg.inv(hessian)


def elos(results: Any, names: Any, z: Any) -> Any:
    """Strengths to Elo: the factor that fits the meetings' expected scores best."""
    nu = math.exp(z[-1])
    x = dict(zip(names, z, strict=False))
    above = below = 0.0
    for (a, b), counts in results.items():
        gap = x[a] - x[b]
        weights = (math.exp(gap / 2), nu, math.exp(-gap / 2))
        score = (weights[0] + weights[1] / 2) / sum(weights)
        precision = sum(counts) * score * (1 - score)
        elo = 400 * math.log10(score / (1 - score))
        above += precision * gap * elo
        below += precision * gap * gap
    strengths = z[:-1] - z[:-1].mean()
    return above / below * strengths


def test_against_scipy() -> None:
    names, z, covariance = davidson(FOUR)
    expected = elos(FOUR, names, z)
    jacobian = np.array(
        [(elos(FOUR, names, z + d) - elos(FOUR, names, z - d)) / 2e-5 for d in np.eye(5) * 1e-5]
    ).T
    errors = 1.96 * np.sqrt(np.diag(jacobian @ covariance @ jacobian.T))
    ratings = {rating.name: rating for rating in rate(FOUR)}
    for name, elo, error in zip(names, expected, errors, strict=True):
        assert ratings[name].elo == pytest.approx(elo, abs=0.01)
        assert ratings[name].error == pytest.approx(error, rel=2e-3)


def test_order_totals_and_mean() -> None:
    ratings = rate(FOUR)
    assert [rating.name for rating in ratings] == ["a", "b", "c", "d"]
    assert sum(rating.elo for rating in ratings) == pytest.approx(0, abs=1e-6)
    assert (ratings[0].games, ratings[0].points) == (100, 20 + 6 + 25 + 4.5 + 16 + 0.5)


def test_the_same_two_both_ways_round() -> None:
    turned = {(b, a): (losses, draws, wins) for (a, b), (wins, draws, losses) in FOUR.items()}
    halves = {pair: (2 * w, 2 * d, 2 * n) for pair, (w, d, n) in FOUR.items()}
    both = {**FOUR, **turned}
    for one, two in zip(rate(both), rate(halves), strict=True):
        assert one.name == two.name
        assert one.elo == pytest.approx(two.elo)
        assert one.error == pytest.approx(two.error)


@pytest.mark.parametrize("counts", [(60, 0, 40), (35, 50, 15), (800, 200, 0), (500, 90, 410)])
def test_two_engines_as_in_a_match(counts: Any) -> None:
    """Between two engines the ratings say what the match's Elo says, and as surely."""
    match = Score.from_games(*counts).elo()
    first, second = sorted(rate({("a", "b"): counts}), key=lambda rating: rating.name)
    assert first.elo - second.elo == pytest.approx(match.value, abs=0.5)
    assert first.error + second.error == pytest.approx(match.error, rel=0.02)


def test_anchor() -> None:
    free = {rating.name: rating for rating in rate(FOUR)}
    held = {rating.name: rating for rating in rate(FOUR, anchor="c", anchor_elo=1500)}
    assert held["c"].elo == 1500
    assert held["c"].error == 0
    for name, rating in held.items():
        assert rating.elo - 1500 == pytest.approx(free[name].elo - free["c"].elo)


def test_an_engine_that_won_everything() -> None:
    ratings = rate({("a", "b"): (20, 0, 0), ("b", "c"): (10, 2, 8), ("a", "c"): (20, 0, 0)})
    assert ratings[0].name == "a"
    assert 300 < ratings[0].elo - ratings[1].elo < 1500
    assert ratings[0].error > 2 * ratings[1].error / 1.5
    assert all(math.isfinite(rating.error) for rating in ratings)


@pytest.mark.parametrize("counts", [(0, 30, 0), (10**6, 0, 0), (0, 0, 1), (0, 0, 0)])
def test_finite_whatever_happened(counts: Any) -> None:
    ratings = rate({("a", "b"): counts})
    assert all(math.isfinite(rating.elo) for rating in ratings)
    played = sum(counts) > 0
    assert all(math.isfinite(rating.error) == played for rating in ratings)


def test_groups_that_never_met() -> None:
    """Apart, the groups' distance is known by the prior alone: the errors say so."""
    apart = rate({("a", "b"): (50, 10, 40), ("c", "d"): (50, 10, 40)})
    joined = rate({("a", "b"): (50, 10, 40), ("c", "d"): (50, 10, 40), ("a", "c"): (50, 10, 40)})
    assert min(rating.error for rating in apart) > 4 * max(rating.error for rating in joined)


def test_nothing_played() -> None:
    assert rate({}) == []


@pytest.mark.parametrize(
    ("results", "options", "message"),
    [
        ({("a", "a"): (1, 0, 0)}, {}, "'a' is paired with itself"),
        ({("a", "b"): (1, 0, -1)}, {}, "negative"),
        ({("a", "b"): (1, 0, 0)}, {"anchor": "x"}, "anchor 'x' is not among the engines: a, b"),
        ({("a", "b"): (1, 0, 0)}, {"prior_games": 0}, "prior_games 0 must be above 0"),
    ],
)
def test_bad_input(results: Any, options: Any, message: Any) -> None:
    with pytest.raises(ValueError, match=message):
        rate(results, **options)


triples = st.tuples(st.integers(0, 200), st.integers(0, 200), st.integers(0, 200))


@given(st.lists(triples, min_size=6, max_size=6))
def test_always_finite(counts: Any) -> None:
    results = dict(zip(itertools.combinations("abcd", 2), counts, strict=True))
    for rating in rate(results):
        assert math.isfinite(rating.elo)
        assert rating.error > 0


@pytest.mark.slow
def test_intervals_hold_the_truth() -> None:
    """300 simulated tournaments: the 95 % intervals hold the true ratings 92 to 98 times in 100."""
    generator = random.Random(5)
    truth = {"a": 150.0, "b": 30.0, "c": -20.0, "d": -160.0}
    held = total = 0
    for _ in range(300):
        results = {}
        for a, b in itertools.combinations(truth, 2):
            # Two coin flips worth half a point each: draws come about, and the score is Elo's.
            p = 1 / (1 + 10 ** ((truth[b] - truth[a]) / 400))
            halves = [sum(generator.random() < p for _ in range(2)) for _ in range(40)]
            results[a, b] = (halves.count(2), halves.count(1), halves.count(0))
        for rating in rate(results):
            held += abs(rating.elo - truth[rating.name]) < rating.error
            total += 1
    assert 0.92 < held / total < 0.98


def test_crosstable() -> None:
    table = crosstable(FOUR)
    assert table.names == ("a", "c", "b", "d")  # by points
    assert table.row("a") == [
        None,
        Meeting(25, 9, 6),
        Meeting(20, 12, 8),
        Meeting(16, 1, 3),
    ]
    assert table.meetings["c", "a"] == Meeting(6, 9, 25)
    assert table.row("b")[3] is None
    assert table.total("b") == Meeting(22, 27, 31)
    assert sum(table.total(name).points for name in table.names) == 180


def test_crosstable_in_a_given_order() -> None:
    assert crosstable(FOUR, "dcba").names == ("d", "c", "b", "a")
    assert crosstable({("a", "b"): (1, 0, 0)}, "abc").total("c") == Meeting(0, 0, 0)
    with pytest.raises(ValueError, match="every engine just once"):
        crosstable(FOUR, "abc")
