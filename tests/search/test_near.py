"""Functions that are nearly those of the mathematical library."""

import math

import numpy as np
import pytest

from uhp_engine.core.jit import uncached_entry
from uhp_engine.search.near import near_exp, near_log1p


@uncached_entry
def exps_at(numbers, out):
    """Write e to the power of each number."""
    for index in range(len(numbers)):
        out[index] = near_exp(numbers[index])


@uncached_entry
def logs_at(numbers, out):
    """Write the logarithm of 1 and each number."""
    for index in range(len(numbers)):
        out[index] = near_log1p(numbers[index])


def results_of(function, numbers):
    out = np.zeros(len(numbers))
    function(np.asarray(numbers, dtype=np.float64), out)
    return out


def test_exp_is_near_where_priors_and_results_need_it():
    numbers = np.linspace(-8.0, 8.0, 10_001)
    found = results_of(exps_at, numbers)
    assert found == pytest.approx(np.exp(numbers), rel=2e-5)
    assert np.all(np.diff(found) > 0)


def test_exp_of_what_hardly_counts_is_next_to_nothing():
    found = results_of(exps_at, [-200.0, -100.0, -40.0, -20.0])
    assert np.all((found >= 0) & (found < 3e-9))
    assert np.all(np.diff(found) > 0)
    assert results_of(exps_at, [0.0]) == [1.0]


def test_logarithm_is_near_on_both_sides_of_its_seam():
    numbers = [0.0, 1e-9, 1e-4, 0.01, math.nextafter(1 / 64, 0), 1 / 64, 0.5, 3.0, 1e6]
    assert results_of(logs_at, numbers) == pytest.approx(np.log1p(numbers), abs=2e-8, rel=1e-15)
