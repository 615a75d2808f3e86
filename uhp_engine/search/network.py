"""The learned evaluation and priors, kept in a file: what they read, how they are laid out.

The evaluation has one hidden layer of rectified linear units over the counts of evaluation.py and
the rows of places.py; its three outputs are logits of a win, a draw and a loss of the side to
move. The priors are a score for each legal move, the sum of its slots in policy.py. The file is
an `.npz` of the arrays of ARRAYS, made by `uhp-engine train fit`. No kernels here.
"""

from __future__ import annotations

import hashlib
import os
import zipfile
import zlib
from pathlib import Path

import numpy as np

from ..core.layout import HIDDEN_UNITS
from .shapes import BLOCK, ROWS, SLOTS

# Also the fields of a MODEL that a network sets.
FIELDS = (
    ("count_weights", np.float32, (2 * BLOCK, HIDDEN_UNITS)),
    ("place_weights", np.float32, (ROWS, HIDDEN_UNITS)),
    ("hidden_bias", np.float32, (HIDDEN_UNITS,)),
    ("output_weights", np.float32, (HIDDEN_UNITS, 3)),
    ("output_bias", np.float32, (3,)),
)
POLICY = "policy"
ARRAYS = {**{name: shape for name, _, shape in FIELDS}, POLICY: (SLOTS,)}
SHIPPED = Path(__file__).with_name("network.npz")

Network = dict[str, np.ndarray]

_DAMAGES = (ValueError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error)


def load_network(path: Path = SHIPPED) -> Network:
    """Return the arrays of a network by name, float32.

    Raises:
        ValueError: the file holds something else; says what is wrong.
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        if not zipfile.is_zipfile(file):
            raise ValueError(f"{path} is no network: expected a file of `uhp-engine train fit`")
        file.seek(0)
        try:
            with np.load(file, allow_pickle=False) as arrays:
                network = {name: np.asarray(arrays[name], dtype=np.float32) for name in ARRAYS}
        except KeyError as error:
            raise ValueError(f"{path} is no network of this version: {error.args[0]}") from None
        except _DAMAGES as error:
            raise ValueError(f"{path} is a damaged network: {error}") from None
    for name, shape in ARRAYS.items():
        if network[name].shape != shape:
            raise ValueError(
                f"{path} is no network of this version: {name} has the shape "
                f"{network[name].shape}, not {shape}"
            )
        if not np.isfinite(network[name]).all():
            raise ValueError(f"{path} is no network: {name} holds what is no number")
    return network


def fingerprint(path: Path) -> str:
    """Return the beginning of the hash of a file's bytes (SHA-256), to tell networks apart.

    Raises:
        OSError: it cannot be read.
    """
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def save_network(path: Path, network: Network) -> None:
    """Write a network, whole or not at all.

    Raises:
        OSError: it cannot be written.
    """
    arrays = {name: network[name] for name in ARRAYS}
    unfinished = path.with_name(path.name + ".part")
    with unfinished.open("wb") as file:
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
    os.replace(unfinished, path)


def shares(network: Network, counts: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return what a network says, as the kernel does: shares of win, draw and loss, (positions, 3).

    Args:
        network: from `load_network`.
        counts: array (positions, 2 * BLOCK), see evaluation.py.
        rows: int array (positions, MOST_ROWS), see places.py; -1 where unused.
    """
    padded = np.vstack([network["place_weights"], np.zeros(HIDDEN_UNITS, dtype=np.float32)])
    hidden = counts.astype(np.float32) @ network["count_weights"] + network["hidden_bias"]
    for column in rows.T:
        hidden += padded[column]
    logits = np.maximum(hidden, 0) @ network["output_weights"] + network["output_bias"]
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))
