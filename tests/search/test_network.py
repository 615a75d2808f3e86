"""The learned evaluation: the kernel says what the file says, and other files are refused."""

from __future__ import annotations

import random

import numpy as np
import pytest

from uhp_engine.bench.kernels import evaluate
from uhp_engine.game import Game
from uhp_engine.search.evaluation import inputs_at
from uhp_engine.search.limits import Limits
from uhp_engine.search.model import CLASSIC, LEARNED, new_models
from uhp_engine.search.network import ARRAYS, SHIPPED, load_network, save_network, shares
from uhp_engine.search.searcher import Searcher
from uhp_engine.search.shapes import BLOCK, MOST_ROWS


def positions(count: int):
    """Yield random positions of all game types in turn."""
    from uhp_engine.core.pieces import GAME_TYPES

    dice = random.Random(5)
    while count > 0:
        game = Game(GAME_TYPES[count % len(GAME_TYPES)])
        for _ in range(dice.randint(0, 60)):
            if game.state.is_over:
                break
            game.play(dice.choice(game.legal_moves()))
        if not game.state.is_over:
            yield game
            count -= 1


def test_the_kernel_says_what_the_file_says():
    network = load_network()
    models = new_models()
    seen = 0
    for game in positions(400):
        counts = np.zeros(2 * BLOCK, dtype=np.int64)
        rows = np.zeros(MOST_ROWS, dtype=np.int64)
        if inputs_at(game.states, counts, rows):
            continue
        win, _, loss = shares(network, counts[None], rows[None])[0]
        assert evaluate(game.states, models, 1) == pytest.approx(win - loss, abs=1e-5)
        seen += 1
    assert seen > 300


def test_the_shipped_network_is_small_and_used_by_default():
    assert SHIPPED.stat().st_size < 2_000_000
    assert new_models()["learned"][0] == 1
    assert new_models(CLASSIC)["learned"][0] == 0
    assert Searcher().evaluation == LEARNED


def test_both_evaluations_search():
    game = Game("Base+MLP")
    for _ in range(6):
        game.play(game.legal_moves()[0])
    found = [
        Searcher(memory_mib=64, evaluation=name).search(game, Limits(simulations=2000))
        for name in (LEARNED, CLASSIC)
    ]
    assert all(result.simulations == 2000 for result in found)
    assert found[0].best.value != found[1].best.value


def test_another_file_is_refused(tmp_path):
    path = tmp_path / "other.npz"
    path.write_bytes(b"nothing of the kind")
    with pytest.raises(ValueError, match="is no network"):
        load_network(path)
    np.save(tmp_path / "other.npy", np.zeros(3))
    with pytest.raises(ValueError, match="is no network"):
        load_network(tmp_path / "other.npy")


@pytest.mark.parametrize("name", ARRAYS)
def test_a_network_of_another_shape_is_refused(tmp_path, name):
    path = tmp_path / "other.npz"
    network = load_network()
    save_network(path, {**network, name: network[name][..., :-1]})
    with pytest.raises(ValueError, match=f"{name} has the shape"):
        load_network(path)
    save_network(path, {**network, name: network[name] * np.float32("nan")})
    with pytest.raises(ValueError, match="no number"):
        load_network(path)
    np.savez(path, **{other: array for other, array in network.items() if other != name})
    with pytest.raises(ValueError, match=name):
        load_network(path)


def test_a_network_that_is_read_is_the_one_that_was_written(tmp_path):
    path = tmp_path / "same.npz"
    network = load_network()
    save_network(path, network)
    again = load_network(path)
    assert again.keys() == network.keys()
    assert all(np.array_equal(again[name], network[name]) for name in network)
