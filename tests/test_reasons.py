"""Why a move is illegal, in plain words; and that there is a reason for every illegal move."""

from __future__ import annotations

import random

import pytest

from uhp_engine.core.pieces import ALL_PIECES
from uhp_engine.game import Game, Move
from uhp_engine.notation import parse_game, parse_move

LINE = "Base;;;wS1;bS1 wS1-;wQ -wS1;bQ bS1-"
CASES = {
    "pinned": (LINE, "wS1 \\wQ", "wS1 is pinned: moving it would split the hive"),
    "queen not first": (
        "Base",
        "wQ",
        "wQ may not be the first piece placed (TournamentOpening is on)",
    ),
    "queen by the fourth": (
        "Base;;;wS1;bS1 wS1-;wB1 \\wS1;bB1 bS1/;wG1 /wS1;bG1 bS1\\",
        "wA1 -wG1",
        "wQ must be placed now",
    ),
    "no move before the queen": (
        "Base;;;wS1;bS1 wS1-;wB1 \\wS1;bB1 bS1/",
        "wB1 -wS1",
        "no piece of White may move before wQ is placed",
    ),
    "number order": ("Base", "wA2", "wA2 cannot be placed yet: wA1 comes first"),
    "not in the box": ("Base", "wM", "wM is not in this game: its type has no mosquito"),
    "other's turn": (LINE, "bA1 bQ-", "it is White's turn: bA1 cannot be placed now"),
    "other's piece": (
        LINE,
        "bQ bS1/",
        "it is White's turn: no pillbug of White can throw bQ there",
    ),
    "touches an enemy": (LINE, "wA1 \\bS1", "wA1 cannot be placed there: it would touch bS1"),
    "one step": (LINE, "wQ \\wS1", None),
    "two steps": (LINE, "wQ \\bS1", "wQ cannot go there: a queen slides one step"),
    "covered": (
        "Base;;;wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wB1 -wQ;bB1 bQ-;wB1 wQ;bA1 bB1-",
        "wQ /wS1",
        "wQ is covered by wB1",
    ),
    "grasshopper": (
        LINE + ";wG1 -wQ;bA1 bQ-",
        "wG1 \\wQ",
        "wG1 cannot jump there: a grasshopper leaps in a straight line over one piece or more to "
        "the first empty cell",
    ),
    "spider": (
        LINE + ";wS2 -wQ;bA1 bQ-",
        "wS2 \\wQ",
        "wS2 cannot get there: a spider slides just three steps",
    ),
    "beetle": (
        LINE + ";wB1 -wQ;bA1 bQ-",
        "wB1 wS1",
        "wB1 cannot go there: a beetle moves one step",
    ),
    "ant may not climb": (
        LINE + ";wA1 -wQ;bA1 bQ-",
        "wA1 wQ",
        "wA1 cannot go there: wQ is in the way",
    ),
    "ladybug": (
        "Base+L;;;wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wL -wQ;bA1 bQ-",
        "wL \\wQ",
        "wL cannot get there: a ladybug takes two steps on top of the hive, then one down",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_reason(name):
    game_string, text, reason = CASES[name]
    game = parse_game(game_string)
    assert game.why_illegal(parse_move(game, text)) == reason


def reported(rows_name, data, case):
    import json

    for line in (data / rows_name).read_text().splitlines():
        entry = json.loads(line)
        if entry["id"] == case:
            return parse_game(entry["game"])
    raise AssertionError(case)


@pytest.mark.parametrize(
    ("case", "text", "reason"),
    [
        ("pillbug-stunned-2", "bP \\wB1", "bP was moved last turn"),
        (
            "pillbug-stack",
            "wB1 bP/",
            "it is Black's turn: wB1 stands on another piece: a stacked piece cannot be thrown",
        ),
        (
            "pillbug-gate",
            "bP -wP",
            "it is White's turn: bP cannot be thrown there: the gate of stacks is too high",
        ),
        ("os-beetle", "wB1 wL", "wB1 cannot climb there: the gate of stacks is too high"),
        ("os-beetle", "wB1 /wQ", "wB1 cannot slide there: the gap is too narrow"),
        ("invalid-ant-climb", "bA1 bP", "bA1 cannot go there: bP is in the way"),
    ],
)
def test_the_reason_in_reported_positions(request, case, text, reason):
    game = reported("reported_cases.jsonl", request.config.rootpath / "tests" / "data", case)
    assert game.why_illegal(parse_move(game, text)) == reason


def test_every_illegal_move_has_a_reason_and_every_legal_one_has_none():
    """All pieces to all cells near the hive, in random games of all lengths."""
    choice = random.Random(5)
    vague = set()
    for number in range(12):
        game = Game("Base+MLP")
        for _ in range(6 + 5 * number):
            if not game.legal_moves():
                break
            game.play(choice.choice(game.legal_moves()))
        if not game.legal_moves():
            continue
        near = {
            (game.cell_of(piece) + step) % 1024
            for piece in ALL_PIECES
            if game.cell_of(piece) >= 0
            for step in (-32, -31, 1, 32, 31, -1, 0, 2, 64)
        }
        legal = set(game.legal_moves())
        for piece in ALL_PIECES:
            for cell in near:
                move = Move(piece, cell)
                reason = game.why_illegal(move)
                assert (reason is None) == (move in legal)
                if reason is not None:
                    assert "\n" not in reason
                    assert len(reason) > 15
                    if reason.endswith("cannot be placed there"):
                        vague.add((str(game), reason))
    assert vague == set()
