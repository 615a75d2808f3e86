"""uhp_engine: play, script and study Hive.

    >>> import uhp_engine
    >>> game = uhp_engine.Game("Base+MLP")
    >>> game.play("wS1")
    >>> str(game)
    'Base+MLP;InProgress;Black[1];wS1'

Importing the package is cheap: numba is imported by what needs it, when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .library import Game, GameState, IllegalMove, Move, RepetitionDraw

__version__ = "0.1.0"

_HOMES = dict.fromkeys(("Game", "GameState", "IllegalMove", "Move", "RepetitionDraw"), "library")

__all__ = ["Game", "GameState", "IllegalMove", "Move", "RepetitionDraw", "__version__"]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)
