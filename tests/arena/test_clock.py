from __future__ import annotations

import pytest

from uhp_engine.arena.clock import Clock, TimeControl


@pytest.mark.parametrize(
    ("text", "seconds", "increment", "moves"),
    [("60", 60, 0, 0), ("60+0.5", 60, 0.5, 0), ("1:30+1", 90, 1, 0), ("40/5:00", 300, 0, 40)],
)
def test_time_controls(text: str, seconds: float, increment: float, moves: int) -> None:
    control = TimeControl.parse(text)
    assert control == TimeControl(seconds, increment, moves)
    assert TimeControl.parse(str(control)) == control


@pytest.mark.parametrize("text", ["", "x", "60+", "0", "/60", "-3", "1:2:3:4"])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        TimeControl.parse(text)


def test_shares_never_use_up_the_clock() -> None:
    clock = Clock(TimeControl(10))
    for _ in range(500):
        share = clock.share(0.01)
        assert share > 0
        if clock.remaining > 0.05:
            assert share < clock.remaining
            assert clock.spend(share) == 0
    assert clock.remaining > 0


def test_the_increment_is_added_after_the_move() -> None:
    clock = Clock(TimeControl(1, 2))
    assert clock.spend(0.5) == 0
    assert clock.remaining == pytest.approx(2.5)


def test_an_overrun_is_told_before_the_increment() -> None:
    assert Clock(TimeControl(1, 5)).spend(1.25) == pytest.approx(0.25)


def test_time_comes_anew_after_so_many_moves() -> None:
    clock = Clock(TimeControl(10, 0, 2))
    clock.spend(4)
    assert clock.share(0) == pytest.approx(6)  # the last move before more time comes
    clock.spend(4)
    assert clock.remaining == pytest.approx(12)


def test_moves_to_go_are_those_before_more_time_comes() -> None:
    assert Clock(TimeControl(10)).moves_to_go == 0
    clock = Clock(TimeControl(10, 0, 3))
    seen = []
    for _ in range(4):
        seen.append(clock.moves_to_go)
        clock.spend(1)
    assert seen == [3, 2, 1, 3]
