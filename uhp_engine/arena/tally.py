"""Counting results: between each two engines, by pairs, and what went wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from .outcome import PlayedGame
from .statistics import Score

# The place of a pair's points for the first engine in fastchess's six counts, two draws aside.
_SIX_COUNTS = {0.0: 0, 0.5: 1, 1.0: 2, 1.5: 4, 2.0: 5}
_TWO_DRAWS = 3


class Tally:
    """The results so far.

    Attributes:
        names: the engines, in the plan's order.
        games: how many games were counted.
        failures: how often an engine lost by a failure: `(name, termination)` -> games.
        terminations: how games ended -> games.
    """

    def __init__(self, names: Iterable[str], games: Iterable[PlayedGame] = ()) -> None:
        self.names = list(names)
        self.games = 0
        self.failures: Counter[tuple[str, str]] = Counter()
        self.terminations: Counter[str] = Counter()
        self._results: dict[tuple[str, str], list[int]] = {}
        self._half_pairs: dict[int, tuple[str, float]] = {}
        self._pairs: dict[tuple[str, str], list[int]] = {}
        self._order = {name: place for place, name in enumerate(self.names)}
        for game in games:
            self.add(game)

    def add(self, game: PlayedGame) -> None:
        """Count a game."""
        self.games += 1
        self.terminations[game.termination] += 1
        if game.at_fault:
            self.failures[game.at_fault, game.termination] += 1
        first, second = sorted((game.white, game.black), key=self._order.__getitem__)
        points = game.points if game.white == first else 1 - game.points
        counts = self._results.setdefault((first, second), [0, 0, 0])
        counts[{1.0: 0, 0.5: 1, 0.0: 2}[points]] += 1
        earlier = self._half_pairs.pop(game.pair, None)
        if earlier is None:
            self._half_pairs[game.pair] = (first, points)
            return
        both = earlier[1] + points
        place = _TWO_DRAWS if earlier[1] == points == 0.5 else _SIX_COUNTS[both]
        self._pairs.setdefault((first, second), [0] * 6)[place] += 1

    @property
    def results(self) -> Mapping[tuple[str, str], tuple[int, int, int]]:
        """Wins, draws, losses of the first, for each two engines that met."""
        return {names: (c[0], c[1], c[2]) for names, c in self._results.items()}

    def score(self, first: str, second: str, *, paired: bool) -> Score:
        """Return the score of one engine against another, from its side.

        Args:
            first, second: the names, in the order of the plan.
            paired: True where each opening was played with both colours.
        """
        wins, draws, losses = self._results.get((first, second), [0, 0, 0])
        if not paired:
            return Score.from_games(wins, draws, losses)
        pairs = self._pairs.get((first, second), [0] * 6)
        whole = Score.from_pairs(pairs)
        alone = (wins - whole.wins, draws - whole.draws, losses - whole.losses)
        return Score.from_pairs(pairs, alone)
