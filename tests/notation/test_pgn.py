from __future__ import annotations

import io
import logging
from pathlib import Path
from typing import Any

import pytest

from uhp_engine.game import Game, GameState
from uhp_engine.notation import parse_game, parse_move
from uhp_engine.notation.pgn import format_pgn, read_pgn, write_pgn
from uhp_engine.notation.record import BrokenGame, GameRecord

GAMES = sorted((Path(__file__).parents[1] / "data" / "games").glob("*.pgn"))

ONE = """\
[GameType "Base+ML"]
[White "Ann \\"Bee\\" Lee"]
[Black "c:\\\\bugs"]
[Result "WhiteWins"]

{before the first}
1. wS1
2. bS1 wS1-
{two lines,
of comment}
3. wQ -wS1

WhiteWins
"""


def read(text: str, **kwargs: Any) -> tuple[list[GameRecord], list[BrokenGame]]:
    errors: list[BrokenGame] = []
    records = list(read_pgn(text.splitlines(), on_error=errors.append, **kwargs))
    return records, errors


def read_one(text: str, **kwargs: Any) -> GameRecord:
    records, errors = read(text, **kwargs)
    assert not errors, errors
    assert len(records) == 1
    return records[0]


def test_tags_moves_comments_and_result() -> None:
    record = read_one(ONE)
    assert record.game.game_type == "Base+ML"
    assert record.tags == {"White": 'Ann "Bee" Lee', "Black": "c:\\bugs"}
    assert record.moves == ["wS1", "bS1 wS1-", "wQ -wS1"]
    assert record.comments == {0: "before the first", 2: "two lines,\nof comment"}
    assert record.result is GameState.WHITE_WINS
    assert record.game.state is GameState.IN_PROGRESS
    assert record.notes == []


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_mzingas_files_are_written_as_they_were(path: Path) -> None:
    text = path.read_text()
    record = read_one(text)
    written = format_pgn(record)
    # Mzinga keeps a move as it was typed; ours are canonical. All else is the same, line by line.
    for ours, theirs in zip(written.splitlines(), text.splitlines(), strict=True):
        if theirs[:1].isdigit():
            number = int(theirs.split(".")[0])
            replay = Game(record.game.game_type)
            for move in record.game.moves[: number - 1]:
                replay.play(move)
            assert parse_move(replay, theirs.split(".", 1)[1]) == record.game.moves[number - 1]
        else:
            assert ours == theirs
    again = read_one(written)
    assert again.game.moves == record.game.moves
    assert (again.tags, again.result) == (record.tags, record.result)


def test_written_text_reads_back_the_same() -> None:
    record = read_one(ONE)
    again = read_one(format_pgn(record))
    assert again.tags["White"] == record.tags["White"]
    assert again.tags["Black"] == record.tags["Black"]
    assert again.comments == record.comments
    assert again.game.moves == record.game.moves
    assert again.result is record.result


def test_results_as_chess_tools_write_them() -> None:
    text = format_pgn(read_one(ONE), chess_results=True)
    assert '[Result "1-0"]' in text
    assert text.endswith("\n1-0\n")
    assert read_one(text).result is GameState.WHITE_WINS


@pytest.mark.parametrize(
    ("word", "result"),
    [
        ("1-0", GameState.WHITE_WINS),
        ("0-1", GameState.BLACK_WINS),
        ("1/2-1/2", GameState.DRAW),
        ("\u00bd-\u00bd", GameState.DRAW),
        ("draw", GameState.DRAW),
        ("*", GameState.IN_PROGRESS),
        ("InProgress", GameState.IN_PROGRESS),
    ],
)
def test_result_words(word: str, result: GameState) -> None:
    assert read_one(f'[GameType "Base"]\n[Result "{word}"]\n\n1. wS1\n').result is result
    assert read_one(f'[GameType "Base"]\n\n1. wS1\n\n{word}\n').result is result
    assert read_one(f'[GameType "Base"]\n\n1. wS1 {word}\n').result is result


def test_an_unknown_result_is_taken_from_the_board_and_noted() -> None:
    record = read_one('[GameType "Base"]\n[Result "error parsing result"]\n\n1. wS1\n')
    assert record.result is GameState.IN_PROGRESS
    assert "error parsing result" in record.notes[0]


def test_the_board_decides_against_a_wrong_result() -> None:
    text = GAMES[0].read_text().replace("BlackWins", "WhiteWins")
    record = read_one(text)
    assert record.result is GameState.BLACK_WINS
    assert record.notes == ["result given as WhiteWins, but the board shows BlackWins"]


def test_several_games_follow_each_other() -> None:
    records, errors = read(ONE + "\n" + ONE.replace("Base+ML", "Base") + ONE)
    assert not errors
    assert [record.game.game_type for record in records] == ["Base+ML", "Base", "Base+ML"]
    assert [record.line for record in records] == [1, 15, 28]


def test_games_without_moves_or_results_are_told_apart() -> None:
    text = '[GameType "Base"]\n[White "A"]\n\n[GameType "Base"]\n[White "B"]\n\n1. wS1\n'
    records, _ = read(text)
    assert [(record.tags["White"], record.game.ply) for record in records] == [("A", 0), ("B", 1)]


