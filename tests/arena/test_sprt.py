from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq, minimize
from scipy.special import logsumexp

from uhp_engine.arena.sprt import EMPTY_CELL, Sprt
from uhp_engine.arena.statistics import NORMALISED_SCALE, Score, score_of_elo

# fastchess's own test values (app/tests/sprt_test.cpp): model, Elo limits, counts, ratio. Two
# more of its values, for results all alike, come from the coarse stopping rule of its root
# finder; what they should be is in test_against_scipy.
FASTCHESS = [
    ("normalized", (0, 2), Score.from_games(36433, 68692, 36027), 0.92),
    ("normalized", (-1.75, 0.25), Score.from_games(10871, 20431, 10650), 2.30),
    ("logistic", (0.5, 2.5), Score.from_games(21404, 40708, 21184), -1.57),
    ("logistic", (0, 2), Score.from_games(57433, 106593, 57030), -2.59),
    ("normalized", (0, 2), Score.from_pairs([365, 16618, 36029, 200, 16974, 390]), 2.25),
    ("normalized", (-1.75, 0.25), Score.from_pairs([127, 4883, 10311, 401, 5150, 104]), 3.01),
    ("logistic", (0.5, 2.5), Score.from_pairs([223, 9863, 20279, 1000, 10037, 246]), -3.07),
    ("logistic", (0, 2), Score.from_pairs([871, 26175, 55003, 980, 26678, 821]), -4.98),
]


@pytest.mark.parametrize(("model", "limits", "score", "ratio"), FASTCHESS)
def test_fastchess_values(model: Any, limits: Any, score: Any, ratio: Any) -> None:
    assert Sprt(limits[0], limits[1], model=model).llr(score) == pytest.approx(ratio, abs=0.006)


def oracle(model: Any, elo: Any, score: Any) -> Any:
    """The greatest log-likelihood under an Elo difference, by scipy over the laws themselves."""
    counts = np.array([count or EMPTY_CELL for count in score.counts])
    values = np.array(score.values)
    seen = counts / counts.sum()
    games = 2 if score.is_paired else 1

    def law(logits: Any) -> Any:
        weights = np.exp(logits - logits.max())
        return weights / weights.sum()

    def condition(logits: Any) -> Any:
        p = law(logits)
        mean = p @ values
        if model == "logistic":
            return mean - score_of_elo(elo)
        sigma = math.sqrt(games * (p @ (values - mean) ** 2))
        return mean - 0.5 - elo / NORMALISED_SCALE * sigma

    best = minimize(
        lambda logits: logsumexp(logits) - seen @ logits,
        np.log(0.5 * seen + 0.5 * seen[::-1]),
        constraints=[{"type": "eq", "fun": condition}],
        method="SLSQP",
        options={"ftol": 1e-15, "maxiter": 1000},
    )
    assert abs(condition(best.x)) < 1e-9
    return -best.fun * counts.sum()


@pytest.mark.parametrize("model", ["normalized", "logistic"])
@pytest.mark.parametrize(
    "score",
    [
        Score.from_pairs([3, 21, 10, 7, 33, 9]),
        Score.from_pairs([34, 54, 31, 32, 64, 75]),
        Score.from_pairs([0, 0, 0, 0, 104]),
        Score.from_pairs([0, 5, 80, 9, 0]),
        Score.from_games(30, 41, 12),
        Score.from_games(12, 0, 31),
    ],
)
def test_against_scipy(model: Any, score: Any) -> None:
    expected = oracle(model, 20, score) - oracle(model, 0, score)
    assert Sprt(0, 20, model=model).llr(score) == pytest.approx(expected, abs=2e-4)


def test_all_drawn() -> None:
    """t = gap / sigma needs at least a share t² of wins, so the ratio is n ln(1 - t²)."""
    n, elo = 16700, 5
    t = elo / NORMALISED_SCALE
    exact = n * math.log(1 - t**2)
    assert Sprt(0, elo).llr(Score.from_games(0, n, 0)) == pytest.approx(exact, abs=0.02)


