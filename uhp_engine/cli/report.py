"""`uhp-engine report`: games and tournaments as one HTML page."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .. import __version__, warmup
from . import EXIT_CHECK_FAILED, EXIT_INTERRUPTED
from .sources import is_results_file

if TYPE_CHECKING:
    from ..analysis import AnalysisFile, View
    from ..game import Game
    from ..notation.record import BrokenGame, GameRecord
    from ..render.report import MoveView, Report, ReportGame, Tournament
    from ..search.limits import Limits


@click.command()
@click.argument(
    "sources",
    metavar="FILE...",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, path_type=Path),
)
@click.option("-o", "--output", required=True, metavar="OUT.html", help="The page to write.")
@click.option("--title", help="The page's heading; left out: after the files.")
@click.option("--analyze", is_flag=True, help="Add the engine's view of every move.")
@click.option(
    "--seconds",
    type=click.FloatRange(0.001, 3600),
    metavar="S",
    help="Time for each position of --analyze.  [default: 0.5]",
)
@click.option(
    "--simulations",
    type=click.IntRange(1),
    metavar="N",
    help="Instead: simulations for each position; the same page every time.",
)
@click.option("-q", "--quiet", is_flag=True, help="No progress, no notes.")
def report(
    sources: tuple[Path, ...],
    output: str,
    title: str | None,
    analyze: bool,
    seconds: float | None,
    simulations: int | None,
    quiet: bool,
) -> int:
    """Make one self-contained HTML page out of games, or of a tournament's results.

    FILE is a game file (PGN, SGF, GameStrings), a folder of them, or the SQLite file of a match or
    tournament. The page shows each game on a board, and a tournament's ratings and crosstable.
    An interrupted analysis is kept beside OUT, and goes on when the same command is given again.
    """
    if not analyze and (seconds is not None or simulations is not None):
        raise click.UsageError("--seconds and --simulations need --analyze")
    if seconds is not None and simulations is not None:
        raise click.UsageError("--seconds and --simulations exclude each other")
    _check_target(output)
    warmup.load()
    from ..render.report import Report

    job = _Job(Report(title or _title_of(sources)), quiet)
    for source in sources:
        job.read(source)
    if not job.report.games and not job.report.tournaments:
        raise click.ClickException("no game could be read: there is nothing to report")
    interrupted = False
    if analyze:
        interrupted = not job.analyze(output, seconds, simulations)
    _write(output, job.report)
    if not quiet or job.broken:
        click.echo(f"{output}: {len(job.report.games)} games, {job.broken} broken", err=True)
    if interrupted:
        click.echo("interrupted: the same command goes on with the analysis", err=True)
        return EXIT_INTERRUPTED
    return EXIT_CHECK_FAILED if job.broken else 0


def _title_of(sources: tuple[Path, ...]) -> str:
    names = [source.stem or str(source) for source in sources]
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _check_target(output: str) -> None:
    """Say before the work, not after it, that the page cannot be written or made."""
    try:
        import jinja2  # noqa: F401
    except ImportError:
        raise click.ClickException(
            "a report needs the extra report: pip install 'uhp-engine[report]'"
        ) from None
    folder = Path(output).absolute().parent
    if os.path.isdir(output) or not folder.is_dir() or not os.access(folder, os.W_OK):
        raise click.ClickException(
            f"cannot write {output}: expected a file in a folder that exists"
        )


def _write(output: str, report: Report) -> None:
    from ..render.report import report_page

    text = report_page(report)
    part = f"{output}.part"
    try:
        Path(part).write_text(text, encoding="utf-8", newline="\n")
        os.replace(part, output)
    except OSError as error:
        raise click.ClickException(f"cannot write {output}: {error.strerror or error}") from None


class _Job:
    """The report as it grows."""

    def __init__(self, report: Report, quiet: bool) -> None:
        self.report = report
        self.quiet = quiet
        self.broken = 0

    def read(self, source: Path) -> None:
        """Add what a file or a folder holds."""
        from ..notation.files import find_game_files, read_games
        from ..render.report import ReportGame

        if source.is_file() and is_results_file(source):
            self._read_results(source)
            return
        for file in find_game_files([source]):
            try:
                for record in read_games(file, on_error=self._report_broken):
                    self.report.games.append(ReportGame(record))
                    self._note(file.name, record)
            except OSError as error:
                self.broken += 1
                click.echo(f"{file.name}: cannot be read: {error.strerror or error}", err=True)

    def _read_results(self, source: Path) -> None:
        from ..arena.export import game_record
        from ..arena.store import Store, StoreError
        from ..render.report import ReportGame

        try:
            with Store.open(str(source)) as store:
                games = list(store.games())
                self.report.tournaments.append(_tournament(store, games))
                records = [game_record(game, store.plan) for game in games]
        except (StoreError, ValueError) as error:
            raise click.ClickException(str(error)) from None
        self.report.games.extend(ReportGame(record) for record in records)

    def _report_broken(self, error: BrokenGame) -> None:
        self.broken += 1
        click.echo(f"{error}; game skipped", err=True)

    def _note(self, name: str, record: GameRecord) -> None:
        if not self.quiet:
            for note in record.notes:
                click.echo(f"{name}: line {record.line}: note: {note}", err=True)

    def analyze(self, output: str, seconds: float | None, simulations: int | None) -> bool:
        """Add the engine's view to every game; False where it was interrupted."""
        from ..analysis import AnalysisFile
        from ..search.limits import Limits
        from ..search.searcher import Searcher

        if simulations is not None:
            limits = Limits(simulations=simulations, fresh=True)
        else:
            limits = Limits(seconds=0.5 if seconds is None else seconds)
        try:
            saved = AnalysisFile(f"{output}.analysis", limits, __version__)
        except (OSError, UnicodeDecodeError) as error:
            raise click.ClickException(f"cannot read {output}.analysis: {error}") from None
        games = self.report.games
        total = sum(game.record.game.ply + 1 for game in games)
        with self._progress(total) as advance:
            for number, game in enumerate(games):
                try:
                    views = _views(game.record.game, Searcher(), limits, saved, advance)
                except KeyboardInterrupt:
                    return False
                games[number] = _with_views(game, views)
        saved.remove()
        return True

    @contextmanager
    def _progress(self, total: int) -> Iterator[Any]:
        if self.quiet or not sys.stderr.isatty():
            yield lambda count=1: None
            return
        from rich.console import Console
        from rich.progress import Progress

        with Progress(console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("analysing positions", total=total)
            yield lambda count=1: bar.advance(task, count)


def _views(
    game: Game, searcher: Any, limits: Limits, saved: AnalysisFile, advance: Any
) -> list[View]:
    from ..analysis import view_game

    def keep(ply: int, view: View) -> None:
        saved.add(game, ply, view)
        advance()

    known = saved.known(game)
    advance(len(known))
    return view_game(game, searcher, limits, known=known, on_view=keep)


def _with_views(game: ReportGame, views: list[View]) -> ReportGame:
    """Return a game with the engine's views in words and in the plane."""
    from ..analysis import judgement, losses
    from ..game import Game
    from ..notation import format_move
    from ..render.report import ReportGame
    from ..render.track import Tracker

    tracker = Tracker(Game(game.record.game.game_type, tournament_opening=False))
    shown: list[MoveView] = []
    for ply, (move, loss) in enumerate(zip(game.record.game.moves, losses(views), strict=True)):
        best = views[ply].best
        other = None if best in (None, move) else best
        better = format_move(tracker.game, other) if other is not None else ""
        step = tracker.locate(other) if other is not None else None
        shown.append(_move_view(views[ply], views[ply + 1], judgement(loss), better, step))
        tracker.play(move)
    return ReportGame(game.record, shown, views[0].score)


def _move_view(before: View, after: View, mark: str, better: str, step: Any) -> MoveView:
    from ..render.report import MoveView

    words = f"White's expected score {100 * after.score:.0f} %"
    if after.proof:
        winner = "White" if after.score > 0.5 else "Black"
        words += f", a proven win for {winner} in {after.proof} plies"
    if better and (mark or after.score != before.score):
        words += f"; the engine would play {better} ({100 * before.score:.0f} %)"
    return MoveView(after.score, mark, words, step)


def _tournament(store: Any, games: list[Any]) -> Tournament:
    """Return the tables of a results file."""
    import math

    from ..arena.ratings import crosstable
    from ..arena.report import conditions, ratings
    from ..arena.tally import Tally
    from ..render.report import Standing, Tournament

    tally = Tally([engine.name for engine in store.plan.engines], games)
    rated = ratings(tally)
    names = [rating.name for rating in rated]
    table = crosstable(tally.results, names)
    by_name = {engine.name: engine for engine in store.plan.engines}
    standings = []
    for rating in rated:
        total = table.total(rating.name)
        error = rating.error if math.isfinite(rating.error) else None
        engine = by_name[rating.name]
        numbers = (rating.elo, error, rating.games, rating.points)
        standings.append(Standing(rating.name, engine.conditions, *numbers, *total))
    cells = [
        [
            None if meeting is None else (meeting.points, meeting.games, _meeting_words(meeting))
            for meeting in table.row(name)
        ]
        for name in names
    ]
    notes = [f"{len(games)} of {len(store.planned())} games played; {conditions(store.plan)}"]
    ends = ", ".join(f"{reason} {count}" for reason, count in tally.terminations.most_common())
    if ends:
        notes.append(f"Games ended by {ends}.")
    notes += _sprt_notes(store, tally)
    return Tournament(store.plan.event or Path(store.path).stem, notes, standings, cells)


def _meeting_words(meeting: Any) -> str:
    return f"{meeting.wins} won, {meeting.draws} drawn, {meeting.losses} lost"


def _sprt_notes(store: Any, tally: Any) -> list[str]:
    """Return the state of the sequential test where one is run, and failures, in words."""
    from ..arena.report import failure_lines

    plan = store.plan
    notes = failure_lines(tally)
    if plan.sprt is not None and len(plan.engines) == 2:
        first, second = (engine.name for engine in plan.engines)
        score = tally.score(first, second, paired=plan.repeat)
        notes.append(f"SPRT: {plan.sprt.format(score)}, {plan.sprt.status(score)}")
    return notes
