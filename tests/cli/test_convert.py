from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import uhp_engine.notation.files as files
from uhp_engine import warmup
from uhp_engine.cli.convert import convert
from uhp_engine.notation.files import read_games

GAMES = Path(__file__).parents[1] / "data" / "games"
GOOD = '[GameType "Base"]\n\n1. wS1\n2. bS1 wS1-\n\n'
BROKEN = '[GameType "Base"]\n\n1. wS1\n2. bS1 wS1-\n3. wA1 bS1-\n\n'


@pytest.fixture(autouse=True, scope="module")
def _warm() -> None:
    warmup.load()  # so that its note on compiling comes before what is looked at


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(convert, [str(arg) for arg in args], standalone_mode=False)


def test_a_folder_into_one_file(tmp_path: Path) -> None:
    out = tmp_path / "all.pgn"
    result = run(GAMES, "-o", out)
    assert result.return_value == 0
    assert result.stdout == ""
    assert result.stderr == "done: 26 games converted, 0 broken\n"
    assert len(list(read_games(out))) == 26
    assert [path.name for path in tmp_path.iterdir()] == ["all.pgn"]


def test_a_folder_into_a_folder(tmp_path: Path) -> None:
    result = run(GAMES, "--to", "uhp", "-o", f"{tmp_path}/new/")
    assert result.return_value == 0
    names = sorted(path.name for path in (tmp_path / "new").iterdir())
    assert len(names) == 26
    assert names[:2] == ["game01-2.uhp", "game01.uhp"]
    one, two = (list(read_games(tmp_path / "new" / name)) for name in names[:2])
    assert [record.game.moves for record in one] == [record.game.moves for record in two]


def test_the_target_follows_the_ending_or_the_option(tmp_path: Path) -> None:
    source = GAMES / "game09.sgf"
    run(source, "-o", tmp_path / "a.uhp")
    assert (tmp_path / "a.uhp").read_text().startswith("Base+MLP;WhiteWins;Black[16];wS1;bL /wS1")
    run(source, "-o", tmp_path / "b.txt")
    assert (tmp_path / "b.txt").read_text() == (tmp_path / "a.uhp").read_text()
    run(source, "--to", "pgn", "-o", tmp_path / "c.txt")
    assert (tmp_path / "c.txt").read_text().startswith("[GameType")
    assert run(source, "-q").stdout == (tmp_path / "c.txt").read_text()
    assert "\n1-0\n" in run(source, "--chess-results").stdout


def test_broken_games_are_named_and_skipped(tmp_path: Path) -> None:
    source = tmp_path / "mixed.pgn"
    source.write_text(GOOD + BROKEN + GOOD)
    result = run(source, "-o", tmp_path / "out.uhp")
    assert result.return_value == 1
    first, last = result.stderr.splitlines()
    assert first.startswith(f"{source}: line 10: move 3, 'wA1 bS1-': ")
    assert first.endswith("; game skipped")
    assert last == "done: 2 games converted, 1 broken"
    assert len((tmp_path / "out.uhp").read_text().splitlines()) == 2


def test_notes_and_strictness(tmp_path: Path) -> None:
    source = tmp_path / "queen.uhp"
    source.write_text("Base;;;wQ;bS1 wQ-\n")
    result = run(source)
    assert result.return_value == 0
    assert "note: move 1: opens with the queen" in result.stderr
    assert run(source, "-q").stderr == ""
    result = run(source, "--strict")
    assert result.return_value == 1
    assert "move 1, 'wQ'" in result.stderr


def test_nothing_to_convert_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "empty.pgn").write_text("\n")
    result = run(tmp_path)
    assert result.return_value == 1
    assert result.stderr == "done: 0 games converted, 0 broken\n"


def test_what_cannot_be_read_is_named_and_passed_over(tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_text(GOOD)
    (tmp_path / "b.zip").write_bytes(b"PK nonsense")
    (tmp_path / "c.pgn").write_text(GOOD)
    result = run(tmp_path)
    assert result.return_value == 1
    assert "b.zip" in result.stderr
    assert "done: 2 games converted, 1 broken" in result.stderr


def test_an_input_is_never_overwritten(tmp_path: Path) -> None:
    source = tmp_path / "games.pgn"
    source.write_text(GOOD)
    result = CliRunner().invoke(convert, [str(source), "-o", str(source)])
    assert result.exit_code == 2
    assert "is read and written" in result.stderr
    assert source.read_text() == GOOD


@pytest.mark.parametrize("args", [["missing.pgn"], [], [str(GAMES), "--to", "sgf"]])
def test_wrong_usage(args: list[str]) -> None:
    result = CliRunner().invoke(convert, args)
    assert result.exit_code == 2
    assert "Traceback" not in result.output


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = CliRunner().invoke(convert, [str(GAMES), "-o", str(tmp_path / "file" / "out.pgn")])
    assert result.exit_code == 1
    assert "cannot write" in result.stderr


def test_an_interrupt_keeps_what_was_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out.pgn"
    out.write_text("precious")
    write = files.write_game
    written: list[int] = []

    def interrupted(*args: object, **kwargs: object) -> None:
        if len(written) == 2:
            raise KeyboardInterrupt
        written.append(1)
        write(*args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(files, "write_game", interrupted)
    result = run(GAMES, "-o", out)
    assert result.return_value == 130
    assert result.stderr.startswith("interrupted: 2 games converted")
    assert out.read_text() == "precious"
    assert len(list(read_games(tmp_path / "out.pgn.part"))) == 2
