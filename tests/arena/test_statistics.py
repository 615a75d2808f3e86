from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from uhp_engine.arena.statistics import Score, elo_of_score, format_report, score_of_elo

# fastchess's own test values (app/tests/elo_test.cpp): counts, then Elo, its error, normalised
# Elo, its error, likelihood of superiority; None where fastchess checks nothing.
GAMES = [
    ((76, 123, 89), None, None, -20.76, 40.13, 15.53),
    ((136, 111, 96), 40.70, 30.43, 49.77, 36.77, 99.60),
    ((34, 0, 356), None, None, -508.44, 34.48, None),
]
PAIRS = [
    ((34, 54, 31, 32, 64, 75), 55.58, 27.65, 57.94, 28.28, 100.00),
    ((332, 433, 457, 41, 333, 334), -8.64, 10.33, -9.17, 10.96, 5.05),
    ((7895, 8757, 5485, 200, 568, 9999), -21.04, 2.95, -19.01, 2.65, None),
]


def scores() -> Any:
    counts = st.integers(0, 10_000)
    pairs = st.lists(counts, min_size=6, max_size=6).map(Score.from_pairs)
    games = st.tuples(counts, counts, counts).map(lambda wdl: Score.from_games(*wdl))
    return pairs | games


@pytest.mark.parametrize(
    ("score", "values"),
    [(Score.from_games(*counts), values) for counts, *values in GAMES]
    + [(Score.from_pairs(counts), values) for counts, *values in PAIRS],
)
def test_fastchess_values(score: Any, values: Any) -> None:
    elo, normalised = score.elo(), score.normalised_elo()
    seen = (elo.value, elo.error, normalised.value, normalised.error, 100 * score.los())
    for ours, theirs in zip(seen, values, strict=True):
        if theirs is not None:
            assert ours == pytest.approx(theirs, abs=0.006)


@pytest.mark.parametrize(
    "score", [Score.from_games(30, 41, 12), Score.from_pairs([3, 21, 10, 7, 33, 9])]
)
def test_against_scipy(score: Any) -> None:
    """Each pair's score written out, and scipy asked for mean, standard error and quantiles."""
    sample = [v for v, n in zip(score.values, score.counts, strict=True) for _ in range(n)]
    mean = stats.tmean(sample)
    error = stats.sem(sample, ddof=0)
    low, high = stats.norm.interval(0.95, loc=mean, scale=error)
    elo_low, elo, elo_high = 400 / math.log(10) * stats.logistic.ppf([low, mean, high])
    assert score.elo().value == pytest.approx(elo)
    assert score.elo().error == pytest.approx((elo_high - elo_low) / 2)
    assert score.los() == pytest.approx(stats.norm.sf(0.5, loc=mean, scale=error))
    per_pair = math.sqrt(2) if score.is_paired else 1
    t = stats.tstd(sample, ddof=0) * per_pair
    assert score.normalised_elo().value == pytest.approx((mean - 0.5) / t * 800 / math.log(10))


def test_counts_of_games() -> None:
    score = Score.from_pairs([1, 2, 3, 4, 5, 6])
    assert (score.wins, score.draws, score.losses) == (3 + 5 + 12, 2 + 8 + 5, 2 + 2 + 3)
    assert score.games == 42
    assert score.points == score.wins + score.draws / 2
    assert score.counts == (1, 2, 7, 5, 6)


def test_five_counts_do_not_tell_wins_from_draws() -> None:
    score = Score.from_pairs([1, 2, 7, 5, 6])
    assert not score.knows_games
    with pytest.raises(ValueError, match="give six"):
        _ = score.wins
    six = Score.from_pairs([1, 2, 3, 4, 5, 6])
    assert score.elo() == six.elo()
    assert score.points == six.points
    assert score.summary()["wins"] is None
    assert "Wins" not in format_report(score)


def test_unpaired_games_count_in_the_totals_alone() -> None:
    whole = Score.from_pairs([1, 2, 3, 4, 5, 6])
    more = Score.from_pairs([1, 2, 3, 4, 5, 6], unpaired=(1, 1, 0))
    assert (more.games, more.wins, more.draws, more.losses) == (44, 21, 16, 7)
    assert more.points == whole.points + 1.5
    assert more.elo() == whole.elo()


@pytest.mark.parametrize("counts", [[1, 2, 3], [0, 0, 0, 0, -1], [0] * 7])
def test_bad_counts(counts: Any) -> None:
    with pytest.raises(ValueError, match=r"expected 5 or 6|negative"):
        Score.from_pairs(counts)


def test_negative_games() -> None:
    with pytest.raises(ValueError, match="negative: -2"):
        Score.from_games(3, -2, 0)


@given(scores())
def test_always_sensible(score: Any) -> None:
    elo, normalised = score.elo(), score.normalised_elo()
    assert 0 <= score.los() <= 1
    assert elo.error >= 0
    assert normalised.error >= 0
    for estimate in (elo, normalised):
        assert not math.isnan(estimate.value)
        assert not math.isnan(estimate.error)
        if score.mean != 0.5:
            assert (estimate.value > 0) == (score.mean > 0.5)
    json.dumps(score.summary(), allow_nan=False)
    assert f"Games: {score.games}," in format_report(score)


@given(scores())
def test_seen_from_the_other_side(score: Any) -> None:
    other = Score(score.counts[::-1], score.won_and_lost)
    assert other.wins == score.losses
    assert other.elo().value == pytest.approx(-score.elo().value)
    assert other.los() == pytest.approx(1 - score.los(), abs=1e-9)


@pytest.mark.parametrize(
    ("score", "elo", "los"),
    [
        (Score.from_games(0, 0, 0), 0, 0.5),
        (Score.from_pairs([0] * 6), 0, 0.5),
        (Score.from_games(0, 9, 0), 0, 0.5),
        (Score.from_games(4, 0, 0), math.inf, 1),
        (Score.from_pairs([3, 0, 0, 0, 0]), -math.inf, 0),
    ],
)
def test_results_all_alike(score: Any, elo: Any, los: Any) -> None:
    assert score.elo().value == score.normalised_elo().value == elo
    assert score.elo().error == score.normalised_elo().error == math.inf
    assert score.los() == los


@given(st.floats(-1000, 1000))
def test_elo_and_score_are_inverse(elo: Any) -> None:
    assert elo_of_score(score_of_elo(elo)) == pytest.approx(elo, abs=1e-6)


def test_report() -> None:
    score = Score.from_pairs([34, 54, 31, 32, 64, 75])
    assert format_report(score, "LLR: 1").splitlines() == [
        "Elo: 55.58 +/- 27.65, nElo: 57.94 +/- 28.28",
        "LOS: 100.00 %, DrawRatio: 21.72 %, PairsRatio: 1.58",
        "Games: 580, Wins: 245, Losses: 153, Draws: 182, Points: 336.0 (57.93 %)",
        "Ptnml(0-2): [34, 54, 63, 64, 75], WL/DD Ratio: 0.97",
        "LLR: 1",
    ]
