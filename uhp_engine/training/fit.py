"""Fit the classic weights to games: `python -m uhp_engine.training.fit GAMES ...`.

The value is a logistic regression of results on an evaluation's counts; the policy a conditional
logit (McFadden 1974) of the choice among the legal moves. Both with a small quadratic penalty,
on nine games of ten; the tenth is for the figures that are printed. Needs scipy (extra `train`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import chain
from pathlib import Path

import click
import numpy as np

from .. import warmup
from ..search.evaluation import BLOCK
from ..search.policy import SLOTS
from .positions import PolicyData, ValueData, collect

VALUE_PENALTY = 2e-5
POLICY_PENALTY = 1e-6
HELD_OUT = 10  # every tenth game
# The search does best with priors flatter than the choices they were fitted to (docs/strength.md).
PRIOR_SHARPNESS = 0.6


def _minimise(loss: Callable[[np.ndarray], tuple[float, np.ndarray]], size: int) -> np.ndarray:
    from scipy.optimize import minimize

    found = minimize(loss, np.zeros(size), jac=True, method="L-BFGS-B", options={"maxiter": 200})
    return np.asarray(found.x)


def value_loss(weights: np.ndarray, counts: np.ndarray, results: np.ndarray) -> float:
    """Return the mean cross-entropy in nats; weights[0] is the bias."""
    logits = counts @ weights[1:] + weights[0]
    return float(np.mean(np.logaddexp(0.0, logits) - results * logits))


def fit_value(data: ValueData) -> np.ndarray:
    """Return the bias and the weights of the counts, in logits of the expected result."""
    counts = data.counts.astype(np.float64)

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        logits = counts @ weights[1:] + weights[0]
        error = 1.0 / (1.0 + np.exp(-logits)) - data.results
        value = np.mean(np.logaddexp(0.0, logits) - data.results * logits)
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


def lines_of(paths: tuple[Path, ...]) -> Iterator[str]:
    """Yield the lines of some files, one file after the other."""
    with ExitStack() as stack:
        files = [stack.enter_context(path.open(encoding="utf-8")) for path in paths]
        yield from chain.from_iterable(files)


def entropy(shares: np.ndarray) -> float:
    """Return the cross-entropy of a constant in nats."""
    mean = shares.mean()
    return float(-(mean * np.log(mean) + (1 - mean) * np.log(1 - mean)))


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--save", type=click.Path(path_type=Path), help="Write the weights to an .npz, too.")
def main(paths: tuple[Path, ...], save: Path | None) -> None:
    """Fit both tables to games and print them; what was reached goes to standard error.

    PATHS are files of people's games (GameString, tab, result) or of self-play.
    """
    try:
        import scipy.optimize  # noqa: F401 - asked for now, not after minutes of reading
    except ImportError:
        raise click.ClickException("fitting needs scipy: pip install 'uhp-engine[train]'") from None
    warmup.load()
    try:
        value, policy = collect(lines_of(paths))
    except (OSError, ValueError) as error:
        raise click.ClickException(f"{', '.join(map(str, paths))}: {error}") from None
    held = value.games % HELD_OUT == 0
    if held.all():
        raise click.ClickException(f"{len(np.unique(value.games))} games are too few to fit to")
    weights = fit_value(value.where(~held))
    print("BIAS =", f"{weights[0]:.3f}")
    print(table("_VALUE", weights[1:]))
    click.echo(
        f"value: {len(value.results)} positions; held out: cross-entropy "
        f"{value_loss(weights, value.counts[held], value.results[held]):.4f}, "
        f"of a constant {entropy(value.results[held]):.4f}",
        err=True,
    )
    held = policy.games % HELD_OUT == 0
    moves = fit_policy(policy.where(~held))
    print(table("_POLICY", PRIOR_SHARPNESS * moves))
    loss, first = policy_loss(moves, policy.where(held))
    flat, _ = policy_loss(np.zeros(SLOTS), policy.where(held))
    click.echo(
        f"policy: {len(policy.games)} decisions; held out: cross-entropy {loss:.4f}, of a flat "
        f"guess {flat:.4f}; the first choice is the best move in {first:.1%}",
        err=True,
    )
    if save:
        with save.open("wb") as file:
            np.savez(file, bias=weights[0], value=weights[1:], policy=PRIOR_SHARPNESS * moves)


if __name__ == "__main__":
    main()
