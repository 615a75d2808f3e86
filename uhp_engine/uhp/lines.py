"""Lines of standard input, and whether another one waits to be read."""

from __future__ import annotations

import os
import select
from collections import deque
from collections.abc import Callable, Iterator
from io import BufferedReader

CHUNK_BYTES = 65536
_CAN_ASK = os.name != "nt"  # Windows cannot ask a pipe whether there is something to read


class LineReader:
    """The lines of a stream, as they come.

    A signal handler may ask `is_waiting` at any moment: from the arrival of a line until `announce`
    returns, the line is waiting.

    Args:
        stream: a binary stream of UTF-8; what is not is replaced.

    Attributes:
        announce: called with each line just before it is handed out.
    """

    def __init__(self, stream: BufferedReader) -> None:
        self.announce: Callable[[str], object] = lambda line: None
        self._stream = stream
        self._lines: deque[bytes] = deque()
        self._begun: list[bytes] = []  # pieces of a line whose end has not come yet
        self._reading = False

    def __iter__(self) -> Iterator[str]:
        """Yield each line without its end, the last one also where nothing ends it."""
        while self._lines or self._read():
            while self._lines:
                # Some Windows shells begin with a byte order mark.
                line = self._lines[0].decode("utf-8", errors="replace").lstrip("\ufeff")
                self.announce(line)
                self._lines.popleft()
                yield line

    def _read(self) -> bool:
        """Wait for input and take it in; False at its end."""
        if _CAN_ASK:
            select.select([self._stream], [], [])
        self._reading = True
        chunk = self._stream.read1(CHUNK_BYTES)
        first, *others = chunk.split(b"\n")
        self._begun.append(first)
        if not chunk and any(self._begun):
            others = [b""]
        for piece in others:
            self._lines.append(b"".join(self._begun))
            self._begun = [piece]
        self._reading = False
        return bool(chunk or others)

    def is_waiting(self) -> bool:
        """Say whether more input, or its end, is there to be read now.

        On Windows, only lines that came together count.
        """
        if self._lines or not _CAN_ASK:
            return bool(self._lines)
        if self._reading:
            return True
        try:
            return bool(select.select([self._stream], [], [], 0)[0])
        except (OSError, ValueError):
            return True  # reading it will say what is wrong
