"""The network of the learned evaluation in torch: built, trained, turned into arrays for a file.

Needs torch (extra `train`); nothing that plays imports this.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from ..core.layout import HIDDEN_UNITS
from ..search.network import Network
from ..search.shapes import BLOCK, ROWS
from .positions import POINTS, RESULT_SHARE, ValueData

BATCH = 4096
LEAST_BATCH = 256  # of few positions a batch is a hundredth, but not less than so many
RATE = 6e-3
DECAY = 0.01
PLACE_DECAY = 5.0  # rows learn single games by heart where they may
LEAST_SPREAD = 0.05
SMALLEST = 1e-6


class ValueNetwork(nn.Module):
    """Counts and rows in, logits of win, draw and loss out.

    Args:
        spread: float array (2 * BLOCK,): the counts are divided by it.
    """

    spread: Tensor

    def __init__(self, spread: np.ndarray) -> None:
        super().__init__()
        self.register_buffer("spread", torch.from_numpy(spread.astype(np.float32)))
        self.counts = nn.Linear(2 * BLOCK, HIDDEN_UNITS)
        self.places = nn.EmbeddingBag(ROWS + 1, HIDDEN_UNITS, mode="sum", padding_idx=ROWS)
        self.output = nn.Linear(HIDDEN_UNITS, 3)
        # Most rows are rare: what is never seen is to say next to nothing.
        nn.init.normal_(self.places.weight, std=0.01)
        with torch.no_grad():
            self.places.weight[ROWS] = 0.0

    def forward(self, counts: Tensor, rows: Tensor) -> Tensor:
        """Return logits (positions, 3).

        Args:
            counts: (positions, 2 * BLOCK), see search/evaluation.py.
            rows: (positions, MOST_ROWS), see search/places.py; negative where unused.
        """
        rows = torch.where(rows < 0, ROWS, rows.long())
        hidden = self.counts(counts.float() / self.spread) + self.places(rows)
        logits: Tensor = self.output(functional.relu(hidden))
        return logits

    def arrays(self) -> Network:
        """Return the network's part of a file, see search/network.py."""
        with torch.no_grad():
            weights = {
                "count_weights": (self.counts.weight / self.spread).T,
                "place_weights": self.places.weight[:ROWS],
                "hidden_bias": self.counts.bias,
                "output_weights": self.output.weight.T,
                "output_bias": self.output.bias,
            }
            return {name: weight.numpy().copy() for name, weight in weights.items()}


@dataclass
class Tensors:
    """The arrays of a ValueData for torch."""

    counts: Tensor
    rows: Tensor
    outcomes: Tensor
    values: Tensor

    @classmethod
    def of(cls, data: ValueData) -> Tensors:
        """Share the arrays of positions."""
        arrays = (data.counts, data.rows, data.outcomes, data.values)
        return cls(*(torch.from_numpy(array) for array in arrays))

    def batch(self, wanted: Tensor | slice) -> Tensors:
        """Return some of the positions."""
        return Tensors(
            self.counts[wanted], self.rows[wanted], self.outcomes[wanted], self.values[wanted]
        )


def losses(logits: Tensor, data: Tensors) -> Tensor:
    """Return each position's loss in nats.

    Half the cross-entropy of the end's shares, half that of the points which a search expected;
    the whole of the latter where the end is not known.
    """
    shares = functional.log_softmax(logits, dim=1)
    points = (shares.exp() @ torch.tensor(POINTS)).clamp(SMALLEST, 1 - SMALLEST)
    values = -(data.values * points.log() + (1 - data.values) * (1 - points).log())
    known = RESULT_SHARE * data.outcomes.sum(dim=1)
    return -RESULT_SHARE * (data.outcomes * shares).sum(dim=1) + (1 - known) * values


def predictions(network: ValueNetwork, data: ValueData) -> tuple[np.ndarray, float]:
    """Return the shares of win, draw and loss, (positions, 3), and the mean loss."""
    tensors = Tensors.of(data)
    shares, total = [], 0.0
    with torch.no_grad():
        for start in range(0, len(data.values), BATCH):
            batch = tensors.batch(slice(start, start + BATCH))
            logits = network(batch.counts, batch.rows)
            shares.append(functional.softmax(logits, dim=1))
            total += float(losses(logits, batch).sum())
    return torch.cat(shares).numpy(), total / len(data.values)


def constant_loss(data: ValueData) -> float:
    """Return the mean loss of the best network that says the same of every position."""
    outcomes = data.outcomes.sum(axis=0)
    shares = (outcomes + 1) / (outcomes.sum() + 3)
    logits = torch.log(torch.from_numpy(shares)).float().requires_grad_()
    tensors = Tensors.of(data)

    def loss() -> Tensor:
        optimiser.zero_grad()
        mean = losses(logits.expand(len(data.values), 3), tensors).mean()
        mean.backward()  # type: ignore[no-untyped-call]
        return mean

    optimiser = torch.optim.LBFGS([logits], max_iter=50)
    optimiser.step(loss)  # type: ignore[no-untyped-call]
    return loss().item()


def _sum_of(data: ValueData) -> int:
    """Return a checksum of all that is learned from."""
    total = 0
    for array in (data.counts, data.rows, data.outcomes, data.values):
        total = zlib.crc32(array.tobytes(), total)
    return total