def test_a_broken_game_is_reported_by_line_and_skipped(caplog: pytest.LogCaptureFixture) -> None:
    broken = ONE.replace("3. wQ -wS1", "3. wQ -bS1")
    records, errors = read(ONE + broken + ONE)
    assert len(records) == 2
    assert [(error.line, error.game_line) for error in errors] == [(24, 14)]
    assert str(errors[0]).startswith("line 24: move 3, 'wQ -bS1': ")
    with caplog.at_level(logging.WARNING):
        assert len(list(read_pgn((broken + ONE).splitlines()))) == 1
    assert "line 11: move 3" in caplog.text


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('[GameType "Chess"]\n\n1. wS1\n', 1, "unknown game type"),
        ('[GameType "Base"]\n\n1. wX1\n', 3, "'wX1'"),
        ('[GameType "Base"]\n\n1. wS1\n2. bS1 wA1-\n', 4, "wA1 is not on the board"),
        ('[GameType "Base"]\n\n1. wS1\n2. hello world\n', 4, "unable to read"),
        ('[GameType "Base"]\n\n1. wS1\n{never closed\n2. bS1 wS1-\n', 4, "never closed"),
    ],
)
def test_what_is_wrong_is_named(text: str, line: int, words: str) -> None:
    records, errors = read(text + "\n" + ONE)
    assert [error.line for error in errors] == [line]
    assert words in errors[0].reason
    assert len(records) == 1


def test_an_error_handler_may_stop_the_reading() -> None:
    def stop(error: BrokenGame) -> None:
        raise error

    with pytest.raises(BrokenGame, match="line 3: move 1"):
        list(read_pgn(['[GameType "Base"]', "", "1. bS1"], on_error=stop))


def test_moves_side_by_side_comments_to_line_ends_and_variations() -> None:
    record = read_one(
        '[GameType "Base"]\n\n'
        "1. wS1! 2. bS1 wS1- $3 {fine} 3. wQ -wS1?! ; to the end\n"
        "(3. wA1 -wS1 (3. wG1 -wS1 {inner}) 4. bQ bS1-) 4. bQ bS1- 1/2-1/2\n"
    )
    assert record.moves == ["wS1", "bS1 wS1-", "wQ -wS1", "bQ bS1-"]
    assert record.comments == {2: "fine", 3: "to the end"}
    assert record.result is GameState.DRAW


@pytest.mark.parametrize("prefix", ["1.", "1. ", "1 ", "1... ", "", "7. "])
def test_numbers_in_any_form_or_none(prefix: str) -> None:
    assert read_one(f'[GameType "Base"]\n\n{prefix}wS1\n{prefix}bS1 wS1-\n').game.ply == 2


def test_a_missing_type_is_guessed_from_the_pieces() -> None:
    record = read_one("1. wS1\n2. bM wS1-\n3. wP1 -wS1\n")
    assert record.game.game_type == "Base+MP"
    assert "no GameType tag" in record.notes[0]


def test_a_queen_may_open_and_is_noted_unless_strict() -> None:
    text = '[GameType "Base"]\n\n1. wQ\n2. bS1 wQ-\n'
    record = read_one(text)
    assert record.notes == ["move 1: opens with the queen, which tournaments forbid"]
    assert record.game.tournament_opening is False
    _, errors = read(text, strict=True)
    assert "move 1, 'wQ'" in errors[0].reason
    assert read_one(ONE).game.tournament_opening is True


def test_pieces_numbered_out_of_order_are_renumbered_unless_strict() -> None:
    text = '[GameType "Base"]\n\n1. wS2\n2. bS1 wS2-\n3. wQ -wS2\n4. bQ bS1-\n5. wS1 -wQ\n'
    record = read_one(text)
    assert record.moves == ["wS1", "bS1 wS1-", "wQ -wS1", "bQ bS1-", "wS2 -wQ"]
    assert record.notes == [
        "move 1: wS2 enters out of order, read as wS1",
        "move 5: wS1 enters out of order, read as wS2",
    ]
    _, errors = read(text, strict=True)
    assert "move 1, 'wS2'" in errors[0].reason


def test_encodings(tmp_path: Path) -> None:
    text = '[GameType "Base"]\n[White "J\u00f6rg"]\n\n1. wS1\n'
    for encoding in ("utf-8", "utf-8-sig", "latin-1", "utf-16"):
        path = tmp_path / f"{encoding}.pgn"
        path.write_bytes(text.replace("\n", "\r\n").encode(encoding))
        records = list(read_pgn(path))
        assert [record.tags["White"] for record in records] == ["J\u00f6rg"], encoding


def test_write_appends_games_that_read_back() -> None:
    stream = io.StringIO()
    for _ in range(3):
        write_pgn(read_one(ONE), stream)
    assert len(read(stream.getvalue())[0]) == 3


def test_a_brace_in_a_comment_does_no_harm() -> None:
    game = parse_game("Base;;;wS1;bS1 wS1-")
    record = GameRecord(game, comments={1: "odd } brace"})
    assert read_one(format_pgn(record)).comments == {1: "odd ) brace"}


def test_records_take_the_boards_result_unless_told() -> None:
    game = parse_game("Base;;;wS1;bS1 wS1-")
    assert GameRecord(game).result is GameState.IN_PROGRESS
    assert GameRecord(game, result=GameState.DRAW).result is GameState.DRAW


def test_a_sign_that_points_at_a_piece_is_a_climb_unless_strict() -> None:
    text = (
        '[GameType "Base"]\n\n1. wS1\n2. bS1 wS1-\n3. wQ -wS1\n4. bQ bS1-\n'
        "5. wB1 -wQ\n6. bB1 bQ-\n7. wB1 wB1-\n"
    )
    record = read_one(text)
    assert record.moves[-1] == "wB1 wQ"
    assert record.notes == ["move 7: wB1 wB1- points at a piece, read as a climb"]
    _, errors = read(text, strict=True)
    assert "to climb it write" in errors[0].reason
