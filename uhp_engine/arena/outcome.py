"""How a game between engines ended: its result, the reason by name, and all that was played."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from enum import Enum
from typing import Any

from .errors import (
    EngineDied,
    EngineError,
    EngineGarbage,
    EngineNotStarted,
    EngineRefused,
    EngineStalled,
)

WHITE_WINS, BLACK_WINS, DRAW = "WhiteWins", "BlackWins", "Draw"
CHESS_RESULTS = {WHITE_WINS: "1-0", BLACK_WINS: "0-1", DRAW: "1/2-1/2"}


class Termination(Enum):
    """Why a game ended."""

    SURROUND = "surround"
    """A queen is surrounded."""
    BOTH_SURROUNDED = "both surrounded"
    """One move surrounded both queens: a draw."""
    REPETITION = "repetition"
    """A position occurred for the third time: a draw."""
    MAX_MOVES = "max moves"
    """The limit on moves was reached: a draw."""
    ILLEGAL_MOVE = "illegal move"
    """The engine's move is against the rules."""
    TIMEOUT = "timeout"
    """The engine's move came too late."""
    CRASH = "crash"
    """The engine's process ended, or it closed its pipes."""
    STALL = "stall"
    """The engine gave no answer and was killed."""
    NO_START = "no start"
    """The engine did not start."""
    GARBAGE = "garbage"
    """What the engine printed can't be read."""
    REFUSED = "refused"
    """The engine answered `err` or `invalidmove` to a right command."""
    DISAGREES = "disagrees"
    """The engine's GameString tells of another position, or of an end that is none."""

    @property
    def breaks_engine(self) -> bool:
        """True where the engine's process is of no further use."""
        return self in _BREAKS


_BREAKS = {Termination.CRASH, Termination.STALL, Termination.NO_START, Termination.GARBAGE}

_OF_ERROR: dict[type[EngineError], Termination] = {
    EngineNotStarted: Termination.NO_START,
    EngineDied: Termination.CRASH,
    EngineStalled: Termination.STALL,
    EngineGarbage: Termination.GARBAGE,
    EngineRefused: Termination.REFUSED,
}


class Fault(Exception):
    """What costs a side the game.

    Attributes:
        side: 0 White, 1 Black.
        termination: by what name it is counted.
        detail: one sentence.
    """

    def __init__(self, side: int, termination: Termination, detail: str) -> None:
        super().__init__(detail)
        self.side, self.termination, self.detail = side, termination, detail

    @classmethod
    def of_error(cls, side: int, error: EngineError) -> Fault:
        """Return the fault that an engine's failure is."""
        return cls(side, _OF_ERROR.get(type(error), Termination.GARBAGE), str(error))


@dataclass(frozen=True)
class PlayedGame:
    """A finished game; its dictionary holds text, numbers and lists alone.

    Attributes:
        number: its place in the schedule, from 0; unique in a match.
        pair: games with the same number have the same opening and engines, colours swapped.
        round: from 1.
        white, black: the engines' names.
        game_type: `Base` to `Base+MLP`.
        result: `WhiteWins`, `BlackWins` or `Draw`.
        termination: a `Termination`'s value.
        detail: one sentence on the end.
        at_fault: the engine that failed, empty where none did.
        moves: all MoveStrings, the opening's first.
        opening_plies: how many of them the opening gave.
        seconds: what each move after the opening took, by the runner's clock.
        started: UTC, ISO 8601.
        duration: of the whole game, in seconds.
        white_id, black_id: what the engines call themselves.
        host: the machine that played it.
        log: the dialogue, where asked for; kept out of the store.
    """

    number: int
    pair: int
    round: int
    white: str
    black: str
    game_type: str
    result: str
    termination: str
    detail: str
    at_fault: str
    moves: list[str]
    opening_plies: int
    seconds: list[float]
    started: str
    duration: float
    white_id: str = ""
    black_id: str = ""
    host: str = ""
    log: list[str] = field(default_factory=list)

    @property
    def points(self) -> float:
        """White's points: 1, 0.5 or 0."""
        return {WHITE_WINS: 1.0, DRAW: 0.5, BLACK_WINS: 0.0}[self.result]

    @property
    def kind(self) -> Termination:
        """The termination as a member of the enum."""
        return Termination(self.termination)

    def to_dict(self) -> dict[str, Any]:
        """Return all fields."""
        return asdict(self)

    @classmethod
    def from_dict(cls, fields: dict[str, Any]) -> PlayedGame:
        """Return the game that `to_dict` described."""
        return cls(**fields)
