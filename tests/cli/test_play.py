"""The terminal game through a real terminal, and through a pipe."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest
from click.testing import CliRunner

from uhp_engine import warmup
from uhp_engine.cli.play import play
from uhp_engine.cli.terminal.opponent import SearchOpponent
from uhp_engine.game import Game
from uhp_engine.notation import format_move, parse_game, parse_move
from uhp_engine.notation.files import read_games

COMMAND = [sys.executable, "-m", "uhp_engine", "play"]
PLY = re.compile(rb"The engine plays ([^\r\n]+?)\.\r?\n")

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")


@pytest.fixture(autouse=True, scope="module")
def _warm() -> None:
    warmup.load()


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """Variables that keep the player's files in a folder of the test."""
    return {
        **os.environ,
        "XDG_DATA_HOME": str(tmp_path),
        "TERM": "xterm",
        "PROMPT_TOOLKIT_NO_CPR": "1",
        "PYTHONPATH": str(Path(__file__).parents[2]),
    }


class Table:
    """A player at a terminal, who keeps a board of their own."""

    def __init__(self, variables: dict[str, str], *options: str) -> None:
        self.child = pexpect.spawn(
            COMMAND[0], [*COMMAND[1:], *options], env=variables, timeout=90, dimensions=(40, 100)
        )
        self.game = Game("Base")

    def prompt(self, words: str = "White>") -> None:
        self.child.expect_exact(words)

    def send(self, text: str) -> None:
        self.child.send(text + "\r")

    def move(self, text: str) -> None:
        """Play a move; read the engine's answer, unless the game is over."""
        move = parse_move(self.game, text)
        self.send(text)
        self.child.expect_exact("You play " + format_move(self.game, move))
        self.game.play(move)
        if not self.game.state.is_over:
            self.answer()

    def answer(self) -> None:
        self.child.expect([PLY, b"The engine has no move but to pass"])
        text = self.child.match[1].decode() if self.child.match.lastindex else "pass"
        self.game.play(parse_move(self.game, text))

    def leave(self, code: int) -> None:
        self.child.expect(pexpect.EOF)
        self.child.close()
        assert self.child.exitstatus == code


@pytest.fixture
def tables() -> Iterator[list[Table]]:
    opened: list[Table] = []
    yield opened
    for table in opened:
        table.child.close(force=True)


@pytest.mark.slow
def test_a_whole_game(home: dict[str, str], tables: list[Table], tmp_path: Path) -> None:
    options = ("--type", "base", "--level", "1", "--seed", "3", "--seconds", "20")
    table = Table(home, *options)
    tables.append(table)
    child = table.child
    child.expect_exact("New to Hive? Type rules.")
    child.expect_exact("You have White against level 1.")
    table.prompt()

    # Wrong input of several kinds.
    table.send("hello")
    child.expect_exact("'hello'")
    table.prompt()
    table.send("wQ")
    child.expect_exact("wQ may not")
    table.prompt()
    table.send("99")
    child.expect_exact("there are moves 1 to 4")
    table.prompt()
    table.move("wS1")
    table.prompt()

    # The menu narrows as one types, before Enter.
    child.send("wa")
    child.expect(rb"\d+ +wA1 ")
    child.send("\x15")  # clears the line
    table.send("list wq")
    child.expect_exact("wQ ")
    table.prompt()

    # A smaller and a larger window.
    child.setwinsize(30, 60)
    table.send("board")
    child.expect_exact("White in hand")
    child.setwinsize(50, 120)
    table.prompt()

    # Take it back, play again.
    table.send("undo")
    child.expect_exact("Taken back: 2 moves.")
    table.game = Game("Base")
    table.prompt()
    table.move("wG1")
    table.prompt()
    table.send("hint")
    child.expect(rb"1\. w\S+ .*\(\d+ %\)")
    table.prompt()

    # Interrupt, and go on where it was.
    child.sendcontrol("c")
    child.expect_exact("The game is kept")
    table.leave(130)
    kept = next(read_games(tmp_path / "uhp-engine" / "play.pgn"))
    assert kept.game.moves == table.game.moves
    again = Table(home, *options)
    again.game = table.game
    tables.append(again)
    again.child.expect_exact("A game of 2 moves was kept. Go on with it?")
    again.send("")
    again.child.expect_exact("You have White against level 1.")
    again.prompt()

    # To the end, by moves and by their numbers.
    player = SearchOpponent(7, 1)
    while not again.game.state.is_over:
        if again.game.ply > 120:
            pytest.fail("the game has no end")
        move = player.choose_move(again.game, 20, lambda: False)
        again.move(format_move(again.game, move))
        if not again.game.state.is_over:
            again.prompt()
    again.child.expect_exact("Game over: ")
    again.prompt("game over>")
    again.child.sendcontrol("d")
    again.child.expect_exact("Goodbye.")
    again.leave(0)
    record = next(read_games(tmp_path / "uhp-engine" / "play.pgn"))
    assert record.result is again.game.state
    assert record.game.moves == again.game.moves
    assert record.tags["White"] == "you"