def test_two_outcomes_by_hand() -> None:
    """Without draws a mean fixes the law: the ratio is that of two coins."""
    score = Score.from_games(60, 0, 40)
    s0, s1 = score_of_elo(0), score_of_elo(30)
    exact = 60 * math.log(s1 / s0) + 40 * math.log((1 - s1) / (1 - s0))
    assert Sprt(0, 30, model="logistic").llr(score) == pytest.approx(exact, abs=0.01)


def test_bounds() -> None:
    assert Sprt(0, 5).bounds == pytest.approx((-2.9444, 2.9444), abs=1e-4)
    lower, upper = Sprt(0, 5, alpha=0.01, beta=0.2).bounds
    assert lower == math.log(0.2 / 0.99)
    assert upper == math.log(0.8 / 0.01)


def test_status() -> None:
    test = Sprt(0, 10)
    assert test.status(Score.from_pairs([0] * 6)) == "continue"
    assert test.llr(Score.from_pairs([0] * 6)) == 0
    assert test.status(Score.from_pairs([20, 100, 200, 10, 180, 40])) == "H1"
    assert test.status(Score.from_pairs([40, 180, 200, 10, 100, 20])) == "H0"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"elo0": 5, "elo1": 5}, "elo0 5 must be below elo1 5"),
        ({"elo0": 0, "elo1": 5, "alpha": 0}, "alpha 0 must be between"),
        ({"elo0": 0, "elo1": 5, "beta": 0.5}, "beta 0.5 must be between"),
        ({"elo0": 0, "elo1": 5, "model": "bayesian"}, "unknown model 'bayesian'"),
        ({"elo0": math.nan, "elo1": 5}, "must be below"),
    ],
)
def test_bad_arguments(arguments: Any, message: Any) -> None:
    with pytest.raises(ValueError, match=message):
        Sprt(**arguments)


@given(
    st.lists(st.integers(0, 3000), min_size=5, max_size=5),
    st.sampled_from(["normalized", "logistic"]),
)
def test_both_sides_agree(counts: Any, model: Any) -> None:
    """Seen from the second engine, H0 and H1 change places."""
    ratio = Sprt(-3, 7, model=model).llr(Score.from_pairs(counts))
    other = Sprt(-7, 3, model=model).llr(Score.from_pairs(counts[::-1]))
    assert math.isfinite(ratio)
    assert ratio == pytest.approx(-other, abs=1e-5)


def law_at(elo: Any) -> Any:
    """A law of pairs with much spread, as Hive has, shifted until it has a normalised Elo."""
    values = np.array((0, 0.25, 0.5, 0.75, 1))
    base = np.array((0.15, 0.15, 0.4, 0.15, 0.15))

    def tilted(x: Any) -> Any:
        p = base * np.exp(x * values)
        return p / p.sum()

    def gap(x: Any) -> Any:
        p = tilted(x)
        mean = p @ values
        return (mean - 0.5) / math.sqrt(2 * (p @ (values - mean) ** 2)) * NORMALISED_SCALE - elo

    return tilted(brentq(gap, -2, 2))


def share_of_h1(true_elo: Any, runs: Any, seed: Any) -> Any:
    generator = random.Random(seed)
    test = Sprt(0, 60)
    law = law_at(true_elo).tolist()
    accepted = pairs = 0
    for _ in range(runs):
        counts = [0] * 5
        status = "continue"
        while status == "continue":
            for cell in generator.choices(range(5), law, k=8):
                counts[cell] += 1
            status = test.status(Score.from_pairs(counts))
        accepted += status == "H1"
        pairs += sum(counts)
    return accepted / runs, pairs / runs


@pytest.mark.slow
def test_alpha_and_beta_are_kept() -> None:
    """400 tests under each hypothesis: wrong in 5 % at most, 3 standard errors (3.3 %) allowed.

    Halfway between the hypotheses both ends come about equally often, after more pairs.
    """
    false_alarms, pairs_h0 = share_of_h1(0, 400, seed=1)
    detections, pairs_h1 = share_of_h1(60, 400, seed=2)
    halfway, pairs_between = share_of_h1(30, 150, seed=3)
    assert 0.01 < false_alarms < 0.05 + 0.033
    assert 0.01 < 1 - detections < 0.05 + 0.033
    assert 0.35 < halfway < 0.65
    assert pairs_between > max(pairs_h0, pairs_h1)
