"""Fitting weights to a few games: better than a constant, and a message for what can't be read."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from uhp_engine.game import Game
from uhp_engine.search.evaluation import BLOCK
from uhp_engine.search.limits import Limits
from uhp_engine.search.model import new_models
from uhp_engine.search.network import NETWORK
from uhp_engine.search.policy import SLOTS
from uhp_engine.search.searcher import Searcher
from uhp_engine.training.fit import entropy, fit_policy, fit_value, policy_loss, value_loss
from uhp_engine.training.network import loss_of, train
from uhp_engine.training.positions import collect
from uhp_engine.training.records import read
from uhp_engine.training.selfplay import play_game

GAMES = Path(__file__).parents[1] / "data" / "real_games.tsv"


@pytest.fixture(scope="module")
def data():
    with GAMES.open(encoding="utf-8") as file:
        return collect(line for number, line in enumerate(file) if number < 60)


def test_a_resigning_last_move_is_left_out():
    """In 17 % of decided games the loser's own last move surrounds its queen."""
    with GAMES.open(encoding="utf-8") as file:
        lines = [line for number, line in enumerate(file) if number < 300]
    dropped = 0
    for line in lines:
        text, result = line.split("\t")[:2]
        for record in read([line]):
            game = record.game
            moves = len(text.split(";")) - 3
            assert game.ply in (moves, moves - 1)
            if game.ply < moves:
                dropped += 1
                assert not game.state.is_over
                assert result.endswith("Wins")
    assert dropped > 0


def test_shapes(data):
    value, policy = data
    assert value.counts.shape == (len(value.results), 2 * BLOCK)
    assert set(np.unique(value.results)) <= {0.0, 0.5, 1.0}
    assert policy.starts[-1] == len(policy.slots)
    assert np.allclose(np.add.reduceat(policy.shares, policy.starts[:-1]), 1.0)
    assert policy.slots.max() < SLOTS


def test_the_fit_beats_a_constant(data):
    value, policy = data
    weights = fit_value(value)
    constant = value_loss(np.zeros(1 + 2 * BLOCK), value.counts, value.results)
    assert value_loss(weights, value.counts, value.results) < constant - 0.05
    moves = fit_policy(policy)
    flat, _ = policy_loss(np.zeros(SLOTS), policy)
    fitted, first = policy_loss(moves, policy)
    assert fitted < flat - 0.3
    assert first > 0.1


def test_self_play_is_a_source_too():
    """Values are the result and the search's mixed; shares are visits."""
    played = [play_game(number, 32, seed=3) for number in range(3)]
    assert played[0] == play_game(0, 32, seed=3)
    records = list(read(json.dumps(game) for game in played))
    assert [record.game.ply for record in records] == [len(game["search"]) for game in played]
    value, policy = collect(json.dumps(game) for game in played)
    assert value.counts.shape == (len(value.results), 2 * BLOCK)
    assert ((value.results >= 0) & (value.results <= 1)).all()
    assert len(np.unique(value.results)) > 10
    assert np.allclose(np.add.reduceat(policy.shares, policy.starts[:-1]), 1.0)
    assert policy.shares.max() < 1.0


def test_a_network_beats_a_constant_and_plays(data, tmp_path):
    value, _ = data
    network = train(value, epochs=30, seed=1)
    assert np.array_equal(network, train(value, epochs=30, seed=1))
    assert loss_of(network, value) < entropy(value.results) - 0.05
    models = new_models()
    for name in NETWORK.names:
        models[name] = network[name]
    searcher = Searcher(memory_mib=16)
    searcher.models = models
    game = Game("Base+MLP")
    assert searcher.search(game, Limits(simulations=200)).move in game.legal_moves()


def run_self_play(path: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "uhp_engine.training.selfplay", str(path)]
    command += ["--games", "2", "--simulations", "16"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_self_play_goes_on_where_it_was_cut_off(tmp_path):
    path = tmp_path / "games.jsonl"
    assert run_self_play(path).returncode == 0
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) * 2 // 3])
    assert run_self_play(path).returncode == 0
    assert path.read_bytes() == whole


@pytest.mark.parametrize("content", ["one line without an end", "some\nlines\n", '{"a":1}\n'])
def test_self_play_leaves_other_files_alone(tmp_path, content):
    path = tmp_path / "notes.txt"
    path.write_text(content)
    done = run_self_play(path)
    assert done.returncode == 1
    assert "no file of self-play games" in done.stderr
    assert path.read_text() == content


def test_self_play_does_not_mix_settings(tmp_path):
    path = tmp_path / "games.jsonl"
    path.write_text('{"number":0,"simulations":99,"seed":4}\n')
    done = run_self_play(path)
    assert done.returncode == 1
    assert "--simulations 99 --seed 4" in done.stderr


def test_a_proof_is_the_value_of_a_position():
    """Half of a target is the search's value: a proven win is worth a whole point."""
    records = [play_game(number, 200, seed=8) for number in range(4)]
    last = [[entry for entry in record["search"] if entry][-1] for record in records]
    assert any(value == 1.0 for value, _ in last)


def test_a_single_game_is_too_few_to_train_on(tmp_path):
    path = tmp_path / "games.jsonl"
    path.write_text(json.dumps(play_game(0, 16, seed=3)) + "\n")
    done = subprocess.run(
        [
            *(sys.executable, "-m", "uhp_engine.training.network", str(path)),
            *("--save", str(tmp_path / "network.npy")),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "too few" in done.stderr
    assert not (tmp_path / "network.npy").exists()


@pytest.mark.parametrize("content", [None, "", "nonsense\tWhiteWins\n"])
def test_what_cannot_be_read_is_a_line(tmp_path, content):
    path = tmp_path / "games.tsv"
    if content is not None:
        path.write_text(content)
    done = subprocess.run(
        [sys.executable, "-m", "uhp_engine.training.fit", str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert str(path) in done.stderr
    assert "Traceback" not in done.stderr
