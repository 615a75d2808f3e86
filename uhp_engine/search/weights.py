"""Weights of the evaluation and of the priors (slots: see evaluation.py and policy.py)."""

from __future__ import annotations

import numpy as np

BIAS = 0.15


def _value_weights() -> np.ndarray:
    own = [0.0, -0.2, -0.5, -0.9, -1.6, -2.6, -0.3]
    own += [0.1, 0.15, 0.2, 0.3, 0.5, 0.6]
    own += [-0.02, -0.1, -0.3, -1.0]
    own += [-0.02, -0.1, -0.2, -0.5]
    own += [-0.7, -0.2]
    own += [0.05, 0.08, 0.25, 0.1, 0.25, 0.25, 0.2, 0.15]
    own += [0.0, 0.05, 0.2, 0.1, 0.2, 0.22, 0.18, 0.15]
    own += [0.4, 0.1, -0.2, 0.02]
    return np.array([own, [-weight for weight in own]], dtype=np.float64).reshape(-1)


def _policy_weights() -> np.ndarray:
    weights = np.zeros(112, dtype=np.float64)
    for filled in range(4):
        weights[56 + 4 * filled + 1] = 1.0 + 0.4 * filled
        weights[56 + 4 * filled + 2] = -1.0 - 0.4 * filled
        weights[72 + 4 * filled + 1] = -1.0 - 0.4 * filled
        weights[72 + 4 * filled + 2] = 1.0 + 0.4 * filled
    weights[88] = 2.0
    weights[90] = 0.7
    weights[92] = -1.0
    weights[93] = 0.5
    weights[95] = 0.8
    weights[100:106] = [0.0, 0.0, 0.2, 0.5, 1.0, 1.5]
    return weights


VALUE_WEIGHTS = _value_weights()
POLICY_WEIGHTS = _policy_weights()
