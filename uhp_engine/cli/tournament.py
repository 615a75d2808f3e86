"""`uhp-engine tournament`: play what a TOML file describes."""

from __future__ import annotations

from pathlib import Path

import click

from .running import RunOptions, play, run_options


@click.command()
@click.argument("file", metavar="FILE.toml")
@run_options
@click.pass_context
def tournament(ctx: click.Context, options: RunOptions, file: str) -> None:
    """Play the engines of FILE.toml against each other: a crosstable and ratings for all.

    The file's keys are listed in docs/arena.md. Results go to FILE.sqlite unless given.
    Options here come before those in the file's [run] table.
    """
    from ..arena.toml_plan import TomlError, load_plan

    try:
        plan, run_values = load_plan(file)
    except TomlError as error:
        raise click.UsageError(str(error)) from None
    options = options.with_file(run_values)
    if options.results is None:
        options = options.with_file({"results": str(Path(file).with_suffix(".sqlite"))})
    play(ctx, plan, options, ["tournament", file])
