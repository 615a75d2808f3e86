"""A game as files hold it: the moves replayed, tags, comments, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..game import Game, GameState
from .gamestring import format_history

# How files spell results, in lower case. Chess tools know the numbers only.
RESULT_WORDS = {
    **{state.value.lower(): state for state in GameState},
    "1-0": GameState.WHITE_WINS,
    "0-1": GameState.BLACK_WINS,
    "1/2-1/2": GameState.DRAW,
    "\u00bd-\u00bd": GameState.DRAW,
    "*": GameState.IN_PROGRESS,
}
CHESS_RESULTS = {
    GameState.WHITE_WINS: "1-0",
    GameState.BLACK_WINS: "0-1",
    GameState.DRAW: "1/2-1/2",
    GameState.IN_PROGRESS: "*",
    GameState.NOT_STARTED: "*",
}


def parse_result(text: str) -> GameState | None:
    """Return the result that a word in a file means, None where it is no such word.

    >>> parse_result("0-1"), parse_result("whitewins"), parse_result("Unknown")
    (<GameState.BLACK_WINS: 'BlackWins'>, <GameState.WHITE_WINS: 'WhiteWins'>, None)
    """
    return RESULT_WORDS.get(text.strip().lower())


@dataclass
class GameRecord:
    """A game with all that a file says about it.

    Attributes:
        game: the moves, replayed from the start.
        tags: text by the tag's name (`White`, `Event`, `Date` as yyyy.mm.dd and so on), without
            `GameType` and `Result`: those are the game's and the record's own.
        result: how the game ended, also by resignation, time or agreement, where the board
            shows no end; as the board stands where nothing else is given.
        comments: text by the ply that it follows, 0 for what stands before the first move.
        notes: what a reader had to mend or doubts, each in one line.
        line: the line of the file where the game begins, 0 where it comes from none.
    """

    game: Game
    tags: dict[str, str] = field(default_factory=dict)
    result: GameState = GameState.NOT_STARTED
    comments: dict[int, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    line: int = 0

    def __post_init__(self) -> None:
        if not self.result.is_over:
            self.result = self.game.state

    @property
    def moves(self) -> list[str]:
        """The canonical MoveString of each move."""
        return format_history(self.game)


class BrokenGame(ValueError):
    """A game in a file that cannot be read or replayed.

    Attributes:
        reason: one line, what is wrong.
        line: the line of the file, from 1; 0 where unknown.
        game_line: the line where the broken game begins.
        name: the file's name, empty where there is none.
    """

    def __init__(self, reason: str, line: int = 0, game_line: int = 0, name: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line
        self.game_line = game_line or line
        self.name = name

    def __str__(self) -> str:
        place = [self.name] if self.name else []
        if self.line:
            place.append(f"line {self.line}")
        return ": ".join([*place, self.reason])
