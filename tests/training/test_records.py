"""Where games come from: people's files, self-play, and what of a game counts."""

from __future__ import annotations

import random
import re
from pathlib import Path

import numpy as np
import pytest

from uhp_engine.search.network import SHIPPED, load_network, save_network
from uhp_engine.training.positions import collect
from uhp_engine.training.records import of_people, of_self_play, read
from uhp_engine.training.selfplay import Settings, play_game, players
from uhp_engine.training.store import GameWriter, packed

GAMES = Path(__file__).parents[1] / "data" / "real_games.tsv"
SETTINGS = Settings(simulations=32, fast_simulations=8, full_share=0.7, seed=3)


def play(number: int, settings: Settings) -> dict:
    return play_game(number, settings, settings.networks())


def test_a_resigning_last_move_is_left_out():
    """In 17 % of decided games the loser's own last move surrounds its queen."""
    with GAMES.open(encoding="utf-8") as file:
        lines = [line for number, line in enumerate(file) if number < 300]
    dropped = 0
    for line in lines:
        text, result = line.split("\t")[:2]
        for record in of_people([line]):
            game = record.game
            moves = len(text.split(";")) - 3
            assert game.ply in (moves, moves - 1)
            if game.ply < moves:
                dropped += 1
                assert not game.state.is_over
                assert result.endswith("Wins")
    assert dropped > 0


@pytest.mark.parametrize(
    "line", ["", "nonsense", "nonsense\tWhiteWins", "Base;NotStarted;White[1]\t?"]
)
def test_lines_of_people_that_say_nothing_are_left_out(line):
    assert list(of_people([line])) == []


def test_lines_that_are_left_out_are_counted(tmp_path):
    path = tmp_path / "games.tsv"
    good = GAMES.read_text(encoding="utf-8").splitlines(True)[:2]
    path.write_text(good[0] + "nonsense\tWhiteWins\n\n" + good[1] + "Base;NotStarted;White[1]\t?\n")
    told = []
    assert len(list(read([path], lambda *what: told.append(what)))) == 2
    assert told == [(path, 2)]
    told.clear()
    path.write_text("".join(good))
    assert len(list(read([path], lambda *what: told.append(what)))) == 2
    assert told == []


def test_a_game_depends_on_its_number_and_the_settings():
    assert play(1, SETTINGS) == play(1, SETTINGS)
    assert play(1, SETTINGS)["game"] != play(2, SETTINGS)["game"]
    other = Settings(simulations=32, fast_simulations=8, full_share=0.7, seed=4)
    assert play(1, SETTINGS)["game"] != play(1, other)["game"]


def test_only_full_searches_are_kept():
    """Of the plies that were searched about the share wanted; none of it where all are fast."""
    games = [play(number, SETTINGS) for number in range(4)]
    searched = sum(entry is not None for game in games for entry in game["search"])
    plies = sum(len(game["search"]) for game in games)
    assert 0.4 * plies < searched < 0.85 * plies
    fast = play(1, Settings(simulations=32, fast_simulations=8, full_share=0.0, seed=3))
    assert set(fast["search"]) == {None}


def test_an_older_network_plays_one_side(tmp_path):
    """White in half of the games, where the share is all; the file says who played."""
    older = tmp_path / "older.npz"
    network = load_network()
    network["hidden_bias"] = network["hidden_bias"] + 1
    save_network(older, network)
    settings = Settings(pool_share=1.0, pool=(older,))
    sides = []
    for number in range(20):
        both = players(settings, settings.networks(), random.Random(number))
        olds = [
            bool((side.models["hidden_bias"][0] == network["hidden_bias"]).all()) for side in both
        ]
        assert sum(olds) == 1
        sides.append(olds[0])
    assert 2 < sum(sides) < 18
    alone = Settings(pool_share=0.0, pool=(older,))
    first, second = players(alone, alone.networks(), random.Random(1))
    assert first is second
    assert (first.models["hidden_bias"][0] != network["hidden_bias"]).all()
    header = settings.header()
    assert header["pool"][0].startswith("older.npz ")
    assert header["network"].startswith(f"{SHIPPED.name} ")
    assert header["pool"][0].split()[1] != header["network"].split()[1]


def test_self_play_is_a_source(tmp_path):
    """Values are the search's; shares are visits."""
    path = tmp_path / "games.uhpgames"
    played = [play(number, SETTINGS) for number in range(3)]
    with GameWriter(path, SETTINGS.header()) as writer:
        for game in played:
            writer.add(packed(game))
    records = list(read([path]))
    assert [record.game.ply for record in records] == [len(game["search"]) for game in played]
    values, decisions = collect(records)
    assert len(np.unique(values.values)) > 10
    assert ((values.points >= 0) & (values.points <= 1)).all()
    assert np.allclose(np.add.reduceat(decisions.shares, decisions.starts[:-1]), 1.0)
    spread = (decisions.shares > 0) & (decisions.shares < 1)
    assert spread.sum() > 2 * len(decisions.games)


def test_a_proof_is_the_value_of_a_position():
    """A proven win is worth a whole point."""
    settings = Settings(simulations=200, full_share=1.0, seed=8)
    games = [play(number, settings) for number in range(4)]
    last = [[entry for entry in game["search"] if entry][-1] for game in games]
    assert any(value == 1.0 for value, _ in last)


def test_a_result_counts_from_the_last_blunder_on():
    game = play(0, SETTINGS)
    record = of_self_play({**game, "result": "WhiteWins", "first": 10})
    assert record.points_of(9, 0) is None
    assert record.points_of(10, 0) == 1.0
    assert record.points_of(11, 1) == 0.0
    unfinished = of_self_play({**game, "result": "InProgress"})
    assert unfinished.points_of(20, 0) is None


@pytest.mark.parametrize("change", [{"game": "?"}, {"search": []}, {"first": None}])
def test_a_broken_game_of_self_play_is_told(change):
    with pytest.raises(ValueError, match="game 0 of self-play"):
        of_self_play({**play(0, SETTINGS), **change})


@pytest.mark.parametrize("content", [b"", b"nonsense\tWhiteWins\n", b"\xff\xfe\x00", b"UHPGAME0"])
def test_a_file_without_a_game_is_named(tmp_path, content):
    path = tmp_path / "games"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=re.escape(str(path))):
        list(read([path]))


def test_a_mark_at_the_beginning_of_a_file_costs_no_game(tmp_path):
    path = tmp_path / "games.tsv"
    lines = GAMES.read_text(encoding="utf-8").splitlines(True)[:3]
    path.write_bytes("".join(lines).encode("utf-8-sig"))
    assert len(list(read([path]))) == 3
