"""What a search believes, as one record: weights of the evaluation and priors, and exploration.

It is an argument of the kernels, not a part of them, so that two searches in one process may
differ, and a constant can be tried without compiling anew.
"""

from __future__ import annotations

import numpy as np

from ..core.layout import HIDDEN_UNITS
from .network import FIELDS, POLICY, Network, load_network
from .shapes import BLOCK, SLOTS
from .weights import BIAS, POLICY_WEIGHTS, VALUE_WEIGHTS

# How positions are judged: by a network, or by weighing what is counted.
LEARNED, CLASSIC = "Learned", "Classic"

MODEL = np.dtype(
    [
        # The evaluation, see evaluation.py: logits of the expected result.
        ("bias", np.float64),
        ("value", np.float64, 2 * BLOCK),
        # 1 where a network judges instead, see network.py, and the network.
        ("learned", np.int64),
        # HIDDEN_UNITS; as a constant it would have LLVM unroll the sums instead of adding eight
        # units at once.
        ("units", np.int64),
        *FIELDS,
        # The priors, see policy.py: factors of a move's share.
        ("policy", np.float64, SLOTS),
        # The exploration constant and how it grows with visits (Silver et al. 2018, pseudocode).
        ("cpuct", np.float64),
        ("cpuct_base", np.float64),
        # An unvisited move is taken for worth this much less than its position.
        ("fpu_reduction", np.float64),
        # How much a move's record elsewhere in the tree changes its prior, in logits for a whole
        # point of the value, and how fast the record follows what happens; see mcts.back_up.
        ("record_weight", np.float64),
        ("record_rate", np.float64),
        # So many simulations follow a move together: one, and one more for each
        # 1 << together_shift of its visits, but most_together at most; see mcts.py.
        ("together_shift", np.int64),
        ("most_together", np.int64),
        # Priors are spread by up to this share, by the seed, so that games differ.
        ("prior_jitter", np.float64),
    ]
)


def new_models(evaluation: str = LEARNED, network: Network | None = None) -> np.ndarray:
    """Return an array of one MODEL, the engine's at full strength.

    Elements are `np.record`s, so that the kernels' `m.value` works without numba, too.

    Args:
        evaluation: LEARNED or CLASSIC.
        network: what was learned, by default the shipped one.
    """
    models = np.zeros(1, dtype=np.dtype((np.record, MODEL)))
    models["bias"] = BIAS
    models["value"] = VALUE_WEIGHTS
    models["policy"] = np.exp(POLICY_WEIGHTS)
    if evaluation == LEARNED:
        learned = load_network() if network is None else network
        models["learned"] = 1
        for name, *_ in FIELDS:
            models[name] = learned[name]
        models["policy"] = np.exp(learned[POLICY], dtype=np.float64)
    models["units"] = HIDDEN_UNITS
    models["cpuct"] = 1.4
    models["cpuct_base"] = 8000.0
    models["fpu_reduction"] = 0.15
    models["record_weight"] = 4.0
    models["record_rate"] = 0.08
    models["together_shift"] = 5
    models["most_together"] = 32
    models["prior_jitter"] = 0.1
    return models
