"""What follows `bestmove`: time, depth, both, or nothing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .timespan import parse_timespan

if TYPE_CHECKING:
    from ..search.limits import Limits

DEFAULT_SECONDS = 5.0
_SECONDS = re.compile(r"[0-9]{1,9}(\.[0-9]{0,20})?|\.[0-9]{1,20}")
EXPECTED = (
    "expected 'bestmove' alone or with 'time hh:mm:ss', 'depth N', 'seconds S', "
    "'depthorseconds N S' or 'clock REMAINING [INCREMENT [MOVES]]'"
)


class LimitError(ValueError):
    """Words after `bestmove` that make no limit; says what was expected."""


def _parse_seconds(text: str) -> float:
    if not _SECONDS.fullmatch(text):
        raise LimitError(f"expected a number of seconds, such as 0.5, not {text[:40]!r}")
    return float(text)


def _parse_duration(text: str) -> float:
    """Return the seconds of a number, or of hh:mm:ss."""
    return parse_timespan(text) if ":" in text else _parse_seconds(text)


def _parse_clock(values: list[str]) -> Limits:
    from ..search.limits import GameClock, Limits

    remaining, increment, moves = (*values[:3], *("0", "0", "0")[len(values) :])
    if not (moves.isascii() and moves.isdigit()):
        raise LimitError(f"expected a number of moves to go, 0 or more, not {moves[:40]!r}")
    clock = GameClock(_parse_duration(remaining), _parse_duration(increment), int(moves[:9]))
    return Limits(clock=clock)


def _parse_depth(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise LimitError(f"expected a depth in plies, 0 or more, not {text[:40]!r}")
    return int(text[:9])


def parse_limits(words: list[str]) -> Limits:
    """Return the limits that the words after `bestmove` set.

    Raises:
        LimitError: they set none; says what was expected.
    """
    from ..search.limits import Limits

    if not words:
        return Limits(seconds=DEFAULT_SECONDS)
    form, values = words[0].lower(), words[1:]
    try:
        if form == "time" and values:
            return Limits(seconds=parse_timespan(values[0]))
        if form == "seconds" and values:
            return Limits(seconds=_parse_seconds(values[0]))
        if form == "depth" and values:
            return Limits.depth(_parse_depth(values[0]))
        if form == "depthorseconds" and len(values) > 1:
            return Limits.depth(_parse_depth(values[0]), _parse_seconds(values[1]))
        if form == "clock" and values:
            return _parse_clock(values)
    except LimitError:
        raise
    except ValueError as error:
        raise LimitError(str(error)) from None
    raise LimitError(EXPECTED)
