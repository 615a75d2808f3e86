"""The library's front: a Game that also speaks text, files of such games, and the search.

What is used from here sees to it that the kernels are compiled.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import cast

from . import warmup
from .game import PASS, GameState, IllegalMove, Move, RepetitionDraw
from .game import Game as _Game
from .notation import format_game, format_move, format_moves, parse_game, parse_move
from .notation.files import read_games as _read_games
from .notation.pgn import OnError, log_error, write_pgn
from .notation.record import GameRecord
from .search.limits import Limits
from .search.result import Line, SearchResult
from .search.searcher import Searcher

__all__ = [
    "PASS",
    "Game",
    "GameRecord",
    "GameState",
    "IllegalMove",
    "Limits",
    "Line",
    "Move",
    "RepetitionDraw",
    "SearchResult",
    "Searcher",
    "read_games",
    "write_pgn",
]


class Game(_Game):
    """A game of Hive, whose moves may be given as MoveStrings.

    >>> game = Game.from_string("Base;;;wS1;bS1 wS1-")
    >>> game.play("wQ -wS1")
    >>> print(game)
    Base;InProgress;Black[2];wS1;bS1 wS1-;wQ -wS1
    >>> game.why_illegal("bA1 -wQ")
    'bA1 cannot be placed there: it would touch wQ'
    """

    def __init__(
        self,
        game_type: str = "Base",
        *,
        repetition_draw: RepetitionDraw = RepetitionDraw.OFF,
        tournament_opening: bool = True,
    ) -> None:
        warmup.load()
        super().__init__(
            game_type, repetition_draw=repetition_draw, tournament_opening=tournament_opening
        )

    @classmethod
    def from_string(
        cls,
        text: str,
        *,
        repetition_draw: RepetitionDraw = RepetitionDraw.OFF,
        tournament_opening: bool = True,
    ) -> Game:
        """Return the game that a GameString describes; see `notation.parse_game`.

        Raises:
            ValueError: the text is no GameString, or a move in it is illegal; says which and why.
        """
        game = parse_game(
            text,
            repetition_draw=repetition_draw,
            tournament_opening=tournament_opening,
            game_class=cls,
        )
        return cast(Game, game)

    def play(self, move: Move | str) -> None:
        """Play a move or a MoveString.

        Raises:
            ValueError: the text names no move, or the rules do not allow it (`IllegalMove`).
        """
        super().play(parse_move(self, move) if isinstance(move, str) else move)

    def why_illegal(self, move: Move | str) -> str | None:
        """Return in plain words why a move may not be played, or None where it may."""
        return super().why_illegal(parse_move(self, move) if isinstance(move, str) else move)

    def text(self, move: Move) -> str:
        """Return the canonical MoveString of a legal move."""
        return format_move(self, move)

    def legal_texts(self) -> list[str]:
        """Return the MoveString of every legal move."""
        return format_moves(self, self.legal_moves())

    def __str__(self) -> str:
        return format_game(self)

    def __repr__(self) -> str:
        return f"Game.from_string({str(self)!r})"

    def _repr_svg_(self) -> str:
        """Return the picture that notebooks show for a game."""
        from .render import svg

        return svg(self)


def read_games(
    source: str | os.PathLike[str], *, on_error: OnError = log_error, strict: bool = False
) -> Iterator[GameRecord]:
    """Yield the games of a PGN, SGF or GameString file; see `notation.files.read_games`.

    Raises:
        OSError: the file cannot be read.
    """
    warmup.load()
    yield from _read_games(source, on_error=on_error, strict=strict, game_class=Game)
