"""Files of self-play games: compact, checksummed, written a game at a time.

    magic    8 bytes: b"UHPGAME1"
    blocks   each: length of the payload and its CRC-32, two little-endian uint32; the payload,
             JSON compressed by zlib

The first block holds the settings that the games were played with; each other one a game, see
`selfplay.play_game`. A writer that is killed leaves one unfinished block at most, which the next
writer cuts off.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

MAGIC = b"UHPGAME1"
HEAD = struct.Struct("<II")

Block = dict[str, Any]


class StoreError(ValueError):
    """A file that is none of self-play games, is damaged, or holds games of other settings."""


def packed(block: Block) -> bytes:
    """Return a block as it lies in a file."""
    payload = zlib.compress(json.dumps(block, separators=(",", ":")).encode(), 9)
    return HEAD.pack(len(payload), zlib.crc32(payload)) + payload


def is_store(path: Path) -> bool:
    """Say whether a file begins as one of these does.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def _blocks(file: BinaryIO, path: Path) -> Iterator[tuple[Block, int]]:
    """Yield each whole block, and where it ends; an unfinished one at the end is left out.

    Raises:
        StoreError: the file is something else, or a block is damaged.
    """
    if file.read(len(MAGIC)) != MAGIC:
        raise StoreError(f"{path} is no file of self-play games")
    number = 0
    while len(head := file.read(HEAD.size)) == HEAD.size:
        length, checksum = HEAD.unpack(head)
        payload = file.read(length)
        if len(payload) < length:
            return
        if zlib.crc32(payload) != checksum:
            raise StoreError(f"{path} is damaged: block {number} does not have its checksum")
        yield json.loads(zlib.decompress(payload)), file.tell()
        number += 1


def read_blocks(path: Path) -> Iterator[Block]:
    """Yield the settings of a file, then each game.

    Raises:
        StoreError: the file is something else, or damaged.
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        for block, _ in _blocks(file, path):
            yield block


class GameWriter:
    """A file of games that games are added to; a context manager.

    Args:
        path: the file, made where it is not there.
        settings: of the games, the same for all in the file.

    Attributes:
        numbers: of the games that were there.

    Raises:
        StoreError: the file is something else, is damaged, or holds games of other settings.
        OSError: it cannot be read or written.
    """

    def __init__(self, path: Path, settings: Block) -> None:
        self.numbers: set[int] = set()
        end = 0
        if path.exists() and path.stat().st_size:
            end = self._read(path, settings)
        self._file = path.open("r+b" if end else "wb")
        if end:
            self._file.truncate(end)
            self._file.seek(end)
        else:
            self._file.write(MAGIC + packed(settings))
            self._file.flush()

    def _read(self, path: Path, settings: Block) -> int:
        """Note the games that are there; return where the last whole block ends, 0 for none."""
        with path.open("rb") as file:
            begun = file.read(len(MAGIC))
            if begun != MAGIC and MAGIC.startswith(begun):
                return 0  # killed while it wrote its first bytes
            file.seek(0)
            end = 0
            for block, after in _blocks(file, path):
                if not end and block != settings:
                    raise StoreError(
                        f"{path} holds games of other settings: {_difference(block, settings)}; "
                        "choose those, or another file"
                    )
                if end:
                    self.numbers.add(int(block["number"]))
                end = after
        return end

    def __enter__(self) -> GameWriter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def add(self, game: bytes) -> None:
        """Write a game's block, from `packed`."""
        self._file.write(game)
        self._file.flush()


def _difference(there: Block, wanted: Block) -> str:
    """Name what differs."""
    names = [name for name in {**there, **wanted} if there.get(name) != wanted.get(name)]
    return ", ".join(f"{name} is {there.get(name)}, not {wanted.get(name)}" for name in names)
