"""Times and depths after `bestmove`."""

from __future__ import annotations

import pytest

from uhp_engine.search.limits import GameClock, Limits
from uhp_engine.uhp.limits import DEFAULT_SECONDS, LimitError, parse_limits
from uhp_engine.uhp.timespan import parse_timespan


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("00:00:05", 5.0),
        ("0:0:5", 5.0),
        ("00:00:00", 0.0),
        ("00:00:00.5", 0.5),
        ("00:00:00.5000000", 0.5),
        ("00:01:01.25", 61.25),
        ("01:00:00", 3600.0),
        ("0:5", 300.0),  # hours and minutes
        ("1.00:00:01", 86401.0),
        ("1:00:00:01", 86401.0),
        ("1.02:03", 93780.0),  # days, hours and minutes
        ("0.00:00", 0.0),
        ("2", 172800.0),  # days, as .NET reads it
    ],
)
def test_time_spans(text, seconds):
    assert parse_timespan(text) == seconds


@pytest.mark.parametrize(
    "text", ["", "x", "-00:00:01", "00:00:60", "00:60:00", "1:2:3:4:5", "00:00:01.", "5s", ":", "٣"]
)
def test_what_is_no_time_span(text):
    with pytest.raises(ValueError, match=r"unable to read the time|more than 59"):
        parse_timespan(text)


@pytest.mark.parametrize(
    ("words", "limits"),
    [
        ("", Limits(seconds=DEFAULT_SECONDS)),
        ("time 00:00:02", Limits(seconds=2.0)),
        ("TIME 00:00:02", Limits(seconds=2.0)),
        ("seconds 0.5", Limits(seconds=0.5)),
        ("depth 0", Limits(simulations=64, fresh=True)),
        ("depth 2", Limits(simulations=1024, fresh=True)),
        ("depth 99", Limits(simulations=64 * 4**12, fresh=True)),
        ("depthorseconds 3 1.5", Limits(seconds=1.5, simulations=4096, fresh=True)),
        ("clock 60", Limits(clock=GameClock(60.0))),
        ("Clock 60.5 0.25", Limits(clock=GameClock(60.5, 0.25))),
        ("clock 0:01:00 00:00:00.5 12", Limits(clock=GameClock(60.0, 0.5, 12))),
    ],
)
def test_limits(words, limits):
    assert parse_limits(words.split()) == limits


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("foo", "expected 'bestmove'"),
        ("time", "expected 'bestmove'"),
        ("depth", "expected 'bestmove'"),
        ("depth x", "expected a depth in plies, 0 or more, not 'x'"),
        ("depth -1", "expected a depth in plies, 0 or more, not '-1'"),
        ("depth 1.5", "not '1.5'"),
        ("seconds x", "expected a number of seconds"),
        ("seconds -1", "expected a number of seconds"),
        ("seconds nan", "expected a number of seconds"),
        ("seconds inf", "expected a number of seconds"),
        ("seconds 1_0", "expected a number of seconds"),
        ("seconds \u0661", "expected a number of seconds"),
        ("depthorseconds 3", "expected 'bestmove'"),
        ("clock", "expected 'bestmove'"),
        ("clock x", "expected a number of seconds"),
        ("clock 1:2:3:4:5", "unable to read the time"),
        ("clock 60 -1", "expected a number of seconds"),
        ("clock 60 1 x", "expected a number of moves to go, 0 or more, not 'x'"),
        ("time 1:2", None),
        ("time 5 seconds", None),
    ],
)
def test_what_is_no_limit(words, message):
    if message is None:
        assert parse_limits(words.split()).seconds > 0
        return
    with pytest.raises(LimitError, match=message):
        parse_limits(words.split())
