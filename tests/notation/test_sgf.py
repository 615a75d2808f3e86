from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from uhp_engine.game import GameState
from uhp_engine.notation.pgn import format_pgn, read_pgn
from uhp_engine.notation.record import BrokenGame, GameRecord
from uhp_engine.notation.sgf import read_sgf

GAMES = sorted((Path(__file__).parents[1] / "data" / "games").glob("*.sgf"))

HEAD = """\
 (;
GM[27]VV[1]
SU[{su}]
DT[{date}]
GN[HV-Ann-Bob-2020-01-02-0304]
RE[{result}]
P0[id "Ann"]
P1[id "Bob"]
; P0[0 Start P0]
"""
TAIL = ";\nP0[time 0:01:00 ]\nP1[time 0:02:00 ]\n)\n"
OPENING = [
    (0, "dropb wS1 N 13 ."),
    (0, "done"),
    (1, "dropb bS1 O 13 wS1-"),
    (1, "done"),
    (0, "dropb wQ M 13 -wS1"),
    (0, "done"),
    (1, "dropb bQ P 13 bS1-"),
    (1, "done"),
]
OPENING_MOVES = ["wS1", "bS1 wS1-", "wQ -wS1", "bQ bS1-"]


def sgf(
    events: list[tuple[int, str]],
    su: str = "hive-plm",
    result: str = "",
    date: str = "2 January 2020",
) -> str:
    lines = [f"; P{player}[{n} {text}]" for n, (player, text) in enumerate(events, start=1)]
    return HEAD.format(su=su, result=result, date=date) + "\n".join(lines) + "\n" + TAIL


def read(text: str, strict: bool = False) -> tuple[list[GameRecord], list[BrokenGame]]:
    errors: list[BrokenGame] = []
    return list(read_sgf(text.splitlines(), on_error=errors.append, strict=strict)), errors


def read_one(text: str) -> GameRecord:
    records, errors = read(text)
    assert not errors, [str(error) for error in errors]
    assert len(records) == 1
    return records[0]


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_pairs_of_boardspace_and_mzinga(path: Path) -> None:
    record = read_one(path.read_text())
    pair = next(read_pgn(path.with_suffix(".pgn")))
    assert record.game.game_type == pair.game.game_type
    assert record.game.moves == pair.game.moves
    assert record.result is pair.result
    assert record.tags == pair.tags
    assert record.notes == []
    again = next(read_pgn(format_pgn(record).splitlines()))
    assert again.game.moves == record.game.moves
    assert (again.tags, again.result) == (record.tags, record.result)


# -- the same games as other ages and programs would have written them -------------------------

_EVENT = re.compile(r"^(; P[01]\[\d+ )(\w+)(.*?)(\](?:TM\[\d+\])?)$", re.MULTILINE)
Change = Callable[[str], str]


def _change_events(change: Callable[[str, str], tuple[str, str] | None]) -> Change:
    def changed(match: re.Match[str]) -> str:
        new = change(match[2], match[3])
        return "" if new is None else match[1] + new[0] + new[1] + match[4]

    return lambda text: _EVENT.sub(changed, text)


def _cells_only(verb: str, rest: str) -> tuple[str, str]:
    puts = verb.lower() in ("move", "pmove", "dropb", "pdropb")
    return verb, re.sub(r" [^ ]+$", "", rest) if puts else rest


def _dots(verb: str, rest: str) -> tuple[str, str]:
    puts = verb.lower() in ("move", "pmove", "dropb", "pdropb")
    return verb, re.sub(r" [^ ]+$", " .", rest) if puts else rest


def _shifted(verb: str, rest: str) -> tuple[str, str]:
    """Move the whole hive over two edges of the board, which wraps."""

    def shift(match: re.Match[str]) -> str:
        column = chr((ord(match[1]) - ord("A") + 12) % 26 + ord("A"))
        return f" {column} {(int(match[2]) + 11 - 1) % 26 + 1}"

    wanted = verb.lower() in ("move", "pmove", "dropb", "pdropb", "pickb")
    return verb, re.sub(r" ([A-Z]) (\d+)", shift, rest, count=1) if wanted else rest


def _old_names(verb: str, rest: str) -> tuple[str, str]:
    """As in 2013: no colours on the pieces, small letters in drops."""
    lower = verb.lower()
    if lower in ("pick", "move"):
        return lower, re.sub(r" [wb]([A-Z])", r" \1", rest, count=1)
    if lower in ("dropb", "pickb"):
        return lower, re.sub(
            r" [wb]([A-Z])(\d?)", lambda m: f" {m[1].lower()}{m[2]}", rest, count=1
        )
    return lower, rest


