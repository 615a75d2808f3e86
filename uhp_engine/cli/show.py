"""`uhp-engine show`: a position in the terminal, or as a picture."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING

import click

from .. import warmup
from .sources import go_to, load_game

if TYPE_CHECKING:
    from ..game import Game
    from ..render import Arrow


@click.command()
@click.argument("source", metavar="GAMESTRING|FILE|-")
@click.option(
    "--svg", "svg_path", metavar="FILE", help="Save an SVG picture; - is standard output."
)
@click.option("--png", "png_path", metavar="FILE", help="Save a PNG picture (extra png).")
@click.option(
    "--game", "number", default=1, show_default=True, metavar="N", help="Which of a file."
)
@click.option("--ply", type=int, metavar="N", help="After N moves; -1 is one before the last.")
@click.option("--size", default=400, show_default=True, metavar="PIXELS", help="Longer side.")
@click.option("--arrow", "arrows", multiple=True, metavar="MOVESTRING", help="Point out a move.")
@click.option("--coordinates", is_flag=True, help="Name pieces and the cells beside them.")
@click.option("--no-hands", is_flag=True, help="Leave out the pieces not placed.")
@click.option("--ascii", "ascii_only", is_flag=True, help="Text without line-drawing characters.")
def show(
    source: str,
    svg_path: str | None,
    png_path: str | None,
    number: int,
    ply: int | None,
    size: int,
    arrows: tuple[str, ...],
    coordinates: bool,
    no_hands: bool,
    ascii_only: bool,
) -> None:
    """Show a position: as text here, or saved as a picture.

    The position is the end of a GameString, or of a game in a FILE (PGN, SGF, GameStrings), or of
    one on standard input (-).
    """
    if not 16 <= size <= 10000:
        raise click.BadParameter(f"{size} is outside 16 to 10000", param_hint="--size")
    warmup.load()
    game = load_game(source, number)
    if ply is not None:
        go_to(game, ply, "--ply")
    marks = _read_arrows(game, arrows)
    if svg_path is None and png_path is None:
        click.echo(terminal_board(game, ascii_only=ascii_only, hands=not no_hands))
        return
    from ..render import svg

    text = svg(game, size=size, arrows=marks, coordinates=coordinates, hands=not no_hands)
    if svg_path is not None:
        _save(svg_path, text.encode() + b"\n")
    if png_path is not None:
        _save(png_path, _png(text))


def _read_arrows(game: Game, texts: tuple[str, ...]) -> list[Arrow]:
    from ..notation import MoveStringError, parse_move
    from ..render import Arrow

    arrows: list[Arrow] = []
    for text in texts:
        try:
            move = parse_move(game, text)
        except MoveStringError as error:
            raise click.BadParameter(str(error), param_hint="--arrow") from None
        reason = game.why_illegal(move)
        if reason is not None:
            raise click.BadParameter(reason, param_hint="--arrow")
        label = str(len(arrows) + 1) if len(texts) > 1 else ""
        arrows.append(Arrow(move, label))
    return arrows


def terminal_board(
    game: Game,
    *,
    ascii_only: bool = False,
    hands: bool = True,
    labels: dict[int, str] | None = None,
) -> str:
    """Return the board as this terminal can show it: its width, its colours, its characters."""
    from ..render.text import board_text

    encoding = (sys.stdout.encoding or "ascii").lower()
    try:
        "╱╲│".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        ascii_only = True
    is_terminal = sys.stdout.isatty()
    colour = (is_terminal and "NO_COLOR" not in os.environ) or "FORCE_COLOR" in os.environ
    width = shutil.get_terminal_size().columns if is_terminal else None
    return board_text(
        game, colour=colour, ascii_only=ascii_only, hands=hands, labels=labels, width=width
    )


def _png(text: str) -> bytes:
    from ..render.png import PngUnavailable, png_from_svg

    try:
        return png_from_svg(text)
    except PngUnavailable as error:
        raise click.ClickException(str(error)) from None


def _save(path: str, data: bytes) -> None:
    try:
        with click.open_file(path, "wb") as file:
            file.write(data)
    except OSError as error:
        raise click.ClickException(f"cannot write {path}: {error.strerror or error}") from None
