"""The positions that benchmarks share: real, spread over plies and types, and where they say."""

from __future__ import annotations

from pathlib import Path

from uhp_engine.bench.positions import all_positions, one_of_each, ten_positions
from uhp_engine.core.pieces import GAME_TYPES
from uhp_engine.notation import format_game, parse_game

DATA = Path(__file__).parents[1] / "data"


def test_each_stands_in_its_source():
    for position in all_positions():
        file, _, number = position.source.partition(":")
        line = (DATA / file).read_text(encoding="utf-8").splitlines()[int(number) - 1]
        kind, _, _, *moves = line.split("\t")[0].split(";")
        beginning = parse_game(";".join([kind, "", "", *moves[: position.plies]]))
        assert format_game(beginning) == position.text


def test_twenty_middle_games_of_every_type():
    positions = all_positions()
    assert len({position.text for position in positions}) == len(positions) == 20
    assert len({position.name for position in positions}) == 20
    assert {position.game_type for position in positions} == set(GAME_TYPES)
    for position in positions:
        game = parse_game(position.text)
        assert game.ply == position.plies
        assert 12 <= game.ply <= 60
        assert len(game.legal_moves()) >= 20


def test_the_selections():
    assert len(ten_positions()) == 10
    assert {position.game_type for position in one_of_each()} == set(GAME_TYPES)
