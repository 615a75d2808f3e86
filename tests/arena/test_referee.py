from __future__ import annotations

import pytest
from arena_helpers import script_lines

from uhp_engine.arena.outcome import Fault, Termination
from uhp_engine.arena.referee import Referee

pytest_plugins = ["arena_fixtures"]

# The third position after Black's queen goes back and forth (Nokamute's test case).
REPETITION = (
    r"wS1;bB1 wS1-;wQ \wS1;bQ bB1\;wQ -wS1;bQ bB1-;wQ \wS1;bQ bB1\;wQ -wS1;bQ bB1-;wQ \wS1;bQ bB1\ "
).strip()


def referee_of(text: str, **rules: object) -> Referee:
    return Referee("Base", text.split(";"), **rules)  # type: ignore[arg-type]


def test_a_win_is_seen() -> None:
    *_, first = ([*line[3:]] for line in script_lines() if line[1] == "WhiteWins")
    verdict = referee_of(";".join(first)).verdict()
    assert verdict is not None
    assert (verdict.result, verdict.termination) == ("WhiteWins", Termination.SURROUND)
    assert verdict.detail == "Black's queen is surrounded"


def test_repetition_is_a_draw_unless_switched_off() -> None:
    verdict = referee_of(REPETITION).verdict()
    assert verdict is not None
    assert (verdict.result, verdict.termination) == ("Draw", Termination.REPETITION)
    assert referee_of(REPETITION, repetition_draw=False).verdict() is None


def test_a_right_claim_of_repetition_ends_the_game_where_the_rule_is_off() -> None:
    referee = referee_of(REPETITION, repetition_draw=False)
    claim = referee.check_reply(0, f"Base;Draw;White[7];{REPETITION}")
    assert claim is not None
    assert claim.termination is Termination.REPETITION
    assert referee.check_reply(0, f"Base;InProgress;White[7];{REPETITION}") is None


@pytest.mark.parametrize(
    ("reply", "termination"),
    [
        ("Base;Draw;White[2];wS1;bS1 wS1-", Termination.DISAGREES),
        ("Base;BlackWins;White[2];wS1;bS1 wS1-", Termination.DISAGREES),
        ("Base;InProgress;Black[1];wS1", Termination.DISAGREES),
        ("yes", Termination.GARBAGE),
        ("Base;Going;White[2]", Termination.GARBAGE),
    ],
)
def test_wrong_replies_are_faults(reply: str, termination: Termination) -> None:
    with pytest.raises(Fault) as caught:
        referee_of("wS1;bS1 wS1-").check_reply(1, reply)
    assert (caught.value.side, caught.value.termination) == (1, termination)


@pytest.mark.parametrize(
    ("move", "termination"),
    [
        ("wQ", Termination.GARBAGE),  # no place
        ("hello", Termination.GARBAGE),
        ("", Termination.GARBAGE),
        ("pass", Termination.ILLEGAL_MOVE),
        ("wA1 bS1-", Termination.ILLEGAL_MOVE),
        ("bA1 bS1-", Termination.ILLEGAL_MOVE),
        ("wA1 wG3-", Termination.ILLEGAL_MOVE),
        ("wA1 wS1-", Termination.ILLEGAL_MOVE),  # bS1 is there
    ],
)
def test_bad_moves_are_faults_of_the_side_to_move(move: str, termination: Termination) -> None:
    with pytest.raises(Fault) as caught:
        referee_of("wS1;bS1 wS1-").judge(move)
    assert (caught.value.side, caught.value.termination) == (0, termination)


def test_every_spelling_is_taken_and_one_is_kept() -> None:
    referee = referee_of("wS1;bS1 wS1-;wQ -wS1;bQ bS1-")
    assert referee.play(referee.judge("WA1  -WQ")) == "wA1 -wQ"
    assert referee.moves[-1] == "wA1 -wQ"


def test_an_illegal_opening_is_refused() -> None:
    with pytest.raises(ValueError, match="wQ is not on the board"):
        referee_of("wS1;bA1 wQ-")
