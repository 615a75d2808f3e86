"""What `match` and `tournament` share: the options of a run, and the run itself."""

from __future__ import annotations

import json
import os
import shlex
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import EXIT_ENGINE_FAILED, EXIT_INTERRUPTED

if TYPE_CHECKING:
    from ..arena.outcome import PlayedGame
    from ..arena.plan import Plan
    from ..arena.runner import End, Run
    from ..arena.store import Store
    from ..arena.tally import Tally


@dataclass(frozen=True)
class RunOptions:
    """The options of a run, each None or empty where not given; see `run_options`."""

    results: str | None = None
    resume: bool = False
    concurrency: int | None = None
    recover: bool | None = None
    log: str | None = None
    pgn_out: str | None = None
    pgn_result: str | None = None
    shard: str | None = None
    cluster: str | None = None
    as_json: bool = False
    quiet: bool = False

    def with_file(self, values: dict[str, Any]) -> RunOptions:
        """Return these options with a file's for what was not given."""
        missing = {key: value for key, value in values.items() if getattr(self, key) is None}
        return replace(self, **missing)

    def with_results(self, kind: str) -> RunOptions:
        """Return these options with a results file, named by the time and said where none is.

        Args:
            kind: what the name begins with.

        Raises:
            click.UsageError: it is to be resumed, and not said which.
        """
        if self.results is not None:
            return self
        if self.resume:
            raise click.UsageError("--resume needs --results FILE: which match to go on with")
        results = f"{kind}-{time.strftime('%Y%m%d-%H%M%S')}.sqlite"
        click.echo(f"results go to {results}", err=True)
        return replace(self, results=results)


_OPTIONS = [
    click.option(
        "--results", metavar="FILE", help="The SQLite file that each game goes to as it ends."
    ),
    click.option(
        "--resume",
        is_flag=True,
        help="Go on with the schedule in the results file, if it is there.",
    ),
    click.option(
        "--concurrency",
        type=click.IntRange(1),
        metavar="N",
        help="Games at once (1; on a cluster as many as it has room for).",
    ),
    click.option(
        "--recover/--no-recover",
        default=None,
        help="Go on after an engine crashed, stalled or did not start (off: stop there).",
    ),
    click.option(
        "--log", metavar="FOLDER", help="Write each game's whole dialogue to a file here."
    ),
    click.option("--pgn-out", metavar="FILE", help="Write each game to a PGN file as it ends."),
    click.option(
        "--pgn-result",
        type=click.Choice(["mzinga", "chess"]),
        help="How PGN names results: WhiteWins (mzinga), or 1-0 as chess tools read it.",
    ),
    click.option(
        "--shard", metavar="I/N", help="Play one of N parts of the schedule; join them by merge."
    ),
    click.option("--cluster", metavar="ADDRESS", help="Play on a Dask scheduler's workers."),
    click.option("--json", "as_json", is_flag=True, help="Print the results as JSON."),
    click.option("--quiet", is_flag=True, help="Show no progress."),
]


