"""Kernels that only kernels call: compiled into their callers, and nowhere else."""

from __future__ import annotations

import pytest
from numba.core.errors import TypingError

from uhp_engine.core.jit import kernel, uncached_entry
from uhp_engine.core.lean import KernelLowering


def new_entry():
    @kernel
    def doubled(number):
        return 2 * number

    @kernel
    def more_than_doubled(number):
        return doubled(number) + doubled(1)

    @uncached_entry
    def sum_below(end):
        total = 0
        for number in range(end):
            total += more_than_doubled(number)
        return total

    return sum_below, doubled


def test_a_kernel_is_in_its_callers_alone():
    sum_below, doubled = new_entry()
    assert sum_below(10) == sum(2 * number + 2 for number in range(10))
    assert doubled.overloads
    for compiled in doubled.overloads.values():
        assert not callable(compiled.entry_point)


def test_another_numba_compiles_it_as_usual(monkeypatch):
    def missing(self, state):
        state.library = state.targetctx.codegen().create_library("given up")
        state.flags.no_compile = True
        raise AttributeError("no such part")

    monkeypatch.setattr(KernelLowering, "_lower", missing)
    sum_below, doubled = new_entry()
    assert sum_below(10) == sum(2 * number + 2 for number in range(10))
    assert all(callable(compiled.entry_point) for compiled in doubled.overloads.values())


def test_what_is_wrong_with_a_kernel_is_told():
    @kernel
    def wrong(number):
        return number + "one"

    @uncached_entry
    def calls(number):
        return wrong(number)

    with pytest.raises(TypingError, match="wrong"):
        calls(1)
