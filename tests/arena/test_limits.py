from __future__ import annotations

import pytest

from uhp_engine.arena import Limit, Patience, TimeForm
from uhp_engine.arena.limits import format_timespan


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (1, "00:00:01"),
        (0.5, "00:00:00.5"),
        (0.001, "00:00:00.001"),
        (0.0001, "00:00:00.001"),
        (59.9996, "00:01:00"),
        (61.25, "00:01:01.25"),
        (3600, "01:00:00"),
        (86400 + 1.5, "1.00:00:01.5"),
    ],
)
def test_timespans(seconds: float, text: str) -> None:
    assert format_timespan(seconds) == text


def test_each_form_of_a_fraction() -> None:
    limit = Limit(seconds=2.75)
    assert limit.command(TimeForm.TIMESPAN) == "bestmove time 00:00:02.75"
    assert limit.command(TimeForm.SECONDS) == "bestmove seconds 2.75"
    assert limit.command(TimeForm.WHOLE) == "bestmove time 00:00:02"
    assert limit.asked_seconds(TimeForm.WHOLE) == 2.0
    assert Limit(seconds=0.2).command(TimeForm.WHOLE) == "bestmove time 00:00:01"


def test_a_depth_is_the_same_in_every_form() -> None:
    assert {Limit(depth=4).command(form) for form in TimeForm} == {"bestmove depth 4"}
    assert Limit(depth=4).asked_seconds(TimeForm.WHOLE) is None


@pytest.mark.parametrize(
    "wrong",
    [{}, {"seconds": 1, "depth": 1}, {"seconds": 0}, {"seconds": float("inf")}, {"depth": 0}],
)
def test_limits_that_are_none(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"limit|time|depth"):
        Limit(**wrong)  # type: ignore[arg-type]


def test_a_hang_is_counted_from_the_end_of_the_time() -> None:
    patience = Patience(hang=10, depth=600)
    assert patience.for_move(0.5) == 10.5
    assert patience.for_move(None) == 600
