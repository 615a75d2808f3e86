"""Who plays against the player: the search at a level, and at full strength for hints."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ...game import Game, Move

if TYPE_CHECKING:
    from ...search.result import Line

DEFAULT_LEVEL = 3
MEMORY_MIB = 256


@dataclass(frozen=True)
class Idea:
    """A move worth playing, as the engine sees it.

    Attributes:
        move: the move.
        score: expected score of the side to move, 0 to 1.
        plies_to_end: above 0 to a proven win, below to a proven loss, 0 where nothing is proven.
        line: the expected moves, this one first.
    """

    move: Move
    score: float
    plies_to_end: int
    line: tuple[Move, ...]


class Opponent(Protocol):
    """What the terminal game needs of an engine."""

    def choose_move(self, game: Game, seconds: float, stopped: Callable[[], bool]) -> Move:
        """Return a legal move of a game that is not over, within the time."""
        ...

    def ideas(
        self, game: Game, seconds: float, count: int, stopped: Callable[[], bool]
    ) -> list[Idea]:
        """Return the best moves, the best first."""
        ...


class SearchOpponent:
    """Our own search at a level.

    Args:
        level: WEAKEST to STRONGEST, see search/levels.py.
        seed: of its choices; None for other ones each time.
    """

    def __init__(self, level: int = DEFAULT_LEVEL, seed: int | None = None) -> None:
        from ...search.searcher import Searcher

        chance = random.Random(seed).getrandbits(30)
        self._searcher = Searcher(memory_mib=MEMORY_MIB, seed=chance, level=level)
        self._helper = Searcher(memory_mib=MEMORY_MIB)

    def choose_move(self, game: Game, seconds: float, stopped: Callable[[], bool]) -> Move:
        """Return the level's move."""
        from ...search.limits import Limits

        return self._searcher.search(game, Limits(seconds=seconds), stopped=stopped).move

    def ideas(
        self, game: Game, seconds: float, count: int, stopped: Callable[[], bool]
    ) -> list[Idea]:
        """Return the best moves at full strength."""
        from ...search.limits import Limits

        result = self._helper.search(
            game, Limits(seconds=seconds), stopped=stopped, variations=count
        )
        return [_idea(line) for line in result.lines[:count]]


def _idea(line: Line) -> Idea:
    from ...search.tree import DRAW_PROOF

    proof = 0 if line.proof == DRAW_PROOF else line.proof
    return Idea(line.move, (1 + line.score) / 2, proof, line.pv)
