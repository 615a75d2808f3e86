"""GameStrings: `Base+MLP;InProgress;White[2];wS1;bS1 wS1-`."""

from __future__ import annotations

from ..core.pieces import GAME_TYPES
from ..game import Game, IllegalMove, RepetitionDraw
from .movestring import MoveStringError, format_move, parse_move


class GameStringError(ValueError):
    """A text that is no GameString; says where it goes wrong."""


class IllegalGame(GameStringError):
    """A GameString with a move that is unreadable or illegal."""


def parse_game_type(text: str) -> str:
    """Return the canonical name of a game type: any letter case, the expansions in any order.

    Raises:
        GameStringError: it is none of the eight.

    >>> parse_game_type("base+plm")
    'Base+MLP'
    """
    base, _, letters = text.strip().partition("+")
    extra = letters.strip().upper()
    wanted = "".join(letter for letter in "MLP" if letter in extra)
    if base.strip().lower() != "base" or len(extra) != len(wanted):
        raise GameStringError(f"unknown game type {text[:40]!r}: expected {', '.join(GAME_TYPES)}")
    return f"Base+{wanted}" if wanted else "Base"


def parse_game(
    text: str,
    *,
    repetition_draw: RepetitionDraw = RepetitionDraw.OFF,
    tournament_opening: bool = True,
    game_class: type[Game] = Game,
) -> Game:
    """Return the game that a GameString or a game type alone describes.

    The moves are replayed; the fields of state and turn are not believed.

    Raises:
        GameStringError: the text is no GameString.
        IllegalGame: a move in it is unreadable or illegal; says which and why.

    >>> parse_game("Base;;;wS1;bS1 wS1-;").ply
    2
    """
    fields = text.split(";")
    game = game_class(
        parse_game_type(fields[0]),
        repetition_draw=repetition_draw,
        tournament_opening=tournament_opening,
    )
    moves = [move.strip() for move in fields[3:]]
    while moves and not moves[-1]:
        moves.pop()
    for number, move_text in enumerate(moves, start=1):
        try:
            game.play(parse_move(game, move_text))
        except (MoveStringError, IllegalMove) as error:
            raise IllegalGame(f"move {number}, {move_text[:40]!r}: {error}") from None
    return game


def format_game(game: Game) -> str:
    """Return the GameString of a game, every move in its canonical text.

    >>> format_game(Game("Base+M"))
    'Base+M;NotStarted;White[1]'
    """
    return ";".join([*format_header(game), *format_history(game)])


def format_header(game: Game) -> list[str]:
    """Return the first three fields: type, state, turn."""
    return [game.game_type, game.state.value, f"{('White', 'Black')[game.side]}[{game.turn}]"]


def format_history(game: Game) -> list[str]:
    """Return the canonical text of each move played."""
    replay = game.copy()
    texts = []
    for move in reversed(game.moves):
        replay.undo()
        texts.append(format_move(replay, move))
    return texts[::-1]
