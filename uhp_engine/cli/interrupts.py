"""Ctrl+C as a wish to end the thinking, not the program."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def interrupts() -> Iterator[Callable[[], bool]]:
    """Catch Ctrl+C; what is yielded says whether it came."""
    caught: list[int] = []
    try:
        before = signal.signal(signal.SIGINT, lambda number, frame: caught.append(number))
    except ValueError:  # not in the main thread, where no signal arrives
        yield lambda: False
        return
    try:
        yield lambda: bool(caught)
    finally:
        signal.signal(signal.SIGINT, before)
