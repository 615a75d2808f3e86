"""Train the network of the learned evaluation: `python -m uhp_engine.training.network GAMES ...`.

Stochastic gradient descent on the cross-entropy, by AdamW (Loshchilov and Hutter 2019, algorithm
2) with a rate that rises and falls once; on nine games of ten, the tenth for the figures that are
printed. The network is small enough for numpy alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import click
import numpy as np

from .. import warmup
from ..core.layout import HIDDEN_UNITS
from ..search.evaluation import BLOCK
from ..search.network import NETWORK, SHIPPED, logits
from .fit import HELD_OUT, entropy, lines_of
from .positions import ValueData, collect_values

BATCH = 2048
RATE = 4e-3
DECAY = 0.01
BETA_1, BETA_2, EPSILON = 0.9, 0.999, 1e-8
LEAST_SPREAD = 0.05


def loss_of(network: np.ndarray, data: ValueData) -> float:
    """Return the mean cross-entropy in nats."""
    said = logits(network, data.counts)
    return float(np.mean(np.logaddexp(0.0, said) - data.results * said))


class _Adam:
    """Parameters and the moments of their gradients."""

    def __init__(self, parameters: list[np.ndarray]) -> None:
        self.parameters = parameters
        self.first = [np.zeros_like(array) for array in parameters]
        self.second = [np.zeros_like(array) for array in parameters]
        self.steps = 0

    def step(self, gradients: list[np.ndarray], rate: float) -> None:
        """Move the parameters against the gradients, and shrink them."""
        self.steps += 1
        correction = np.sqrt(1 - BETA_2**self.steps) / (1 - BETA_1**self.steps)
        for array, slope, first, second in zip(
            self.parameters, gradients, self.first, self.second, strict=True
        ):
            first += (1 - BETA_1) * (slope - first)
            second += (1 - BETA_2) * (slope * slope - second)
            array -= rate * (correction * first / (np.sqrt(second) + EPSILON) + DECAY * array)


def _rate(progress: float) -> float:
    """Return the rate at a share of the way: up from little for a third, down to nothing."""
    if progress < 0.3:
        return RATE * (0.04 + 0.96 * progress / 0.3)
    return RATE * 0.5 * (1 + math.cos(math.pi * (progress - 0.3) / 0.7))


def _batches(size: int, epochs: int, random: np.random.Generator) -> Iterator[np.ndarray]:
    for _ in range(epochs):
        order = random.permutation(size)
        for start in range(0, max(size - BATCH + 1, 1), BATCH):
            yield order[start : start + BATCH]


def train(data: ValueData, epochs: int, seed: int) -> np.ndarray:
    """Return an array of one NETWORK fitted to positions."""
    random = np.random.default_rng(seed)
    spread = data.counts.std(axis=0, dtype=np.float32) + np.float32(LEAST_SPREAD)
    results = data.results.astype(np.float32)
    width = 2 * BLOCK
    weights_1 = random.uniform(-1, 1, (width, HIDDEN_UNITS)).astype(np.float32) / np.sqrt(width)
    bias_1 = np.zeros(HIDDEN_UNITS, dtype=np.float32)
    weights_2 = random.uniform(-1, 1, HIDDEN_UNITS).astype(np.float32) / np.sqrt(HIDDEN_UNITS)
    bias_2 = np.zeros(1, dtype=np.float32)
    adam = _Adam([weights_1, bias_1, weights_2, bias_2])
    steps = epochs * max(len(results) // BATCH, 1)
    for rows in _batches(len(results), epochs, random):
        inputs = data.counts[rows].astype(np.float32) / spread
        hidden = np.maximum(inputs @ weights_1 + bias_1, 0)
        said = hidden @ weights_2 + bias_2
        error = (1 / (1 + np.exp(-said)) - results[rows]) / len(rows)
        back = np.outer(error, weights_2) * (hidden > 0)
        slopes = [inputs.T @ back, back.sum(0), hidden.T @ error, error.sum(keepdims=True)]
        adam.step(slopes, _rate(adam.steps / steps))
    network = np.zeros(1, dtype=NETWORK)
    network["hidden_weights"] = weights_1 / spread[:, None]
    network["hidden_bias"] = bias_1
    network["output_weights"] = weights_2
    network["output_bias"] = bias_2
    return network


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--save",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    required=True,
    help=f"Where to write it; the engine's own is {SHIPPED.name} in the folder uhp_engine/search.",
)
@click.option("--epochs", type=click.IntRange(1), default=15, show_default=True)
@click.option("--seed", default=0, show_default=True)
def main(paths: tuple[Path, ...], save: Path, epochs: int, seed: int) -> None:
    """Train on games and write the network; what was reached goes to standard error.

    PATHS are files of self-play or of people's games (GameString, tab, result).
    """
    warmup.load()
    try:
        data = collect_values(lines_of(paths))
    except (OSError, ValueError) as error:
        raise click.ClickException(f"{', '.join(map(str, paths))}: {error}") from None
    held = data.games % HELD_OUT == 0
    if held.all():
        raise click.ClickException(f"{len(np.unique(data.games))} games are too few to train on")
    network = train(data.where(~held), epochs, seed)
    click.echo(
        f"{len(data.results)} positions of {len(np.unique(data.games))} games; held out: "
        f"cross-entropy {loss_of(network, data.where(held)):.4f}, of a constant "
        f"{entropy(data.results[held]):.4f}",
        err=True,
    )
    try:
        with save.open("wb") as file:
            np.save(file, network)
    except OSError as error:
        raise click.ClickException(f"{save}: {error.strerror}") from None


if __name__ == "__main__":
    main()
