"""A conversation of another kind than the client's: bytes in, end of input, all that comes out.

hivegame.com's bots drive an engine so: they write all commands at once, close the input and read
to the end.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
from typing import Any, NamedTuple

from ..errors import EngineNotStarted
from ..process import split_command
from ..reaper import kill_group, reaper

MAX_BYTES = 1 << 20


class Transcript(NamedTuple):
    """What an engine printed from its start on.

    Attributes:
        answers: the lines of each answer, without its `ok`; the first is the greeting.
        rest: the lines after the last `ok`.
        code: its exit code; None where it did not leave and was killed.
    """

    answers: list[list[str]]
    rest: list[str]
    code: int | None

    @property
    def lines(self) -> list[str]:
        """All lines after the greeting, without each `ok`."""
        return [line for answer in self.answers[1:] for line in answer] + self.rest


async def converse(command: str, text: bytes, seconds: float) -> Transcript:
    """Start an engine, write all at once, close its input, read to the end.

    Args:
        command: its command line.
        text: what to write.
        seconds: how long it may take; then it is killed.

    Raises:
        EngineNotStarted: it could not be run.
    """
    group: dict[str, Any] = {"start_new_session": True}
    if os.name != "posix":
        group = {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}
    try:
        process = await asyncio.create_subprocess_exec(
            *split_command(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            **group,
        )
    except OSError as error:
        raise EngineNotStarted(f"could not start {command!r}: {error.strerror}") from None
    reaper.watch(process.pid)
    output = bytearray()
    code = None
    try:
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(_talk(process, text, output), seconds)
            code = process.returncode
    finally:
        kill_group(process.pid)
        await process.wait()
        reaper.forget(process.pid)
    return _transcript(bytes(output), code)


async def _talk(process: asyncio.subprocess.Process, text: bytes, output: bytearray) -> None:
    assert process.stdin is not None
    assert process.stdout is not None
    with contextlib.suppress(ConnectionError):
        process.stdin.write(text)
        await process.stdin.drain()
        process.stdin.close()
    # Some engines print without end once their input has ended; they are killed.
    while len(output) < MAX_BYTES:
        data = await process.stdout.read(1 << 16)
        if not data:
            await process.wait()
            return
        output += data


def _transcript(output: bytes, code: int | None) -> Transcript:
    answers: list[list[str]] = []
    lines: list[str] = []
    for line in output.decode(errors="backslashreplace").splitlines():
        if line == "ok":
            answers.append(lines)
            lines = []
        else:
            lines.append(line)
    return Transcript(answers, lines, code)
