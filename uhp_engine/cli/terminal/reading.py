"""Reading a line from the player: with a list that narrows as one types, or plainly from a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from .moves import MoveList


class Reader(Protocol):
    """Where the player's lines come from."""

    def read(self, prompt: str, listed: MoveList | None, status: str) -> str:
        """Return the next line.

        Raises:
            EOFError: there are no more: Ctrl+D.
            KeyboardInterrupt: Ctrl+C.
        """
        ...


class PlainReader:
    """Lines as they come: from a pipe, or a terminal that can do no more."""

    def read(self, prompt: str, listed: MoveList | None, status: str) -> str:
        """Return the next line."""
        sys.stdout.write(prompt)
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line.strip()


class PromptReader:
    """A line with history, and a menu of moves that narrows as one types."""

    def __init__(self, commands: tuple[str, ...]) -> None:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.history import InMemoryHistory

        self._commands = commands
        self._session: Any = PromptSession(history=InMemoryHistory())

    def read(self, prompt: str, listed: MoveList | None, status: str) -> str:
        """Return the next line."""
        completer = _completer(lambda: listed, self._commands) if listed is not None else None
        text = self._session.prompt(
            prompt,
            completer=completer,
            complete_while_typing=True,
            bottom_toolbar=status or None,
            reserve_space_for_menu=8 if listed is not None else 0,
        )
        return str(text).strip()


def _completer(listed: Callable[[], MoveList], commands: tuple[str, ...]) -> Any:
    from prompt_toolkit.completion import Completer, Completion
    from prompt_toolkit.document import Document

    class MoveCompleter(Completer):
        """Offers the moves that fit, each with its number, and the commands."""

        def get_completions(self, document: Document, complete_event: Any) -> Iterator[Completion]:
            typed = document.text_before_cursor
            moves = listed()
            back = -len(typed)
            if typed.strip():
                for number in moves.narrowed(typed):
                    text = moves.texts[number - 1]
                    yield Completion(text, back, display=f"{number:>3}  {text}")
            for command in commands:
                if command.startswith(typed.strip().lower()) and typed.strip():
                    yield Completion(command, back, display_meta="command")

    return MoveCompleter()


def best_reader(commands: tuple[str, ...]) -> Reader:
    """Return the reader that this terminal allows."""
    import os

    if sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
        return PromptReader(commands)
    return PlainReader()
