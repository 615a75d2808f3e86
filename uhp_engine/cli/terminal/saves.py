"""Saved games: PGN, with what the terminal game must know to go on in tags."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from ...game import Game, GameState
from ...notation.files import GAMESTRINGS, PGN, read_games, write_game
from ...notation.record import BrokenGame, GameRecord
from ...search.levels import STRONGEST, WEAKEST

YOU, ENGINE = "you", "uhp-engine"


class SaveError(ValueError):
    """A game that cannot be saved or loaded; says why."""


@dataclass
class Saved:
    """A game out of a file.

    Attributes:
        game: the game.
        side: the player's, 0 or 1; None where the file does not say.
        level: the engine's; None where the file does not say.
        result: how it ended, also by resignation.
    """

    game: Game
    side: int | None
    level: int | None
    result: GameState


def autosave_path() -> Path:
    """Return where the game in hand is kept."""
    import platformdirs

    return Path(platformdirs.user_data_dir("uhp-engine", appauthor=False)) / "play.pgn"


def save(path: Path, game: Game, side: int, level: int, result: GameState) -> None:
    """Write a game; the file appears whole or not at all.

    Raises:
        SaveError: it cannot be written.
    """
    names = (YOU, f"{ENGINE} level {level}")
    tags = {
        "Date": date.today().strftime("%Y.%m.%d"),
        "White": names[side],
        "Black": names[1 - side],
        "Level": str(level),
    }
    part = path.with_name(path.name + ".part")
    format_ = GAMESTRINGS if path.suffix.lower() in (".uhp", ".txt") else PGN
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(part, "w", encoding="utf-8", newline="\n") as stream:
            write_game(GameRecord(game, tags, result), stream, format_)
        os.replace(part, path)
    except OSError as error:
        raise SaveError(f"cannot write {path}: {error.strerror or error}") from None


def load(path: Path) -> Saved:
    """Read the first game of a file of any format.

    Raises:
        SaveError: there is none that can be read.
    """
    broken: list[BrokenGame] = []
    try:
        record = next(read_games(path, on_error=broken.append), None)
    except OSError as error:
        raise SaveError(f"cannot read {path}: {error.strerror or error}") from None
    if record is None:
        raise SaveError(str(broken[0]) if broken else f"{path} holds no game")
    side = next(
        (s for s, tag in enumerate(("White", "Black")) if record.tags.get(tag) == YOU), None
    )
    text = record.tags.get("Level", "")
    known = text.isdecimal() and WEAKEST <= int(text) <= STRONGEST
    return Saved(record.game, side, int(text) if known else None, record.result)