@pytest.mark.slow
def test_an_interrupt_while_the_engine_thinks_makes_it_move(
    home: dict[str, str], tables: list[Table]
) -> None:
    table = Table(home, "--type", "Base", "--level", "10", "--seconds", "600", "--new")
    tables.append(table)
    table.prompt()
    table.send("wS1")
    table.child.expect_exact("You play wS1.")
    with pytest.raises(pexpect.TIMEOUT):
        table.child.expect(PLY, timeout=1.5)
    table.child.sendcontrol("c")
    table.child.expect(PLY)
    table.prompt()
    table.child.sendcontrol("d")
    table.leave(0)


def test_through_a_pipe(home: dict[str, str], tmp_path: Path) -> None:
    lines = "wS1\nwq\n1\nsave mine.pgn\nresign\n"
    done = subprocess.run(
        [*COMMAND, "--type", "base", "--level", "1", "--seed", "1"],
        input=lines,
        capture_output=True,
        text=True,
        env=home,
        cwd=tmp_path,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "3 moves begin with 'wq'" in done.stdout
    assert "Saved as mine.pgn." in done.stdout
    assert "you lose (BlackWins)" in done.stdout
    assert "Traceback" not in done.stderr
    assert next(read_games(tmp_path / "mine.pgn")).game.ply == 4


def test_a_game_out_of_a_file(home: dict[str, str], tmp_path: Path) -> None:
    game = parse_game("Base;;;wS1;bS1 wS1-;wQ -wS1;bQ bS1-")
    path = tmp_path / "start.uhp"
    path.write_text("Base;;;" + ";".join(["wS1", "bS1 wS1-", "wQ -wS1", "bQ bS1-"]) + "\n")
    result = CliRunner(env=home).invoke(
        play, ["--load", str(path), "--side", "black", "--level", "1"], standalone_mode=False
    )
    assert result.return_value == 0
    assert "The engine plays w" in result.stdout
    assert result.stdout.count("Black> ") == 1
    assert game.ply == 4


def test_a_damaged_kept_game_is_set_aside(home: dict[str, str], tmp_path: Path) -> None:
    kept = tmp_path / "uhp-engine" / "play.pgn"
    kept.parent.mkdir()
    kept.write_text('[GameType "Base"]\n\n1. wX\n')
    result = CliRunner(env=home).invoke(play, [], standalone_mode=False)
    assert result.return_value == 0
    assert "cannot be read" in result.stdout
    assert kept.with_name("play.pgn.broken").exists()


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--type", "chess"], "unknown game type"),
        (["--level", "11"], "1<=x<=10"),
        (["--side", "green"], "'green' is not one of"),
        (["--load", "missing.pgn"], "cannot read missing.pgn"),
    ],
)
def test_wrong_usage(home: dict[str, str], args: list[str], words: str) -> None:
    result = CliRunner(env=home).invoke(play, args)
    assert result.exit_code in (1, 2)
    assert words in result.stderr
