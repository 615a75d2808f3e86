"""`uhp-engine train`: the engine plays itself, a network learns from it, a match decides."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import EXIT_CHECK_FAILED, EXIT_INTERRUPTED, loaded_network
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
    from concurrent.futures import BrokenExecutor

    from ..search.network import SHIPPED
    from ..training.selfplay import Settings, played
    from ..training.store import GameWriter

    values["network"] = values["network"] or SHIPPED
    settings = Settings(**values)
    for network in (settings.network, *settings.pool):
        loaded_network(network)
    try:
        with GameWriter(path, settings.header()) as writer:
            left = [number for number in range(games) if number not in writer.numbers]
            for game in _shown(played(left, settings, processes), "self-play", len(left)):
                writer.add(game)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    except OSError as error:
        raise click.ClickException(_said(error, path)) from None
    except BrokenExecutor:
        raise click.ClickException(
            f"a process was killed; the same command goes on with {path}"
        ) from None
    except KeyboardInterrupt:
        click.echo(f"interrupted; the same command goes on with {path}", err=True)
        raise SystemExit(EXIT_INTERRUPTED) from None


def _said(error: OSError, path: Path) -> str:
    return f"{error.filename or path}: {error.strerror or error}"


def _shown(items: Any, what: str, total: int | None = None) -> Any:
    """Yield items while a bar on standard error shows how far it is."""
    from rich.console import Console
    from rich.progress import track

    return track(items, what, total=total, console=Console(stderr=True))


def _collected(paths: tuple[Path, ...]) -> tuple[ValueData, PolicyData]:
    """Return what files of games say, showing progress.

    Raises:
        click.UsageError: they say nothing.
    """
    from .. import warmup
    from ..training.positions import collect
    from ..training.records import read

    warmup.load()
    try:
        return collect(_shown(read(paths, _tell_left_out), "reading"))
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    except OSError as error:
        raise click.UsageError(_said(error, paths[0])) from None


def _tell_left_out(path: Path, count: int) -> None:
    lines = "line was" if count == 1 else "lines were"
    click.echo(
        f"{path}: {count} {lines} left out: not decided or drawn, or not to be replayed", err=True
    )


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

    checkpoint = output.with_name(output.name + ".checkpoint")
    _check_targets(paths, output, checkpoint, plot)
    values, decisions = _collected(paths)
    try:
        fitting = Fit(values, decisions, epochs, patience, seed, checkpoint)
        click.echo(fitting.beginning(), err=True)
        for epoch in _shown(fitting.run(), "epochs", epochs - fitting.done):
            click.echo(
                f"epoch {epoch.number}: loss {epoch.learned:.4f}, held out {epoch.held_out:.4f}"
                f"{' *' if epoch.best else ''}",
                err=True,
            )
        save_network(output, fitting.network())
        if plot is not None:
            draw(fitting.calibration, f"{output.name}, held out", plot)
        checkpoint.unlink(missing_ok=True)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    except OSError as error:
        raise click.ClickException(_said(error, output)) from None
    except KeyboardInterrupt:
        again = f"goes on from {checkpoint}" if checkpoint.exists() else "begins anew"
        click.echo(f"interrupted; the same command {again}", err=True)
        raise SystemExit(EXIT_INTERRUPTED) from None
    click.echo(fitting.report())


def _check_targets(
    paths: tuple[Path, ...], output: Path, checkpoint: Path, plot: Path | None
) -> None:
    """See that nothing is written over what is read, or where nothing can be written.

    Raises:
        click.UsageError: it would be.
    """
    from ..training.store import MAGIC

    targets = [output, checkpoint] + ([plot] if plot is not None else [])
    places = [target.resolve() for target in targets]
    if len(set(places)) < len(places) or set(places) & {path.resolve() for path in paths}:
        raise click.UsageError(
            f"{output}: the games, the network and the plot are files of their own"
        )
    for target in targets:
        try:
            with target.open("ab+") as file:
                file.seek(0)
                is_games = file.read(len(MAGIC)) == MAGIC
                is_new = file.tell() == 0
        except OSError as error:
            raise click.UsageError(_said(error, target)) from None
        if is_games:
            raise click.UsageError(f"{target} holds games of self-play: choose another file")
        if is_new:
            target.unlink()


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
        raise click.UsageError(str(error)) from None
    click.echo(tables)
    click.echo(reached, err=True)


@train.command()
@click.argument("network", type=THERE)
@click.option("--against", type=THERE, help="The network to beat (the shipped one).")
@click.option("--st", metavar="SECONDS", default="0.1", show_default=True, help="For each move.")
@click.option("--games", default="400", show_default=True, metavar="N", help="At most.")
@click.option("--elo0", default="0", show_default=True, metavar="ELO", help="Normalised Elo.")
@click.option("--elo1", default="20", show_default=True, metavar="ELO", help="Normalised Elo.")
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
    from ..search.network import SHIPPED, fingerprint

    options = RunOptions(results, resume, concurrency).with_results("gate")
    best = against or SHIPPED
    for path in (network, best):
        loaded_network(path)
    if fingerprint(network) == fingerprint(best):
        raise click.UsageError(f"{network} and {best} are the same network")
    values = {
        # The names hold hashes: a match is not gone on with by another network.
        "engine": [
            {"cmd": _engine_with(path), "name": f"{role}-{fingerprint(path)[:8]}"}
            for role, path in (("candidate", network), ("best", best))
        ],
        "each": {"st": st, "options": GATE_OPTIONS},
        "games": games,
        "game-types": list(game_types),
        "seed": seed,
        "sprt": {"elo0": elo0, "elo1": elo1},
    }
    try:
        plan = Plan.from_dict(values)
    except ConfigError as error:
        raise click.UsageError(str(error)) from None
    again = ["train", "gate", str(network), "--st", st, "--games", games]
    again += ["--elo0", elo0, "--elo1", elo1, "--seed", seed, "--concurrency", str(concurrency)]
    for game_type in game_types:
        again += ["--game-type", game_type]
    if against is not None:
        again += ["--against", str(against)]
    run = play(ctx, plan, options, again)
    click.echo("passed" if run.decision == "H1" else "not passed")
    if run.decision != "H1":
        ctx.exit(EXIT_CHECK_FAILED)


# Whatever the user's configuration says.
GATE_OPTIONS = {
    "Evaluation": "Learned",
    "Level": "10",
    "NumThreads": "1",
    "Ponder": "False",
    "RepetitionDraw": "Threefold",
}


def _engine_with(network: Path) -> str:
    """Return the command line of this engine with a network."""
    words = [sys.executable, "-m", "uhp_engine", "--network", str(network.absolute())]
    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)
