"""What all tests share: the facts in tests/data, and engine processes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pexpect.popen_spawn import PopenSpawn

from uhp_engine import warmup

DATA = Path(__file__).parent / "data"
ANSWER_SECONDS = 90  # the first process ever compiles


class EngineProcess:
    """An engine over pipes, as a GUI starts it."""

    def __init__(self, *arguments: str, **variables: str) -> None:
        command = [sys.executable, "-m", "uhp_engine", *arguments]
        self.process = PopenSpawn(command, timeout=ANSWER_SECONDS, env={**os.environ, **variables})
        self.greeting = self.read_answer()

    def read_answer(self) -> list[str]:
        """Return the lines up to the next `ok`."""
        lines: list[str] = []
        while True:
            self.process.expect_exact(b"\n")
            line = self.process.before.decode().rstrip("\r")
            if line == "ok":
                return lines
            lines.append(line)

    def write(self, line: str) -> None:
        self.process.send(line + "\n")

    def send(self, line: str) -> list[str]:
        """Send a command and return its answer's lines, the `ok` left out."""
        self.write(line)
        return self.read_answer()

    def ask(self, line: str) -> str:
        """Send a command whose answer is one line, and return it."""
        answer = self.send(line)
        assert len(answer) == 1, (line, answer)
        return answer[0]

    def close(self) -> int:
        """Say exit and return the exit code."""
        self.process.send("exit\n")
        return self.process.wait()


@pytest.fixture(scope="session")
def compiled() -> None:
    """Fill the cache of compiled code: PopenSpawn mixes standard error's notes into the answers."""
    warmup.load()


@pytest.fixture
def start_engine(compiled: None) -> Iterator[Callable[..., EngineProcess]]:
    """Start engine processes that end with the test."""
    started: list[EngineProcess] = []

    def start(*arguments: str, **variables: str) -> EngineProcess:
        started.append(EngineProcess(*arguments, **variables))
        return started[-1]

    yield start
    for engine in started:
        if engine.process.proc.poll() is None:
            engine.process.proc.kill()
        engine.process.proc.wait()
        engine.process.proc.stdin.close()
        engine.process.proc.stdout.close()


@pytest.fixture
def engine(start_engine: Callable[..., EngineProcess]) -> EngineProcess:
    """One engine process."""
    return start_engine()


@pytest.fixture(scope="session")
def rows() -> Callable[[str], list[list[str]]]:
    """Return a reader of the tab-separated files in tests/data."""

    def read(name: str) -> list[list[str]]:
        text = (DATA / name).read_text(encoding="utf-8")
        return [line.split("\t") for line in text.splitlines()]

    return read
