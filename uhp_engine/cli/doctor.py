"""`uhp-engine doctor`: what is installed, whether it works here, and what to paste into a GUI."""

from __future__ import annotations

import platform
import sys
import time
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import click

from .. import __version__, warmup
from ..uhp.settings import configuration_file
from . import EXIT_CHECK_FAILED

LIBRARIES = ("numba", "llvmlite", "numpy", "click", "platformdirs", "rich")
PERFT_DEPTH = 5
PERFT_NODES = 5_427_108  # Base+MLP at that depth, as published by the reference engine
SEARCH_SECONDS = 1.0


def program() -> tuple[Path, list[str]]:
    """Return the program that a GUI must start, and its arguments."""
    folder = Path(sys.executable).parent
    for name in ("uhp-engine", "uhp-engine.exe"):
        if (folder / name).exists():
            return folder / name, []
    return Path(sys.executable), ["-m", "uhp_engine"]


def viewer_command() -> str:
    """Return the command line for MzingaViewer: the program in quotes, then its arguments."""
    path, arguments = program()
    return " ".join([f'"{path}"', *arguments])


def _versions() -> Iterator[tuple[str, str]]:
    yield "uhp_engine", f"{__version__} ({Path(__file__).parent.parent})"
    yield "Python", f"{platform.python_version()} on {platform.platform()} ({sys.executable})"
    for library in LIBRARIES:
        try:
            yield library, version(library)
        except PackageNotFoundError:
            yield library, "not installed"


def _cache_state() -> str:
    from ..core.jit import code_cache

    if code_cache.target is None:
        return "none: no folder can be written, so every start compiles anew (some ten seconds)"
    state = "ready" if code_cache.warm else "not filled yet; the first game fills it"
    return f"{code_cache.target} ({state})"


def _check_rules() -> tuple[bool, str]:
    from ..game import Game

    started = time.perf_counter()
    nodes = Game("Base+MLP").perft(PERFT_DEPTH)
    seconds = time.perf_counter() - started
    right = nodes == PERFT_NODES
    text = f"perft {PERFT_DEPTH} of Base+MLP counts {nodes}"
    text += f", {nodes / seconds / 1e6:.0f} million a second" if right else f", not {PERFT_NODES}"
    return right, text


def _check_search() -> tuple[bool, str]:
    from ..game import Game
    from ..search.limits import Limits
    from ..search.searcher import Searcher

    game = Game("Base+MLP")
    result = Searcher().search(game, Limits(seconds=SEARCH_SECONDS))
    late = result.seconds - SEARCH_SECONDS
    text = f"{result.simulations / result.seconds:.0f} simulations a second at the start position"
    if late > 0.02:
        return False, f"{text}; answered {late * 1000:.0f} ms late: is the machine busy?"
    return game.is_legal(result.move), text


@click.command()
def doctor() -> None:
    """Show versions, the cache and its state, speed, and the command lines for GUIs.

    The exit code is 1 where a check fails.
    """
    for name, text in _versions():
        click.echo(f"{name:14} {text}")
    click.echo(f"{'configuration':14} {configuration_file() or 'none: no home folder'}")
    click.echo(f"{'cache':14} {_cache_state()}")
    click.echo(f"{'start':14} ready to play after {warmup.load():.2f} s")
    failed = False
    for name, check in (("rules", _check_rules), ("search", _check_search)):
        right, text = check()
        failed = failed or not right
        click.echo(f"{name:14} {'ok' if right else 'FAILED'}: {text}")
    path, arguments = program()
    click.echo("\nMzingaViewer, Viewer Options > Engine > command line:")
    click.echo(f"  {viewer_command()}")
    click.echo("\nhivegame.com's bots (hive-hydra), where nothing may be quoted:")
    if " " in str(path):
        click.echo("  its path holds a blank: install into a folder without one")
        click.echo(f"  {path}")
    else:
        click.echo(f"  {' '.join([str(path), *arguments])}")
    if failed:
        raise SystemExit(EXIT_CHECK_FAILED)
