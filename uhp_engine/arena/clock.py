"""A clock for a whole game, kept by the runner: most engines know only a time for a move."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..search.timing import usual_seconds

LEAST_SHARE_SECONDS = 0.01

_TIME_CONTROL = re.compile(
    r"(?:(?P<moves>\d+)/)?(?:(?P<minutes>\d+):)?(?P<seconds>\d+(?:\.\d+)?)"
    r"(?:\+(?P<increment>\d+(?:\.\d+)?))?"
)


@dataclass(frozen=True)
class TimeControl:
    """Time for a game, as chess tools write it: `[MOVES/][MINUTES:]SECONDS[+INCREMENT]`.

    Args:
        seconds: at the start.
        increment: seconds added after each move.
        moves: after so many moves `seconds` are added again; 0 for never.
    """

    seconds: float
    increment: float = 0.0
    moves: int = 0

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """Read a time control.

        Raises:
            ValueError: it has another form, or gives no time.

        >>> TimeControl.parse("1:30+0.5")
        TimeControl(seconds=90.0, increment=0.5, moves=0)
        """
        match = _TIME_CONTROL.fullmatch(text.strip())
        seconds = float(match["seconds"]) + 60 * int(match["minutes"] or 0) if match else 0.0
        if match is None or seconds <= 0:
            raise ValueError(
                f"unable to read the time control {text!r}: expected "
                "[MOVES/][MINUTES:]SECONDS[+INCREMENT], such as 60+0.5 or 40/5:00"
            )
        return cls(seconds, float(match["increment"] or 0), int(match["moves"] or 0))

    def __str__(self) -> str:
        moves = f"{self.moves}/" if self.moves else ""
        increment = f"+{self.increment:g}" if self.increment else ""
        return f"{moves}{self.seconds:g}{increment}"


class Clock:
    """One side's clock in one game.

    Attributes:
        remaining: the seconds left; below 0 once the flag has fallen.
    """

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.remaining = control.seconds
        self._moves_made = 0

    @property
    def moves_to_go(self) -> int:
        """How many moves until more time is added, 0 where none ever is."""
        moves = self.control.moves
        return moves - self._moves_made % moves if moves else 0

    def share(self, margin: float) -> float:
        """Return the seconds to tell an engine that knows no clock for its next move.

        What is left is divided by the moves still expected, and most of the increment added.
        Never more than is left, less the margin; never nothing.

        >>> Clock(TimeControl(60, 1)).share(0.1)
        2.75
        """
        wanted = usual_seconds(
            self.remaining, self.control.increment, self.moves_to_go, self._moves_made
        )
        return max(LEAST_SHARE_SECONDS, min(wanted, self.remaining - margin))

    def spend(self, seconds: float) -> float:
        """Take a move's time off; return by how much the flag was overrun, 0 where it stands."""
        self.remaining -= seconds
        overrun = max(0.0, -self.remaining)
        self._moves_made += 1
        self.remaining += self.control.increment
        if self.control.moves and self._moves_made % self.control.moves == 0:
            self.remaining += self.control.seconds
        return overrun
