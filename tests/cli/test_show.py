from __future__ import annotations

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from uhp_engine import warmup
from uhp_engine.cli.show import show

GAMES = Path(__file__).parents[1] / "data" / "games"
PLAIN = "Base;InProgress;White[2];wS1;bS1 wS1-"


@pytest.fixture(autouse=True, scope="module")
def _warm() -> None:
    warmup.load()


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(show, [str(arg) for arg in args])


def test_a_gamestring_as_text() -> None:
    result = run(PLAIN, "--no-hands", "--ascii")
    assert result.exit_code == 0
    assert result.stdout == " / \\ / \\\n|wS1[bS1]\n \\ / \\ /\n"


def test_a_game_type_alone_shows_the_start() -> None:
    assert "White in hand: Q S1" in run("base+plm").stdout


@pytest.mark.parametrize("name", ["game09.sgf", "game09.pgn"])
def test_a_file_at_its_end_and_at_a_ply(name: str) -> None:
    assert "wB1" in run(GAMES / name).stdout
    assert run(GAMES / name, "--ply", "2").stdout == run(GAMES / name, "--ply", "-29").stdout
    assert "bL" in run(GAMES / name, "--ply", "2").stdout


def test_the_chosen_game_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "games.uhp"
    path.write_text(f"{PLAIN}\nBase;;;wX\nBase;;;wG1\n")
    assert "wG1" in run(path, "--game", "2").stdout
    result = run(path, "--game", "3")
    assert result.exit_code == 1
    assert "line 2" in result.stderr
    assert "has 2 readable games, not game 3" in result.stderr


def test_pictures(tmp_path: Path) -> None:
    out = tmp_path / "out.svg"
    result = run(PLAIN, "--svg", out, "--size", "500", "--coordinates", "--arrow", "wQ -wS1")
    assert result.exit_code == 0, result.output
    assert result.stdout == ""
    text = out.read_text()
    assert 'width="500"' in text or 'height="500"' in text
    assert run(PLAIN, "--svg", "-").stdout.startswith("<svg")


def test_a_png(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py", reason="the extra png is not installed")
    out = tmp_path / "out.png"
    assert run(PLAIN, "--png", out).exit_code == 0
    assert out.read_bytes().startswith(b"\x89PNG")


def test_a_png_without_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    result = run(PLAIN, "--png", tmp_path / "out.png")
    assert result.exit_code == 1
    assert "uhp-engine[png]" in result.stderr


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (["Base;;;wS1;bS1 wS2-"], 1, "move 2"),
        (["nonsense"], 1, "there is no file 'nonsense', and it is no GameString"),
        (["missing.pgn"], 1, "there is no file 'missing.pgn'"),
        (["base+x"], 1, "unknown game type 'base+x'"),
        ([PLAIN, "--ply", "3"], 2, "the game has 2 moves"),
        ([PLAIN, "--ply", "-3"], 2, "the game has 2 moves"),
        ([PLAIN, "--size", "3"], 2, "16 to 10000"),
        ([PLAIN, "--svg", "-", "--arrow", "wQ bS1-"], 2, "it would touch bS1"),
        ([PLAIN, "--svg", "-", "--arrow", "wX"], 2, "is no piece"),
        ([PLAIN, "--svg", "/nowhere/at/all.svg"], 1, "cannot write /nowhere"),
        ([], 2, "Missing argument"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(args: list[str], code: int, words: str) -> None:
    result = run(*args)
    assert result.exit_code == code
    assert words in result.stderr
    assert "Traceback" not in result.output


def test_a_gamestring_longer_than_any_file_name() -> None:
    line = (GAMES.parent / "real_games.tsv").read_text().splitlines()[25].split("\t")[0]
    assert len(line) > 500
    assert "Stacks: " in run(line).stdout
    assert run("x" * 5000).exit_code == 1


def test_a_queen_first_game_can_be_seen() -> None:
    assert "wQ" in run("Base;;;wQ").stdout


def test_broken_games_before_the_one_wanted_are_told(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_text(f"Base;InProgress;White[2];wS1;bS1 wX-\n{PLAIN}\n")
    result = run(path)
    assert result.exit_code == 0
    assert result.stderr.startswith("left out: ")
    assert "line 1" in result.stderr
