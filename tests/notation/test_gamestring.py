"""GameStrings: what is taken, what is printed, and games people played."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest

from uhp_engine.core.pieces import GAME_TYPES
from uhp_engine.game import Game
from uhp_engine.notation import (
    GameStringError,
    MoveStringError,
    format_game,
    format_moves,
    parse_game,
    parse_game_type,
    parse_move,
)

DATA = Path(__file__).parents[1] / "data"


@pytest.mark.parametrize("game_type", GAME_TYPES)
def test_types(game_type):
    assert parse_game_type(game_type) == game_type
    assert parse_game_type(game_type.lower()) == game_type
    base, _, letters = game_type.partition("+")
    assert parse_game_type(f"{base}+{letters[::-1]}") == game_type
    assert format_game(Game(game_type)) == f"{game_type};NotStarted;White[1]"


@pytest.mark.parametrize("text", ["Foo", "Base+X", "Base+MM", "", "Base+MLPP", "Bas"])
def test_unknown_types(text):
    with pytest.raises(GameStringError, match=r"unknown game type .*: expected Base, Base"):
        parse_game_type(text)


@pytest.mark.parametrize(
    "text",
    [
        "Base;InProgress;White[2];wS1;bS1 wS1-",
        "Base;;;wS1;bS1 wS1-",
        "Base;Draw;Black[77];wS1;bS1 wS1-",
        "base;inprogress;white[2];ws1;bs1 ws1-",
        "Base;InProgress;White[2]; wS1; bS1  wS1-",
        "Base;InProgress;White[2];wS1;bS1 wS1-;",
        "Base;InProgress;White[2];wS1;bS1 wS1- ;; ",
    ],
)
def test_readings_of_one_game(text):
    assert format_game(parse_game(text)) == "Base;InProgress;White[2];wS1;bS1 wS1-"


@pytest.mark.parametrize("text", ["Base", "Base;", "Base;NotStarted", "Base;NotStarted;White[1]"])
def test_readings_of_a_new_game(text):
    assert format_game(parse_game(text)) == "Base;NotStarted;White[1]"


def test_an_illegal_move_is_named():
    with pytest.raises(GameStringError, match="move 2, 'wA1 wS1-': it is Black's turn"):
        parse_game("Base;;;wS1;wA1 wS1-;bA1 wS1-")
    with pytest.raises(GameStringError, match="move 2, '': unable to read ''"):
        parse_game("Base;;;wS1;;bA1 wS1-")


@pytest.mark.slow
def test_all_games_of_people_replay_and_end_as_recorded(rows):
    wrong = []
    canonical = 0
    games = rows("real_games.tsv")
    for text, _result, _end, _source in games:
        game = parse_game(text)
        printed = format_game(game)
        if printed.split(";")[:3] != text.split(";")[:3]:
            wrong.append((text, printed[:40]))
        again = parse_game(printed)
        if again.moves != game.moves or format_game(again) != printed:
            wrong.append((text, "printed and read again it differs"))
        canonical += printed == text
    assert wrong == []
    assert len(games) == 5897


def test_games_that_open_with_a_queen(rows):
    games = rows("queen_first_games.tsv")
    assert len(games) == 14
    for text, state in games:
        assert parse_game(text, tournament_opening=False).state.value == state
        with pytest.raises(GameStringError, match="may not be the first piece placed"):
            parse_game(text)


def test_valid_moves_of_the_reference_engine(rows):
    cases = rows("valid_moves.tsv")
    assert len(cases) == 123
    for text, expected in cases:
        game = parse_game(text)
        wanted = {parse_move(game, move) for move in expected.split(";")}
        found = set(game.legal_moves())
        movers = {move.piece for move in wanted}
        if wanted != found and len(movers) == 1:
            found = {move for move in found if move.piece in movers}
        assert found == wanted, text


def test_valid_moves_in_games_of_people(rows):
    cases = rows("valid_moves_people.tsv")
    assert len(cases) == 1500
    for text, expected in cases:
        game = parse_game(text)
        legal = game.legal_moves()
        assert len(set(legal)) == len(legal)
        assert set(legal) == {parse_move(game, move) for move in expected.split(";")}, text


def test_invalid_moves_of_the_reference_engine(rows):
    cases = rows("invalid_moves.tsv")
    assert len(cases) == 14
    for text, move in cases:
        game = parse_game(text)
        try:
            parsed = parse_move(game, move)
        except MoveStringError:
            continue
        assert game.why_illegal(parsed)


CASES = [json.loads(line) for line in (DATA / "reported_cases.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_positions_from_bug_reports(case):
    game = parse_game(case["game"])
    assert game.state.value == case["state"]
    legal = set(game.legal_moves())
    if case["valid_moves"] is not None:
        assert {parse_move(game, move) for move in case["valid_moves"]} == legal
    for move in case["legal"]:
        assert parse_move(game, move) in legal
    for move in case["illegal"]:
        with contextlib.suppress(MoveStringError):
            assert parse_move(game, move) not in legal
    texts = format_moves(game, game.legal_moves())
    assert [parse_move(game, text) for text in texts] == game.legal_moves()
