"""Ratings of many engines out of the results between them, by maximum likelihood.

The model is Bradley and Terry's with draws after R. R. Davidson, "On extending the Bradley-Terry
model to accommodate ties in paired comparison experiments", Journal of the American Statistical
Association 65 (1970), 317-328, equation 2.1: with strengths e^x and e^y and a draw parameter nu,

    win : draw : loss = e^x : nu e^((x + y) / 2) : e^y

Chosen before Rao and Kupper's because here the ratings depend on each engine's points alone (the
likeliest strengths are those at which every engine's expected points are its points made).

With draws no one factor turns strengths into the usual Elo, whose difference tells the expected
score, at every distance. The factor taken is the one that does it best for the meetings played
(least squares of Elo differences, each weighted by how precisely its games tell it). For two
engines it is exact; near equality it is 2 / (2 + nu) times 400 / ln 10, as in R. Coulom's BayesElo.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from .statistics import CONFIDENCE, ELO_SCALE

# Games that each engine is taken to have played, besides its own, against one of strength 0:
# a quarter won, half drawn, a quarter lost. They keep the ratings finite where an engine won
# or lost everything, or where groups of engines never met, and move the others hardly at all.
PRIOR_GAMES = 0.5
_PRIOR_SHARES = (0.25, 0.5, 0.25)

_MAX_STEPS = 200
_CLOSE_ENOUGH = 1e-10
_NUDGE = 1e-5  # of a parameter, to see how the ratings follow it

Results = Mapping[tuple[str, str], tuple[int, int, int]]


class Rating(NamedTuple):
    """What one engine's games say of its strength.

    Attributes:
        name: the engine.
        elo: its rating; the mean of all is 0, or the anchor's is what was asked for.
        error: the half-width of the 95 % interval of `elo`: infinite without games, 0 for the
            anchor.
        games: how many it played.
        points: how many points it made, a draw being half a point.
    """

    name: str
    elo: float
    error: float
    games: int
    points: float


class Meeting(NamedTuple):
    """All games between two engines, from the first one's side."""

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """How many games they played."""
        return sum(self)

    @property
    def points(self) -> float:
        """The first engine's points."""
        return self.wins + self.draws / 2


@dataclass(frozen=True)
class Crosstable:
    """Who scored how much against whom.

    Attributes:
        names: the engines, in the order of the table.
        meetings: by (engine, opponent), both ways round; those that never met are missing.
    """

    names: tuple[str, ...]
    meetings: Mapping[tuple[str, str], Meeting]

    def row(self, name: str) -> list[Meeting | None]:
        """Return an engine's games against each of `names`; None for itself and for no game."""
        return [self.meetings.get((name, other)) for other in self.names]

    def total(self, name: str) -> Meeting:
        """Return all games of an engine together."""
        played = [meeting for meeting in self.row(name) if meeting is not None]
        return Meeting(*(sum(numbers) for numbers in zip(*played, (0, 0, 0), strict=True)))


def crosstable(results: Results, names: Sequence[str] | None = None) -> Crosstable:
    """Add up results into a table.

    Args:
        results: (first engine, second engine) -> wins, draws, losses of the first. The same two
            may stand there both ways round.
        names: the order of the table; by points made when left out.

    Raises:
        ValueError: an engine is paired with itself, a count is negative, or `names` does not
            hold every engine just once.

    >>> table = crosstable({("a", "b"): (3, 1, 0), ("b", "a"): (1, 0, 0)})
    >>> table.meetings["a", "b"].points, table.total("b")
    (3.5, Meeting(wins=1, draws=1, losses=3))
    """
    meetings: dict[tuple[str, str], Meeting] = {}
    for (first, second), (wins, draws, losses) in results.items():
        if first == second:
            raise ValueError(f"{first!r} is paired with itself")
        if min(wins, draws, losses) < 0:
            raise ValueError(f"a count of results between {first!r} and {second!r} is negative")
        for key, new in (
            ((first, second), (wins, draws, losses)),
            ((second, first), (losses, draws, wins)),
        ):
            old = meetings.get(key, (0, 0, 0))
            meetings[key] = Meeting(*(a + b for a, b in zip(old, new, strict=True)))
    met = sorted({name for pair in meetings for name in pair})
    table = Crosstable(tuple(met if names is None else names), meetings)
    if names is None:
        return Crosstable(tuple(sorted(met, key=lambda n: -table.total(n).points)), meetings)
    if len(set(names)) != len(names) or not set(met) <= set(names):
        raise ValueError("the names of a crosstable must hold every engine just once")
    return table


def rate(
    results: Results,
    *,
    anchor: str | None = None,
    anchor_elo: float = 0.0,
    prior_games: float = PRIOR_GAMES,
) -> list[Rating]:
    """Return the likeliest ratings, the strongest first.

    Args:
        results: (first engine, second engine) -> wins, draws, losses of the first. The same two
            may stand there both ways round.
        anchor: the engine whose rating is fixed; without one the mean of all is 0.
        anchor_elo: the anchor's rating.
        prior_games: see PRIOR_GAMES. More than 0.

    Raises:
        ValueError: an engine is paired with itself, a count is negative, the anchor is not among
            the engines, or prior_games is not above 0.

    >>> for rating in rate({("a", "b"): (60, 0, 40), ("b", "c"): (60, 0, 40)}):
    ...     print(f"{rating.name} {rating.elo:+.0f} +/- {rating.error:.0f}")
    a +70 +/- 52
    b +0 +/- 33
    c -70 +/- 52
    """
    table = crosstable(results)
    names = table.names
    if anchor is not None and anchor not in names:
        raise ValueError(f"the anchor {anchor!r} is not among the engines: {', '.join(names)}")
    if not prior_games > 0:
        raise ValueError(f"prior_games {prior_games:g} must be above 0")
    if not names:
        return []
    model = _Davidson(table, prior_games)
    elos, errors = model.elos(None if anchor is None else names.index(anchor))
    ratings = []
    for name, elo, error in zip(names, elos, errors, strict=True):
        total = table.total(name)
        width = error if total.games or name == anchor else math.inf
        ratings.append(Rating(name, float(elo) + anchor_elo, width, total.games, total.points))
    return sorted(ratings, key=lambda rating: (-round(rating.elo, 6), rating.name))


