"""Fitting weights to a few games: better than a constant."""

from __future__ import annotations

import numpy as np

from uhp_engine.search.shapes import BLOCK, SLOTS
from uhp_engine.training.classic import (
    entropy,
    fit_policy,
    fit_value,
    flat_loss,
    policy_loss,
    value_loss,
)


def test_the_fit_beats_a_constant(people):
    values, decisions = people
    weights = fit_value(values)
    assert value_loss(np.zeros(1 + 2 * BLOCK), values) > entropy(values.points) - 1e-9
    assert value_loss(weights, values) < entropy(values.points) - 0.05
    moves = fit_policy(decisions)
    flat, _ = policy_loss(np.zeros(SLOTS), decisions)
    assert np.isclose(flat, flat_loss(decisions))
    fitted, first = policy_loss(moves, decisions)
    assert fitted < flat - 0.3
    assert first > 0.1
