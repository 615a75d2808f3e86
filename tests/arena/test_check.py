"""Each check can fail: the slow engine does one thing wrong at a time, and is found out."""

from __future__ import annotations

import json
from typing import Any

import pytest
from check_helpers import examine, finding, slow
from slow_engine import HABITS

from uhp_engine.arena.check.counting import read_counts
from uhp_engine.arena.check.spelling import all_texts
from uhp_engine.game import Game
from uhp_engine.notation import parse_game, parse_move

END = "'bestmove depth 1' after the end is refused"
ILLEGAL_STRING = "refuses a GameString with an illegal move"

# What the slow engine does wrong -> the check that must tell, and a part of what it must say.
FAILURES = {
    "greeting-id": ("the greeting names the engine", "SlowEngine"),
    "greeting-words": ("the greeting names the expansions", "all expansions"),
    "greeting-log": ("the greeting names the engine", "loading tables"),
    "info-other": ("info repeats the greeting", "Another 2.0"),
    "chatter": ("nothing is printed unasked", "weather"),
    "no-ok": ("replays a GameString", "gave no 'ok' to 'validmoves'"),
    "two-oks": ("answers with the new GameString", "'ok' unasked"),
    "two-lines": ("answers with the new GameString", "'wS1' / 'Base;"),
    "newgame-stays": ("alone it starts Base", "InProgress"),
    "newgame-trusts": ("tells the true state and turn", "BlackWins;Black[77]"),
    "newgame-half": (ILLEGAL_STRING, ""),
    "newgame-any": (ILLEGAL_STRING, "wA1 bS1-"),
    "newgame-type": ("refuses an unknown game type", "Base;NotStarted"),
    "play-any": ("refuses illegal moves", "Base;InProgress"),
    "play-turn": ("answers with the new GameString", "Black[9]"),
    "play-text": ("answers with the new GameString", "nothing but ok"),
    "play-side": ("refuses the other side's pieces", "bS1"),
    "pass-any": ("is refused beside other moves", "Base;InProgress"),
    "no-pass": ("is the only move without another", "unknown command"),
    "undo-nothing": ("takes back one move or several", "Black[8]"),
    "undo-one": ("takes back one move or several", ""),
    "undo-all": ("is refused beyond the start", "NotStarted"),
    "undo-last": ("keeps in mind what was thrown", "lists"),
    "undo-over": ("goes back behind the end", "the game is over"),
    "err-silent": ("an unknown command is refused", "nothing but ok"),
    "err-word": ("an unknown command is refused", "error:"),
    "err-move": ("refuses illegal moves", "err"),
    "err-lines": ("an unknown command is refused", "try again"),
    "early": ("'validmoves' before the first game is refused", "''"),
    "late": ("'validmoves' after the end is refused", "''"),
    "late-play": ("'play wA1 wQ-' after the end is refused", "WhiteWins"),
    "late-dies": (END, "exit code 101"),
    "options-form": ("each line can be read", "Style;enum;Calm"),
    "options-get": ("'options get' prints one line", "nothing but ok"),
    "options-set": ("'options set' changes and prints it", "Threads;int;1"),
    "options-unknown": ("an unknown option is refused", "nothing but ok"),
    "best-illegal": ("with a time: a legal move", "may not be the first piece"),
    "best-plays": ("with a depth: a legal move", ""),
    "best-late": ("in time", " s"),
    "best-none": ("with a depth: a legal move", "nothing but ok"),
    "best-hangs": ("with a depth: a legal move", "gave no 'ok' to 'bestmove depth 1'"),
    "best-dies": ("with a depth: a legal move", "exit code 9"),
    "zero-hangs": ("no time at all", "none"),
    "sigint-dies": ("SIGINT ends a search with a move", "exit code 130"),
    "sigint-deaf": ("SIGINT ends a search with a move", "none"),
    "end-cuts": ("a search is answered though the input has ended", "exit code 0"),
    "end-stays": ("the end of input leaves", "it runs on"),
    "exit-stays": ("exit leaves", "it runs on"),
    "perft-wrong": ("the start of Base", "no single branch"),
    "one-text": ("takes any neighbour's name", "cannot read"),
    "dies": ("refuses an unknown game type", "exit code 7"),
}
# Differences of opinion: told, and no failure.
NOTES = {
    "best-many": ("prints one move, spelt as in validmoves", "' / '"),
    "best-own": ("prints one move, spelt as in validmoves", ""),
    "sigint-idle": ("SIGINT behind an answer does no harm", "exit code 130"),
    "perft-none": ("the start of Base", "unknown command"),
    "spell": ("moves are spelt as Mzinga does", "spelt otherwise"),
    "repetition": ("a third occurrence is no draw", "'Draw' after 12 plies"),
    "crlf": ("Windows line ends", "unknown command"),
}
DEADLY = {"late-dies", "best-dies", "dies"}


