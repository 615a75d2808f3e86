"""Where a command's game comes from: a GameString, a file of any kind, or standard input."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ..game import Game
    from ..notation.pgn import OnError
    from ..notation.record import BrokenGame, GameRecord

STANDARD_INPUT = "-"
_SQLITE = b"SQLite format 3\0"


def is_results_file(path: Path) -> bool:
    """Say whether a file is an SQLite file, as matches write their results."""
    try:
        with open(path, "rb") as file:
            return file.read(len(_SQLITE)) == _SQLITE
    except OSError:
        return False


def load_game(source: str, number: int = 1) -> Game:
    """Return the game of a GameString or game type, or the numbered one of a file.

    Args:
        source: the GameString, the type, a path, or `-` for standard input.
        number: which of the games that can be read, from 1.

    Raises:
        click.ClickException: there is none, or it is broken; says why.
    """
    from ..notation import GameStringError, parse_game, parse_game_type

    if source == STANDARD_INPUT:
        return _numbered("standard input", _standard_input, number)
    # Unlike Path.exists, this is False for a GameString too long to be a path.
    if os.path.exists(source):
        path = Path(source)
        return _numbered(source, lambda on_error: _records(path, on_error), number)
    if ";" not in source and not source.lower().startswith("base"):
        raise click.ClickException(f"there is no file {source!r}, and it is no GameString")
    try:
        if ";" not in source:
            parse_game_type(source)
        return parse_game(source, tournament_opening=False)
    except GameStringError as error:
        raise click.ClickException(str(error)) from None


def _records(path: Path, on_error: OnError) -> Iterator[GameRecord]:
    """Yield the games of a file, a folder, an archive, or a match's results."""
    from ..notation.files import find_game_files, read_games

    if path.is_file() and is_results_file(path):
        from ..arena.export import game_record
        from ..arena.store import Store, StoreError

        try:
            with Store.open(str(path)) as store:
                yield from [game_record(game, store.plan) for game in store.games()]
        except (StoreError, ValueError) as error:
            raise click.ClickException(str(error)) from None
        return
    for file in find_game_files([path]):
        yield from read_games(file, on_error=on_error)


def _standard_input(on_error: OnError) -> Iterator[GameRecord]:
    from ..notation.files import GameFile, read_games
    from ..notation.text import decode_lines

    class StandardInput(GameFile):
        """Standard input as a file of games."""

        @property
        def name(self) -> str:
            return "standard input"

        def lines(self) -> Iterator[str]:
            yield from decode_lines(sys.stdin.buffer)

    yield from read_games(StandardInput(Path(STANDARD_INPUT)), on_error=on_error)


def _numbered(name: str, read: Callable[[OnError], Iterator[GameRecord]], number: int) -> Game:
    broken: list[BrokenGame] = []
    count = 0
    try:
        for count, record in enumerate(read(broken.append), start=1):
            if count == number:
                for fault in broken:
                    click.echo(f"left out: {fault}", err=True)
                for note in record.notes:
                    click.echo(f"{name}: note: {note}", err=True)
                return record.game
    except OSError as error:
        raise click.ClickException(f"cannot read {name}: {error.strerror or error}") from None
    for fault in broken:
        click.echo(str(fault), err=True)
    raise click.ClickException(f"{name} has {count} readable games, not game {number}")


def go_to(game: Game, ply: int, option: str) -> None:
    """Take a game back to a ply; below 0, to so many before its end.

    Raises:
        click.BadParameter: the game is not that long.
    """
    wanted = ply if ply >= 0 else game.ply + ply
    if not 0 <= wanted <= game.ply:
        raise click.BadParameter(f"the game has {game.ply} moves", param_hint=option)
    if wanted < game.ply:
        game.undo(game.ply - wanted)
