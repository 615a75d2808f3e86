"""MoveStrings: every spelling in, one spelling out."""

from __future__ import annotations

import pytest

from uhp_engine.game import PASS, Game
from uhp_engine.notation import MoveStringError, format_move, parse_game, parse_move

LINE = "Base+MLP;;;wS1;bS1 wS1-;wQ -wS1;bQ bS1-"
STACK = "Base;;;wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wB1 -wQ;bB1 bQ-;wB1 wQ;bA1 bB1-"


@pytest.mark.parametrize(
    "text",
    [
        "wQ /wS1",
        "wq /ws1",
        "WQ   /WS1",
        "  wQ /wS1  ",
        "wQ / wS1",
        "wQ wQ\\",  # by the place it leaves
        "wQ\t/wS1",
    ],
)
def test_spellings_of_one_move(text):
    game = parse_game(LINE)
    assert format_move(game, parse_move(game, text)) == "wQ /wS1"


@pytest.mark.parametrize("text", ["pass", "PASS", " Pass "])
def test_pass(text):
    assert parse_move(Game("Base"), text) == PASS
    assert format_move(Game("Base"), PASS) == "pass"


def test_a_number_where_none_is_needed():
    game = parse_game(LINE)
    assert parse_move(game, "wM1 -wQ") == parse_move(game, "wM -wQ")
    assert parse_move(game, "wQ1 /wS1") == parse_move(game, "wQ /wS1")


def test_two_marks_are_one():
    game = parse_game(LINE)
    assert parse_move(game, "wM -wQ-") == parse_move(game, "wM -wQ")


def test_a_covered_piece_names_its_cell():
    game = parse_game(STACK)
    assert parse_move(game, "wA1 -wQ") == parse_move(game, "wA1 -wB1")


def test_climbing_names_the_top_piece_alone():
    game = parse_game("Base;;;wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wB1 -wQ;bB1 bQ-")
    assert format_move(game, parse_move(game, "wB1 wQ")) == "wB1 wQ"
    with pytest.raises(MoveStringError, match=r"to climb it write 'wB1 wQ'"):
        parse_move(game, "wB1 -wS1")
    covered = parse_game(STACK)
    with pytest.raises(MoveStringError, match=r"wQ is covered: the top piece there is wB1"):
        parse_move(covered, "wB2 wQ")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("zzz", "'zzz' is no piece; expected w or b, a letter of QSBGAMLP, and a number for SBGA"),
        ("wS4 wS1-", "'ws4' is no piece"),
        ("wA wS1-", "'wa' is no piece"),
        ("wA1", "expected a neighbour of the place where wA1 ends"),
        ("wA1 -", "expected a neighbour"),
        ("wA1 bA1-", "bA1 is not on the board"),
        ("", "unable to read ''"),
        ("wA1 wS1- extra", "unable to read"),
        ("wQ wQ", "wQ is there already"),
    ],
)
def test_what_names_no_move(text, message):
    with pytest.raises(MoveStringError, match=message):
        parse_move(parse_game(LINE), text)


@pytest.mark.parametrize(
    ("direction", "text"),
    [(0, "wA1 \\wQ"), (3, "wA1 wQ\\"), (4, "wA1 /wQ"), (5, "wA1 -wQ")],
)
def test_directions(direction, text):
    game = parse_game(LINE)
    steps = (-32, -31, 1, 32, 31, -1)
    move = parse_move(game, text)
    assert move.cell == (game.cell_of(0) + steps[direction]) % 1024
