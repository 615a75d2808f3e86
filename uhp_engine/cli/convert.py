"""`uhp-engine convert`: games from one kind of file into another, each replayed by the rules."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from .. import warmup
from . import EXIT_CHECK_FAILED, EXIT_INTERRUPTED

if TYPE_CHECKING:
    from ..notation.files import GameFile
    from ..notation.record import BrokenGame, GameRecord

_TARGET_ENDINGS = {"pgn": ".pgn", "uhp": ".uhp"}


@click.command()
@click.argument(
    "sources",
    metavar="IN...",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, path_type=Path),
)
@click.option(
    "-o",
    "--output",
    metavar="OUT",
    type=click.Path(allow_dash=True),
    help="A file for all games, or a folder for a file each; left out: standard output.",
)
@click.option(
    "--to",
    "target",
    type=click.Choice(["pgn", "uhp"]),
    help="PGN, or GameStrings one a line; left out: by OUT's ending, else PGN.",
)
@click.option("--strict", is_flag=True, help="Refuse queens first and pieces out of order.")
@click.option("--chess-results", is_flag=True, help="Write results as 1-0, 0-1, 1/2-1/2, *.")
@click.option("-q", "--quiet", is_flag=True, help="No progress, no notes on what was mended.")
def convert(
    sources: tuple[Path, ...],
    output: str | None,
    target: str | None,
    strict: bool,
    chess_results: bool,
    quiet: bool,
) -> int:
    """Convert games: PGN, boardspace.net's SGF (of every age), GameStrings one a line.

    IN are files, folders, which are searched to their depths, and zip archives. Each game is
    replayed: an illegal or unreadable one is reported with its line, move number and reason, and
    skipped; the exit code is then 1.
    """
    from ..notation.files import find_game_files

    if target is None:
        known = {".pgn": "pgn", ".uhp": "uhp", ".txt": "uhp"}
        target = known.get(Path(output or "").suffix.lower(), "pgn")
    try:
        files = list(find_game_files(sources))
    except OSError as error:
        raise click.UsageError(f"cannot read: {error}") from None
    _refuse_to_overwrite(files, output)
    warmup.load()
    job = _Conversion(strict=strict, chess_results=chess_results, quiet=quiet, target=target)
    try:
        job.run(files, output)
    except KeyboardInterrupt:
        job.report("interrupted")
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        raise  # the reader of our output has left
    except OSError as error:
        raise click.ClickException(f"cannot write {output}: {error.strerror or error}") from None
    job.report("done")
    return 0 if job.written and not job.broken else EXIT_CHECK_FAILED


def _refuse_to_overwrite(files: list[GameFile], output: str | None) -> None:
    if output is not None and os.path.isfile(output):
        for file in files:
            if os.path.samefile(output, file.path):
                raise click.UsageError(f"{output} is read and written: choose another OUT")


class _Conversion:
    """One run: what to do with each game, and the counts."""

    def __init__(self, *, strict: bool, chess_results: bool, quiet: bool, target: str) -> None:
        self.strict = strict
        self.chess_results = chess_results
        self.quiet = quiet
        self.target = target
        self.written = 0
        self.broken = 0
        self._tick: Callable[[], None] = lambda: None
        self.left = ""  # where an interrupted run leaves its games

    def run(self, files: list[GameFile], output: str | None) -> None:
        """Convert all files into one, or into a folder: one that exists, or ends in a slash."""
        if output is not None and (os.path.isdir(output) or output.endswith(("/", os.sep))):
            folder = Path(output)
            folder.mkdir(parents=True, exist_ok=True)
            for file, path in self._targets(files, folder):
                with self._open(path) as stream:
                    self._convert(file, stream)
        else:
            with self._open(output) as stream:
                for file in self._progress(files):
                    self._convert(file, stream)

    def _targets(self, files: list[GameFile], folder: Path) -> Iterator[tuple[GameFile, Path]]:
        """Pair each file with a path of its own in the folder."""
        used: set[str] = set()
        for file in self._progress(files):
            name, number = file.stem, 1
            while name.lower() in used:
                number += 1
                name = f"{file.stem}-{number}"
            used.add(name.lower())
            yield file, folder / (name + _TARGET_ENDINGS[self.target])

    @contextmanager
    def _open(self, name: str | Path | None) -> Iterator[TextIO]:
        """Open a file that appears under its name only when it is whole."""
        if name is None or name == "-":
            yield sys.stdout
            sys.stdout.flush()
            return
        path = Path(name)
        part = path.with_name(path.name + ".part")
        self.left = str(part)
        with open(part, "w", encoding="utf-8", newline="\n") as stream:
            yield stream
        os.replace(part, path)
        self.left = ""

    def _progress(self, files: list[GameFile]) -> Iterator[GameFile]:
        if self.quiet or not sys.stderr.isatty():
            yield from files
            return
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("converting", total=len(files))
            self._tick = lambda: bar.update(task, description=f"{self.written} games")
            for file in files:
                yield file
                bar.advance(task)

    def _convert(self, file: GameFile, stream: TextIO) -> None:
        from ..notation.files import read_games, write_game

        try:
            for record in read_games(file, on_error=self._report_broken, strict=self.strict):
                write_game(record, stream, self.target, chess_results=self.chess_results)
                self.written += 1
                self._tick()
                self._report_notes(file, record)
        except OSError as error:
            if error.filename != str(file.path) and not file.member:
                raise
            self.broken += 1
            click.echo(f"{file.name}: cannot be read: {error.strerror or error}", err=True)

    def _report_broken(self, error: BrokenGame) -> None:
        self.broken += 1
        click.echo(f"{error}; game skipped", err=True)

    def _report_notes(self, file: GameFile, record: GameRecord) -> None:
        if not self.quiet:
            for note in record.notes:
                click.echo(f"{file.name}: line {record.line}: note: {note}", err=True)

    def report(self, how: str) -> None:
        """Say on standard error what was done."""
        text = f"{how}: {self.written} games converted, {self.broken} broken"
        if how != "done" and self.left:
            text += f"; {self.left} holds what was converted"
        if not self.quiet or self.broken or how != "done":
            click.echo(text, err=True)