def _robots(text: str) -> str:
    """Every turn in one event, as Dumbot wrote in 2016."""
    text = re.sub(r"^; P(\d)\[(\d+) (?:pick|pickb|Pick|Pickb) .*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"\](TM\[\d+\])?\n; P\d\[\d+ (?:done|Done) *\](TM\[\d+\])?\n", r"]\n+\n", text)

    def joined(match: re.Match[str]) -> str:
        colour = match[3][0].upper()
        return f"; P{match[1]}[9 {match[2]}movedone {colour} {match[3]} {match[4]}]\n"

    text = re.sub(
        r"^; P(\d)\[\d+ (?i:(p?)(?:dropb|move [wb])) (\S+) ([A-Z] \d+ \S+)\]\n\+\n",
        joined,
        text,
        flags=re.MULTILINE,
    )
    return re.sub(r"\n\+\n", "\n; P0[9 done]\n", text)


CHANGES: dict[str, Change] = {
    "cells only": _change_events(_cells_only),
    "dots for neighbours": _change_events(_dots),
    "over the edges": _change_events(_shifted),
    "over the edges, cells only": lambda text: CHANGES["cells only"](
        CHANGES["over the edges"](text)
    ),
    "capitals": _change_events(lambda verb, rest: (verb.upper(), rest)),
    "single backslashes": lambda text: text.replace("\\\\", "\\"),
    "stack notes": lambda text: re.sub(r"(dropb [wb]\w\d? \w \d+) \.\]", r"\1 .]", text),
    "without time stamps": lambda text: re.sub(r"TM\[\d+\]", "", text),
    "with time stamps": lambda text: (
        re.sub(r"\]$", "]TM[123]", text, flags=re.MULTILINE) if "TM[" not in text else text
    ),
    "Windows line ends": lambda text: text.replace("\n", "\r\n"),
    "in one line": lambda text: re.sub(r"\n(?!\(;)", "", text),
    "numbers on names in references": lambda text: re.sub(
        r"(/|-| )([wb][LMP])(/|-|\])", r"\1\g<2>1\3", text
    ),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_other_ways_to_write_the_same(path: Path, change: str) -> None:
    text = path.read_text()
    record = read_one(text)
    other = read_one(CHANGES[change](text))
    assert other.game.moves == record.game.moves
    assert other.result is record.result


@pytest.mark.parametrize("number", [7, 9, 10, 12, 13])
def test_names_without_colours(number: int) -> None:
    text = GAMES[number - 1].read_text()
    changed = _change_events(_old_names)(text)
    assert changed != text
    assert read_one(changed).game.moves == read_one(text).game.moves


@pytest.mark.parametrize("number", [1, 3, 7, 9, 10, 11, 13])
def test_turns_in_one_event(number: int) -> None:
    text = GAMES[number - 1].read_text()
    changed = _robots(text)
    assert "movedone" in changed
    assert read_one(changed).game.moves == read_one(text).game.moves


# -- one behaviour at a time ---------------------------------------------------------------------


def test_a_plain_opening() -> None:
    record = read_one(sgf(OPENING))
    assert record.moves == OPENING_MOVES
    assert record.game.game_type == "Base+MLP"
    assert record.result is GameState.IN_PROGRESS
    assert record.tags["Date"] == "2020.01.02"


def test_only_the_last_drop_before_done_counts() -> None:
    events = [
        *OPENING[:2],
        (1, "pick B 1 bA1"),
        (1, "dropb bA1 M 13 -wS1"),
        (1, "pickb M 13 bA1"),
        (1, "dropb bA1 M 12 /wS1"),
        (1, "pickb M 12 bA1"),
        (1, "drop B 1 bA1"),
        (1, "pick B 4 bS1"),
        (1, "dropb bS1 N 14 \\\\wS1"),
        (1, "move B bS1 O 13 wS1-"),
        (1, "done"),
    ]
    assert read_one(sgf(events)).moves == OPENING_MOVES[:2]


def test_a_piece_put_back_where_it_was_is_no_move() -> None:
    events = [
        *OPENING,
        (0, "pickb M 13 wQ"),
        (0, "dropb wQ M 13 -wS1"),
        (0, "pick W 1 wA1"),
        (0, "dropb wA1 L 13 -wQ"),
        (0, "done"),
    ]
    assert read_one(sgf(events)).moves[-1] == "wA1 -wQ"


def test_undo_of_what_was_not_confirmed() -> None:
    events = [*OPENING, (0, "dropb wA1 L 13 -wQ"), (0, "undo"), (0, "dropb wA2 L 12 /wQ")]
    assert read_one(sgf([*events, (0, "done")])).moves[-1] == "wA1 /wQ"


def test_undo_of_a_finished_turn() -> None:
    taken_back = [(0, "dropb wA1 L 13 -wQ"), (0, "done"), (0, "undo")]
    again = [(0, "dropb wB1 L 13 -wQ"), (0, "done")]
    assert read_one(sgf([*OPENING, *taken_back, *again])).moves == [*OPENING_MOVES, "wB1 -wQ"]
    both = [(0, "dropb wA1 L 13 -wQ"), (0, "done"), (1, "dropb bA1 Q 13 bQ-"), (1, "done")]
    asked = [(0, "pleaseundo"), (1, "allowundo")]
    record = read_one(sgf([*OPENING, *both, *asked, *again]))
    assert record.moves == [*OPENING_MOVES, "wB1 -wQ"]


def test_the_log_of_clicks_counts_once_and_only_in_need() -> None:
    first = sgf(OPENING)
    assert len(read(first + first)[0]) == 1
    broken = first.replace("dropb wQ M 13 -wS1", "dropb wQ Z 1 -bA3")
    records, errors = read(broken + first)
    assert [record.moves for record in records] == [OPENING_MOVES]
    assert errors == []
    records, errors = read(broken + broken)
    assert records == []
    assert [error.line for error in errors] == [14]


def test_games_one_after_another() -> None:
    other = sgf(OPENING[:4]).replace("Bob", "Cid")
    records, _ = read(sgf(OPENING) + other + "\n\n" + sgf(OPENING))
    assert [record.game.ply for record in records] == [4, 2, 4]
    unclosed = sgf(OPENING).replace("\n)", "\n")
    assert [record.game.ply for record in read(unclosed + other)[0]] == [4, 2]


def test_a_log_with_events_taken_back() -> None:
    text = sgf(OPENING)
    done = "; P1[8 done]"
    assert done in text
    log = "; P0[9 dropb wA1 L 13 -wQ]\n; P0[10 done]\n"
    pops = "; P-1[Pop P0\\[10 done\\]]\n; P-1[Pop P0\\[9 dropb wA1 L 13 -wQ\\]]\n"
    assert read_one(text.replace(done, f"{done}\n{log}{pops}")).moves == OPENING_MOVES


def test_variations_are_left_out() -> None:
    text = sgf(OPENING).replace("; P0[5", "(; P0[5").replace("\n)", "\n)\n(;P0[5 done])\n)")
    assert read_one(text).moves == OPENING_MOVES


@pytest.mark.parametrize(
    ("events", "result"),
    [
        ([(0, "resign"), (0, "done")], GameState.BLACK_WINS),
        ([(0, "Resign")], GameState.BLACK_WINS),
        ([(1, "resign"), (1, "done")], GameState.WHITE_WINS),
        ([(0, "resign"), (0, "resign"), (0, "dropb wA1 L 13 -wQ")], GameState.IN_PROGRESS),
        ([(0, "offerdraw"), (0, "done"), (1, "acceptdraw"), (1, "done")], GameState.DRAW),
        ([(0, "OfferDraw"), (1, "AcceptDraw")], GameState.DRAW),
        ([(0, "offerdraw"), (0, "done"), (1, "declinedraw"), (1, "done")], GameState.IN_PROGRESS),
        ([(1, "WinOnTime")], GameState.BLACK_WINS),
    ],
)
def test_ends_off_the_board(events: list[tuple[int, str]], result: GameState) -> None:
    record = read_one(sgf([*OPENING, *events]))
    assert record.result is result
    assert record.game.ply in (4, 5)


@pytest.mark.parametrize(
    ("sentence", "white", "black", "result"),
    [
        ("Game won by Ann", "Ann", "Bob", GameState.WHITE_WINS),
        ("Bob vann spelet", "Ann", "Bob", GameState.BLACK_WINS),
        ("Partie gagnée par ann2", "ann", "ann2", GameState.BLACK_WINS),
        ("Game won by Ann", "Anna", "Ann", GameState.BLACK_WINS),
        ("Game won by Dumbot", "Dumbot0", "Bob", GameState.WHITE_WINS),
        ("Game won by guest", "guest", "guest", GameState.IN_PROGRESS),
        ("The game is a draw", "Ann", "Bob", GameState.DRAW),
        ("Partie nulle", "Ann", "Bob", GameState.DRAW),
        ("Ничья", "Ann", "Bob", GameState.DRAW),
        ("", "Ann", "Bob", GameState.IN_PROGRESS),
    ],
)
def test_results_in_any_language(sentence: str, white: str, black: str, result: GameState) -> None:
    text = (
        sgf(OPENING, result=sentence).replace('"Ann"', f'"{white}"').replace('"Bob"', f'"{black}"')
    )
    assert read_one(text).result is result


@pytest.mark.parametrize(
    ("su", "game_type"),
    [
        ("hive", "Base"),
        ("Hive", "Base"),
        ("hive-p", "Base+P"),
        ("Hive-LM", "Base+ML"),
        ("hive-plm 2 0 101", "Base+MLP"),
    ],
)
def test_game_types(su: str, game_type: str) -> None:
    assert read_one(sgf(OPENING, su=su)).game.game_type == game_type


def test_a_type_that_lacks_a_piece_is_widened() -> None:
    record = read_one(sgf([*OPENING, (0, "dropb wM1 L 13 -wQ"), (0, "done")], su="hive"))
    assert record.game.game_type == "Base+M"
    assert record.notes == ["SU[hive] lacks m"]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (sgf(OPENING, su="hive-ultimate"), 1, "none of the protocol's game types"),
        (sgf(OPENING, su="yinsh"), 1, "another game"),
        (sgf(OPENING).replace("GM[27]", "GM[1]"), 1, "another game"),
        (sgf([(0, "dropb wX1 N 13 ."), (0, "done")]), 10, "'wX1' is no piece"),
        (sgf([*OPENING[:2], (1, "pass"), (1, "done")]), 13, "move 2: passing is legal only"),
        (sgf([*OPENING, (0, "dropb wA1 Q 13 bQ-"), (0, "done")]), 18, "it would touch bQ"),
    ],
)
def test_what_is_wrong_is_named(text: str, line: int, words: str) -> None:
    records, errors = read(text)
    assert records == []
    assert [error.line for error in errors] == [line]
    assert words in errors[0].reason


