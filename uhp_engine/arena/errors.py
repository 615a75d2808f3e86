"""What can go wrong with an engine, each under a name of its own."""

from __future__ import annotations


class EngineError(Exception):
    """An engine did not do its part; the text says what it did instead.

    Attributes:
        stderr: the last lines that the engine wrote to standard error, or nothing.
    """

    def __init__(self, text: str, stderr: str = "") -> None:
        super().__init__(text)
        self.stderr = stderr


class EngineNotStarted(EngineError):
    """The program could not be run, left at once, or never gave its greeting."""


class EngineDied(EngineError):
    """The engine's process ended, or closed a pipe that it should serve."""


class EngineStalled(EngineError):
    """No answer came within the limit."""


class EngineGarbage(EngineError):
    """What the engine printed is no answer that the protocol knows."""


class EngineRefused(EngineError):
    """The engine answered `err` or `invalidmove`.

    Attributes:
        kind: `err` or `invalidmove`.
        reason: the rest of that line.
    """

    def __init__(self, command: str, line: str) -> None:
        self.kind, _, self.reason = line.partition(" ")
        super().__init__(f"answered {command!r} with {line!r}")
