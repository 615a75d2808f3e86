"""What kernels need whose threads grow one tree: locks, and a fence.

A lock is a word that is 1 while a thread holds it.
"""

from __future__ import annotations

from typing import Any

import numba
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ..core.jit import kernel


def _swapped_in_python(words: Any, index: int, value: int) -> int:
    before = int(words[index])
    words[index] = value
    return before


@intrinsic
def _swapped(typing_context: Any, words: Any, index: Any, value: Any) -> Any:
    """Write a word of an int64 array and return what was there, in one step for all threads."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = cgutils.create_struct_proxy(signature.args[0])(context, builder, arguments[0])
        place = builder.gep(array.data, [arguments[1]])
        return builder.atomic_rmw("xchg", place, arguments[2], "seq_cst")

    return types.int64(words, types.int64, types.int64), generate


@intrinsic
def _fence(typing_context: Any) -> Any:
    """Let other threads see what was written before no later than what is written after."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.fence("release")
        return context.get_dummy_value()

    return types.void(), generate


# An intrinsic is code for the compiler alone.
swapped: Any = _swapped_in_python if numba.config.DISABLE_JIT else _swapped
fence: Any = (lambda: None) if numba.config.DISABLE_JIT else _fence


@kernel
def acquire(words, index):
    """Wait for a lock and hold it; for as short as kernels hold one, waiting busily is best."""
    while swapped(words, index, 1):
        pass


@kernel
def release(words, index):
    """Give a lock back; what was written before is seen by whoever acquires it next."""
    swapped(words, index, 0)