class _Davidson:
    """The likelihood of all games, and where it is greatest.

    The parameters are the strengths x of the n engines and, last, ln nu. The reference engine
    of the prior games has the index n, and the strength 0.
    """

    def __init__(self, table: Crosstable, prior_games: float) -> None:
        self.count = len(table.names)
        index = {name: i for i, name in enumerate(table.names)}
        games: list[tuple[float, ...]] = [
            (index[a], index[b], *meeting)
            for (a, b), meeting in table.meetings.items()
            if index[a] < index[b]
        ]
        prior = [prior_games * share for share in _PRIOR_SHARES]
        games += [(i, self.count, *prior) for i in range(self.count)]
        rows = np.array(games, dtype=float)
        self.first, self.second = rows[:, 0].astype(int), rows[:, 1].astype(int)
        self.wins, self.draws, self.losses = rows[:, 2], rows[:, 3], rows[:, 4]
        self.played = self.wins + self.draws + self.losses
        # Row by row, how the logarithms of win : draw : loss move with each parameter; the
        # reference engine's column is left out.
        count = len(games)
        at = np.arange(count)
        features = np.zeros((3, count, self.count + 2))
        features[0, at, self.first] = features[2, at, self.second] = 1
        features[1, at, self.first] = features[1, at, self.second] = 0.5
        features[1, :, self.count + 1] = 1
        self.features = np.delete(features, self.count, axis=2)
        self.parameters = np.zeros(self.count + 1)
        self._climb()

    def _shares(self, parameters: np.ndarray) -> tuple[np.ndarray, float]:
        """Return each meeting's probabilities (3, meetings), and the log-likelihood of all."""
        weights = self.features @ parameters
        peak = weights.max(axis=0)
        logs = weights - peak - np.log(np.exp(weights - peak).sum(axis=0))
        counts = np.stack((self.wins, self.draws, self.losses))
        return np.exp(logs), float((counts * logs).sum())

    def _derivatives(self, shares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the gradient of the log-likelihood, and the information matrix."""
        counts = np.stack((self.wins, self.draws, self.losses))
        gradient = np.einsum("km,kmp->p", counts - self.played * shares, self.features)
        mean = np.einsum("km,kmp->mp", shares, self.features)
        centred = self.features - mean
        weighted = centred * (shares * self.played)[:, :, None]
        return gradient, np.einsum("kmp,kmq->pq", weighted, centred)

    def _climb(self) -> None:
        """Newton's method; the log-likelihood is concave, and a step too long is halved."""
        shares, likelihood = self._shares(self.parameters)
        for _ in range(_MAX_STEPS):
            gradient, information = self._derivatives(shares)
            step = np.linalg.solve(information, gradient)
            while True:
                shares, higher = self._shares(self.parameters + step)
                if higher >= likelihood or np.abs(step).max() < _CLOSE_ENOUGH:
                    break
                step /= 2
            self.parameters = self.parameters + step
            likelihood = higher
            if np.abs(step).max() < _CLOSE_ENOUGH:
                return

    def elos(self, anchor: int | None) -> tuple[np.ndarray, list[float]]:
        """Return the ratings, and the half-widths of their 95 % intervals.

        The errors come from the inverse of the information matrix by the delta method, so that
        the uncertainty of the scale is in them too.

        Args:
            anchor: the engine that is 0, or None where the mean is.
        """
        n = self.count
        shares, _ = self._shares(self.parameters)
        covariance = np.linalg.inv(self._derivatives(shares)[1])
        zero = np.full((n, n), 1 / n)
        if anchor is not None:
            zero = np.zeros((n, n))
            zero[:, anchor] = 1
        relative = np.eye(n) - zero

        def elos_at(parameters: np.ndarray) -> np.ndarray:
            values: np.ndarray = self._scale(parameters) * (relative @ parameters[:n])
            return values

        nudges = np.eye(n + 1) * _NUDGE
        jacobian = np.stack(
            [
                (elos_at(self.parameters + nudge) - elos_at(self.parameters - nudge)) / (2 * _NUDGE)
                for nudge in nudges
            ],
            axis=1,
        )
        variances = np.einsum("ip,pq,iq->i", jacobian, covariance, jacobian)
        z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
        return elos_at(self.parameters), [z * math.sqrt(max(float(v), 0.0)) for v in variances]

    def _scale(self, parameters: np.ndarray) -> float:
        """Return the Elo that one unit of strength is worth, see the head of this module."""
        nu = math.exp(parameters[self.count])
        at_equality = ELO_SCALE * 2 / (2 + nu)
        real = self.second < self.count
        gaps = parameters[self.first[real]] - parameters[self.second[real]]
        up, down = np.exp(gaps / 2) + nu / 2, np.exp(-gaps / 2) + nu / 2
        # Points expected: up / (up + down); precision of their Elo: games * score * (1 - score).
        weights = self.played[real] * up * down / (up + down) ** 2
        spread = float((weights * gaps**2).sum())
        if spread < _CLOSE_ENOUGH:
            return at_equality
        return float((weights * gaps * ELO_SCALE * np.log(up / down)).sum()) / spread
