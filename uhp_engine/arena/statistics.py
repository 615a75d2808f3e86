"""How much stronger: Elo, normalised Elo and likelihood of superiority out of results.

All is told from the first engine's side. Where the games were played in pairs, each opening with
both colours, the pair is the unit that is independent of the others, so the errors come from the
five counts of pairs (the pentanomial); single games give three counts (the trinomial). The
formulas are those of fishtest and fastchess:

- Elo from the score: A. Elo, The Rating of Chessplayers (1978), with the logistic curve.
- errors and likelihood of superiority from the variance of a pair's score, and normalised Elo:
  M. Van den Bergh, "Comments on Normalized Elo", cantate.be/Fishtest/normalized_elo_practical.pdf.

Only the standard library is used.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

# Elo for one unit of the logistic curve's argument, and normalised Elo for one of t.
ELO_SCALE = 400 / math.log(10)
NORMALISED_SCALE = 800 / math.log(10)

CONFIDENCE = 0.95
_Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
GAME_SCORES = (0.0, 0.5, 1.0)


@dataclass(frozen=True)
class Estimate:
    """A value and the half-width of its 95 % interval, both possibly infinite."""

    value: float
    error: float

    def __str__(self) -> str:
        return f"{self.value:.2f} +/- {self.error:.2f}"


def elo_of_score(score: float) -> float:
    """Return the Elo difference at which a share of the points is expected.

    >>> round(elo_of_score(0.75), 1), elo_of_score(1.0)
    (190.8, inf)
    """
    if not 0 < score < 1:
        return math.inf if score >= 1 else -math.inf
    return ELO_SCALE * math.log(score / (1 - score))


def score_of_elo(elo: float) -> float:
    """Return the share of the points expected at an Elo difference.

    >>> round(score_of_elo(190.8), 3)
    0.75
    """
    return 1 / (1 + 10 ** (-elo / 400))


@dataclass(frozen=True)
class Score:
    """The results between two engines, from the first one's side. Make it by one of `from_…`.

    Attributes:
        counts: five counts of pairs, by the points of the first engine: 0, ½, 1, 1½, 2; or three
            of games: losses, draws, wins.
        won_and_lost: of the pairs worth one point, those made of a win and a loss; None where
            it is not known, or where there are no pairs.
        unpaired: wins, draws and losses in games whose pair is not complete: they count in the
            totals, and not in the estimates.
    """

    counts: tuple[int, ...]
    won_and_lost: int | None = None
    unpaired: tuple[int, int, int] = (0, 0, 0)

    @classmethod
    def from_pairs(
        cls, pentanomial: Sequence[int], unpaired: tuple[int, int, int] = (0, 0, 0)
    ) -> Score:
        """Return the score of games played in pairs.

        Args:
            pentanomial: five counts of pairs, in which the first engine scored 0, ½, 1, 1½ and
                2 points; or six, the middle split as fastchess does: LL, LD, WL, DD, WD, WW.
            unpaired: wins, draws, losses of games whose partner is not played yet.

        Raises:
            ValueError: not five or six counts, or one is negative.

        >>> print(Score.from_pairs([34, 54, 31, 32, 64, 75]).elo())
        55.58 +/- 27.65
        """
        counts = tuple(pentanomial)
        if len(counts) not in (5, 6):
            raise ValueError(f"expected 5 or 6 counts of pairs, got {len(counts)}")
        _check_counts((*counts, *unpaired))
        if len(counts) == 5:
            return cls(counts, None, unpaired)
        return cls((*counts[:2], counts[2] + counts[3], *counts[4:]), counts[2], unpaired)

    @classmethod
    def from_games(cls, wins: int, draws: int, losses: int) -> Score:
        """Return the score of single games.

        Raises:
            ValueError: a count is negative.

        >>> Score.from_games(wins=3, draws=2, losses=1).points
        4.0
        """
        _check_counts((wins, draws, losses))
        return cls((losses, draws, wins))

    # -- what was counted -------------------------------------------------------------------

    @property
    def is_paired(self) -> bool:
        """True where the counts are of pairs."""
        return len(self.counts) == 5

    @property
    def units(self) -> int:
        """How many independent results there are: pairs, or single games."""
        return sum(self.counts)

    @property
    def games(self) -> int:
        """How many games were played, unpaired ones included."""
        return self.units * (2 if self.is_paired else 1) + sum(self.unpaired)

    @property
    def knows_games(self) -> bool:
        """False where pairs worth one point may be a win and a loss or two draws."""
        return not self.is_paired or self.won_and_lost is not None or self.counts[2] == 0

    @property
    def wins(self) -> int:
        """Games won.

        Raises:
            ValueError: only five counts of pairs were given, which do not tell.
        """
        if not self.is_paired:
            return self.counts[2] + self.unpaired[0]
        return self.counts[3] + 2 * self.counts[4] + self._split()[0] + self.unpaired[0]

    @property
    def draws(self) -> int:
        """Games drawn; raises as `wins` does."""
        if not self.is_paired:
            return self.counts[1] + self.unpaired[1]
        return self.counts[1] + self.counts[3] + 2 * self._split()[1] + self.unpaired[1]

    @property
    def losses(self) -> int:
        """Games lost; raises as `wins` does."""
        if not self.is_paired:
            return self.counts[0] + self.unpaired[2]
        return 2 * self.counts[0] + self.counts[1] + self._split()[0] + self.unpaired[2]

    @property
    def points(self) -> float:
        """Points of all games, a draw being half a point."""
        per_unit = 2 if self.is_paired else 1
        paired = sum(n * s for n, s in zip(self.counts, self.values, strict=True)) * per_unit
        return paired + self.unpaired[0] + self.unpaired[1] / 2

    @property
    def values(self) -> tuple[float, ...]:
        """The share of the points that each count stands for."""
        return PAIR_SCORES if self.is_paired else GAME_SCORES

    def _split(self) -> tuple[int, int]:
        """Return how many pairs of one point are a win and a loss, and how many two draws."""
        if not self.knows_games:
            raise ValueError("five counts of pairs do not tell wins from draws: give six")
        mixed = self.won_and_lost or 0
        return mixed, self.counts[2] - mixed

    # -- what it means ----------------------------------------------------------------------

    @property
    def mean(self) -> float:
        """The mean share of the points in a pair (or game), 0.5 before the first."""
        if not self.units:
            return 0.5
        return sum(n * s for n, s in zip(self.counts, self.values, strict=True)) / self.units

    @property
    def variance(self) -> float:
        """The variance of the share of the points in one pair (or game)."""
        if not self.units:
            return 0.0
        squares = sum(
            n * (s - self.mean) ** 2 for n, s in zip(self.counts, self.values, strict=True)
        )
        return squares / self.units

    def elo(self) -> Estimate:
        """Return the Elo difference with the half-width of its 95 % interval.

        The interval is the score's (normal, from the variance of a pair), carried over to Elo,
        and halved: fastchess's way. Before the first pair the value is 0, at a score of 0 or
        100 % infinite. The error is infinite where the results do not tell how they spread:
        all alike, or too few.
        """
        value = elo_of_score(self.mean)
        if self.variance == 0:
            return Estimate(value, math.inf)
        margin = _Z * math.sqrt(self.variance / self.units)
        high, low = elo_of_score(self.mean + margin), elo_of_score(self.mean - margin)
        return Estimate(value, (high - low) / 2)

    def normalised_elo(self) -> Estimate:
        """Return the normalised Elo difference with the half-width of its 95 % interval.

        (mean - ½) / sigma of a game, times 800 / ln 10; sigma of a game is sqrt(2) times that
        of a pair's mean (Van den Bergh, section 2). It tells how many games it takes to
        show the difference, whatever the share of draws. Its error hangs on the number of
        games alone, and is infinite where all results are alike.
        """
        gap = self.mean - 0.5
        if self.variance == 0:
            return Estimate(math.copysign(math.inf, gap) if gap else 0.0, math.inf)
        games_per_unit = 2 if self.is_paired else 1
        sigma = math.sqrt(games_per_unit * self.variance)
        error = _Z * NORMALISED_SCALE / math.sqrt(games_per_unit * self.units)
        return Estimate(gap / sigma * NORMALISED_SCALE, error)

    def los(self) -> float:
        """Return the likelihood of superiority: how sure it is that the first is stronger, 0 to 1.

        The normal distribution at (mean - ½) / standard error of the mean.
        """
        gap = self.mean - 0.5
        if gap == 0:
            return 0.5
        if self.variance == 0:
            return 1.0 if gap > 0 else 0.0
        return NormalDist().cdf(gap / math.sqrt(self.variance / self.units))

    @property
    def draw_ratio(self) -> float:
        """The share of pairs worth one point (or of drawn games), 0 before the first."""
        return self.counts[len(self.counts) // 2] / self.units if self.units else 0.0

    @property
    def pairs_ratio(self) -> float:
        """Pairs won over pairs lost, the drawn ones aside; infinite where none was lost."""
        lost, won = sum(self.counts[:2]), sum(self.counts[-2:])
        if not self.is_paired or not won + lost:
            return 1.0
        return won / lost if lost else math.inf

    def summary(self) -> dict[str, Any]:
        """Return all of it as values that JSON can hold: None stands for what is infinite."""
        elo, normalised = self.elo(), self.normalised_elo()
        known = self.knows_games
        return {
            "games": self.games,
            "wins": self.wins if known else None,
            "draws": self.draws if known else None,
            "losses": self.losses if known else None,
            "points": self.points,
            "elo": _finite(elo.value),
            "elo_error": _finite(elo.error),
            "normalised_elo": _finite(normalised.value),
            "normalised_elo_error": _finite(normalised.error),
            "los": self.los(),
            "draw_ratio": self.draw_ratio,
            "pentanomial": list(self.counts) if self.is_paired else None,
        }


def _check_counts(counts: Sequence[int]) -> None:
    for count in counts:
        if count < 0:
            raise ValueError(f"a count of results is negative: {count}")


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None


def format_report(score: Score, sprt_line: str | None = None) -> str:
    """Return the lines that fastchess prints for two engines, without a final line end.

    Args:
        score: the results.
        sprt_line: what `Sprt.format` says, where a test is under way.

    >>> print(format_report(Score.from_games(wins=136, draws=111, losses=96)))
    Elo: 40.70 +/- 30.43, nElo: 49.77 +/- 36.77
    LOS: 99.60 %, DrawRatio: 32.36 %
    Games: 343, Wins: 136, Losses: 96, Draws: 111, Points: 191.5 (55.83 %)
    """
    second = f"LOS: {score.los():.2%}, DrawRatio: {score.draw_ratio:.2%}".replace("%", " %")
    share = score.points / score.games if score.games else 0.5
    totals = f"Points: {score.points:.1f} ({100 * share:.2f} %)"
    if score.knows_games:
        totals = f"Wins: {score.wins}, Losses: {score.losses}, Draws: {score.draws}, {totals}"
    lines = [f"Elo: {score.elo()}, nElo: {score.normalised_elo()}", second]
    if score.is_paired:
        lines[1] += f", PairsRatio: {score.pairs_ratio:.2f}"
    lines.append(f"Games: {score.games}, {totals}")
    if score.is_paired:
        lines.append(f"Ptnml(0-2): {list(score.counts)}{_middle(score)}")
    if sprt_line is not None:
        lines.append(sprt_line)
    return "\n".join(lines)


def _middle(score: Score) -> str:
    """Say what pairs of one point are made of, where it is known."""
    if score.won_and_lost is None:
        return ""
    drawn = score.counts[2] - score.won_and_lost
    ratio = score.won_and_lost / drawn if drawn else (math.inf if score.won_and_lost else 0.0)
    return f", WL/DD Ratio: {ratio:.2f}"
