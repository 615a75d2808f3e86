"""The engine client without asyncio, as python-chess's SimpleEngine is.

>>> from uhp_engine.arena import Limit, SimpleEngine
>>> with SimpleEngine("uhp-engine") as engine:  # doctest: +SKIP
...     engine.new_game("Base+MLP")
...     engine.best_move(Limit(seconds=0.5)).move
'Base+MLP;NotStarted;White[1]'
'wS1'
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Mapping, Sequence
from typing import Any, TypeVar

from .client import BestMove, Engine, Option, open_engine
from .limits import Limit

Result = TypeVar("Result")


class SimpleEngine:
    """A running engine whose methods wait for the answer; each does what `Engine`'s does.

    The arguments and errors are those of `open_engine`. Close it, or use it in a `with` block.
    """

    def __init__(self, command: str | Sequence[str], **settings: Any) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        try:
            self.engine: Engine = self._wait(open_engine(command, **settings))
        except BaseException:
            self._stop()
            raise

    def _wait(self, work: Coroutine[Any, Any, Result]) -> Result:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def _stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def __enter__(self) -> SimpleEngine:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def name(self) -> str:
        """The name and version in its `id` line."""
        return self.engine.name

    @property
    def capabilities(self) -> tuple[str, ...]:
        """The expansions that it plays."""
        return self.engine.capabilities

    def request(self, command: str, seconds: float | None = None) -> list[str]:
        """Send any command; see `Engine.request`."""
        return self._wait(self.engine.request(command, seconds))

    def info(self) -> str:
        """Ask for the name again; see `Engine.info`."""
        return self._wait(self.engine.info())

    def options(self) -> dict[str, Option]:
        """Return the options by name; see `Engine.options`."""
        return self._wait(self.engine.options())

    def configure(self, options: Mapping[str, str | int | float | bool]) -> None:
        """Set options; see `Engine.configure`."""
        self._wait(self.engine.configure(options))

    def new_game(self, game: str = "Base") -> str:
        """Start from a game type or a GameString; see `Engine.new_game`."""
        return self._wait(self.engine.new_game(game))

    def play(self, move: str) -> str:
        """Play a MoveString; see `Engine.play`."""
        return self._wait(self.engine.play(move))

    def undo(self, moves: int = 1) -> str:
        """Take back moves; see `Engine.undo`."""
        return self._wait(self.engine.undo(moves))

    def valid_moves(self) -> list[str]:
        """Return the MoveStrings that it holds for legal; see `Engine.valid_moves`."""
        return self._wait(self.engine.valid_moves())

    def best_move(self, limit: Limit) -> BestMove:
        """Ask for a move; see `Engine.best_move`."""
        return self._wait(self.engine.best_move(limit))

    def close(self) -> None:
        """Say `exit`, and kill the engine unless it leaves; a second call does nothing."""
        if not self._loop.is_closed():
            self._wait(self.engine.close())
            self._stop()