def run_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a run to a command, which gets them as one `RunOptions`."""

    def call(**values: Any) -> Any:
        own = {key: values.pop(key) for key in list(values) if key in RunOptions.__annotations__}
        return command(options=RunOptions(**own), **values)

    call.__name__, call.__doc__ = command.__name__, command.__doc__
    call.__click_params__ = getattr(command, "__click_params__", [])  # type: ignore[attr-defined]
    decorated: Callable[..., Any] = call
    for option in reversed(_OPTIONS):
        decorated = option(decorated)
    return decorated


def parse_shard(text: str | None) -> tuple[int, int]:
    """Read `I/N`; the whole where None.

    Raises:
        click.BadParameter: it has another form, or I is not 1 to N.
    """
    if text is None:
        return (1, 1)
    index, slash, parts = text.partition("/")
    if not (slash and index.isdecimal() and parts.isdecimal() and 1 <= int(index) <= int(parts)):
        raise click.BadParameter(
            f"expected I/N with I from 1 to N, such as 2/3, not {text!r}", param_hint="--shard"
        )
    return (int(index), int(parts))


def play(ctx: click.Context, plan: Plan | None, options: RunOptions, again: list[str]) -> Run:
    """Play a plan, or what is left of one, and print the results.

    Args:
        ctx: of the command, for its exit code.
        plan: what to play; None to take it from the results file that is resumed.
        options: of the run.
        again: the command's words that resume it, without `--results` and `--resume`.

    Returns:
        The run, ended; where an engine failed or it was interrupted the command ends instead.
    """
    from .. import warmup
    from ..arena.cluster import ClusterError
    from ..arena.openings import OpeningError
    from ..arena.runner import End, Run, RunSettings, run_to_end
    from ..arena.store import StoreError

    assert options.results is not None
    try:
        warmup.load()
        _make_folder(options.log)
        with _open_store(plan, options) as store:
            store.lock()
            settings = RunSettings(
                options.concurrency or (0 if options.cluster else 1),
                bool(options.recover),
                options.log,
                options.cluster,
            )
            with _Watchers(store, options) as watchers:
                run = Run(store, settings, watchers)
                end = run_to_end(run)
            _print_results(store, run, end, options)
    except (StoreError, OpeningError) as error:
        raise click.UsageError(str(error)) from None
    except ClusterError as error:
        click.echo(f"Error: {error}", err=True)
        _say_how_to_resume(options, again)
        ctx.exit(EXIT_ENGINE_FAILED)
    if end is End.ENGINE_FAILED:
        assert run.broken is not None
        click.echo(
            f"stopped: {run.broken.at_fault} failed in game {run.broken.number + 1} "
            f"({run.broken.termination}: {run.broken.detail}); --recover goes on after such",
            err=True,
        )
    if end is End.INTERRUPTED:
        click.echo(f"interrupted after {run.tally.games} games", err=True)
    if end in (End.ENGINE_FAILED, End.INTERRUPTED):
        _say_how_to_resume(options, again)
        ctx.exit(EXIT_INTERRUPTED if end is End.INTERRUPTED else EXIT_ENGINE_FAILED)
    return run


def _make_folder(folder: str | None) -> None:
    if folder is not None:
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError as error:
            raise click.BadParameter(
                f"unable to make the folder {folder!r}: {error.strerror}", param_hint="--log"
            ) from None


def _open_store(plan: Plan | None, options: RunOptions) -> Store:
    """Open the results file to resume, or make a new one."""
    from ..arena.openings import load_openings
    from ..arena.schedule import pairs_needed
    from ..arena.store import Store, StoreError

    path = str(options.results)
    part = parse_shard(options.shard)
    if options.resume and (plan is None or Path(path).exists()):
        store = Store.open(path)
        different = plan and [
            key for key, value in plan.to_dict().items() if store.plan.to_dict().get(key) != value
        ]
        if different:
            store.close()
            raise StoreError(f"{path!r} holds another match: {', '.join(different)} differ")
        if options.shard is not None and part != store.part:
            held = "/".join(map(str, store.part))
            store.close()
            raise StoreError(f"{path!r} holds shard {held}, not {options.shard}")
        return store
    assert plan is not None
    wanted = pairs_needed(plan)
    each = -(-wanted // len(plan.game_types))
    openings = load_openings(plan.openings, plan.game_types, each, plan.seed)
    fewest = min(len(suite) for suite in openings.values())
    if fewest < each:
        click.echo(f"note: {fewest} openings for {each} pairs: they are used again", err=True)
    return Store.create(path, plan, openings, part)


class _Watchers:
    """All who are told of a run: the display, and the PGN file."""

    def __init__(self, store: Store, options: RunOptions) -> None:
        from ..arena.display import make_display

        self._store = store
        self._chess = options.pgn_result == "chess"
        self._display = make_display(store.plan, quiet=options.quiet)
        self.started = self._display.started
        self.close = self._display.close
        self._pgn: Any = None
        if options.pgn_out is not None:
            try:
                self._pgn = open(options.pgn_out, "w", encoding="utf-8")  # noqa: SIM115
            except OSError as error:
                raise click.BadParameter(
                    f"unable to write {options.pgn_out!r}: {error.strerror}",
                    param_hint="--pgn-out",
                ) from None
            self._export(store.games())

    def __enter__(self) -> _Watchers:
        return self

    def __exit__(self, *error: object) -> None:
        if self._pgn is not None:
            self._pgn.close()

    def _export(self, games: Any) -> None:
        from ..arena.export import export_pgn

        if self._pgn is not None:
            export_pgn(games, self._store.plan, self._pgn, chess_results=self._chess)

    def begin(self, tally: Tally, planned: int) -> None:
        """Pass it on."""
        self._display.begin(tally, planned)

    def finished(self, game: PlayedGame, tally: Tally) -> None:
        """Write the game, and pass it on."""
        self._export([game])
        self._display.finished(game, tally)


def _print_results(store: Store, run: Run, end: End, options: RunOptions) -> None:
    from ..arena.report import format_summary, summary

    if options.as_json:
        values = summary(store.plan, run.tally, len(store.planned()))
        click.echo(json.dumps({"end": end.value, "results": store.path, **values}, indent=2))
    else:
        click.echo(format_summary(store.plan, run.tally))


def _say_how_to_resume(options: RunOptions, again: list[str]) -> None:
    if options.results is None or not Path(options.results).exists():
        return
    words = ["uhp-engine", *again, "--results", options.results, "--resume"]
    click.echo(f"to go on with what is left: {shlex.join(words)}", err=True)
    sys.stderr.flush()
