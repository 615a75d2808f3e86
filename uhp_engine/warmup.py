"""Compile or load every kernel, in one place, before any clock matters."""

from __future__ import annotations

import contextlib
import gc
import sys
import time
from collections.abc import Callable, Iterator

MOST_ENTRY_POINTS = 32  # more than any group has

_loaded = False


def note(text: str) -> None:
    """Write a line for people to standard error, where there is one and somebody reads it."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError, ValueError):
            print(f"uhp-engine: {text}", file=sys.stderr, flush=True)


def load(progress: Callable[[str], None] | None = None) -> float:
    """Make the kernels ready to run; compile what no cache holds, once for all processes.

    Args:
        progress: called with the name of each group of kernels when its turn comes; by default
            one note on standard error where something must be compiled.

    Returns:
        The seconds it took: 0 where all was ready already.
    """
    global _loaded
    if _loaded:
        return 0.0
    started = time.perf_counter()
    with _without_collection():
        from .core.jit import code_cache

        if not code_cache.warm and progress is None:
            note("compiling for this machine, once; this takes some ten seconds")
        with code_cache.compiling():
            cold = not code_cache.warm
            for name, prepare in _GROUPS.items():
                if name == "perft" and not cold and progress is None:
                    continue  # loaded when it is first used, against no clock
                if progress is not None:
                    progress(name)
                _prepare(prepare)
            code_cache.seal()
    _loaded = True
    seconds = time.perf_counter() - started
    if cold and progress is None:
        note(f"compiled in {seconds:.1f} s")
    return seconds


def _prepare(prepare: Callable[[], None]) -> None:
    """Prepare a group, also where the disk is full: then its code lasts as long as the process."""
    from .core.jit import code_cache

    for _ in range(MOST_ENTRY_POINTS):
        try:
            prepare()
            return
        except OSError as error:  # what could not be kept is compiled all the same
            if code_cache.usable:
                note(f"the compiled code cannot be kept: {error}")
            code_cache.usable = False
    prepare()


@contextlib.contextmanager
def _without_collection() -> Iterator[None]:
    """Leave the garbage collector out while numba makes a million objects that stay."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _prepare_rules() -> None:
    """Call each entry point of the rules once, so that numba compiles or loads it."""
    from .game import Game

    game = Game("Base+MLP")
    game.play(game.legal_moves()[0])
    game.undo()


def _prepare_perft() -> None:
    from .game import Game

    Game("Base+MLP").perft(2)


def _prepare_search() -> None:
    """Search, move on and search again, and drop nodes: all that a real search calls."""
    from .game import Game
    from .search.keeping import recycle
    from .search.limits import Limits
    from .search.searcher import Searcher

    game = Game("Base+MLP")
    searcher = Searcher(memory_mib=1)
    result = searcher.search(game, Limits(simulations=64))
    game.play(result.move)
    searcher.search(game, Limits(simulations=16))
    recycle(searcher.tree)


_GROUPS: dict[str, Callable[[], None]] = {
    "rules": _prepare_rules,
    "search": _prepare_search,
    "perft": _prepare_perft,
}
