"""What a network's first layer adds up: rows of a table, all units of a row at once.

The compiler would add unit after unit, or write the sums to memory after every row.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


def _add_rows_in_python(
    sums: np.ndarray, table: np.ndarray, rows: np.ndarray, count: int, factors: np.ndarray | None
) -> None:
    for row in rows[:count]:
        sums += table[row] if factors is None else table[row] * np.float32(factors[row])


@intrinsic
def _add_rows(
    typing_context: Any, sums: Any, table: Any, rows: Any, count: Any, factors: Any
) -> Any:
    """Add table[row] to `sums` for each of rows[:count], times factors[row] if not None."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def data(which: int) -> Any:
            kind = signature.args[which]
            return cgutils.create_struct_proxy(kind)(context, builder, arguments[which]).data

        (units,) = signature.args[0].shape
        vector = ir.VectorType(ir.FloatType(), units)
        place = builder.bitcast(data(0), vector.as_pointer())
        total = cgutils.alloca_once_value(builder, builder.load(place, align=4))
        with cgutils.for_range(builder, arguments[3]) as loop:
            row = builder.load(builder.gep(data(2), [loop.index]))
            offset = builder.mul(row, ir.Constant(row.type, units))
            weights = builder.gep(data(1), [offset])
            added = builder.load(builder.bitcast(weights, vector.as_pointer()), align=4)
            if signature.args[4] is not types.none:
                factor = builder.load(builder.gep(data(4), [row]))
                factor = builder.sitofp(factor, ir.FloatType())
                lane = builder.insert_element(
                    ir.Constant(vector, ir.Undefined), factor, ir.Constant(ir.IntType(32), 0)
                )
                lanes = ir.Constant(ir.VectorType(ir.IntType(32), units), [0] * units)
                added = builder.fmul(added, builder.shuffle_vector(lane, lane, lanes))
            builder.store(builder.fadd(builder.load(total), added), total)
        builder.store(builder.load(total), place, align=4)
        return context.get_dummy_value()

    return types.void(sums, table, rows, count, factors), generate


# An intrinsic is code for the compiler alone.
add_rows: Any = _add_rows_in_python if numba.config.DISABLE_JIT else _add_rows
