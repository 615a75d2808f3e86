"""`uhp-engine results`: tables of finished games, PGN and CSV; `results merge` joins files."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

import click


class _FileOrCommand(click.Group):
    """A group where a first word that is no command of it is a results file."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the hidden command `show` before a file."""
        words = [word for word in args if not word.startswith("-")]
        if args and not (words and words[0] in self.commands) and args[0] not in ("-h", "--help"):
            args = ["show", *args]
        return super().parse_args(ctx, args)


@click.group(
    cls=_FileOrCommand,
    subcommand_metavar="FILE [OPTIONS] | merge TARGET FILES...",
    no_args_is_help=True,
)
def results() -> None:
    """Show the results in FILE, export its games; or join several files.

    \b
    results FILE                        score, Elo, ratings, failures
      --games                           a line a game too
      --json                            all of it as JSON, games included
      --pgn OUT [--pgn-result chess]    games as PGN (- for standard output)
      --csv OUT                         games as CSV
    results merge TARGET FILES...       join the shards of a match into a new file
    """


@results.command(hidden=True)
@click.argument("file")
@click.option("--games", "list_games", is_flag=True, help="List the games too.")
@click.option("--pgn", metavar="OUT", help="Write the games as PGN; - for standard output.")
@click.option(
    "--pgn-result",
    type=click.Choice(["mzinga", "chess"]),
    default="mzinga",
    show_default=True,
    help="How PGN names results: WhiteWins, or 1-0 as chess tools read it.",
)
@click.option("--csv", "csv_out", metavar="OUT", help="Write the games as CSV.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
def show(
    file: str,
    list_games: bool,
    pgn: str | None,
    pgn_result: str,
    csv_out: str | None,
    as_json: bool,
) -> None:
    """Show the results in FILE, or export its games."""
    from .. import warmup
    from ..arena.export import csv_row, export_csv, export_pgn
    from ..arena.report import format_summary, summary
    from ..arena.store import Store, StoreError
    from ..arena.tally import Tally

    try:
        store = Store.open(file)
    except StoreError as error:
        raise click.UsageError(str(error)) from None
    with store:
        if pgn is not None:
            warmup.load()
            with _output(pgn, "--pgn") as stream:
                export_pgn(store.games(), store.plan, stream, chess_results=pgn_result == "chess")
        if csv_out is not None:
            with _output(csv_out, "--csv") as stream:
                export_csv(store.games(), stream)
        tally = Tally((engine.name for engine in store.plan.engines), store.games())
        planned = len(store.planned())
        if as_json:
            values = summary(store.plan, tally, planned)
            values["games"] = [csv_row(game) for game in store.games()]
            click.echo(json.dumps(values, indent=2))
        elif "-" not in (pgn, csv_out):
            if list_games:
                from ..arena.display import game_line

                for game in store.games():
                    click.echo(game_line(game))
            click.echo(format_summary(store.plan, tally))
            click.echo(f"{tally.games} of {planned} games are played")


@results.command()
@click.argument("target")
@click.argument("files", nargs=-1, required=True)
def merge(target: str, files: tuple[str, ...]) -> None:
    """Join results FILES of one match, such as its shards, into the new file TARGET."""
    from ..arena.store import StoreError
    from ..arena.store import merge as merge_files

    try:
        games, planned = merge_files(target, files)
    except StoreError as error:
        raise click.UsageError(str(error)) from None
    click.echo(f"{target}: {games} of {planned} games")


@contextmanager
def _output(path: str, option: str) -> Iterator[TextIO]:
    if path == "-":
        yield sys.stdout
        return
    try:
        stream = open(path, "w", encoding="utf-8", newline="\n")  # noqa: SIM115
    except OSError as error:
        raise click.BadParameter(
            f"unable to write {path!r}: {error.strerror}", param_hint=option
        ) from None
    with stream:
        yield stream
