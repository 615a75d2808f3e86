"""Lines of text files in whatever encoding people's games come in."""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterable, Iterator

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def decode(data: bytes) -> str:
    """Return text: UTF-8 where it is that, else Latin-1, which old files are written in."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def open_lines(path: str | os.PathLike[str]) -> Iterator[str]:
    """Yield the lines of a file, one at a time, so that a file of any size takes little memory.

    Raises:
        OSError: the file cannot be read.
    """
    with open(path, "rb") as file:
        yield from decode_lines(file)


def decode_lines(chunks: Iterable[bytes]) -> Iterator[str]:
    """Yield text for lines of bytes; a mark at their very start names the encoding."""
    lines = iter(chunks)
    first = next(lines, b"")
    encoding = next((name for mark, name in _MARKS if first.startswith(mark)), "")
    if encoding == "utf-16":  # a line break is two bytes there, so it is read as a whole
        text = b"".join([first, *lines]).decode("utf-16", errors="replace")
        yield from text.splitlines(keepends=True)
        return
    yield decode(first.removeprefix(codecs.BOM_UTF8))
    for line in lines:
        yield decode(line)
