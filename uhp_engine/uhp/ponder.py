"""Pondering: the tree grows in a thread of its own while nobody asks for anything."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from ..warmup import note

if TYPE_CHECKING:
    from ..game import Game
    from ..search.searcher import Searcher

# A search of this length after another: each copies or recycles a tree only where that is a matter
# of a tenth of a second, so that a stop is never far.
ROUND_SECONDS = 1.0
# Whoever has not moved by then has left.
MOST_SECONDS = 1800.0


class Ponderer:
    """Searches a position until it is stopped."""

    def __init__(self) -> None:
        self._thread: threading.Thread | None = None
        self._wanted = False  # no Event: a signal handler must not wait for a lock

    @property
    def is_running(self) -> bool:
        """True from `start` until the search has ended."""
        return self._thread is not None and self._thread.is_alive()

    def start(self, searcher: Searcher, game: Game) -> None:
        """Begin to search a game that is not over; nobody else may use either until `stop`."""
        self.stop()
        self._wanted = True
        self._thread = threading.Thread(
            target=self._search, args=(searcher, game), name="ponder", daemon=True
        )
        self._thread.start()

    def interrupt(self) -> None:
        """Ask the search to end, without waiting for it: safe in a signal handler."""
        self._wanted = False

    def stop(self) -> None:
        """End the search, if there is one; the tree keeps what it learnt."""
        self._wanted = False
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _search(self, searcher: Searcher, game: Game) -> None:
        from ..search.limits import Limits

        until = time.perf_counter() + MOST_SECONDS
        try:
            while self._wanted and time.perf_counter() < until:
                result = searcher.search(
                    game,
                    Limits(seconds=ROUND_SECONDS),
                    stopped=lambda: not self._wanted,
                    forced_too=True,
                )
                if result.is_settled:
                    break
        except Exception as error:  # the engine goes on without
            note(f"pondering failed: {type(error).__name__}: {' '.join(str(error).split())}")
            searcher.clear()
