"""Threads that work on one thing, and stop together where it must be changed by one alone."""

from __future__ import annotations

import threading
from collections.abc import Callable


class Crew:
    """So many threads at work; each calls `leave` when it is done.

    Args:
        size: how many.
    """

    def __init__(self, size: int) -> None:
        self._changed = threading.Condition()
        self._working = size
        self._waiting = 0
        self._meetings = 0
        self._dismissed = False

    def meet(self, work: Callable[[], None]) -> None:
        """Wait until all who have not left are here; one of them does the work, then all go on.

        Nothing is done, nor waited for, after `dismiss`.

        Raises:
            What the work raises, in the thread that did it.
        """
        with self._changed:
            meeting = self._meetings
            self._waiting += 1
            self._changed.notify_all()
            while self._meetings == meeting and not self._dismissed:
                if self._waiting < self._working:
                    self._changed.wait()
                    continue
                try:
                    work()
                finally:
                    self._waiting = 0
                    self._meetings += 1
                    self._changed.notify_all()

    def dismiss(self) -> None:
        """Let nobody wait any more."""
        with self._changed:
            self._dismissed = True
            self._changed.notify_all()

    def leave(self) -> None:
        """Work no longer: nobody is to wait for this thread."""
        with self._changed:
            self._working -= 1
            self._changed.notify_all()
