"""Fitting weights to a few games: better than a constant, and a message for what can't be read."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from uhp_engine.search.evaluation import BLOCK
from uhp_engine.search.policy import SLOTS
from uhp_engine.training.fit import fit_policy, fit_value, policy_loss, value_loss
from uhp_engine.training.positions import collect, replays

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
        for game, _ in replays([line]):
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
    assert (policy.chosen >= policy.starts[:-1]).all()
    assert (policy.chosen < policy.starts[1:]).all()
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
