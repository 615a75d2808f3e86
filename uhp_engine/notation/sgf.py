"""Hive games in boardspace.net's SGF, of every age: see `sgfmoves` for what players did in them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator

from ..core.pieces import BUG_LETTERS, MOSQUITO
from ..game import Game, GameState
from .dates import parse_date
from .gamestring import parse_game_type
from .pgn import OnError, log_error, settle_result
from .record import BrokenGame, GameRecord, parse_result
from .sgfmoves import SgfReplay, dropped_bug
from .sgftree import SgfEvent, SgfTree, read_trees
from .text import open_lines

HIVE = "27"  # boardspace.net's number for Hive in the property GM

_NAME = re.compile(r'id\s+"?(.*?)"?$')
_DATE_IN_NAME = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:-\d{4})?$")
# Parts of words for a draw in the languages of boardspace.net's players.
_DRAW_WORDS = re.compile(
    "draw|remis|nulle|empate|tablas|patta|pareggio|unentschieden|gelijk|oavgjort|uavgjort|uafgjort"
    "|tasapeli|ничья|нічия|remíza|döntetlen|egal|ισοπαλία|beraber|引き分け|和棋|平局|무승부"
)
_WHITE_WORDS = ("white wins", "white won", "whitewins")
_BLACK_WORDS = ("black wins", "black won", "blackwins")


def read_sgf(
    source: str | os.PathLike[str] | Iterable[str],
    *,
    on_error: OnError = log_error,
    strict: bool = False,
    game_class: type[Game] = Game,
) -> Iterator[GameRecord]:
    """Yield the games of a boardspace.net SGF file; a broken one goes to `on_error`.

    A file may hold a second record of its game, the log of all that was clicked; it counts only
    where the first cannot be replayed.

    Args:
        source: a path, or the lines themselves.
        on_error: called with each broken game; raise from it to stop there.
        strict: refuse queens placed first, which otherwise are taken and noted in the record.
        game_class: what to build the games of.

    Raises:
        OSError: the file cannot be read.
    """
    lines = open_lines(source) if isinstance(source, str | os.PathLike) else source
    earlier: tuple[str, ...] = ()
    moves: list[str] = []
    fault: BrokenGame | None = None
    for tree in read_trees(lines):
        header = _header(tree)
        again = header == earlier and any(header)
        if fault is not None and not again:
            on_error(fault)
        try:
            record = _record(tree, strict, game_class)
        except BrokenGame as error:
            error.game_line = tree.line
            if not (again and fault is None):
                fault = fault if again else error
        else:
            fault = None
            if not (again and record.moves == moves):
                yield record
            moves = record.moves
        earlier = header
    if fault is not None:
        on_error(fault)


def _header(tree: SgfTree) -> tuple[str, ...]:
    names = [_player_name(tree, player) for player in (0, 1)]
    return (tree.properties.get("GN", ""), tree.properties.get("DT", ""), *names)


def _player_name(tree: SgfTree, player: int) -> str:
    for event in tree.events:
        match = _NAME.match(event.text) if event.player == player else None
        if match:
            return match[1].strip()
    return ""


def _record(tree: SgfTree, strict: bool, game_class: type[Game]) -> GameRecord:
    if tree.properties.get("GM", HIVE) != HIVE:
        raise BrokenGame(
            f"GM[{tree.properties['GM']}] is another game: Hive is GM[{HIVE}]", tree.line
        )
    notes: list[str] = []
    game_type = _game_type(tree, notes)
    moves = SgfReplay(game_type, strict=strict, game_class=game_class)
    comments = dict(tree.comments)
    for number, event in enumerate(without_popped(tree.events)):
        if number in comments:
            moves.comment(comments[number])
        moves.take(event)
    game = moves.finish()
    names = [_player_name(tree, player) for player in (0, 1)]
    white = names[moves.white]
    black = names[1 - moves.white]
    spoken = _spoken_result(tree.properties.get("RE", ""), white, black)
    if moves.result is not None and spoken not in (None, moves.result):
        notes.append(f"RE[{tree.properties['RE']}] does not fit the moves: left aside")
    result = settle_result(game, moves.result or spoken, notes)
    tags = _tags(tree, white, black)
    return GameRecord(game, tags, result, moves.comments, notes + moves.notes, tree.line)


def without_popped(events: list[SgfEvent]) -> list[SgfEvent]:
    """Return the events less those that the log takes back later (`P-1[Pop P0[3 done]]`)."""
    kept: list[SgfEvent] = []
    for event in events:
        popped = re.match(r"Pop\s+P(\d)\[(.*)\]$", event.text)
        if popped is None:
            kept.append(event)
            continue
        wanted = (int(popped[1]), popped[2].strip())
        for index in range(len(kept) - 1, -1, -1):
            if (kept[index].player, kept[index].text) == wanted:
                del kept[index]
                break
    return kept


def _game_type(tree: SgfTree, notes: list[str]) -> str:
    """Return the game type that SU names, widened by the pieces that occur."""
    stated = tree.properties.get("SU", "").lower().split()
    name = stated[0] if stated else "hive"
    family, _, letters = name.partition("-")
    if family != "hive":
        raise BrokenGame(f"SU[{tree.properties['SU']}] is another game: expected hive", tree.line)
    if set(letters) - set("mlp"):
        raise BrokenGame(
            f"SU[{tree.properties['SU']}] is none of the protocol's game types: expected hive "
            "and any of -plm",
            tree.line,
        )
    bugs = {dropped_bug(event) for event in tree.events}
    found = {bug for bug in bugs if bug is not None and bug >= MOSQUITO}
    missing = {BUG_LETTERS[bug].lower() for bug in found} - set(letters)
    if missing:
        notes.append(f"SU[{tree.properties.get('SU', '')}] lacks {', '.join(sorted(missing))}")
    return parse_game_type("Base+" + "".join(set(letters) | missing))


def _tags(tree: SgfTree, white: str, black: str) -> dict[str, str]:
    """Return the tags under the names and in the form that MzingaViewer gives them."""
    date = tree.properties.get("DT", "")
    name = tree.properties.get("GN", "")
    in_name = _DATE_IN_NAME.search(name)
    tags = {
        "Date": parse_date(date) or (".".join(in_name.groups()) if in_name else ""),
        "Event": tree.properties.get("EV", ""),
        "Site": tree.properties.get("PC", ""),
        "Round": tree.properties.get("RO", ""),
        "White": white,
        "Black": black,
    }
    extra = {"SgfDate": date, "SgfGameName": name, "SgfResult": tree.properties.get("RE", "")}
    return {**tags, **{key: value for key, value in extra.items() if value}}


def _spoken_result(text: str, white: str, black: str) -> GameState | None:
    """Return what a sentence says of the result: it names the winner, in whatever language."""
    if not text:
        return None
    stated = parse_result(text)
    if stated is not None:
        return stated
    lower = text.lower()
    for cut in (str, _without_number):  # robots' names carry a number that the sentence lacks
        hits = {
            state: name
            for state, name in (
                (GameState.WHITE_WINS, cut(white).lower()),
                (GameState.BLACK_WINS, cut(black).lower()),
            )
            if name and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", lower)
        }
        if len(hits) == 1:
            return next(iter(hits))
        if hits:  # both occur: one name holds the other, and the longer one was meant
            longest = max(hits.values(), key=len)
            meant = [state for state, name in hits.items() if name == longest]
            return meant[0] if len(meant) == 1 else None
    if _DRAW_WORDS.search(lower):
        return GameState.DRAW
    if any(word in lower for word in _WHITE_WORDS):
        return GameState.WHITE_WINS
    return GameState.BLACK_WINS if any(word in lower for word in _BLACK_WORDS) else None


def _without_number(name: str) -> str:
    return name.rstrip("0123456789")
