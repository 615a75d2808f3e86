"""The loops that are measured do what they say."""

from __future__ import annotations

import numpy as np
import pytest

from uhp_engine.bench import kernels, micro
from uhp_engine.bench.positions import one_of_each
from uhp_engine.bench.spread import Spread, table
from uhp_engine.game import Game
from uhp_engine.notation import parse_game
from uhp_engine.search.evaluation import inputs_at
from uhp_engine.search.model import CLASSIC, new_models
from uhp_engine.search.policy import slots_at
from uhp_engine.search.shapes import BLOCK, MOST_PER_MOVE, MOST_ROWS

pytestmark = pytest.mark.usefixtures("compiled")


@pytest.fixture(scope="module")
def games() -> list[Game]:
    return [parse_game(position.text) for position in one_of_each()[3:6]]


def board_of(game: Game) -> tuple[bytes, ...]:
    names = ("top", "height", "around", "cell", "below", "hand", "side", "ply", "last", "key")
    return tuple(game.states[name].tobytes() for name in names)


def test_moves_are_made_and_taken_back(games):
    for game in games:
        before = board_of(game)
        assert kernels.make_and_unmake(game.states, 3) == 3 * len(game.legal_moves())
        assert kernels.list_moves(game.states, 2) == 2 * len(game.legal_moves())
        assert board_of(game) == before


def test_evaluations_are_the_searchs(games):
    models = new_models(CLASSIC)
    out = np.zeros(2 * BLOCK, dtype=np.int64)
    rows = np.zeros(MOST_ROWS, dtype=np.int64)
    for game in games:
        assert inputs_at(game.states, out, rows) == 0
        logit = models["bias"][0] + float(models["value"][0] @ out)
        total = kernels.evaluate(game.states, models, 2)
        assert total == pytest.approx(2 * np.tanh(0.5 * logit))


def test_priors_are_those_of_every_move(games):
    models = new_models()
    for game in games:
        moves, total = kernels.weigh_priors(game.states, models, 2)
        legal = game.legal_moves()
        slots = np.zeros((len(legal), MOST_PER_MOVE), dtype=np.int64)
        slots_at(game.states, np.array([move.code for move in legal]), slots)
        factors = np.append(models["policy"][0], 1.0)  # the last for slots that are unused
        assert moves == 2 * len(legal)
        assert total == pytest.approx(2 * factors[slots].prod(axis=1).sum())


def test_perft_counts_alike_in_both_ways(games):
    works = micro.works()
    for game in games:
        for key in ("perft_bulk", "perft_made"):
            assert works[key][1](game.states, 2) == 2 * game.perft(micro.PERFT_DEPTH)


def test_rates_of_everything_are_measured(games):
    found = {key: rate for key, _, rate in micro.measure([game.states for game in games], 2, 0.001)}
    assert found.keys() == micro.works().keys()
    assert all(0 < rate.least <= rate.median <= rate.most for rate in found.values())


def test_a_spread_has_a_median_and_ends():
    assert Spread.of([4, 1, 2, 9]) == Spread(3.0, 1, 9)
    assert Spread.of([5.0]).as_dict() == {"median": 5.0, "min": 5.0, "max": 5.0}
    with pytest.raises(ValueError, match="nothing was measured"):
        Spread.of([])


def test_a_table_aligns_its_columns():
    text = table(["name", "a", "b"], [["x", "1", "22"], ["longer", "333", "4"]])
    assert text.splitlines() == ["name      a   b", "x         1  22", "longer  333   4"]
