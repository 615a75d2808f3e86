"""The command line: each command in a file of its own, imported only when it is called."""

from __future__ import annotations

import signal
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .. import __version__
from ..exits import (
    EXIT_CHECK_FAILED,
    EXIT_ENGINE_FAILED,
    EXIT_INTERRUPTED,
    EXIT_USAGE,
    silence_stdout,
)

if TYPE_CHECKING:
    from ..search.network import Network

__all__ = [
    "COMMANDS",
    "EXIT_CHECK_FAILED",
    "EXIT_ENGINE_FAILED",
    "EXIT_INTERRUPTED",
    "EXIT_USAGE",
    "group",
    "loaded_network",
    "main",
]

# Command -> the module of this package that holds a click command of the same name.
COMMANDS = {
    "bench": "bench",
    "perft": "perft",
    "warmup": "warmup",
    "doctor": "doctor",
    "match": "match",
    "results": "results",
    "tournament": "tournament",
    "check": "check",
    "convert": "convert",
    "show": "show",
    "play": "play",
    "report": "report",
    "analyze": "analyze",
    "train": "train",
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
        module = import_module(f"{__name__}.{home}")
        command: click.Command = getattr(module, cmd_name.replace("-", "_"))
        return command


def _option_flags(command: click.Command) -> click.Command:
    """Give the bare command a flag for each of the engine's options."""
    from ..uhp.options import OPTIONS

    for option in OPTIONS:
        metavar = {"int": "N", "bool": "True|False"}.get(option.kind, "|".join(option.choices))
        command.params.append(
            click.Option([option.flag, option.name], metavar=metavar, help=option.help)
        )
    command.params.append(
        click.Option(
            ["--network"],
            type=click.Path(exists=True, dir_okay=False, path_type=Path),
            help="A file made by `uhp-engine train fit`, for Evaluation Learned.",
        )
    )
    return command


def loaded_network(path: Path) -> Network:
    """Return a network.

    Raises:
        click.UsageError: the file holds none, or cannot be read.
    """
    from ..search.network import load_network

    try:
        return load_network(path)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    except OSError as error:
        raise click.UsageError(f"{path}: {error.strerror}") from None


@click.command(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="uhp-engine")
@click.pass_context
def group(ctx: click.Context, /, network: Path | None, **flags: str | None) -> None:
    """Play Hive over the Universal Hive Protocol (UHP).

    Without a command the engine speaks UHP on standard input and output: give its command line
    to a GUI such as MzingaViewer. The options below set its first values; each can also come
    from a variable (UHP_ENGINE_NUM_THREADS, ...) or from the configuration file.
    """
    given = {name: text for name, text in flags.items() if text is not None}
    if ctx.invoked_subcommand is not None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if network is not None:
            given["network"] = str(network)
        if given:
            raise click.UsageError(
                f"{ctx.invoked_subcommand} does not take the engine's options "
                f"({', '.join(given)}): they go with the bare command"
            )
        return
    from ..uhp.options import OptionError
    from ..uhp.session import run
    from ..uhp.settings import first_values

    try:
        values = first_values(given)
    except OptionError as error:
        raise click.UsageError(str(error)) from None
    if network is not None:
        values.network = loaded_network(network)
    ctx.exit(run(values))


_option_flags(group)


def main() -> None:
    """Run the command line; the exit code says what came of it."""
    if not sys.argv[1:] or sys.argv[1].startswith("-"):
        group(prog_name="uhp-engine")
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        status = group.main(prog_name="uhp-engine", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        sys.exit(EXIT_INTERRUPTED)
    except BrokenPipeError:
        # The reader of our output has left; nothing is wrong with us.
        silence_stdout()
        sys.exit(0)
    sys.exit(status if isinstance(status, int) else 0)
