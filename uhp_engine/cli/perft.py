"""`uhp-engine perft`: count the ways to play."""

from __future__ import annotations

import click

from .. import warmup


@click.command()
@click.option("--type", "game_type", default=None, help="Count from this game type's start.")
@click.option("--position", default=None, metavar="GAMESTRING", help="Count from this position.")
@click.option("--depth", default=5, show_default=True, metavar="N", help="Plies to play.")
def perft(game_type: str | None, position: str | None, depth: int) -> None:
    """Count the ways to play N plies: depth, nodes, seconds, nodes a second, a line a depth."""
    if game_type is not None and position is not None:
        raise click.UsageError("--type and --position exclude each other")
    warmup.load()
    from ..notation import GameStringError, parse_game
    from ..perft import count_depths, header, parse_depth

    try:
        game = parse_game(position if position is not None else game_type or "Base")
        parse_depth(str(depth))
    except GameStringError as error:
        option = "--type" if position is None else "--position"
        raise click.BadParameter(str(error), param_hint=option) from None
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--depth") from None
    click.echo(header())
    for row in count_depths(game, depth):
        click.echo(row.line())
