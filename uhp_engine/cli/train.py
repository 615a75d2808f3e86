"""`uhp-engine train`: the engine plays itself, a network learns from it, a match decides."""

from __future__ import annotations

import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import EXIT_CHECK_FAILED, EXIT_INTERRUPTED
from .running import RunOptions, play

if TYPE_CHECKING:
    from ..training.positions import PolicyData, ValueData

AT_LEAST_1 = click.IntRange(1)
SHARE = click.FloatRange(0.0, 1.0)
FILE = click.Path(dir_okay=False, path_type=Path)
THERE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.group()
def train() -> None:
    """Make a stronger evaluation: play games, fit a network to them, let a match decide.

    \b
    A round (docs/network.md):
      uhp-engine train selfplay games.uhpgames --games 10000 --processes 2
      uhp-engine train fit games.uhpgames -o new.npz
      uhp-engine train gate new.npz
      uhp-engine --network new.npz
    """


@train.command()
@click.argument("path", type=FILE)
@click.option("--games", type=AT_LEAST_1, default=10_000, show_default=True, help="In all.")
@click.option(
    "--simulations", type=AT_LEAST_1, default=600, show_default=True, help="Of a full search."
)
@click.option(
    "--fast-simulations", type=AT_LEAST_1, default=150, show_default=True, help="Of the others."
)
@click.option(
    "--full-share", type=SHARE, default=0.5, show_default=True, help="The share of full searches."
)
@click.option("--network", type=THERE, help="Who plays (the shipped network).")
@click.option(
    "--pool", type=THERE, multiple=True, help="An older network as an opponent; give any number."
)
@click.option(
    "--pool-share",
    type=SHARE,
    default=0.2,
    show_default=True,
    help="The share of games against one of the pool.",
)
@click.option("--processes", type=AT_LEAST_1, default=1, show_default=True)
@click.option("--seed", default=0, show_default=True)
def selfplay(path: Path, games: int, processes: int, **values: Any) -> None:
    """Play games of all types from random openings and add them to the file PATH.

    Interrupt and start again at will: the same command goes on where it was.
    """
    from ..search.network import SHIPPED, load_network
    from ..training.selfplay import Settings, played
    from ..training.store import GameWriter

    values["network"] = values["network"] or SHIPPED
    settings = Settings(**values)
    try:
        for network in (settings.network, *settings.pool):
            load_network(network)
        writer = GameWriter(path, settings.header())
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"{error.filename}: {error.strerror}") from None
    with writer:
        numbers = [number for number in range(games) if number not in writer.numbers]
        try:
            for game in _shown(played(numbers, settings, processes), "self-play", len(numbers)):
                writer.add(game)
        except KeyboardInterrupt:
            click.echo(f"interrupted; the same command goes on with {path}", err=True)
            raise SystemExit(EXIT_INTERRUPTED) from None


def _shown(items: Any, what: str, total: int | None = None) -> Any:
    """Yield items while a bar on standard error shows how far it is."""
    from rich.console import Console
    from rich.progress import track

    return track(items, what, total=total, console=Console(stderr=True))


def _collected(paths: tuple[Path, ...]) -> tuple[ValueData, PolicyData]:
    """Return what files of games say, showing progress.

    Raises:
        click.ClickException: they say nothing.
    """
    from .. import warmup
    from ..training.positions import collect
    from ..training.records import read

    warmup.load()
    try:
        return collect(_shown(read(paths), "reading"))
    except (OSError, ValueError) as error:
        raise click.ClickException(f"{', '.join(map(str, paths))}: {error}") from None


def _want(module: str, what: str) -> None:
    """Ask for a module of the extra now, not after minutes of reading."""
    from importlib.util import find_spec

    if find_spec(module) is None:
        raise click.ClickException(f"{what} needs {module}: pip install 'uhp-engine[train]'")


@train.command()
@click.argument("paths", nargs=-1, required=True, type=THERE)
@click.option("-o", "--output", type=FILE, required=True, help="The network, an .npz.")
@click.option("--epochs", type=AT_LEAST_1, default=12, show_default=True, help="At most.")
@click.option(
    "--patience",
    type=AT_LEAST_1,
    default=4,
    show_default=True,
    help="End after so many epochs without gain.",
)
@click.option("--seed", default=0, show_default=True)
@click.option("--plot", type=FILE, help="A PNG of the calibration on what was held out.")
def fit(
    paths: tuple[Path, ...],
    output: Path,
    epochs: int,
    patience: int,
    seed: int,
    plot: Path | None,
) -> None:
    """Fit a network to games: files of self-play, or of people's (GameString, tab, result).

    Nine games of ten are learned from; the tenth is for measuring. After each epoch all goes to
    OUTPUT.checkpoint, from which the same command goes on after an interruption.
    """
    for module in ("torch", "scipy", "matplotlib"):
        _want(module, "fitting")
    from ..search.network import save_network
    from ..training.calibration import draw
    from ..training.fit import Fit

    if not output.absolute().parent.is_dir():
        raise click.ClickException(f"{output}: there is no folder {output.parent}")
    values, decisions = _collected(paths)
    checkpoint = output.with_name(output.name + ".checkpoint")
    try:
        fitting = Fit(values, decisions, epochs, patience, seed, checkpoint)
        click.echo(fitting.beginning(), err=True)
        for epoch in _shown(fitting.run(), "epochs", epochs):
            click.echo(
                f"epoch {epoch.number}: loss {epoch.learned:.4f}, held out {epoch.held_out:.4f}"
                f"{' *' if epoch.best else ''}",
                err=True,
            )
        network = fitting.network()
        click.echo(fitting.report())
        save_network(output, network)
        if plot is not None:
            draw(fitting.calibration(), f"{output.name}, held out", plot)
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"{error.filename}: {error.strerror}") from None
    except KeyboardInterrupt:
        click.echo(f"interrupted; the same command goes on from {checkpoint}", err=True)
        raise SystemExit(EXIT_INTERRUPTED) from None
    checkpoint.unlink(missing_ok=True)


