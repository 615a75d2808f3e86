"""The analysis at the command line: positions, files, whole games, text, JSON, a terminal."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from uhp_engine import warmup
from uhp_engine.cli import analyze as module
from uhp_engine.cli.analysis_text import outlook, summary
from uhp_engine.cli.analyze import analyze
from uhp_engine.game import RepetitionDraw
from uhp_engine.notation import format_moves, parse_game, parse_move
from uhp_engine.search.limits import Limits
from uhp_engine.search.result import Line
from uhp_engine.search.searcher import Searcher
from uhp_engine.search.tree import DRAW_PROOF

GAMES = Path(__file__).parents[1] / "data" / "games"
MIDDLE = (
    "Base+MLP;;;wL;bL \\wL;wM wL\\;bM \\bL;wA1 wM\\;bA1 bM-;wQ -wM;bQ bM/;wA1 -bM;bA1 wM-;wA2 /wQ;"
    "bP bM-;wP wA2-;bA2 bQ-"
)


@pytest.fixture(autouse=True, scope="module")
def _warm() -> None:
    warmup.load()


def run(*args: str | Path, text: str | None = None) -> Result:
    return CliRunner().invoke(analyze, [str(arg) for arg in args], input=text)


def objects(*args: str | Path, text: str | None = None) -> list[dict[str, Any]]:
    result = CliRunner().invoke(
        analyze, [*map(str, args), "--json"], input=text, standalone_mode=False
    )
    assert result.exception is None, result.output
    assert result.return_value == 0
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_the_best_moves_of_a_gamestring() -> None:
    result = run(MIDDLE, "--simulations", "3000", "--multipv", "4")
    head, *rows = result.stdout.splitlines()
    assert result.exit_code == 0
    assert result.stderr == ""
    assert head.startswith("Base+MLP, White[8] to move after 14 moves: 3,000 simulations in ")
    assert [row.split()[0] for row in rows] == ["1", "2", "3", "4"]
    game = parse_game(MIDDLE)
    found = Searcher().search(game, Limits(simulations=3000), variations=4, forced_too=True)
    legal = format_moves(game, game.legal_moves())
    for row, line in zip(rows, found.lines, strict=False):
        assert f"{line.visits:,}  {legal[game.legal_moves().index(line.move)]}" in row
        assert f" {50 * (1 + line.value):.1f} % " in row


def test_json_says_the_same() -> None:
    (values,) = objects(MIDDLE, "--simulations", "3000", "--multipv", "2")
    assert values["to_move"] == "White"
    assert values["simulations"] == 3000
    assert parse_game(values["game"]).moves == parse_game(MIDDLE).moves
    assert len(values["lines"]) == 2
    best = values["lines"][0]
    assert values["best"] == best["move"] == best["pv"][0]
    assert 0 < best["win_probability"] < 1
    assert best["visits"] > values["lines"][1]["visits"] > 0
    assert best["proof"] is best["plies_to_end"] is None
    replay = parse_game(MIDDLE)
    for text in best["pv"]:
        move = parse_move(replay, text)
        assert replay.is_legal(move)
        replay.play(move)


def test_the_other_lines_are_looked_at_too() -> None:
    """With several lines the most visited leaves more for the others to be judged by."""
    thirds = [0, 0]
    for back in range(6):
        game = parse_game(MIDDLE)
        if back:
            game.undo(back)
        one, several = (
            Searcher().search(game, Limits(simulations=20_000), variations=n) for n in (1, 3)
        )
        most = [max(line.visits for line in found.lines) for found in (one, several)]
        assert most[1] < 0.7 * most[0]
        assert sum(line.visits for line in several.lines) == 20_000
        thirds[0] += one.lines[2].visits
        thirds[1] += several.lines[2].visits
    assert thirds[1] > 1.5 * thirds[0]
    again = Searcher()
    again.search(game, Limits(simulations=20_000), variations=3)
    total = float(again.tree.root_edges()["prior"].sum())
    assert total == pytest.approx(1.0, abs=1e-3)  # what was spread is put back


@pytest.mark.parametrize("name", ["game09.sgf", "game09.pgn"])
def test_files_and_plies(name: str) -> None:
    (values,) = objects(GAMES / name, "--move", "4", "--simulations", "50")
    (other,) = objects(GAMES / name, "--move", "-27", "--simulations", "50")
    assert values["ply"] == 4
    assert values["best"] == other["best"]


def test_the_chosen_game_of_standard_input() -> None:
    text = f"Base\n# a comment\n{MIDDLE}\n"
    (values,) = objects("-", "--game", "2", "--simulations", "50", text=text)
    assert values["ply"] == 14
    (values,) = objects("-", "--simulations", "50", text="Base+M\n")
    assert values["game"] == "Base+M;NotStarted;White[1]"
    pgn = (GAMES / "game09.pgn").read_text()
    (values,) = objects("-", "--simulations", "50", "--move", "2", text=pgn)
    assert values["ply"] == 2
    assert "standard input has 0 readable games, not game 1" in run("-", text="").stderr


def test_a_forced_win_is_told_in_plies(rows: Any) -> None:
    for text, plies, move in rows("forced_wins.tsv"):
        if int(plies) != 3:
            continue
        (values,) = objects(text, "--seconds", "5")
        best = values["lines"][0]
        assert best["move"] == parse_and_print(text, move)
        assert (best["proof"], best["plies_to_end"]) == ("win", 3)
        assert best["win_probability"] == 1.0
        assert "  wins in 3 plies  " in run(text, "--seconds", "5").stdout
        return
    raise AssertionError("no win in three")


def parse_and_print(text: str, move: str) -> str:
    game = parse_game(text)
    return format_moves(game, [parse_move(game, move)])[0]


@pytest.mark.parametrize(
    ("proof", "words"),
    [
        (1, "wins in 1 ply"),
        (5, "wins in 5 plies"),
        (-2, "loses in 2 plies"),
        (DRAW_PROOF, "draw"),
        (0, "62.5 %"),
    ],
)
def test_prospects_in_words(proof: int, words: str) -> None:
    move = parse_game("Base").legal_moves()[0]
    assert outlook(Line(move, 10, 0.25, proof, (move,))) == words
    assert outlook(Line(move, 0, 0.0, 0, (move,))) == "-"


def test_a_position_with_one_move_is_judged_too() -> None:
    text = (
        "Base;;;wA1;bS1 wA1-;wQ -wA1;bQ bS1/;wQ \\wA1;bA1 bS1\\;wQ -wA1;bA2 bQ\\;wQ \\wA1;"
        "bA1 \\wQ;wG1 /wQ;bA2 /wG1"
    )
    (values,) = objects(text, "--simulations", "500")
    (line,) = values["lines"]
    assert line["move"] == "pass"
    assert line["visits"] == 500
    assert line["pv"][1:]


def test_a_finished_game() -> None:
    result = run(GAMES / "game09.sgf")
    assert result.exit_code == 0
    assert result.stdout.startswith("the game is over: White has won, after 31 moves; --move -1")
    (values,) = objects(GAMES / "game09.sgf")
    assert (values["state"], values["lines"]) == ("WhiteWins", [])
    assert "best" not in values


def test_a_draw_by_repetition_ends_a_game_where_it_is_asked_for() -> None:
    dance = "Base;;;wS1;bB1 wS1-;wQ \\wS1;bQ bB1\\" + ";wQ -wS1;bQ bB1-;wQ \\wS1;bQ bB1\\" * 2
    result = run(dance, "--repetition-draw", "threefold")
    assert result.stdout.startswith("the game is over: a draw by repetition, after 12 moves")
    assert objects(dance, "--simulations", "20")[0]["lines"]


def test_the_queen_is_no_first_piece_unless_asked() -> None:
    def first(*more: str) -> set[str]:
        (values,) = objects("Base", "--simulations", "300", "--multipv", "9", *more)
        return {line["move"] for line in values["lines"]}

    assert first() == {"wS1", "wB1", "wG1", "wA1"}
    assert first("--queen-first") == {"wQ", "wS1", "wB1", "wG1", "wA1"}


def test_a_whole_game_a_line_each() -> None:
    result = run(GAMES / "game09.sgf", "--all", "--simulations", "300")
    head, *rows, end = result.stdout.splitlines()
    assert head.split() == ["ply", "turn", "White", "played", "best"]
    assert [int(row.split()[0]) for row in rows] == list(range(31))
    assert rows[30].split()[-4:] == ["wins", "in", "1", "ply)"]
    assert "(White wins in 1 ply)" in rows[30]
    assert end == "the game is over: White has won, after 31 moves"
    values = objects(GAMES / "game09.sgf", "--all", "--simulations", "100")
    assert [value["ply"] for value in values] == list(range(32))
    assert [value.get("played") for value in values[30:]] == ["wB1 /bP", None]


def test_a_whole_game_that_is_not_over() -> None:
    result = run("Base;;;wS1;bS1 wS1-", "--all", "--simulations", "50")
    _, *rows = result.stdout.splitlines()
    assert [row.split()[0] for row in rows] == ["0", "1", "2"]


def test_a_costly_move_is_marked() -> None:
    game = parse_game("Base;;;wS1;bS1 wS1-")
    found = Searcher().search(game, Limits(simulations=200))
    other = format_moves(game, [found.lines[-1].move])[0]
    best = format_moves(game, [found.move])[0]
    assert f"{other:<12} ?? " in summary(game, found, other, 0.5)
    assert "?" not in summary(game, found, other, 0.01)
    assert "?" not in summary(game, found, best, 0.5)  # what it would play is no mistake


def test_elsewhere_than_on_a_terminal_it_ends_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float | None] = []

    def search(self: Searcher, game: Any, limits: Limits, **more: Any) -> Any:
        asked.append(limits.seconds)
        return real(self, game, Limits(simulations=10), **more)

    real = Searcher.search
    monkeypatch.setattr(Searcher, "search", search)
    run("Base")
    run("Base", "--time", "0:01:05")
    run("Base", "--all")
    assert asked == [module.PIPE_SECONDS, 65.0, module.EACH_SECONDS]


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (["Base;;;wS1;bS1 wS2-"], 1, "move 2"),
        (["nonsense"], 1, "there is no file 'nonsense', and it is no GameString"),
        (["base+x"], 1, "unknown game type 'base+x'"),
        ([MIDDLE, "--move", "15"], 2, "the game has 14 moves"),
        ([MIDDLE, "--move", "1", "--all"], 2, "--all and --move exclude each other"),
        ([MIDDLE, "--time", "x"], 2, "expected hh:mm:ss"),
        ([MIDDLE, "--time", "0:0:1", "--seconds", "1"], 2, "--time and --seconds exclude"),
        ([MIDDLE, "--depth", "1", "--simulations", "1"], 2, "--depth and --simulations"),
        ([MIDDLE, "--multipv", "0"], 2, "--multipv"),
        ([MIDDLE, "--memory", "1"], 2, "--memory"),
        ([], 2, "Missing argument"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(args: list[str], code: int, words: str) -> None:
    result = run(*args)
    assert result.exit_code == code
    assert words in result.stderr
    assert "Traceback" not in result.output


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize("more", [[], ["--all"]])
def test_on_a_terminal_it_thinks_until_ctrl_c(more: list[str]) -> None:
    import pexpect

    limit = ["--time", "1:00:00"] if more else []
    child = pexpect.spawn(
        sys.executable,
        ["-m", "uhp_engine", "analyze", MIDDLE, *more, *limit],
        dimensions=(40, 100),
        encoding="utf-8",
        timeout=90,
    )
    child.expect(r"moves: [\d,]+ simulations")  # the table under way
    child.expect(r"moves: [\d,]+ simulations")
    child.sendintr()
    child.expect(pexpect.EOF)
    text = child.before
    child.close()
    assert child.exitstatus == 130
    assert "Traceback" not in text
    last = text.rstrip().splitlines()[-3:]
    if more:
        assert "   0  White[1]  " in last[-1]
    else:
        assert [line.split()[0] for line in last] == ["1", "2", "3"]
        assert all(" % " in line for line in last)


def test_repetition_draws_have_the_protocols_names() -> None:
    option = next(param for param in analyze.params if param.name == "repetition_draw")
    assert list(option.type.choices) == [kind.value for kind in RepetitionDraw]


def test_a_game_that_began_with_the_queen_is_read(rows) -> None:
    """Every position, though that opening is not allowed now."""
    text = rows("queen_first_games.tsv")[0][0]
    result = run(text, "--all", "--simulations", "50")
    assert result.exit_code == 0, result.output
    assert str(parse_game(text, tournament_opening=False).ply) in result.output


@pytest.mark.parametrize("value", ["nan", "inf"])
def test_no_time_at_all_is_refused(value) -> None:
    result = run(MIDDLE, "--seconds", value)
    assert result.exit_code == 2
    assert "is no time" in result.output
