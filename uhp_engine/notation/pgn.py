"""PGN as MzingaViewer writes it: tags, one numbered ply a line, comments in braces.

Read more widely than written: several games a file, moves side by side on a line, results in
words or as chess tools write them, comments to the end of a line, variations (left out).
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TextIO

from ..core.pieces import BUG_COUNTS, BUG_LETTERS
from ..game import Game, GameState
from .gamestring import GameStringError, parse_game_type
from .record import CHESS_RESULTS, BrokenGame, GameRecord, parse_result
from .replay import Replay, UnplayableMove
from .text import open_lines

LOGGER = logging.getLogger(__name__)

# The tags that every game has, in MzingaViewer's order; the rest follow as they come.
REQUIRED_TAGS = ("Date", "Event", "Site", "Round", "White", "Black")

_TAG = re.compile(r'\[\s*(\w+)\s+"(.*)"\s*\]', re.ASCII)
_NUMBER = re.compile(r"(?<!\S)\d+\s*\.+\s*")
_RESULT_AT_END = re.compile(
    r"(?<!\S)(1-0|0-1|1/2-1/2|\u00bd-\u00bd|\*|NotStarted|InProgress|Draw|WhiteWins|BlackWins)$",
    re.IGNORECASE,
)
_JUDGEMENT = re.compile(r"\s*(?:[!?]+|\$\d+)\s*$")
_SINGLE_BUGS = [b for b, n in zip(BUG_LETTERS, BUG_COUNTS, strict=True) if n == 1 and b != "Q"]
_EXPANSION = re.compile(rf"(?<!\w)[wb]([{''.join(_SINGLE_BUGS)}])1?(?!\w)", re.IGNORECASE)

OnError = Callable[[BrokenGame], None]


def log_error(error: BrokenGame) -> None:
    """Log a broken game as a warning: what readers do with one unless told otherwise."""
    LOGGER.warning("%s; this game is skipped", error)


@dataclass
class _RawGame:
    """A game as text, with the line of each part."""

    line: int
    tags: dict[str, str] = field(default_factory=dict)
    moves: list[tuple[int, str]] = field(default_factory=list)
    comments: dict[int, str] = field(default_factory=dict)
    result_word: str = ""
    fault: BrokenGame | None = None


def read_pgn(
    source: str | os.PathLike[str] | Iterable[str],
    *,
    on_error: OnError = log_error,
    strict: bool = False,
    game_class: type[Game] = Game,
) -> Iterator[GameRecord]:
    """Yield the games of a PGN file one by one; a broken one goes to `on_error` and is skipped.

    Args:
        source: a path, or the lines themselves (an open file, a list).
        on_error: called with each broken game; raise from it to stop there.
        strict: refuse queens placed first and pieces numbered out of order, which otherwise are
            taken and noted in the record.
        game_class: what to build the games of.

    Raises:
        OSError: the file cannot be read.

    >>> text = '[GameType "Base"]\\n[White "Ann"]\\n\\n1. wS1\\n2. bS1 wS1-\\n\\n1-0\\n'
    >>> record = next(read_pgn(text.splitlines()))
    >>> record.tags["White"], record.moves, record.result.value
    ('Ann', ['wS1', 'bS1 wS1-'], 'WhiteWins')
    """
    lines = open_lines(source) if isinstance(source, str | os.PathLike) else source
    for raw in _Splitter().split(lines):
        try:
            if raw.fault is not None:
                raise raw.fault
            record = _replayed(raw, strict, game_class)
        except BrokenGame as error:
            error.game_line = raw.line
            on_error(error)
        else:
            yield record


class _Splitter:
    """Cut the lines of a file into games: a tag after moves or a result begins a new one."""

    def __init__(self) -> None:
        self.raw: _RawGame | None = None
        self.comment: list[str] | None = None
        self.comment_line = 0
        self.depth = 0  # of variations in parentheses
        self.blank_seen = False

    def split(self, lines: Iterable[str]) -> Iterator[_RawGame]:
        for number, text in enumerate(lines, start=1):
            line = text.strip().lstrip("\ufeff")
            tag = _TAG.fullmatch(line)
            lost = self.comment is not None and tag is not None and tag[1] == "GameType"
            if tag and (self.comment is None or lost):
                if lost:
                    self._unclosed()
                if self.raw is not None and self._ended(tag[1]):
                    yield self._finished()
                self._current(number).tags.setdefault(tag[1], _unescape(tag[2]))
                self.blank_seen = False
            elif line or self.comment is not None:
                over = self.raw is not None and self.raw.result_word
                if self.comment is None and over and line[0] not in "{;":
                    yield self._finished()
                self._movetext(number, line)
            else:
                self.blank_seen = True
        if self.comment is not None:
            self._unclosed()
        if self.raw is not None:
            yield self._finished()

    def _ended(self, key: str) -> bool:
        raw = self._current(0)
        written = bool(raw.moves or raw.result_word or raw.comments or raw.fault)
        return written or (key in raw.tags and self.blank_seen)

    def _current(self, number: int) -> _RawGame:
        if self.raw is None:
            self.raw = _RawGame(number)
        return self.raw

    def _finished(self) -> _RawGame:
        raw = self._current(0)
        self.raw, self.depth, self.blank_seen = None, 0, False
        return raw

    def _unclosed(self) -> None:
        raw = self._current(self.comment_line)
        raw.fault = BrokenGame(
            "a comment opens with { and is never closed: expected }", self.comment_line
        )
        self.comment = None

    def _movetext(self, number: int, line: str) -> None:
        raw = self._current(number)
        plain = ""
        while True:
            if self.comment is not None:
                text, closed, line = line.partition("}")
                self.comment.append(text.rstrip())
                if not closed:
                    break
                self._add_comment(raw, "\n".join(self.comment))
                self.comment = None
            match = re.search(r"[{};()]", line) if self.depth else re.search(r"[{;(]", line)
            before = line[: match.start()] if match else line
            plain += "" if self.depth else before
            if match is None:
                break
            line = line[match.end() :]
            if match[0] == "{":
                self._add_moves(raw, number, plain)
                plain = ""
                self.comment, self.comment_line = [], number
            elif match[0] == ";":
                self._add_moves(raw, number, plain)
                plain = ""
                self._add_comment(raw, line)
                break
            elif match[0] in "()":
                self.depth = max(0, self.depth + (1 if match[0] == "(" else -1))
        self._add_moves(raw, number, plain)

    def _add_comment(self, raw: _RawGame, text: str) -> None:
        text = text.strip()
        if text and not self.depth:
            earlier = raw.comments.get(len(raw.moves))
            raw.comments[len(raw.moves)] = f"{earlier}\n{text}" if earlier else text

    def _add_moves(self, raw: _RawGame, number: int, plain: str) -> None:
        plain = plain.strip()
        result = _RESULT_AT_END.search(plain)
        if result:
            raw.result_word = result[1]
            plain = plain[: result.start()]
        for part in _NUMBER.split(plain):
            move = _JUDGEMENT.sub("", re.sub(r"^\d+\s+", "", part)).strip()
            if move and not move.isdecimal():
                raw.moves.append((number, move))


def _unescape(value: str) -> str:
    return re.sub(r'\\(["\\])', r"\1", value).strip()


def _replayed(raw: _RawGame, strict: bool, game_class: type[Game]) -> GameRecord:
    notes: list[str] = []
    tags = dict(raw.tags)
    type_text = tags.pop("GameType", "")
    if type_text:
        try:
            game_type = parse_game_type(type_text)
        except GameStringError as error:
            raise BrokenGame(str(error), raw.line) from None
    else:
        game_type = _guess_type(raw)
        notes.append(f"no GameType tag: read as {game_type}, after the pieces that occur")
    replay = Replay(game_type, strict=strict, game_class=game_class)
    for line, text in raw.moves:
        try:
            replay.play_text(text)
        except UnplayableMove as error:
            raise BrokenGame(str(error), line) from None
    game = replay.finish()
    stated = parse_result(raw.result_word) or parse_result(tags.get("Result", ""))
    word = tags.pop("Result", "")
    if stated is None and word:
        notes.append(f"result {word!r} is not known: taken from the board")
    result = settle_result(game, stated, notes)
    return GameRecord(game, tags, result, raw.comments, notes + replay.notes, raw.line)


def settle_result(game: Game, stated: GameState | None, notes: list[str]) -> GameState:
    """Return the result of a game: the board's where it shows an end, else the stated one."""
    board = game.state
    if not board.is_over:
        return stated if stated is not None and stated.is_over else board
    if stated is not None and stated.is_over and stated is not board:
        notes.append(f"result given as {stated.value}, but the board shows {board.value}")
    return board


