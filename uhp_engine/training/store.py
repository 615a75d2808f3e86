"""Files of self-play games: compact, checksummed, written a game at a time.

    magic    8 bytes: b"UHPGAME1"
    blocks   each: length of the payload, CRC-32 of the payload, CRC-32 of those eight bytes, three
             little-endian uint32; the payload, JSON compressed by zlib

The first block holds the settings that the games were played with; each other one a game, see
`selfplay.play_game`. A writer that is killed leaves one unfinished block at most, which the next
writer cuts off. The second checksum tells such a block from one with a damaged length.
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
LENGTHS = struct.Struct("<II")
CHECK = struct.Struct("<I")

Block = dict[str, Any]


class StoreError(ValueError):
    """A file that is none of self-play games, is damaged, or holds games of other settings."""


def packed(block: Block) -> bytes:
    """Return a block as it lies in a file."""
    payload = zlib.compress(json.dumps(block, separators=(",", ":")).encode(), 9)
    head = LENGTHS.pack(len(payload), zlib.crc32(payload))
    return head + CHECK.pack(zlib.crc32(head)) + payload


def _blocks(file: BinaryIO) -> Iterator[tuple[Block, int]]:
    """Yield each whole block, and where it ends; an unfinished one at the end is left out.

    Raises:
        StoreError: the file is something else, or a block is damaged.
    """
    if file.read(len(MAGIC)) != MAGIC:
        raise StoreError("this is no file of self-play games")
    end = len(MAGIC)
    number = 0
    while True:
        head = file.read(LENGTHS.size)
        check = file.read(CHECK.size)
        if len(check) < CHECK.size:
            return
        length, checksum = LENGTHS.unpack(head)
        payload = b""
        if CHECK.unpack(check) == (zlib.crc32(head),):
            payload = file.read(length)
            if len(payload) < length:
                return
        if zlib.crc32(payload) != checksum or not payload:
            raise StoreError(f"damaged: block {number} does not have its checksum")
        end += len(head) + len(check) + length
        yield json.loads(zlib.decompress(payload)), end
        number += 1


def read_blocks(file: BinaryIO) -> Iterator[Block]:
    """Yield the settings of an open file, then each game.

    Raises:
        StoreError: the file is something else, or damaged.
    """
    for block, _ in _blocks(file):
        yield block


class GameWriter:
    """A file of games that games are added to, by one process at a time; a context manager.

    Args:
        path: the file, made where it is not there.
        settings: of the games, the same for all in the file.

    Attributes:
        numbers: of the games that were there.

    Raises:
        StoreError: the file is something else, is damaged, holds games of other settings, or
            another process is writing to it.
        OSError: it cannot be read or written.
    """

    def __init__(self, path: Path, settings: Block) -> None:
        self.numbers: set[int] = set()
        path.touch()
        self._file = path.open("r+b")
        try:
            self._lock(path)
            end = self._read(path, settings)
            self._file.truncate(end)
            self._file.seek(end)
            if not end:
                self.add(MAGIC + packed(settings))
        except BaseException:
            self._file.close()
            raise

    def _lock(self, path: Path) -> None:
        try:
            import fcntl
        except ImportError:  # Windows
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise StoreError(f"another process is writing to {path}") from None

    def _read(self, path: Path, settings: Block) -> int:
        """Note the games that are there; return where the last whole block ends, 0 for none."""
        begun = self._file.read(len(MAGIC))
        if len(begun) < len(MAGIC) and MAGIC.startswith(begun):
            return 0  # new, or its writer was killed at its first bytes
        self._file.seek(0)
        end = 0
        try:
            for block, after in _blocks(self._file):
                if end:
                    self.numbers.add(int(block["number"]))
                elif block != settings:
                    raise StoreError(
                        f"games of other settings are there, {_difference(block, settings)}: "
                        "choose those, or another file"
                    )
                end = after
        except StoreError as error:
            raise StoreError(f"{path}: {error}") from None
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
