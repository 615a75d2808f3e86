"""One engine process and its lines: commands in, answers out, each answer under a limit.

The protocol's words are not known here, but for the `ok` that ends an answer. The engine runs in
a process group of its own, which is killed as a whole.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, cast

from .errors import EngineDied, EngineError, EngineGarbage, EngineNotStarted, EngineStalled
from .reaper import kill_group, reaper

MAX_LINE_BYTES = 1 << 20
MAX_ANSWER_BYTES = 1 << 24
MAX_STRAY_LINES = 100
STDERR_KEPT_BYTES = 1 << 14
# A dying process closes its pipes before its exit code is known, or the other way round.
SETTLE_SECONDS = 0.3

Log = Callable[[str, str], None]


class Answer(NamedTuple):
    """An answer: its lines without the closing `ok`, and the seconds that it took."""

    lines: list[str]
    seconds: float


def split_command(command: str | Sequence[str]) -> list[str]:
    """Return a command line as program and arguments.

    Raises:
        ValueError: it is empty, or a quotation mark is not closed.

    >>> split_command("nokamute uhp --num-threads=1")
    ['nokamute', 'uhp', '--num-threads=1']
    """
    if isinstance(command, str):
        try:
            words = shlex.split(command, posix=os.name == "posix")
        except ValueError:
            raise ValueError(f"a quotation mark is not closed in {command!r}") from None
        words = [word.strip('"') for word in words] if os.name != "posix" else words
    else:
        words = list(command)
    if not words or not words[0]:
        raise ValueError("the engine's command line is empty")
    return words


class EngineProcess(asyncio.SubprocessProtocol):
    """A running engine as lines; made by `launch`.

    Attributes:
        pid: the process's number, which is its group's too.
        log: called for each line with `>` (to the engine), `<` (from it) or `!` (its standard
            error) and the text; None for no log.
        failure: what ended the conversation, once something has.
    """

    def __init__(self, log: Log | None = None) -> None:
        self.log = log
        self.pid = 0
        self.failure: EngineError | None = None
        self._transport: asyncio.SubprocessTransport | None = None
        self._input: asyncio.WriteTransport | None = None
        self._loop = asyncio.get_running_loop()
        self._exited = self._loop.create_future()
        self._closed_output = False
        self._leaving = False
        self._waiter: asyncio.Future[Answer] | None = None
        self._asked_at = 0.0
        self._lines: list[str] = []
        self._answer_bytes = 0
        self._stray: list[str] = []
        self._rest = b""
        self._stderr = bytearray()

    # -- events from asyncio ------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the transport."""
        self._transport = cast(asyncio.SubprocessTransport, transport)
        self._input = cast(asyncio.WriteTransport, self._transport.get_pipe_transport(0))
        self.pid = self._transport.get_pid()
        # The greeting may come before anyone waits for it, and is an answer all the same.
        self._expect()

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Split what the engine printed into lines."""
        now = time.perf_counter()
        if fd == 2:
            self._keep_stderr(data)
            return
        *lines, self._rest = (self._rest + data).split(b"\n")
        for raw in lines:
            self._take_line(raw.rstrip(b"\r").decode(errors="backslashreplace"), now)
        if len(self._rest) > MAX_LINE_BYTES:
            self._rest = b""
            self._fail(EngineGarbage(f"printed a line of over {MAX_LINE_BYTES} bytes"))

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """Notice a closed pipe; a process that ends closes them all."""
        if fd == 1:
            self._closed_output = True
        if fd in (0, 1) and not self._leaving:
            name = ("input", "output")[fd]
            self._loop.call_later(SETTLE_SECONDS, self._died, f"closed its standard {name}")
        if fd == 1 and self._exited.done():
            self._died()

    def process_exited(self) -> None:
        """Notice the end of the process; what it printed before may still be on its way."""
        if not self._exited.done():
            self._exited.set_result(None)
        if self._closed_output:
            self._died()
        else:
            self._loop.call_later(SETTLE_SECONDS, self._died)

    def _died(self, what: str = "") -> None:
        code = self._transport.get_returncode() if self._transport else None
        if code is not None:
            what = f"ended with {_exit_text(code)}"
        self._fail(EngineDied(what or "ended"))

    def _take_line(self, line: str, now: float) -> None:
        if self.log is not None:
            self.log("<", line)
        if self._waiter is None or self._waiter.done():
            if line and len(self._stray) < MAX_STRAY_LINES:
                self._stray.append(line)
        elif line == "ok":
            self._waiter.set_result(Answer(self._lines, now - self._asked_at))
        else:
            self._lines.append(line)
            self._answer_bytes += len(line) + 1
            if self._answer_bytes > MAX_ANSWER_BYTES:
                self._lines.clear()
                self._fail(EngineGarbage(f"printed over {MAX_ANSWER_BYTES} bytes without an 'ok'"))

    def _keep_stderr(self, data: bytes) -> None:
        self._stderr += data
        del self._stderr[:-STDERR_KEPT_BYTES]
        if self.log is not None:
            for line in data[-STDERR_KEPT_BYTES:].decode(errors="backslashreplace").splitlines():
                self.log("!", line)

    def _fail(self, failure: EngineError) -> None:
        if self.failure is None:
            failure.stderr = self.stderr
            self.failure = failure
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_exception(self.failure)
            self._waiter.exception()  # whoever waits gets it; nobody need

    # -- the conversation ---------------------------------------------------------------------

    @property
    def stderr(self) -> str:
        """The end of what the engine wrote to standard error."""
        return self._stderr.decode(errors="backslashreplace").strip()

    @property
    def is_alive(self) -> bool:
        """True while the process runs and nothing went wrong."""
        return self.failure is None and not self._exited.done()

    @property
    def returncode(self) -> int | None:
        """The exit code, negative for a signal; None while the process runs."""
        return self._transport.get_returncode() if self._transport else None

    def _expect(self) -> None:
        self._lines, self._answer_bytes = [], 0
        self._asked_at = time.perf_counter()
        self._waiter = self._loop.create_future()

    def send(self, command: str) -> None:
        """Write a line and begin to collect its answer, for `receive`.

        Raises:
            EngineError: the conversation has ended, or the engine spoke unasked.
        """
        if self._stray:
            self._fail(EngineGarbage(f"printed {self._stray[0][:200]!r} unasked"))
        if self.failure is not None:
            raise self.failure
        if self._waiter is not None and not self._waiter.done():
            raise RuntimeError("the engine still owes an answer")
        if self.log is not None:
            self.log(">", command)
        assert self._input is not None
        self._expect()
        self._input.write(command.encode() + b"\n")

    async def receive(self, seconds: float, what: str) -> Answer:
        """Wait for the answer to `send`, or at first for the greeting.

        Args:
            seconds: how long; an engine that takes longer has stalled, and is lost.
            what: the command, for the message.

        Raises:
            EngineError: no answer came, by the name of the reason.
        """
        assert self._waiter is not None
        timer = self._loop.call_later(seconds, self._stall, seconds, what)
        try:
            return await self._waiter
        finally:
            timer.cancel()

    async def ask(self, command: str, seconds: float) -> Answer:
        """Send a command and wait for its answer; see `send` and `receive`."""
        self.send(command)
        return await self.receive(seconds, command)

    def _stall(self, seconds: float, what: str) -> None:
        printed = f", after printing {self._lines[-1][:80]!r}" if self._lines else ""
        self._fail(EngineStalled(f"gave no 'ok' to {what!r} within {seconds:g} s{printed}"))

    def write_raw(self, data: bytes) -> None:
        """Write bytes as they are, for tests of engines; no answer is expected."""
        assert self._input is not None
        self._input.write(data)

    def interrupt(self) -> None:
        """Send SIGINT (Ctrl+Break on Windows) to the process alone, as MzingaViewer does."""
        name = "SIGINT" if os.name == "posix" else "CTRL_BREAK_EVENT"
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, getattr(signal, name))

    # -- the end ------------------------------------------------------------------------------

    async def wait(self, seconds: float) -> int | None:
        """Wait for the process to end by itself; return its exit code, None if it goes on."""
        self._leaving = True
        await asyncio.wait([self._exited], timeout=seconds)
        return self.returncode

    async def close(self, patience: float) -> None:
        """Say `exit`, wait for so many seconds, then kill the whole group."""
        if self.is_alive:
            assert self._input is not None
            if self.log is not None:
                self.log(">", "exit")
            self._input.write(b"exit\n")
            await self.wait(patience)
        await self.kill()

    async def kill(self) -> None:
        """Kill the whole group and wait until the process is gone."""
        self._leaving = True
        kill_group(self.pid)
        if self._transport is not None:
            await asyncio.wait([self._exited], timeout=10)
            kill_group(self.pid)  # what it may have started meanwhile
            self._transport.close()
            reaper.forget(self.pid)
            self._fail(EngineDied("was closed"))
            await asyncio.sleep(0)  # lets the transport see its pipes closed


def _exit_text(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"signal {signal.Signals(-code).name}"
    except ValueError:
        return f"signal {-code}"


async def launch(
    command: str | Sequence[str],
    *,
    folder: str | None = None,
    environment: Mapping[str, str] | None = None,
    log: Log | None = None,
) -> EngineProcess:
    """Start an engine; its greeting is the answer that `receive` then waits for.

    Args:
        command: a command line, or program and arguments.
        folder: its working folder; ours where None.
        environment: variables beside ours.
        log: see `EngineProcess.log`.

    Raises:
        EngineNotStarted: there is no such program, or it may not be run.
    """
    group: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        group = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    if folder is not None and not os.path.isdir(folder):
        raise EngineNotStarted(f"could not start {command!r}: there is no folder {folder!r}")
    try:
        words = split_command(command)
        _, protocol = await asyncio.get_running_loop().subprocess_exec(
            lambda: EngineProcess(log),
            *words,
            cwd=folder,
            env={**os.environ, **environment} if environment else None,
            **group,
        )
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise EngineNotStarted(f"could not start {command!r}: {reason}") from None
    process: EngineProcess = protocol
    reaper.watch(process.pid)
    return process
