"""The driver's side: UHP engines as processes, matches, tournaments, statistics.

An engine is driven with `open_engine` (asyncio) or `SimpleEngine` (blocking):

    >>> from uhp_engine.arena import Limit, SimpleEngine
    >>> with SimpleEngine("uhp-engine") as engine:  # doctest: +SKIP
    ...     engine.new_game("Base+MLP")
    ...     move = engine.best_move(Limit(seconds=0.5)).move
    ...     engine.play(move)
"""

from __future__ import annotations

from .blocking import SimpleEngine
from .client import BestMove, Engine, Option, open_engine
from .errors import (
    EngineDied,
    EngineError,
    EngineGarbage,
    EngineNotStarted,
    EngineRefused,
    EngineStalled,
)
from .limits import Limit, Patience, TimeForm
from .process import Answer

__all__ = [
    "Answer",
    "BestMove",
    "Engine",
    "EngineDied",
    "EngineError",
    "EngineGarbage",
    "EngineNotStarted",
    "EngineRefused",
    "EngineStalled",
    "Limit",
    "Option",
    "Patience",
    "SimpleEngine",
    "TimeForm",
    "open_engine",
]
