"""How long an engine may think, and the words in which it is told."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

WHOLE_SECONDS_LEAST = 1


class TimeForm(Enum):
    """How an engine wants to be asked for a time."""

    TIMESPAN = "timespan"
    """`bestmove time 00:00:00.5`, as .NET writes a TimeSpan."""
    SECONDS = "seconds"
    """`bestmove seconds 0.5`, Nokamute's own."""
    WHOLE = "whole"
    """`bestmove time 00:00:01`: whole seconds only, rounded down, but at least one."""
    CLOCK = "clock"
    """`bestmove clock 60 0.5`, uhp-engine's own, where there is a clock; else as TIMESPAN."""


FORMS_TO_TRY = (TimeForm.TIMESPAN, TimeForm.SECONDS, TimeForm.WHOLE)


@dataclass(frozen=True)
class Limit:
    """What ends a search: a time or a depth.

    Args:
        seconds: the time for this move.
        depth: the depth in plies, or whatever the engine takes it for.

    Raises:
        ValueError: neither or both are given, or one that is not positive.

    >>> Limit(seconds=0.5).command(TimeForm.TIMESPAN)
    'bestmove time 00:00:00.5'
    >>> Limit(depth=3).command(TimeForm.TIMESPAN)
    'bestmove depth 3'
    """

    seconds: float | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        if (self.seconds is None) == (self.depth is None):
            raise ValueError("a limit is either seconds or a depth")
        if self.seconds is not None and not (0 < self.seconds < math.inf):
            raise ValueError(f"a time must be positive, not {self.seconds}")
        if self.depth is not None and self.depth < 1:
            raise ValueError(f"a depth must be at least 1, not {self.depth}")

    def asked_seconds(self, form: TimeForm) -> float | None:
        """Return the seconds that the engine is told, None for a depth."""
        if self.seconds is None or form is not TimeForm.WHOLE:
            return self.seconds
        return float(max(WHOLE_SECONDS_LEAST, math.floor(self.seconds)))

    def command(self, form: TimeForm) -> str:
        """Return the command that asks for a move under this limit."""
        seconds = self.asked_seconds(form)
        if seconds is None:
            return f"bestmove depth {self.depth}"
        if form is TimeForm.SECONDS:
            return f"bestmove seconds {_decimal(seconds)}"
        return f"bestmove time {format_timespan(seconds)}"

    @property
    def is_whole(self) -> bool:
        """True where every form says the same: a depth, or seconds without a fraction."""
        return self.seconds is None or (self.seconds >= 1 and self.seconds == int(self.seconds))


def format_timespan(seconds: float) -> str:
    """Return a TimeSpan, `[d.]hh:mm:ss[.fffffff]`, of at least a millisecond.

    >>> format_timespan(90061.25), format_timespan(2)
    ('1.01:01:01.25', '00:00:02')
    """
    milliseconds = max(1, round(seconds * 1000))
    whole, fraction = divmod(milliseconds, 1000)
    minutes, second = divmod(whole, 60)
    hours, minute = divmod(minutes, 60)
    days, hour = divmod(hours, 24)
    text = f"{hour:02}:{minute:02}:{second:02}"
    if fraction:
        text += f".{fraction:03}".rstrip("0")
    return f"{days}.{text}" if days else text


def _decimal(seconds: float) -> str:
    return f"{max(0.001, seconds):.3f}".rstrip("0").rstrip(".")


def clock_command(remaining: float, increment: float, moves_to_go: int) -> str:
    """Return the command that asks for a move and leaves to the engine how long it takes.

    Args:
        remaining: seconds left on the engine's clock.
        increment: seconds added after the move.
        moves_to_go: moves until more time is added, 0 for never.

    >>> clock_command(59.5, 0.5, 0), clock_command(300, 0, 40)
    ('bestmove clock 59.5 0.5', 'bestmove clock 300 0 40')
    """
    words = [_decimal(remaining), _decimal(increment) if increment else "0"]
    return " ".join(["bestmove clock", *words, *([str(moves_to_go)] if moves_to_go else [])])


@dataclass(frozen=True)
class Patience:
    """How long an engine may stay silent before it counts as hung and is killed. In seconds.

    Args:
        start: for the greeting.
        answer: for every command but `bestmove`.
        hang: for `bestmove`, beyond the time that it was given.
        depth: for `bestmove depth`, which has no time.
        exit: for leaving after `exit`.
    """

    start: float = 60.0
    answer: float = 60.0
    hang: float = 10.0
    depth: float = 600.0
    exit: float = 1.0

    def for_move(self, asked_seconds: float | None) -> float:
        """Return the seconds after which a `bestmove` counts as hung."""
        return self.depth if asked_seconds is None else asked_seconds + self.hang
