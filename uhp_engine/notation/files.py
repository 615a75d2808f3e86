"""Games in files of any of the formats: PGN, boardspace's SGF, GameStrings one a line."""

from __future__ import annotations

import os
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import TextIO

from ..game import Game
from .gamestring import GameStringError, format_game, parse_game_type
from .pgn import OnError, log_error, read_pgn, settle_result, write_pgn
from .record import BrokenGame, GameRecord, parse_result
from .replay import Replay, UnplayableMove
from .sgf import read_sgf
from .text import decode_lines

PGN, SGF, GAMESTRINGS = "pgn", "sgf", "uhp"
ENDINGS = {".pgn": PGN, ".sgf": SGF, ".uhp": GAMESTRINGS}
# Endings of files that may hold GameStrings, but often hold something else.
_MAYBE = (".txt", ".tsv", ".csv")
_GAMESTRING = re.compile(r"\s*Base(\+[MLP]*)?\s*[;\t,]", re.IGNORECASE)
_LINES_TO_TELL = 50

_READERS: dict[str, Callable[..., Iterator[GameRecord]]] = {PGN: read_pgn, SGF: read_sgf}


@dataclass(frozen=True)
class GameFile:
    """A file of games on disk, or a member of a zip archive (boardspace.net packs months so).

    Attributes:
        path: the file or the archive.
        member: the name inside the archive, empty for a plain file.
    """

    path: Path
    member: str = ""

    @property
    def name(self) -> str:
        """What to call it in messages."""
        return f"{self.path}/{self.member}" if self.member else str(self.path)

    @property
    def stem(self) -> str:
        """Its own name without folder and ending."""
        return Path(self.member or self.path).stem

    def lines(self) -> Iterator[str]:
        """Yield its lines, one at a time.

        Raises:
            OSError: it cannot be read.
        """
        if not self.member:
            with open(self.path, "rb") as file:
                yield from decode_lines(file)
            return
        try:
            with zipfile.ZipFile(self.path) as archive, archive.open(self.member) as member:
                yield from decode_lines(member)
        except (zipfile.BadZipFile, RuntimeError, NotImplementedError) as error:
            raise OSError(f"{self.name}: {error}") from None


def find_game_files(paths: Iterable[str | os.PathLike[str]]) -> Iterator[GameFile]:
    """Yield the game files among paths: files themselves, folders with all below, zip archives.

    Folders are read in the order of names; in them only files count that look like games.

    Raises:
        OSError: a path does not exist.
    """
    for path in map(Path, paths):
        if path.is_dir():
            for found in sorted(path.rglob("*")):
                if found.is_file():
                    yield from _files_in(found, chosen=False)
        else:
            path.stat()
            yield from _files_in(path, chosen=True)


def _files_in(path: Path, chosen: bool) -> Iterator[GameFile]:
    ending = path.suffix.lower()
    if ending == ".zip":
        yield from _members(path)
    elif chosen or ending in ENDINGS or (ending in _MAYBE and _looks_like_games(path)):
        yield GameFile(path)


def _members(path: Path) -> Iterator[GameFile]:
    try:
        with zipfile.ZipFile(path) as archive:
            names = sorted(archive.namelist())
    except (zipfile.BadZipFile, OSError):
        names = ["*.sgf"]  # reading it will say what is wrong
    yield from (GameFile(path, name) for name in names if Path(name).suffix.lower() in ENDINGS)


def _looks_like_games(path: Path) -> bool:
    try:
        return _format_of_lines(GameFile(path).lines()) is not None
    except OSError:
        return False


def _format_of_lines(lines: Iterable[str]) -> str | None:
    """Tell a format by its first lines, None where they look like none."""
    for line in islice(lines, _LINES_TO_TELL):
        text = line.strip().lstrip("\ufeff")
        if text.startswith("(;") or text == "(":
            return SGF
        if re.match(r"\[\w+\s", text) or re.match(r"1\s*\.", text):
            return PGN
        if _GAMESTRING.match(text + ";"):
            return GAMESTRINGS
    return None


def read_games(
    source: str | os.PathLike[str] | GameFile,
    *,
    on_error: OnError = log_error,
    strict: bool = False,
    game_class: type[Game] = Game,
) -> Iterator[GameRecord]:
    """Yield the games of a file in any format, told by its content, else by its ending.

    Args:
        source: a path, or a file that `find_game_files` found.
        on_error: called with each broken game, which is then skipped.
        strict: refuse what tournaments forbid and what has pieces out of order; see `read_pgn`.
        game_class: what to build the games of.

    Raises:
        OSError: the file cannot be read.
    """
    file = source if isinstance(source, GameFile) else GameFile(Path(source))

    def named(error: BrokenGame) -> None:
        error.name = error.name or file.name
        on_error(error)

    lines = file.lines()
    first = list(islice(lines, _LINES_TO_TELL))
    ending = Path(file.member or file.path).suffix.lower()
    format_ = _format_of_lines(first) or ENDINGS.get(ending, "")
    if not any(line.strip() for line in first):
        return
    if not format_:
        named(BrokenGame("holds no games: expected PGN, SGF or a GameString a line", 1))
        return
    read = _READERS.get(format_, read_gamestrings)
    yield from read(chain(first, lines), on_error=named, strict=strict, game_class=game_class)


def read_gamestrings(
    lines: Iterable[str],
    *,
    on_error: OnError = log_error,
    strict: bool = False,
    game_class: type[Game] = Game,
) -> Iterator[GameRecord]:
    """Yield the games of lines with a GameString each; see `read_games`.

    Blank lines and lines that begin with # are skipped. After a tab there may be a result, which
    else is taken from the GameString's second field where the board shows no end.
    """
    for number, line in enumerate(lines, start=1):
        text = line.strip().lstrip("\ufeff").strip('"')
        if not text or text.startswith("#"):
            continue
        try:
            yield _from_gamestring(text, number, strict, game_class)
        except (GameStringError, UnplayableMove) as error:
            on_error(BrokenGame(str(error), number))


def _from_gamestring(text: str, line: int, strict: bool, game_class: type[Game]) -> GameRecord:
    gamestring, _, more = text.partition("\t")
    fields = [field.strip() for field in gamestring.split(";")]
    replay = Replay(parse_game_type(fields[0]), strict=strict, game_class=game_class)
    moves = fields[3:]
    while moves and not moves[-1]:
        moves.pop()
    for move in moves:
        replay.play_text(move)
    game = replay.finish()
    stated = parse_result(more.partition("\t")[0]) or parse_result("".join(fields[1:2]))
    notes: list[str] = []
    result = settle_result(game, stated, notes)
    return GameRecord(game, {}, result, notes=notes + replay.notes, line=line)


def write_game(
    record: GameRecord, stream: TextIO, format_: str, *, chess_results: bool = False
) -> None:
    """Append a game to an open text file as PGN, or as a GameString in a line of its own.

    Raises:
        ValueError: the format is neither `pgn` nor `uhp`.
    """
    if format_ == PGN:
        write_pgn(record, stream, chess_results=chess_results)
    elif format_ == GAMESTRINGS:
        stream.write(format_game(record.game) + "\n")
    else:
        raise ValueError(f"games are written as {PGN} or {GAMESTRINGS}, not as {format_}")
