"""A fit from games to a network's arrays, and what it has reached on the games held out.

Needs torch and scipy (extra `train`).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

import numpy as np

from ..search.network import POLICY, Network
from .calibration import Calibration, calibration
from .classic import PRIOR_SHARPNESS, fit_policy, flat_loss, policy_loss
from .network import Epoch, Training, constant_loss, predictions
from .positions import POINTS, PolicyData, ValueData


class Fit:
    """The value by gradient descent, see network.py, the policy by a conditional logit.

    Args:
        values: positions.
        decisions: choices among moves.
        epochs, patience, seed, checkpoint: see `network.Training`.

    Raises:
        ValueError: there are too few games, or the checkpoint is of another fit.
        OSError: the checkpoint cannot be read.
    """

    def __init__(
        self,
        values: ValueData,
        decisions: PolicyData,
        epochs: int,
        patience: int,
        seed: int,
        checkpoint: Path | None = None,
    ) -> None:
        self._learned, self._held_out = values.split()
        self._decisions, self._decisions_held_out = decisions.split()
        self._training = Training(self._learned, self._held_out, epochs, patience, seed, checkpoint)

    @property
    def done(self) -> int:
        """How many epochs are done, before `run` those of the checkpoint."""
        return self._training.done

    def beginning(self) -> str:
        """Say in a line what there is to learn from."""
        games, held = (len(np.unique(data.games)) for data in (self._learned, self._held_out))
        begun = f"; goes on after epoch {self.done}" if self.done else ""
        return (
            f"{len(self._learned.values)} positions of {games} games; "
            f"held out: {len(self._held_out.values)} of {held}{begun}"
        )

    def run(self) -> Iterator[Epoch]:
        """Train the value, and yield after each epoch; raises what `Training.run` does."""
        return self._training.run()

    @cached_property
    def _policy(self) -> np.ndarray:
        return fit_policy(self._decisions)

    def network(self) -> Network:
        """Return a file's arrays, once `run` has ended; fits the policy."""
        sharpened = (PRIOR_SHARPNESS * self._policy).astype(np.float32)
        return {**self._training.network.arrays(), POLICY: sharpened}

    @cached_property
    def calibration(self) -> Calibration:
        """The points expected beside those reached, where the end is known and held out."""
        shares, _ = predictions(self._training.network, self._held_out)
        known = self._held_out.outcomes.sum(axis=1) > 0
        ends = self._held_out.outcomes[known]
        reached = ends @ np.array(POINTS) / ends.sum(axis=1)
        return calibration(shares[known] @ np.array(POINTS), reached)

    def report(self) -> str:
        """Return what was reached on what was held out, as Markdown, once `run` has ended."""
        reached, first = policy_loss(self._policy, self._decisions_held_out)
        return (
            f"Value: loss {self._training.least:.4f}, of a constant "
            f"{constant_loss(self._held_out):.4f} (epoch {self._training.best_epoch}); "
            f"calibration error {self.calibration.error:.4f}. "
            f"Policy, before its priors are flattened: loss {reached:.4f}, of a flat guess "
            f"{flat_loss(self._decisions_held_out):.4f}; the first choice is the best move in "
            f"{first:.1%}.\n\n{self.calibration.table()}"
        )