@train.command()
@click.argument("paths", nargs=-1, required=True, type=THERE)
def classic(paths: tuple[Path, ...]) -> None:
    """Fit the weights of the Classic evaluation and print them for search/weights.py."""
    _want("scipy", "fitting")
    from ..training.classic import report

    values, decisions = _collected(paths)
    try:
        tables, reached = report(values, decisions)
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    click.echo(tables)
    click.echo(reached, err=True)


@train.command()
@click.argument("network", type=THERE)
@click.option("--against", type=THERE, help="The network to beat (the shipped one).")
@click.option("--st", metavar="SECONDS", default="0.1", show_default=True, help="For each move.")
@click.option("--games", default="600", show_default=True, metavar="N", help="At most.")
@click.option("--elo0", default="0", show_default=True, metavar="ELO")
@click.option("--elo1", default="20", show_default=True, metavar="ELO")
@click.option("--concurrency", type=AT_LEAST_1, default=1, show_default=True)
@click.option(
    "--game-type",
    "game_types",
    multiple=True,
    default=("Base", "Base+MLP"),
    show_default=True,
    metavar="TYPE",
)
@click.option("--seed", default="0", show_default=True, metavar="N", help="Order of the openings.")
@click.option("--results", metavar="FILE", help="The SQLite file of the match.")
@click.option("--resume", is_flag=True, help="Go on with the match in the results file.")
@click.pass_context
def gate(
    ctx: click.Context,
    network: Path,
    against: Path | None,
    st: str,
    games: str,
    elo0: str,
    elo1: str,
    concurrency: int,
    game_types: tuple[str, ...],
    seed: str,
    results: str | None,
    resume: bool,
) -> None:
    """Let a network play the best so far until an SPRT decides; exit with 0 if it passed.

    Exits with 1 where it did not: elo0 was accepted, or the games ran out before a decision.
    """
    from ..arena.fields import ConfigError
    from ..arena.plan import Plan
    from ..search.network import load_network

    for path in (network, against):
        if path is not None:
            try:
                load_network(path)
            except ValueError as error:
                raise click.ClickException(str(error)) from None
    names = ("candidate", "best")
    values = {
        "engine": [
            {"cmd": _engine_with(path), "name": name, "options": {"RepetitionDraw": "Threefold"}}
            for name, path in zip(names, (network, against), strict=True)
        ],
        "each": {"st": st},
        "games": games,
        "game-types": list(game_types),
        "seed": seed,
        "sprt": {"elo0": elo0, "elo1": elo1},
    }
    try:
        plan = Plan.from_dict(values)
    except ConfigError as error:
        raise click.UsageError(str(error)) from None
    if results is None:
        results = f"gate-{time.strftime('%Y%m%d-%H%M%S')}.sqlite"
        click.echo(f"results go to {results}", err=True)
    options = RunOptions(results=results, resume=resume, concurrency=concurrency, recover=True)
    again = ["train", "gate", str(network)]
    if against is not None:
        again += ["--against", str(against)]
    play(ctx, plan, options, again)
    passed = _passed(results)
    click.echo("passed" if passed else "not passed")
    if not passed:
        ctx.exit(EXIT_CHECK_FAILED)


def _engine_with(network: Path | None) -> str:
    """Return the command line of this engine with a network."""
    words = [sys.executable, "-m", "uhp_engine"]
    if network is not None:
        words += ["--network", str(network.absolute())]
    return shlex.join(words)


def _passed(results: str) -> bool:
    """Say whether the SPRT of a match accepted that the candidate is stronger."""
    from ..arena.store import Store
    from ..arena.tally import Tally

    with Store.open(results) as store:
        plan = store.plan
        candidate, best = (engine.name for engine in plan.engines)
        score = Tally((candidate, best), store.games()).score(candidate, best, paired=True)
        return plan.sprt is not None and plan.sprt.status(score) == "H1"
