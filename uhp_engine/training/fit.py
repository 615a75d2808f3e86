"""Fit the classic weights to games: `python -m uhp_engine.training.fit GAMES.tsv`.

The value is a logistic regression of results on an evaluation's counts; the policy a conditional
logit (McFadden 1974) of the move played among the legal ones. Both with a small quadratic penalty,
on nine games of ten; the tenth is for the figures that are printed. Needs scipy (extra `train`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

from .. import warmup
from ..search.evaluation import BLOCK
from ..search.policy import SLOTS
from .positions import PolicyData, ValueData, collect

VALUE_PENALTY = 2e-5
POLICY_PENALTY = 1e-6
HELD_OUT = 10  # every tenth game


def _minimise(loss: Callable[[np.ndarray], tuple[float, np.ndarray]], size: int) -> np.ndarray:
    from scipy.optimize import minimize

    found = minimize(loss, np.zeros(size), jac=True, method="L-BFGS-B", options={"maxiter": 200})
    return np.asarray(found.x)


def value_loss(weights: np.ndarray, counts: np.ndarray, results: np.ndarray) -> float:
    """Return the mean cross-entropy in nats; weights[0] is the bias."""
    chance = 1.0 / (1.0 + np.exp(-(counts @ weights[1:] + weights[0])))
    return float(-np.mean(results * np.log(chance) + (1 - results) * np.log(1 - chance)))


def fit_value(data: ValueData) -> np.ndarray:
    """Return the bias and the weights of the counts, in logits of the expected result."""
    counts = data.counts.astype(np.float64)

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        logits = counts @ weights[1:] + weights[0]
        chance = 1.0 / (1.0 + np.exp(-logits))
        error = chance - data.results
        softplus = np.logaddexp(0.0, logits)
        value = np.mean(softplus - data.results * logits) + VALUE_PENALTY * weights @ weights
        slope = np.concatenate([[error.mean()], error @ counts / len(error)])
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
    """Return the mean cross-entropy in nats, and how often the first choice was the move played."""
    scores = _move_scores(weights, data.slots)
    _, logs = _shares(scores, data.starts)
    best = np.maximum.reduceat(scores, data.starts[:-1])
    return float(np.mean(logs - scores[data.chosen])), float(np.mean(scores[data.chosen] >= best))


def fit_policy(data: PolicyData) -> np.ndarray:
    """Return the weights of the moves' features."""
    decisions = len(data.chosen)
    played = np.bincount(data.slots[data.chosen].ravel() + 1, minlength=SLOTS + 1)[1:]

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        scores = _move_scores(weights, data.slots)
        shares, logs = _shares(scores, data.starts)
        expected = np.zeros(SLOTS + 1)
        for column in range(data.slots.shape[1]):
            expected += np.bincount(data.slots[:, column] + 1, weights=shares, minlength=SLOTS + 1)
        value = np.mean(logs - scores[data.chosen]) + POLICY_PENALTY * weights @ weights
        slope = (expected[1:] - played) / decisions + 2 * POLICY_PENALTY * weights
        return float(value), slope

    return _minimise(loss, SLOTS)


def split_policy(data: PolicyData, wanted: np.ndarray) -> PolicyData:
    """Return the decisions for which `wanted`, a bool array, holds."""
    sizes = np.diff(data.starts)
    rows = np.repeat(wanted, sizes)
    starts = np.concatenate([[0], np.cumsum(sizes[wanted])])
    offset = data.chosen - data.starts[:-1]
    return PolicyData(data.slots[rows], starts, starts[:-1] + offset[wanted], data.games[wanted])


def table(name: str, weights: np.ndarray) -> str:
    """Return weights as lines of Python for search/weights.py."""
    rows = [
        "    " + ", ".join(f"{weight:.3f}" for weight in weights[start : start + 8]) + ","
        for start in range(0, len(weights), 8)
    ]
    return "\n".join([f"{name} = (", *rows, ")"])


def main() -> None:
    """Fit both tables and print them; what was reached goes to standard error."""
    if len(sys.argv) != 2:
        sys.exit("usage: python -m uhp_engine.training.fit GAMES.tsv")
    try:
        import scipy.optimize  # noqa: F401 - asked for now, not after minutes of reading
    except ImportError:
        sys.exit("fitting needs scipy: pip install 'uhp-engine[train]'")
    warmup.load()
    try:
        with Path(sys.argv[1]).open(encoding="utf-8") as file:
            value, policy = collect(file)
    except (OSError, ValueError) as error:
        sys.exit(f"{sys.argv[1]}: {error}")
    held = value.games % HELD_OUT == 0
    weights = fit_value(ValueData(value.counts[~held], value.results[~held], value.games[~held]))
    print("BIAS =", f"{weights[0]:.3f}")
    print(table("_VALUE", weights[1:]))
    base = value.results[held].mean()
    constant = -(base * np.log(base) + (1 - base) * np.log(1 - base))
    print(
        f"value: {len(value.results)} positions; held out: cross-entropy "
        f"{value_loss(weights, value.counts[held], value.results[held]):.4f}, "
        f"of a constant {constant:.4f}",
        file=sys.stderr,
    )
    held = policy.games % HELD_OUT == 0
    moves = fit_policy(split_policy(policy, ~held))
    print(table("_POLICY", moves))
    loss, first = policy_loss(moves, split_policy(policy, held))
    flat, _ = policy_loss(np.zeros(SLOTS), split_policy(policy, held))
    print(
        f"policy: {len(policy.chosen)} decisions; held out: cross-entropy {loss:.4f}, of a flat "
        f"guess {flat:.4f}; the first choice is the move played in {first:.1%}",
        file=sys.stderr,
    )


if __name__ == "__main__":
    main()
