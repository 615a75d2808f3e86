from __future__ import annotations

import random
from pathlib import Path

import pytest

from uhp_engine.arena.openings import (
    SHIPPED,
    OpeningError,
    load_openings,
    random_openings,
    read_openings,
    symmetry_key,
)
from uhp_engine.arena.plan import OpeningSource
from uhp_engine.core.pieces import GAME_TYPES
from uhp_engine.notation import parse_game

pytest_plugins = ["arena_fixtures"]

FILE = """
# Two of Base, one with all expansions.
Base;;;wS1;bS1 wS1-;wQ -wS1;bQ bS1-

Base;InProgress;Black[2];wA1;bA1 wA1-;wQ -wA1
Base+MLP;;;wM;bM wM-;wL -wM   # a comment
"""

PGN = """[GameType "Base"]
[White "Ann"]
[Black "Bob"]
[Result "0-1"]

1. wS1
2. bS1 wS1-
3. wQ -wS1
4. bQ bS1-

0-1

[GameType "Base"]

1. wA1
2. bA1 /wA1
"""


def test_gamestrings_of_the_type_and_of_base() -> None:
    assert len(read_openings(FILE, "f", "Base")) == 2
    openings = read_openings(FILE, "f", "Base+MLP")
    assert openings[2] == ("wM", "bM wM-", "wL -wM")
    assert openings[0] == ("wS1", "bS1 wS1-", "wQ -wS1", "bQ bS1-")


def test_pgn() -> None:
    openings = read_openings(PGN, "f.pgn", "Base")
    assert openings == [("wS1", "bS1 wS1-", "wQ -wS1", "bQ bS1-"), ("wA1", "bA1 /wA1")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Base;;;wS1\nBase;;;wS1;bQ wS1-\n", "f, line 2: move 2, 'bQ wS1-'"),
        ("hello", "f, line 1: unknown game type"),
        ("Base+MLP;;;wM", "f holds no opening for Base"),
        ("", "f holds no opening"),
        ('[GameType "Base"]\n\n1. wS1\n2. bX wS1-\n', "f, line 4"),
    ],
)
def test_faults_name_file_and_line(text: str, message: str) -> None:
    with pytest.raises(OpeningError) as caught:
        read_openings(text, "f", "Base")
    assert message in str(caught.value)


def test_an_opening_that_ends_the_game_is_refused(openings: str) -> None:
    from arena_helpers import script_lines

    with pytest.raises(OpeningError, match=r"ends the game \(BlackWins\)"):
        read_openings(";".join(script_lines()[0]), "f", "Base")


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(OpeningError, match="No such file"):
        load_openings(OpeningSource("/no/file"), ["Base"], 1, 0)


def test_order_plies_and_start(tmp_path: Path) -> None:
    path = tmp_path / "book.txt"
    path.write_text(FILE)
    in_order = OpeningSource(str(path), "sequential")
    assert [o[0] for o in load_openings(in_order, ["Base"], 2, 0)["Base"]] == ["wS1", "wA1"]
    second = OpeningSource(str(path), "sequential", start=2)
    assert [o[0] for o in load_openings(second, ["Base"], 2, 0)["Base"]] == ["wA1", "wS1"]
    short = OpeningSource(str(path), "sequential", plies=2)
    assert load_openings(short, ["Base"], 2, 0)["Base"][0] == ("wS1", "bS1 wS1-")
    none = OpeningSource(str(path), "sequential", plies=0)
    assert load_openings(none, ["Base"], 2, 0)["Base"] == [()]
    with pytest.raises(OpeningError, match="opening 3 is to be first, but there are 2"):
        load_openings(OpeningSource(str(path), start=3), ["Base"], 2, 0)


def test_a_random_order_follows_the_seed(openings: str) -> None:
    source = OpeningSource(openings)
    orders = {tuple(load_openings(source, ["Base"], 2, seed)["Base"]) for seed in range(20)}
    assert len(orders) > 10
    assert tuple(load_openings(source, ["Base"], 2, 3)["Base"]) in orders


def test_random_openings_are_legal_distinct_and_follow_the_seed() -> None:
    source = OpeningSource(random_plies=5)
    suite = load_openings(source, ["Base+MLP"], 40, 1)["Base+MLP"]
    assert suite == load_openings(source, ["Base+MLP"], 40, 1)["Base+MLP"]
    assert suite != load_openings(source, ["Base+MLP"], 40, 2)["Base+MLP"]
    games = [parse_game("Base+MLP;;;" + ";".join(moves)) for moves in suite]
    assert {game.ply for game in games} == {5}
    assert len({symmetry_key(game) for game in games}) == 40


def test_where_few_openings_exist_few_are_returned() -> None:
    assert len(random_openings("Base", 1, 99, random.Random(0))) == 4  # S, B, G, A


def test_the_twelve_symmetries_share_a_key() -> None:
    # The same bent line of three, laid in each of its orientations.
    ways = []
    neighbours = ["wS1-", "wS1\\", "/wS1", "-wS1", "\\wS1", "wS1/"]
    third = ["bS1-", "bS1\\", "/bS1", "-bS1", "\\bS1", "bS1/"]
    for turn in range(6):
        for bend in (1, -1):
            ways.append(f"Base;;;wS1;bS1 {neighbours[turn]};wA1 {_opposite(third, turn, bend)}")
    keys = {symmetry_key(parse_game(way.replace("bS1", "bS1"))) for way in ways}
    assert len(set(ways)) == 12
    assert len(keys) == 1


def _opposite(third: list[str], turn: int, bend: int) -> str:
    """Return where White's second piece goes: beside wS1, away from bS1, one sixth aside."""
    return third[(turn + 3 + bend) % 6].replace("bS1", "wS1")


def test_other_positions_have_other_keys() -> None:
    texts = ["Base;;;wS1;bS1 wS1-", "Base;;;wA1;bS1 wA1-", "Base;;;wS1;bA1 wS1-", "Base;;;wS1"]
    straight = "Base;;;wS1;bS1 wS1-;wA1 -wS1"
    bent = "Base;;;wS1;bS1 wS1-;wA1 \\wS1"
    keys = [symmetry_key(parse_game(text)) for text in [*texts, straight, bent]]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("game_type", GAME_TYPES)
def test_the_shipped_suite_serves_every_game_type(game_type: str) -> None:
    suite = load_openings(OpeningSource(), [game_type], 1, 0)[game_type]
    assert len(suite) >= 50
    games = [parse_game(f"{game_type};;;{';'.join(moves)}") for moves in suite]
    assert all(4 <= game.ply <= 8 and not game.state.is_over for game in games)
    assert len({symmetry_key(game) for game in games}) == len(games)


def test_the_shipped_suite_of_all_expansions_uses_them() -> None:
    assert set(SHIPPED) == {"Base", "Base+MLP"}
    suite = load_openings(OpeningSource(), ["Base+MLP"], 1, 0)["Base+MLP"]
    pieces = {move.split()[0][1] for moves in suite for move in moves}
    assert pieces == set("QSBGAMLP")
