"""numba's compiler for kernels that only kernels call: no machine code but inside their callers.

numba links every function to all that it calls, optimises that, and makes machine code of it: of a
kernel ten calls deep it does so ten times, and of all but the entry points' nothing ever runs.
Where that machine code is left out, a cold start takes 0.8 of the time, and what runs is the same
but for one instruction in a hundred. (Optimising entry points alone would bring it to 0.6, but
other calls are inlined then: bulk perft lost a quarter.)
"""

from __future__ import annotations

from typing import Any

from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import NativeLowering


@register_pass(mutates_CFG=True, analysis_only=False)
class KernelLowering(NativeLowering):
    """numba's last step but for the machine code."""

    _name = "kernel_lowering"

    def run_pass(self, state: Any) -> bool:
        """Make LLVM's code of a typed function, and tell numba where callers find it."""
        try:
            self._lower(state)
        except (AttributeError, TypeError):  # another numba, of other insides: all as usual
            state.library = None
            state.flags.no_compile = False
            super().run_pass(state)
        return True

    def _lower(self, state: Any) -> None:
        library = state.targetctx.codegen().create_library(state.func_id.func_qualname)

        def finish() -> None:
            library._finalize_dynamic_globals()
            library._finalized = True

        library._finalize_final_module = finish
        state.library = library
        state.flags.no_compile = True
        super().run_pass(state)
        key = object()  # callers know it by this, where else they know the machine code
        lowered = state["cr"]._replace(cfunc=key)
        state.targetctx.insert_user_function(key, lowered.fndesc, [library])
        state["cr"] = lowered


class KernelCompiler(CompilerBase):
    """numba's compiler with `KernelLowering` as its last step."""

    def define_pipelines(self) -> list[Any]:
        """Return the one pipeline."""
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.passes = [
            (KernelLowering if step is NativeLowering else step, text)
            for step, text in pipeline.passes
        ]
        pipeline.finalize()
        return [pipeline]


class Kernel(CPUDispatcher):
    """A compiled function that is nowhere but in its callers' code."""

    def add_overload(self, cres: Any) -> None:
        """Keep what was compiled for arguments of some types."""
        if callable(cres.entry_point):
            super().add_overload(cres)
        else:
            self.overloads[tuple(cres.signature.args)] = cres

    def __call__(self, *arguments: Any) -> Any:
        """Refuse to be called: it has no machine code of its own.

        Raises:
            TypeError: always; says what to do.
        """
        raise TypeError(f"{self.py_func.__name__} is for kernels to call; Python calls entries")
