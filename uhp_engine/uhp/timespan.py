"""Times as .NET clients write them: `[d.]hh:mm[:ss[.fffffff]]`, or days alone."""

from __future__ import annotations

import re

_FORM = re.compile(
    r"(?:(?P<days>\d+)(?:\.|:(?=\d+:\d+:)))?(?P<hours>\d+):(?P<minutes>\d+)"
    r"(?::(?P<seconds>\d+)(?:[.,](?P<fraction>\d+))?)?",
    re.ASCII,
)
MAX_SECONDS = 10_675_199 * 86_400.0  # .NET's largest TimeSpan


def parse_timespan(text: str) -> float:
    """Return a TimeSpan in seconds.

    Raises:
        ValueError: the text is no TimeSpan; says what was expected.

    >>> parse_timespan("00:00:00.5"), parse_timespan("0:1:5"), parse_timespan("1.00:00:00")
    (0.5, 65.0, 86400.0)
    """
    if text.isascii() and text.isdigit():
        return min(int(text[:9]) * 86_400.0, MAX_SECONDS)
    match = _FORM.fullmatch(text)
    if match is None or len(text) > 40:
        raise ValueError(
            f"unable to read the time {text[:40]!r}: expected hh:mm:ss, such as 00:00:05"
        )
    days, hours, minutes, seconds = (
        int(match[part] or 0) for part in ("days", "hours", "minutes", "seconds")
    )
    if minutes > 59 or seconds > 59:
        raise ValueError(f"the time {text!r} has more than 59 minutes or seconds")
    total = (
        ((days * 24 + hours) * 60 + minutes) * 60 + seconds + float(f"0.{match['fraction'] or 0}")
    )
    return min(total, MAX_SECONDS)
