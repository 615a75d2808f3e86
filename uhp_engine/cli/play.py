"""`uhp-engine play`: a game against the engine in the terminal."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .. import warmup
from . import EXIT_INTERRUPTED

if TYPE_CHECKING:
    from .terminal.session import Session, Settings


@click.command()
@click.option("--type", "game_type", default="Base+MLP", show_default=True, help="Of a new game.")
@click.option(
    "--side",
    type=click.Choice(["white", "black", "random"]),
    default="white",
    show_default=True,
    help="Your colour; White begins.",
)
@click.option(
    "--level", type=click.IntRange(1, 10), help="The engine's strength, 10 the most.  [default: 3]"
)
@click.option(
    "--seconds",
    type=click.FloatRange(0.05, 600),
    default=3.0,
    show_default=True,
    help="The engine's time for a move, at most.",
)
@click.option(
    "--load", "source", metavar="FILE", type=Path, help="Go on with a game out of a file."
)
@click.option("--new", is_flag=True, help="Begin a new game; do not ask about the kept one.")
@click.option("--seed", type=int, help="The engine's chances; the same seed plays the same game.")
def play(
    game_type: str,
    side: str,
    level: int | None,
    seconds: float,
    source: Path | None,
    new: bool,
    seed: int | None,
) -> int:
    """Play against the engine in the terminal. Type ? there for help, rules if Hive is new to you.

    The game is kept after every move: leave by Ctrl+D or Ctrl+C at any time, and go on later.
    """
    from ..notation import GameStringError, parse_game_type

    try:
        game_type = parse_game_type(game_type)
    except GameStringError as error:
        raise click.BadParameter(str(error), param_hint="--type") from None
    warmup.load()
    from .terminal.opponent import DEFAULT_LEVEL
    from .terminal.saves import autosave_path
    from .terminal.session import Leave, Settings

    colour = {"white": 0, "black": 1, "random": random.Random(seed).randrange(2)}[side]
    settings = Settings(game_type, colour, level or DEFAULT_LEVEL, seconds, autosave_path())
    session = _session(settings, seed)
    try:
        _begin(session, source, new, level)
        session.run()
    except (Leave, EOFError):
        click.echo("\nGoodbye." + _kept(session))
        return 0
    except KeyboardInterrupt:
        click.echo("\nInterrupted." + _kept(session))
        return EXIT_INTERRUPTED
    return 0


def _session(settings: Settings, seed: int | None) -> Session:
    from .show import terminal_board
    from .terminal.opponent import SearchOpponent
    from .terminal.reading import best_reader
    from .terminal.session import COMMANDS, Session

    return Session(
        settings,
        lambda level: SearchOpponent(level, seed),
        best_reader(COMMANDS),
        lambda game, labels: terminal_board(game, labels=labels),
    )


def _begin(session: Session, source: Path | None, new: bool, level: int | None) -> None:
    """Load what the player wants to go on with; say how things stand."""
    from .terminal.saves import SaveError

    kept = session.settings.autosave
    if source is not None:
        try:
            session.resume(source)
        except SaveError as error:
            raise click.ClickException(str(error)) from None
    elif kept is not None and kept.exists() and not new:
        _offer_kept(session, kept)
    elif kept is not None and not kept.exists():
        click.echo("New to Hive? Type rules. Type ? for what else you can do.")
    if level is not None and level != session.settings.level:
        session.set_level(level)
    colour = ("White", "Black")[session.settings.side]
    click.echo(f"You have {colour} against level {session.settings.level}.")


def _offer_kept(session: Session, kept: Path) -> None:
    """Go on with the kept game if the player wants to; a damaged one is set aside."""
    from .terminal.saves import SaveError, load

    try:
        saved = load(kept)
    except SaveError as error:
        aside = kept.with_name(kept.name + ".broken")
        kept.replace(aside)
        click.echo(f"The kept game cannot be read ({error}); it is now {aside}.")
        return
    if saved.result.is_over or saved.game.ply == 0:
        return
    question = f"A game of {saved.game.ply} moves was kept. Go on with it? [Y/n] "
    if session.reader.read(question, None, "").lower() not in ("n", "no"):
        session.resume(kept)


def _kept(session: Session) -> str:
    if session.is_over or session.game.ply == 0 or session.settings.autosave is None:
        return ""
    return " The game is kept: uhp-engine play goes on with it."
