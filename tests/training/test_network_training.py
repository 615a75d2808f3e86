"""Training by torch: it finds something, stops, goes on, and says what the engine's kernel says."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import numpy as np
import pytest
import torch
from torch.nn import functional

from uhp_engine.bench.kernels import evaluate
from uhp_engine.game import Game
from uhp_engine.search.evaluation import inputs_at
from uhp_engine.search.limits import Limits
from uhp_engine.search.model import new_models
from uhp_engine.search.network import load_network, save_network, shares
from uhp_engine.search.searcher import Searcher
from uhp_engine.search.shapes import BLOCK, MOST_ROWS, TYPE_ROW
from uhp_engine.training.calibration import BINS, calibration, draw
from uhp_engine.training.fit import Fit
from uhp_engine.training.network import (
    Tensors,
    Training,
    ValueNetwork,
    constant_loss,
    losses,
    predictions,
)
from uhp_engine.training.positions import ValueData, replay
from uhp_engine.training.records import read

GAMES = Path(__file__).parents[1] / "data" / "real_games.tsv"
POSITIONS = 10_000


@pytest.fixture(scope="module")
def fitted(people):
    """Return a short fit that has run, and its epochs."""
    fit = Fit(*people, epochs=12, patience=12, seed=1)
    return fit, list(fit.run())


def test_what_is_learned_beats_a_constant(fitted, people):
    fit, epochs = fitted
    assert [epoch.number for epoch in epochs] == list(range(1, 13))
    learned, held_out = people[0].split()
    network = fit._training.network
    assert predictions(network, learned)[1] < constant_loss(learned) - 0.03
    assert min(epoch.held_out for epoch in epochs) == pytest.approx(
        predictions(network, held_out)[1]
    )


def test_a_constant_s_loss_is_the_least_that_a_constant_has(people):
    data = people[0]
    tensors = Tensors.of(data)
    least = constant_loss(data)
    for logits in np.random.default_rng(2).normal(size=(50, 3)).astype(np.float32):
        same = torch.from_numpy(logits).expand(len(data.values), 3)
        assert float(losses(same, tensors).mean()) > least - 1e-6


def test_the_engine_says_what_torch_says_on_ten_thousand_positions(fitted, tmp_path):
    """The file is written, read, and judged by the kernel, by numpy and by torch."""
    fit, _ = fitted
    path = tmp_path / "network.npz"
    save_network(path, fit.network())
    models = new_models(network=load_network(path))
    all_counts, all_rows, said = [], [], []
    counts = np.zeros(2 * BLOCK, dtype=np.int64)
    rows = np.zeros(MOST_ROWS, dtype=np.int64)
    with_places = 0
    for record in islice(read([GAMES]), 1000, None):
        for game, _ in replay(record.game):
            if not inputs_at(game.states, counts, rows):
                all_counts.append(counts.astype(np.int8))
                all_rows.append(rows.astype(np.int16))
                said.append(evaluate(game.states, models, 1))
                with_places += rows[0] >= TYPE_ROW and rows[1] >= 0
        if len(said) >= POSITIONS:
            break
    assert len(said) >= POSITIONS
    assert with_places > POSITIONS / 2
    network: ValueNetwork = fit._training.network
    with torch.no_grad():
        logits = network(
            torch.from_numpy(np.array(all_counts)), torch.from_numpy(np.array(all_rows))
        )
    by_torch = functional.softmax(logits, dim=1).numpy()
    difference = by_torch[:, 0] - by_torch[:, 2] - np.array(said)
    assert abs(difference).max() < 1e-3
    assert np.std(said) > 0.05
    by_numpy = shares(load_network(path), np.array(all_counts), np.array(all_rows))
    assert abs(by_numpy - by_torch).max() < 1e-3


def test_the_network_plays(fitted, tmp_path):
    path = tmp_path / "network.npz"
    save_network(path, fitted[0].network())
    game = Game("Base+MLP")
    result = Searcher(memory_mib=16, network=load_network(path)).search(
        game, Limits(simulations=200)
    )
    assert result.move in game.legal_moves()


def test_a_training_goes_on_from_its_checkpoint(people, tmp_path):
    learned, held_out = people[0].split()
    checkpoint = tmp_path / "checkpoint"
    whole = Training(learned, held_out, 4, 4, seed=1)
    expected = [(epoch.number, epoch.held_out) for epoch in whole.run()]
    first = Training(learned, held_out, 4, 4, 1, checkpoint)
    begun = [(epoch.number, epoch.held_out) for epoch in islice(first.run(), 2)]
    second = Training(learned, held_out, 4, 4, 1, checkpoint)
    assert second.done == 2
    rest = [(epoch.number, epoch.held_out) for epoch in second.run()]
    assert begun + rest == expected
    for name, array in whole.network.arrays().items():
        assert np.array_equal(array, second.network.arrays()[name])
    with pytest.raises(ValueError, match="other settings"):
        Training(learned, held_out, 4, 4, 2, checkpoint)
    with pytest.raises(ValueError, match="other games"):
        Training(held_out, learned, 4, 4, 1, checkpoint)
    checkpoint.write_bytes(checkpoint.read_bytes()[:-100])
    with pytest.raises(ValueError, match="damaged checkpoint"):
        Training(learned, held_out, 4, 4, 1, checkpoint)


def test_a_training_stops_without_gain(people):
    """What is held out contradicts what is learned: the first epochs are the best."""
    learned, _ = people[0].split()
    contrary = ValueData(
        learned.counts,
        learned.rows,
        learned.outcomes[:, ::-1].copy(),
        1 - learned.values,
        learned.games,
        learned.keys,
    )
    training = Training(learned, contrary, 50, 2, seed=1)
    epochs = list(training.run())
    assert len(epochs) < 50
    best = min(epochs, key=lambda epoch: epoch.held_out)
    assert epochs[-1].number - best.number == 2
    assert predictions(training.network, contrary)[1] == pytest.approx(best.held_out)


def test_calibration_by_hand(tmp_path):
    found = calibration(np.array([0.01, 0.05, 0.95, 1.0]), np.array([0.0, 0.5, 1.0, 1.0]))
    assert found.sizes.tolist() == [2] + [0] * (BINS - 2) + [2]
    assert found.expected[[0, -1]].tolist() == pytest.approx([0.03, 0.975])
    assert found.reached[[0, -1]].tolist() == pytest.approx([0.25, 1.0])
    assert found.error == pytest.approx((0.22 + 0.025) / 2)
    assert found.table().splitlines()[2:] == ["| 0.030 | 0.250 | 2 |", "| 0.975 | 1.000 | 2 |"]
    path = tmp_path / "calibration.png"
    draw(found, "by hand", path)
    assert path.read_bytes().startswith(b"\x89PNG\r\n")


def test_the_report_names_every_figure(fitted):
    fit, _ = fitted
    report = fit.report()
    for word in (
        "Value: loss",
        "of a constant",
        "calibration error",
        "Policy",
        "flat guess",
        "| expected",
    ):
        assert word in report
    assert fit.calibration.sizes.sum() > 100
