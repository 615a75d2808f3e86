"""The sequential probability ratio test: go on playing, or is it decided?

Wald's test (Sequential Tests of Statistical Hypotheses, Annals of Mathematical Statistics 16,
1945) of two Elo differences, with the generalised likelihood ratio of M. Van den Bergh,
"A practical introduction to the GSPRT" (cantate.be/Fishtest/GSPRT_approximation.pdf) and
"Comments on Normalized Elo" (cantate.be/Fishtest/normalized_elo_practical.pdf): the law of a
pair's result is taken as unknown, and under each hypothesis replaced by the likeliest one that
has the Elo supposed. fishtest and fastchess do the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from .statistics import NORMALISED_SCALE, Score, score_of_elo

Model = Literal["normalized", "logistic"]
Status = Literal["H0", "H1", "continue"]
MODELS: tuple[Model, ...] = ("normalized", "logistic")

# What an empty cell counts, so that every result stays possible (as fishtest and fastchess do).
EMPTY_CELL = 1e-3

_MAX_ROUNDS = 50
_CLOSE_ENOUGH = 1e-10


@dataclass(frozen=True)
class Sprt:
    """A test of H0 (the first engine is `elo0` stronger) against H1 (it is `elo1` stronger).

    Args:
        elo0: the Elo difference of H0.
        elo1: that of H1, more than `elo0`.
        alpha: how often H1 may be accepted though H0 holds, 0 to 0.5.
        beta: how often H0 may be accepted though H1 holds, 0 to 0.5.
        model: which Elo is meant: "normalized" or "logistic", the usual one.

    Raises:
        ValueError: an argument is outside its limits; says which.

    >>> test = Sprt(0, 2)
    >>> score = Score.from_pairs([365, 16618, 36029, 200, 16974, 390])
    >>> test.format(score)
    'LLR: 2.25 (76.4%) (-2.94, 2.94) [0.00, 2.00]'
    >>> test.status(score)
    'continue'
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = "normalized"

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ValueError(f"elo0 {self.elo0:g} must be below elo1 {self.elo1:g}")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise ValueError(f"{name} {getattr(self, name):g} must be between 0 and 0.5")
        if self.model not in MODELS:
            raise ValueError(f"unknown model {self.model!r}: expected {' or '.join(MODELS)}")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which H0 and H1 are accepted (Wald 1945)."""
        return (
            math.log(self.beta / (1 - self.alpha)),
            math.log((1 - self.beta) / self.alpha),
        )

    def llr(self, score: Score) -> float:
        """Return the log-likelihood ratio of H1 to H0, 0 before the first result."""
        if not score.units:
            return 0.0
        counts = [count or EMPTY_CELL for count in score.counts]
        total = sum(counts)
        seen = [count / total for count in counts]
        likeliest = _likeliest_by_mean if self.model == "logistic" else _likeliest_by_t
        laws = [
            likeliest(seen, score.values, self._target(elo, score))
            for elo in (self.elo0, self.elo1)
        ]
        return total * sum(
            p * math.log(p1 / p0) for p, p0, p1 in zip(seen, laws[0], laws[1], strict=True)
        )

    def status(self, score: Score) -> Status:
        """Return which hypothesis is accepted, or "continue"."""
        ratio = self.llr(score)
        lower, upper = self.bounds
        return "H1" if ratio >= upper else "H0" if ratio <= lower else "continue"

    def format(self, score: Score) -> str:
        """Return fastchess's line: the ratio, its way to the bound it heads for, both bounds."""
        ratio = self.llr(score)
        lower, upper = self.bounds
        way = ratio / (upper if ratio >= 0 else lower)
        return (
            f"LLR: {ratio:.2f} ({way:.1%}) ({lower:.2f}, {upper:.2f}) "
            f"[{self.elo0:.2f}, {self.elo1:.2f}]"
        )

    def _target(self, elo: float, score: Score) -> float:
        """Return what an Elo fixes: the mean score, or t, the mean's distance from ½ in sigmas."""
        if self.model == "logistic":
            return score_of_elo(elo)
        return elo / NORMALISED_SCALE * (math.sqrt(2) if score.is_paired else 1)


def _likeliest_by_mean(seen: Sequence[float], values: Sequence[float], mean: float) -> list[float]:
    """Return the likeliest law with a given mean.

    It is seen[i] / (1 + x (values[i] - mean)), x being the root that makes the mean right
    (GSPRT paper, section 2; Owen, Empirical Likelihood, 2001, equation 2.8).

    Args:
        seen: the share of each result, none 0, their sum 1.
        values: what each result is worth, in rising order or not.
        mean: the mean wanted, strictly between the least and the greatest value.
    """
    gaps = [value - mean for value in values]
    least, greatest = min(gaps), max(gaps)
    x = _falling_root(
        lambda x: sum(p * gap / (1 + x * gap) for p, gap in zip(seen, gaps, strict=True)),
        -1 / greatest,
        -1 / least,
    )
    return [p / (1 + x * gap) for p, gap in zip(seen, gaps, strict=True)]


def _likeliest_by_t(seen: Sequence[float], values: Sequence[float], t: float) -> list[float]:
    """Return the likeliest law whose mean lies t of its own sigmas above ½.

    The condition is not linear in the law; it is made so at the last law found, and the linear
    problem solved again, until nothing moves (Comments on Normalized Elo, section 4.1).
    """
    law = [1 / len(values)] * len(values)
    for _ in range(_MAX_ROUNDS):
        mean = sum(p * value for p, value in zip(law, values, strict=True))
        variance = sum(p * (value - mean) ** 2 for p, value in zip(law, values, strict=True))
        sigma = math.sqrt(variance)
        tangent = [
            value - 0.5 - t * sigma * (1 + ((mean - value) / sigma) ** 2) / 2 for value in values
        ]
        before, law = law, _likeliest_by_mean(seen, tangent, 0.0)
        if max(abs(a - b) for a, b in zip(before, law, strict=True)) < _CLOSE_ENOUGH:
            break
    return law


def _falling_root(function: Callable[[float], float], low: float, high: float) -> float:
    """Return the root of a function that falls from +inf at `low` to -inf at `high`.

    Halving the interval, to the last bit that a float can tell.
    """
    while True:
        middle = (low + high) / 2
        if middle in (low, high):
            return middle
        if function(middle) > 0:
            low = middle
        else:
            high = middle