def test_a_done_without_a_move_is_a_pass_only_where_that_is_legal() -> None:
    extra = [*OPENING, (0, "done"), (0, "dropb wA1 L 13 -wQ"), (0, "done")]
    assert read_one(sgf(extra)).moves == [*OPENING_MOVES, "wA1 -wQ"]


def test_a_pass_that_the_file_leaves_out_is_put_in() -> None:
    text = GAMES[3].read_text()
    without = re.sub(r"; P1\[\d+ pass\]\n; P1\[\d+ done\]\n", "", text)
    assert without != text
    record = read_one(text)
    # The game's last pass follows a draw refused and is a `done` alone.
    assert read_one(without).game.moves == record.game.moves


def test_moves_after_the_end_are_left_out() -> None:
    text = GAMES[6].read_text()
    extra = "; P1[300 dropb bA1 A 1 .]\n; P1[301 done]\n; P0[302 pass]\n; P0[303 done]\n;\nP0[time"
    record = read_one(text.replace(";\nP0[time", extra, 1))
    assert record.game.moves == read_one(text).game.moves
    assert "moves after the end" in record.notes[0]


def test_an_edited_board_ends_the_game() -> None:
    events = [*OPENING, (0, "edit"), (0, "dropb wA1 A 1 ."), (0, "done")]
    assert read_one(sgf(events)).moves == OPENING_MOVES


