from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from uhp_engine.game import GameState
from uhp_engine.notation.files import find_game_files, read_games, write_game
from uhp_engine.notation.record import BrokenGame, GameRecord

DATA = Path(__file__).parents[1] / "data"
PLAIN = "Base;InProgress;White[2];wS1;bS1 wS1-"


def read(path: Path, strict: bool = False) -> tuple[list[GameRecord], list[BrokenGame]]:
    errors: list[BrokenGame] = []
    return list(read_games(path, on_error=errors.append, strict=strict)), errors


def test_formats_are_told_by_content(tmp_path: Path) -> None:
    for name in ("game04.sgf", "game04.pgn"):
        copy = tmp_path / f"{name}.txt"
        copy.write_bytes((DATA / "games" / name).read_bytes())
        (record,), errors = read(copy)
        assert record.game.ply == 94
        assert not errors


def test_gamestrings_one_a_line(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_text(
        f"# three games\n\n{PLAIN}\n\nbase+plm;;;wM1;\nBase;;;wS1;bS1 wS2-\n"
        f"{PLAIN}\tWhiteWins\tresigned\n{PLAIN.replace('InProgress', 'Draw')}\n"
    )
    records, errors = read(path)
    assert [record.moves for record in records][:2] == [["wS1", "bS1 wS1-"], ["wM"]]
    assert [record.line for record in records] == [3, 5, 7, 8]
    assert [record.result for record in records] == [
        GameState.IN_PROGRESS,
        GameState.IN_PROGRESS,
        GameState.WHITE_WINS,
        GameState.DRAW,
    ]
    (error,) = errors
    assert str(error).startswith(f"{path}: line 6: move 2, 'bS1 wS2-': ")


def test_people_queens_first_games() -> None:
    path = DATA / "queen_first_games.tsv"
    records, errors = read(path)
    assert len(records) == len(path.read_text().splitlines())
    assert not errors
    assert all("opens with the queen" in record.notes[-1] for record in records)
    records, errors = read(path, strict=True)
    assert not records
    assert all("move 1" in error.reason or "move 2" in error.reason for error in errors)


def test_a_sample_of_people_games_and_their_results() -> None:
    lines = (DATA / "real_games.tsv").read_text().splitlines()[::60]
    from uhp_engine.notation.files import read_gamestrings

    errors: list[BrokenGame] = []
    records = list(read_gamestrings(lines, on_error=errors.append, strict=True))
    assert not errors
    assert len(records) == len(lines)
    for record, line in zip(records, lines, strict=True):
        assert record.result.value == line.split("\t")[1]
        assert record.notes == []


def test_what_is_no_game_file(tmp_path: Path) -> None:
    (tmp_path / "readme.txt").write_text("hello\n")
    (tmp_path / "empty.pgn").write_text("\n\n")
    _, (error,) = read(tmp_path / "readme.txt")
    assert "holds no games" in error.reason
    assert read(tmp_path / "empty.pgn") == ([], [])
    with pytest.raises(OSError, match="No such file"):
        read(tmp_path / "missing.pgn")


def test_folders_and_archives(tmp_path: Path) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "deep" / "er" / "b.uhp").write_text(PLAIN + "\n")
    (tmp_path / "a.txt").write_text(PLAIN + "\n")
    (tmp_path / "notes.txt").write_text("nothing here\n")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    with zipfile.ZipFile(tmp_path / "month.zip", "w") as archive:
        archive.write(DATA / "games" / "game09.sgf", "games/one.sgf")
        archive.writestr("games/readme.txt", "no")
    files = list(find_game_files([tmp_path]))
    assert [Path(file.name).name for file in files] == ["a.txt", "b.uhp", "one.sgf"]
    assert [len(list(read_games(file))) for file in files] == [1, 1, 1]
    assert files[2].stem == "one"
    with pytest.raises(OSError, match="missing"):
        list(find_game_files([tmp_path / "missing"]))


def test_a_damaged_archive_hurts_when_it_is_read(tmp_path: Path) -> None:
    (tmp_path / "bad.zip").write_bytes(b"PK nonsense")
    (file,) = find_game_files([tmp_path])
    with pytest.raises(OSError, match=r"bad\.zip"):
        list(read_games(file))


@pytest.mark.parametrize("format_", ["pgn", "uhp"])
def test_what_is_written_reads_back(tmp_path: Path, format_: str) -> None:
    records = [next(read_games(DATA / "games" / f"game{n:02}.sgf")) for n in range(1, 14)]
    stream = io.StringIO()
    for record in records:
        write_game(record, stream, format_)
    path = tmp_path / f"all.{format_}"
    path.write_text(stream.getvalue(), encoding="utf-8")
    again, errors = read(path)
    assert not errors
    assert [record.game.moves for record in again] == [record.game.moves for record in records]
    if format_ == "pgn":
        assert [record.tags for record in again] == [record.tags for record in records]
        assert [record.result for record in again] == [record.result for record in records]


def test_other_formats_are_refused() -> None:
    record = next(read_games(DATA / "games" / "game09.sgf"))
    with pytest.raises(ValueError, match="not as sgf"):
        write_game(record, io.StringIO(), "sgf")
