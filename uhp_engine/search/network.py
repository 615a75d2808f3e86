"""The learned evaluation: a small network over the counts of evaluation.py, kept in a file.

One hidden layer of rectified linear units; the output is a logit of the expected result. The
file is an `.npy` of one NETWORK record, made by `python -m uhp_engine.training.network`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..core.layout import HIDDEN_UNITS
from .evaluation import BLOCK

FIELDS = (
    ("hidden_weights", np.float32, (2 * BLOCK, HIDDEN_UNITS)),
    ("hidden_bias", np.float32, (HIDDEN_UNITS,)),
    ("output_weights", np.float32, (HIDDEN_UNITS,)),
    ("output_bias", np.float32, ()),
)
NETWORK = np.dtype(list(FIELDS))
SHIPPED = Path(__file__).with_name("network.npy")


def load_network(path: Path = SHIPPED) -> np.ndarray:
    """Return an array of one NETWORK.

    Raises:
        ValueError: the file holds something else.
        OSError: it cannot be read.
    """
    network = np.load(path, allow_pickle=False)
    if network.dtype != NETWORK or network.shape != (1,):
        raise ValueError(f"{path} is no network of {2 * BLOCK} counts and {HIDDEN_UNITS} units")
    return np.asarray(network)


def logits(network: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return what a network says, as the kernel does: logits of the expected result.

    Args:
        network: array of one NETWORK.
        counts: array (positions, 2 * BLOCK), see evaluation.py.
    """
    of = network[0]
    hidden = counts.astype(np.float32) @ of["hidden_weights"] + of["hidden_bias"]
    return np.asarray(np.maximum(hidden, 0) @ of["output_weights"] + of["output_bias"])