@pytest.mark.slow
def test_a_right_engine_passes() -> None:
    """All of them, on an engine whose rules were written apart from ours."""
    report = examine(slow(), patience=30.0, time_margin=30.0)
    assert [str(one) for one in report.findings if one.status == "FAIL"] == []
    assert not report.engine_failed
    assert report.count("pass") > 140
    noted = {one.name for one in report.findings if one.status == "note"}
    assert noted - {"the greeting comes at once"} == {
        "letter case of commands",
        "letter case and blanks of MoveStrings",
        "GameStrings as others write them",
    }


def test_every_habit_is_tested() -> None:
    assert {*FAILURES, *NOTES, "greeting-none"} == set(HABITS)


@pytest.mark.parametrize("habit", FAILURES)
def test_failure(habit: str) -> None:
    name, seen = FAILURES[habit]
    report = examine(slow(habit), name)
    told = finding(report, name)
    assert told.status == "FAIL", told
    assert seen in told.seen
    assert told.expected
    assert report.has_failed
    assert report.engine_failed == bool(report.deaths) == (habit in DEADLY)


@pytest.mark.parametrize("habit", NOTES)
def test_note(habit: str) -> None:
    name, seen = NOTES[habit]
    report = examine(slow(habit), name)
    told = finding(report, name)
    assert told.status == "note", told
    assert seen in told.seen
    assert not report.has_failed
    assert not report.engine_failed


def test_no_greeting() -> None:
    report = examine(slow("greeting-none"), "start", patience=1.0)
    assert "no greeting" in report.broken
    assert report.engine_failed
    assert report.findings == []


def test_no_such_program() -> None:
    report = examine("/no/such/engine", "start")
    assert "could not start '/no/such/engine': No such file" in report.broken
    assert "Stopped:" in report.summary()


def test_an_engine_that_dies_is_started_again() -> None:
    report = examine(slow("dies"), "newgame")
    assert len(report.findings) == 16
    assert 1 < len(report.deaths) < 16
    assert report.count("pass") > 1
    assert "The engine died: it ended with exit code 7" in report.summary()


def test_an_expansion_that_is_not_offered_is_skipped() -> None:
    report = examine(slow("--types=Base,Base+M,Base+P,Base+MP"), "rules")
    skipped = {one.name for one in report.findings if one.status == "skip"}
    assert "a ladybug takes two steps on top" in skipped
    assert "a pinned pillbug throws" not in skipped
    assert report.count("FAIL") == 0


def test_options_are_set_first() -> None:
    report = examine(slow(), "'options get' prints one line", options={"Threads": "3"})
    assert report.count("pass") == 1
    refused = examine(slow(), "start", options={"Threads": "99"})
    assert "refused the option Threads=99" in refused.broken


def test_the_log_holds_the_dialogue() -> None:
    lines: list[tuple[str, str]] = []
    examine(slow(), "alone it starts Base", log=lambda mark, line: lines.append((mark, line)))
    assert (">", "newgame Base") not in lines
    assert lines.index((">", "newgame")) < lines.index(("<", "Base;NotStarted;White[1]"))


def test_report_as_json() -> None:
    report = examine(slow("info-other"), "start")
    data: dict[str, Any] = json.loads(json.dumps(report.as_dict()))
    assert data["engine"] == "SlowEngine 1.0"
    assert data["failed"] == 1
    assert [one["status"] for one in data["checks"]].count("pass") == data["passed"] == 4


@pytest.mark.parametrize(
    ("lines", "counts"),
    [
        (["1 7", "2 294", "3 6678 0.1 12"], {1: 7, 2: 294, 3: 6678}),
        (["1: 7", " 2 : 294 nodes", "3: 6,678"], {1: 7, 2: 294, 3: 6678}),
        (["perft(3)  =            1,440 in                1 ms.  1,440.0 KN/s"], {3: 1440}),
        (["perft(3) = 1440 in 0 ms. 1440 KN/s"], {3: 1440}),
        (["  depth    count     time   kn/s", "      3     6678      0.1    66"], {3: 6678}),
        (["rubbish", "err no perft", "", "3"], {}),
    ],
)
def test_perft_formats(lines: list[str], counts: dict[int, int]) -> None:
    assert read_counts(lines) == counts


def test_all_texts_name_the_move() -> None:
    game = parse_game("Base;;;wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wA1 /wQ;bA1 bQ\\")
    tried = 0
    for move in game.legal_moves():
        texts = all_texts(game, move)
        assert {parse_move(game, text) for text in texts} == {move}
        tried += len(texts)
    assert tried > len(game.legal_moves())
    assert all_texts(Game(), Game().legal_moves()[0]) == []