def _guess_type(raw: _RawGame) -> str:
    letters = {letter.upper() for _, text in raw.moves for letter in _EXPANSION.findall(text)}
    return parse_game_type("Base+" + "".join(letters))


def format_pgn(record: GameRecord, *, chess_results: bool = False) -> str:
    """Return a game as PGN text, as MzingaViewer writes it, with a line break at its end.

    Args:
        record: the game; a `}` in a comment becomes `)`, for nothing else can stand for it.
        chess_results: write 1-0, 0-1, 1/2-1/2 and * for the results, as chess tools read them.

    >>> from uhp_engine.game import Game
    >>> print(format_pgn(GameRecord(Game("Base"), {"White": "Ann"})))
    [GameType "Base"]
    [Date ""]
    [Event ""]
    [Site ""]
    [Round ""]
    [White "Ann"]
    [Black ""]
    [Result "NotStarted"]
    <BLANKLINE>
    """
    result = CHESS_RESULTS[record.result] if chess_results else record.result.value
    tags = {
        "GameType": record.game.game_type,
        **{key: record.tags.get(key, "") for key in REQUIRED_TAGS},
        "Result": result,
    }
    tags.update((key, value) for key, value in record.tags.items() if key not in tags)
    lines = [f'[{key} "{_escape(value)}"]' for key, value in tags.items()]
    moves = record.moves
    if moves or record.comments:
        lines += ["", *_comment_lines(record, 0)]
    for number, move in enumerate(moves, start=1):
        lines += [f"{number}. {move}", *_comment_lines(record, number)]
    if record.result.is_over:
        lines += ["", result]
    return "\n".join(lines) + "\n"


def _escape(value: str) -> str:
    return " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')


def _comment_lines(record: GameRecord, ply: int) -> list[str]:
    text = record.comments.get(ply, "").strip()
    return [f"{{{text.replace('}', ')')}}}"] if text else []


def write_pgn(record: GameRecord, stream: TextIO, *, chess_results: bool = False) -> None:
    """Append a game to an open text file, with a blank line behind it; see `format_pgn`."""
    stream.write(format_pgn(record, chess_results=chess_results) + "\n")
