"""The command line: each command in a file of its own, imported only when it is called."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

import click

from .. import __version__

# Exit codes: what a script can rely on.
EXIT_CHECK_FAILED = 1
EXIT_USAGE = 2
EXIT_ENGINE_FAILED = 3
EXIT_INTERRUPTED = 130

# Command -> the module of this package that holds a click command of the same name.
COMMANDS = {
    "perft": "perft",
    "warmup": "warmup",
    "doctor": "doctor",
}


class LazyGroup(click.Group):
    """A group that imports a command's module when the command is wanted."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, importing it."""
        home = COMMANDS.get(cmd_name)
        if home is None:
            return None
        command: Any = getattr(import_module(f"{__name__}.{home}"), cmd_name.replace("-", "_"))
        return command