def test_colours_are_exchanged_where_black_began() -> None:
    events = [(player, text.translate(str.maketrans("wb", "bw"))) for player, text in OPENING]
    events = [(p, text.replace("dropw", "dropb")) for p, text in events]
    record = read_one(sgf([(0, "playblack"), *events]))
    assert record.moves == OPENING_MOVES
    assert record.tags["White"] == "Ann"


def test_whoever_begins_is_white() -> None:
    record = read_one(sgf([(1 - player, text) for player, text in OPENING], result="Bob won"))
    assert record.tags["White"] == "Bob"
    assert record.result is GameState.WHITE_WINS


def test_an_unconfirmed_last_drop_counts_if_legal() -> None:
    assert read_one(sgf([*OPENING, (0, "dropb wA1 L 13 -wQ")])).moves[-1] == "wA1 -wQ"
    record = read_one(sgf([*OPENING, (0, "dropb wA1 Q 13 bQ-")]))
    assert record.moves == OPENING_MOVES
    assert record.notes == ["the last move was never confirmed: left out"]


def test_a_cut_file_gives_what_it_holds() -> None:
    text = sgf(OPENING)
    assert read_one(text[: text.index("; P1[8 done]") + 9]).game.ply == 4


def test_strict_refuses_a_queen_first() -> None:
    text = sgf([(0, "dropb wQ N 13 ."), (0, "done")])
    assert "opens with the queen" in read_one(text).notes[0]
    _, errors = read(text, strict=True)
    assert "move 1" in errors[0].reason


def test_comments_are_kept() -> None:
    text = sgf(OPENING).replace("; P0[5", "; C[a [fine\\] idea]P0[5")
    assert read_one(text).comments == {2: "a [fine] idea"}


def test_names_and_latin1(tmp_path: Path) -> None:
    path = tmp_path / "old.sgf"
    path.write_bytes(sgf(OPENING).replace("Ann", "J\u00f6rg O'N").encode("latin-1"))
    assert next(read_sgf(path)).tags["White"] == "J\u00f6rg O'N"


def test_no_game_at_all() -> None:
    assert read("hello\nworld\n") == ([], [])
