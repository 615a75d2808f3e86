"""`uhp-engine check`: is an engine right, and where not?"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import click

from .. import warmup
from . import EXIT_CHECK_FAILED, EXIT_ENGINE_FAILED

if TYPE_CHECKING:
    from ..arena.check import Check, Finding

_EPILOG = """\b
Examples:
  uhp-engine check uhp-engine
  uhp-engine check "nokamute uhp --num-threads=1" --games 100
  uhp-engine check ./my-engine --only rules --only perft --quick

Exit codes: 0 all passed, 1 a check failed, 2 wrong usage, 3 the engine could not be started or
died, 130 interrupted.
"""


@click.command(epilog=_EPILOG)
@click.argument("engine")
@click.option(
    "--games", type=click.IntRange(0), default=20, show_default=True, help="Random games."
)
@click.option("--seed", type=int, default=1, show_default=True, help="Of the random games.")
@click.option("--quick", is_flag=True, help="At most 4 games, perft to depth 3, no bare bestmove.")
@click.option(
    "--only",
    "groups",
    multiple=True,
    metavar="GROUP",
    help="Only this group of checks (repeatable).",
)
@click.option(
    "--list", "list_", is_flag=True, help="List the checks instead; ENGINE is not started."
)
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="KEY=VALUE",
    help="Set an option of the engine first (repeatable).",
)
@click.option(
    "--patience",
    type=click.FloatRange(min=0, min_open=True),
    default=30.0,
    show_default=True,
    metavar="SECONDS",
    help="For an answer, before the engine counts as hung.",
)
@click.option(
    "--perft-time",
    type=click.FloatRange(min=0, min_open=True),
    default=2.0,
    show_default=True,
    metavar="SECONDS",
    help="About how long a count of perft may take: sets its depth.",
)
@click.option(
    "--time-margin",
    type=click.IntRange(0),
    default=100,
    show_default=True,
    metavar="MS",
    help="How late a move may come.",
)
@click.option("--log", metavar="FILE", help="Write the whole dialogue with the engine here.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.pass_context
def check(
    ctx: click.Context,
    /,
    engine: str,
    games: int,
    seed: int,
    quick: bool,
    groups: tuple[str, ...],
    list_: bool,
    options: tuple[str, ...],
    patience: float,
    perft_time: float,
    time_margin: int,
    log: str | None,
    as_json: bool,
) -> None:
    """Test a UHP engine: protocol, rules, perft, random games, signals, timing.

    ENGINE is its command line, in quotes where it has arguments. A line a check says `pass`,
    `FAIL` with what was expected and seen, `note` for a difference of opinion, or `skip`.
    """
    from ..arena.check import Settings, all_checks, check_engine
    from ..arena.process import split_command

    try:
        split_command(engine)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="ENGINE") from None
    with _dialogue(log) as write:
        settings = Settings(
            games=games,
            seed=seed,
            quick=quick,
            patience=patience,
            perft_seconds=perft_time,
            time_margin=time_margin / 1000,
            options=dict(_key_value(text) for text in options),
            log=write,
        )
        chosen = _choose(all_checks(settings), groups)
        if list_:
            click.echo("\n".join(f"{one.group}: {one.name}" for one in chosen))
            return
        warmup.load()
        tell = _counter(len(chosen)) if as_json else _printer()
        report = asyncio.run(check_engine(engine, settings, checks=chosen, tell=tell))
    if as_json:
        click.echo(json.dumps(report.as_dict(), indent=2))
    else:
        click.echo(report.summary())
    failed = EXIT_CHECK_FAILED if report.has_failed else 0
    ctx.exit(EXIT_ENGINE_FAILED if report.engine_failed else failed)


def _key_value(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key or not value:
        raise click.BadParameter(f"expected KEY=VALUE, not {text!r}", param_hint="--option")
    return key, value


def _choose(checks: list[Check], groups: tuple[str, ...]) -> list[Check]:
    """Return the checks of some groups, all where none is named."""
    known = dict.fromkeys(check.group for check in checks)
    for group in groups:
        if group not in known:
            raise click.BadParameter(
                f"no group {group!r}: expected {', '.join(known)}", param_hint="--only"
            )
    return [check for check in checks if not groups or check.group in groups]


def _printer() -> Callable[[Finding], None]:
    """Return a function that prints a finding."""

    def tell(finding: Finding) -> None:
        colour = {"FAIL": "red", "note": "yellow", "pass": "green"}.get(finding.status)
        click.echo(click.style(f"{finding.status:4}", fg=colour) + str(finding)[4:])

    return tell


def _counter(total: int) -> Callable[[Finding], None]:
    """Return a function that counts the checks on standard error, where that is a terminal."""
    done = 0

    def tell(finding: Finding) -> None:
        nonlocal done
        done += 1
        if sys.stderr.isatty():
            click.echo(f"\r{done} of {total} checks", err=True, nl=done == total)

    return tell


@contextlib.contextmanager
def _dialogue(path: str | None) -> Iterator[Callable[[str, str], None] | None]:
    """Open the log, if one is wanted, and yield what writes a line into it."""
    if path is None:
        yield None
        return
    try:
        file = open(path, "w", encoding="utf-8")  # noqa: SIM115
    except OSError as error:
        raise click.BadParameter(f"{path}: {error.strerror}", param_hint="--log") from None
    with file:
        yield lambda mark, line: print(mark, line, file=file, flush=True)
