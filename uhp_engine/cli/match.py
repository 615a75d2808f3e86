"""`uhp-engine match`: play engines against each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from .keyvalues import GroupingCommand, KeyValues
from .running import RunOptions, play, run_options

if TYPE_CHECKING:
    from ..arena.fields import ConfigError

ENGINE_WORDS = KeyValues("cmd", {"option": "options", "env": "env"})
EACH_WORDS = KeyValues("", {"option": "options", "env": "env"})

_EPILOG = """\b
Keys of --engine and --each:
  cmd="PROGRAM ARGUMENTS"   the command line (a lone word is taken for it)
  name=NAME  dir=FOLDER  option.KEY=VALUE  env.NAME=VALUE
  st=SECONDS | depth=N | tc=[MOVES/][MINUTES:]SECONDS[+INCREMENT]
  time-form=auto|timespan|seconds|whole   how it is asked for a time
  restart=on   a new process for each game
  time-margin=MILLISECONDS

\b
Example:
  uhp-engine match --engine uhp-engine name=new --engine cmd="nokamute uhp" name=old \\
    --st 0.5 --games 100 --concurrency 2 --sprt elo0=0 elo1=20
"""


@click.command(cls=GroupingCommand, epilog=_EPILOG)
@click.option("--engine", type=ENGINE_WORDS, multiple=True, help="An engine; give two or more.")
@click.option("--each", type=EACH_WORDS, help="What holds for every engine that says nothing else.")
@click.option("--st", metavar="SECONDS", help="Time for each move (1 s where nothing is given).")
@click.option("--depth", metavar="N", help="Depth for each move, instead of a time.")
@click.option(
    "--tc",
    metavar="[MOVES/]TIME[+INC]",
    help="A clock for the game in seconds, kept by the runner: 60+0.5, 1:30+1, 40/5:00.",
)
@click.option("--games", metavar="N", help="Games in each encounter (2).")
@click.option("--rounds", metavar="N", help="Encounters of each two engines (1).")
@click.option(
    "--repeat/--no-repeat", default=None, help="Play each opening with both colours (on)."
)
@click.option(
    "--openings",
    type=KeyValues("file"),
    help="GameStrings or PGN: FILE order=random|sequential plies=N start=N "
    "(the suite that is shipped).",
)
@click.option("--random-plies", metavar="N", help="Begin with so many random plies instead.")
@click.option("--seed", metavar="N", help="For the order of openings and random plies (0).")
@click.option(
    "--game-type", "game_types", multiple=True, metavar="TYPE", help="Base to Base+MLP (Base+MLP)."
)
@click.option("--format", "format_", metavar="FORMAT", help="round-robin or gauntlet.")
@click.option("--seeds", metavar="N", help="In a gauntlet, the first N engines play all others.")
@click.option(
    "--sprt",
    type=KeyValues(),
    help="Stop when a test decides: elo0=E elo1=E alpha=0.05 beta=0.05 model=normalized|logistic.",
)
@click.option("--max-moves", metavar="N", help="A draw after N moves of each side (200; 0: never).")
@click.option(
    "--repetition-draw/--no-repetition-draw",
    default=None,
    help="Whether a position's third occurrence is a draw (on).",
)
@click.option("--time-margin", metavar="MS", help="How late a move may come (100).")
@click.option("--hang-limit", metavar="SECONDS", help="Overtime after which one has hung (10).")
@click.option(
    "--depth-limit", metavar="SECONDS", help="The same for a depth, from its start (600)."
)
@click.option("--start-limit", metavar="SECONDS", help="The same for starting (60).")
@click.option("--answer-limit", metavar="SECONDS", help="The same for other commands (60).")
@click.option("--event", metavar="TEXT", help="For PGN.")
@click.option("--site", metavar="TEXT", help="For PGN (the machine's name).")
@run_options
@click.pass_context
def match(ctx: click.Context, /, options: RunOptions, **values: Any) -> None:
    """Play engines against each other and tell who is stronger, by how much.

    Every move is checked by our own rules. An illegal move, a move too late, a crash or a stall
    loses the game. Each game is stored as it ends; --resume goes on after an interruption.
    """
    from ..arena.fields import ConfigError
    from ..arena.plan import Plan

    given = plan_values(values)
    plan = None
    if given or not (options.resume and options.results):
        try:
            plan = Plan.from_dict(given)
            plan.check_folders()
        except ConfigError as error:
            raise click.UsageError(_in_options(error)) from None
    play(ctx, plan, options.with_results("match"), ["match"])


def plan_values(values: dict[str, Any]) -> dict[str, Any]:
    """Return the options as the dictionary that `Plan.from_dict` reads."""
    given = {key: value for key, value in values.items() if value not in (None, (), [])}
    engines = list(given.pop("engine", ()))
    each = dict(given.pop("each", {}))
    for key in ("st", "depth", "tc", "time_margin"):
        if key in given:
            each[key.replace("_", "-")] = given.pop(key)
    if "random_plies" in given:
        given["openings"] = {
            **given.get("openings", {}),
            "random-plies": given.pop("random_plies"),
        }
    if "game_types" in given:
        given["game-types"] = list(given.pop("game_types"))
    if "format_" in given:
        given["format"] = given.pop("format_")
    plan = {key.replace("_", "-"): value for key, value in given.items()}
    if engines:
        plan["engine"] = engines
    if each:
        plan["each"] = each
    return plan


def _in_options(error: ConfigError) -> str:
    """Name the option at fault."""
    from ..arena.fields import path_text

    name = {"game-types": "game-type"}.get(str(error.path[0]), str(error.path[0]))
    return f"--{path_text((name, *error.path[1:]))}: {error.problem}"
