"""uhp_engine: play, script and study Hive.

    >>> import uhp_engine
    >>> game = uhp_engine.Game("Base+MLP")
    >>> game.play("wS1")
    >>> str(game)
    'Base+MLP;InProgress;Black[1];wS1'

Importing the package is cheap: numba is imported by what needs it, when it is first used.
docs/library.md is a guide to what there is.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .arena import Limit, SimpleEngine, open_engine
    from .library import (
        PASS,
        Game,
        GameRecord,
        GameState,
        IllegalMove,
        Limits,
        Line,
        Move,
        RepetitionDraw,
        Searcher,
        SearchResult,
        read_games,
        write_pgn,
    )
    from .render import Arrow, svg

__version__ = "0.1.0"

__all__ = [
    "PASS",
    "Arrow",
    "Game",
    "GameRecord",
    "GameState",
    "IllegalMove",
    "Limit",
    "Limits",
    "Line",
    "Move",
    "RepetitionDraw",
    "SearchResult",
    "Searcher",
    "SimpleEngine",
    "__version__",
    "open_engine",
    "read_games",
    "svg",
    "write_pgn",
]

_HOMES = {
    **dict.fromkeys(("Limit", "SimpleEngine", "open_engine"), "arena"),
    **dict.fromkeys(("Arrow", "svg"), "render"),
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = _HOMES.get(name, "library")
    if home != "arena":
        # Before a kernel is imported: what another process compiles now is then taken.
        import_module(f"{__name__}.warmup").load()
    return getattr(import_module(f"{__name__}.{home}"), name)


def __dir__() -> list[str]:
    return __all__
