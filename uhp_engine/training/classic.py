"""Fit linear weights to games, by scipy (extra `train`).

The value is a logistic regression of results on an evaluation's counts; the policy a conditional
logit (McFadden 1974) of the choice among the legal moves. Both with a small quadratic penalty.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..search.shapes import BLOCK, SLOTS
from .positions import PolicyData, ValueData

VALUE_PENALTY = 2e-5
POLICY_PENALTY = 1e-6
# The search does best with priors flatter than the choices they were fitted to (docs/strength.md).
PRIOR_SHARPNESS = 0.6


def _minimise(loss: Callable[[np.ndarray], tuple[float, np.ndarray]], size: int) -> np.ndarray:
    from scipy.optimize import minimize

    found = minimize(loss, np.zeros(size), jac=True, method="L-BFGS-B", options={"maxiter": 200})
    return np.asarray(found.x)


def value_loss(weights: np.ndarray, data: ValueData) -> float:
    """Return the mean cross-entropy in nats; weights[0] is the bias."""
    logits = data.counts @ weights[1:] + weights[0]
    return float(np.mean(np.logaddexp(0.0, logits) - data.points * logits))


def fit_value(data: ValueData) -> np.ndarray:
    """Return the bias and the weights of the counts, in logits of the expected result."""
    counts = data.counts.astype(np.float64)
    points = data.points

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        logits = counts @ weights[1:] + weights[0]
        error = 1.0 / (1.0 + np.exp(-logits)) - points
        value = np.mean(np.logaddexp(0.0, logits) - points * logits)
        slope = np.concatenate([[error.mean()], error @ counts / len(error)])
        value += VALUE_PENALTY * weights @ weights
        return float(value), slope + 2 * VALUE_PENALTY * weights

    return _minimise(loss, 1 + 2 * BLOCK)


def _move_scores(weights: np.ndarray, slots: np.ndarray) -> np.ndarray:
    padded = np.append(weights, 0.0)
    total: np.ndarray = padded[slots].sum(axis=1)
    return total


def _shares(scores: np.ndarray, starts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return each move's share within its decision, and each decision's log of summed weights."""
    sizes = np.diff(starts)
    top = np.maximum.reduceat(scores, starts[:-1])
    weights = np.exp(scores - np.repeat(top, sizes))
    sums = np.add.reduceat(weights, starts[:-1])
    return weights / np.repeat(sums, sizes), top + np.log(sums)


def policy_loss(weights: np.ndarray, data: PolicyData) -> tuple[float, float]:
    """Return the mean cross-entropy in nats, and how often the first choice is the best move."""
    scores = _move_scores(weights, data.slots)
    _, logs = _shares(scores, data.starts)
    chosen = np.add.reduceat(data.shares * scores, data.starts[:-1])
    best = np.repeat(np.maximum.reduceat(scores, data.starts[:-1]), np.diff(data.starts))
    most = np.repeat(np.maximum.reduceat(data.shares, data.starts[:-1]), np.diff(data.starts))
    hits = np.logical_or.reduceat((scores >= best) & (data.shares >= most), data.starts[:-1])
    return float(np.mean(logs - chosen)), float(np.mean(hits))


def fit_policy(data: PolicyData) -> np.ndarray:
    """Return the weights of the moves' features."""
    decisions = len(data.games)

    def summed(weights: np.ndarray) -> np.ndarray:
        totals = np.zeros(SLOTS + 1)
        for column in range(data.slots.shape[1]):
            totals += np.bincount(data.slots[:, column] + 1, weights=weights, minlength=SLOTS + 1)
        return totals[1:]

    chosen = summed(data.shares)

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        scores = _move_scores(weights, data.slots)
        shares, logs = _shares(scores, data.starts)
        value = np.mean(logs) - (data.shares @ scores) / decisions
        value += POLICY_PENALTY * weights @ weights
        return float(value), (summed(shares) - chosen) / decisions + 2 * POLICY_PENALTY * weights

    return _minimise(loss, SLOTS)


def table(name: str, weights: np.ndarray) -> str:
    """Return weights as lines of Python for search/weights.py."""
    rows = [
        "    " + ", ".join(f"{weight:.3f}" for weight in weights[start : start + 8]) + ","
        for start in range(0, len(weights), 8)
    ]
    return "\n".join([f"{name} = (", *rows, ")"])


def entropy(shares: np.ndarray) -> float:
    """Return the cross-entropy of a constant in nats."""
    mean = shares.mean()
    return float(-(mean * np.log(mean) + (1 - mean) * np.log(1 - mean)))


def flat_loss(data: PolicyData) -> float:
    """Return the mean cross-entropy in nats of priors that are all the same."""
    return float(np.mean(np.log(np.diff(data.starts))))


def report(values: ValueData, decisions: PolicyData) -> tuple[str, str]:
    """Fit both tables; return them as Python, and what was reached on what was held out.

    Raises:
        ValueError: there are too few games.
    """
    learned, held_out = values.split()
    weights = fit_value(learned)
    choices, choices_held_out = decisions.split()
    moves = fit_policy(choices)
    tables = [
        f"BIAS = {weights[0]:.3f}",
        table("_VALUE", weights[1:]),
        table("_POLICY", PRIOR_SHARPNESS * moves),
    ]
    loss, first = policy_loss(moves, choices_held_out)
    reached = [
        f"value: {len(values.values)} positions; held out: cross-entropy "
        f"{value_loss(weights, held_out):.4f}, of a constant {entropy(held_out.points):.4f}",
        f"policy: {len(decisions.games)} decisions; held out: cross-entropy {loss:.4f}, of a flat "
        f"guess {flat_loss(choices_held_out):.4f}; the first choice is the best move in "
        f"{first:.1%}",
    ]
    return "\n".join(tables), "\n".join(reached)
