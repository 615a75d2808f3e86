"""Kernels that are near enough to a function of the mathematical library, and faster."""

from __future__ import annotations

import math

from ..core.jit import kernel

_POWER = 1 / 256


@kernel
def near_exp(exponent):
    """Return e to the power of `exponent`, -200 to 8, to within 0.002 % of it from -8 on.

    (1 + y + y^2 / 2 + y^3 / 6)^256, where y is exponent / 256; without a branch, and the same on
    every machine.
    """
    part = exponent * _POWER
    power = 1.0 + part * (1.0 + part * (0.5 + part * (1 / 6)))
    power *= power
    power *= power
    power *= power
    power *= power
    power *= power
    power *= power
    power *= power
    return power * power


@kernel
def near_log1p(number):
    """Return the natural logarithm of 1 + number, 0 and up, to within 2e-8."""
    if number < 1 / 64:
        return number * (1.0 - number * (0.5 - number * (1 / 3)))
    return math.log(1.0 + number)