@dataclass
class Epoch:
    """What an epoch has reached.

    Attributes:
        number: from 1.
        learned: the mean loss on what is learned from, during the epoch.
        held_out: the mean loss on what is held out, after it.
        best: whether that is the least so far.
    """

    number: int
    learned: float
    held_out: float
    best: bool


class Training:
    """A network being trained by AdamW (Loshchilov and Hutter 2019, algorithm 2).

    The rate rises and falls once (Smith and Topin 2019). After each epoch all goes to a
    checkpoint, if one is wanted; a training that finds its own checkpoint goes on from there.

    Args:
        learned: the positions to learn from.
        held_out: others, to measure on.
        epochs: the most epochs.
        patience: end after so many epochs without a lesser loss on what is held out.
        seed: the order of the positions and the first weights.
        checkpoint: the file, or None.

    Attributes:
        network: as it was after its best epoch, once `run` has ended.
        done: how many epochs are done; at first those of the checkpoint.

    Raises:
        ValueError: the checkpoint is damaged, or of other games or settings.
        OSError: the checkpoint cannot be read.
    """

    def __init__(
        self,
        learned: ValueData,
        held_out: ValueData,
        epochs: int,
        patience: int,
        seed: int,
        checkpoint: Path | None = None,
    ) -> None:
        torch.manual_seed(seed)
        self.learned = learned
        self.held_out = held_out
        self.epochs = epochs
        self.patience = patience
        self.checkpoint = checkpoint
        spread = learned.counts.std(axis=0, dtype=np.float32) + np.float32(LEAST_SPREAD)
        self.network = ValueNetwork(spread)
        places = [self.network.places.weight]
        others = [*self.network.counts.parameters(), *self.network.output.parameters()]
        self.optimiser = torch.optim.AdamW(
            [
                {"params": places, "weight_decay": PLACE_DECAY},
                {"params": others, "weight_decay": DECAY},
            ],
            RATE,
        )
        self.batch = min(max(len(learned.values) // 100, LEAST_BATCH), BATCH)
        self.batches = max(len(learned.values) // self.batch, 1)
        self.schedule = torch.optim.lr_scheduler.OneCycleLR(
            self.optimiser, RATE, total_steps=epochs * self.batches
        )
        constants = [BATCH, RATE, DECAY, PLACE_DECAY]
        self.settings = [_sum_of(learned), _sum_of(held_out), epochs, seed, *constants]
        self.done = 0
        self.least = float("inf")
        self.best_epoch = 0
        self.best = self._weights()
        self._go_on()

    def _weights(self) -> dict[str, Tensor]:
        return {name: value.clone() for name, value in self.network.state_dict().items()}

    def _go_on(self) -> None:
        """Take up the checkpoint, where there is one."""
        if self.checkpoint is None or not self.checkpoint.exists():
            return
        data = io.BytesIO(self.checkpoint.read_bytes())
        try:
            saved: dict[str, Any] = torch.load(data, weights_only=True)
            is_ours = saved["settings"] == self.settings
        except Exception as error:  # torch raises anything
            raise ValueError(
                f"{self.checkpoint} is a damaged checkpoint: remove it ({type(error).__name__})"
            ) from None
        if not is_ours:
            raise ValueError(
                f"{self.checkpoint} is of a fit to other games or with other settings: remove it, "
                "or choose another output"
            )
        self.network.load_state_dict(saved["network"])
        self.optimiser.load_state_dict(saved["optimiser"])
        self.schedule.load_state_dict(saved["schedule"])
        self.done, self.least, self.best_epoch = saved["done"], saved["least"], saved["best_epoch"]
        self.best = saved["best"]
        torch.set_rng_state(saved["random"])

    def _save(self) -> None:
        if self.checkpoint is None:
            return
        state = {
            "settings": self.settings,
            "network": self.network.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "schedule": self.schedule.state_dict(),
            "done": self.done,
            "least": self.least,
            "best_epoch": self.best_epoch,
            "best": self.best,
            "random": torch.get_rng_state(),
        }
        data = io.BytesIO()  # torch's own files raise no OSError
        torch.save(state, data)
        unfinished = self.checkpoint.with_name(self.checkpoint.name + ".part")
        unfinished.write_bytes(data.getvalue())
        unfinished.replace(self.checkpoint)

    def run(self) -> Iterator[Epoch]:
        """Train, and yield after each epoch.

        Raises:
            ValueError: no epoch came to a loss that is a number.
            OSError: the checkpoint cannot be written.
        """
        tensors = Tensors.of(self.learned)
        while self.done < self.epochs and self.done - self.best_epoch < self.patience:
            order = torch.randperm(len(self.learned.values))
            total = 0.0
            for number in range(self.batches):
                batch = tensors.batch(order[number * self.batch : (number + 1) * self.batch])
                loss = losses(self.network(batch.counts, batch.rows), batch).mean()
                self.optimiser.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call]
                self.optimiser.step()
                self.schedule.step()
                total += loss.item()
            self.done += 1
            _, held_out = predictions(self.network, self.held_out)
            better = held_out < self.least
            if better:
                self.least, self.best_epoch, self.best = held_out, self.done, self._weights()
            self._save()
            yield Epoch(self.done, total / self.batches, held_out, better)
        if not self.best_epoch:
            raise ValueError("the training came to no loss that is a number")
        self.network.load_state_dict(self.best)
