"""The protocol through a real process over pipes."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pexpect
import pytest

DATA = Path(__file__).parents[1] / "data"
CASES = json.loads((DATA / "protocol_cases.json").read_text())
LINE = "Base+MLP;;;wS1;bS1 wS1-;wQ -wS1;bQ bS1-"
INFO = ["id uhp_engine 0.1.0", "Mosquito;Ladybug;Pillbug"]


def test_the_greeting_is_what_info_prints(engine):
    assert engine.greeting == INFO
    assert engine.send("info") == INFO


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_protocol_cases(engine, case):
    """Every step, must and should alike."""
    for step in case["steps"]:
        answer = engine.send(step["send"])
        assert len(answer) == len(step["expect"]), (step, answer)
        for line, pattern in zip(answer, step["expect"], strict=True):
            assert re.search(pattern, line), (step, answer)


@pytest.mark.parametrize(
    "command", ["play wS1", "pass", "validmoves", "bestmove depth 1", "undo", "perft 2", "bestmove"]
)
def test_without_a_game_commands_are_errors(engine, command):
    assert engine.ask(command) == "err no game is in progress; 'newgame' begins one"


def test_commands_are_taken_loosely(engine):
    engine.process.send(b"  NewGame\tBase+plm  extra\r\n")
    assert engine.read_answer() == ["Base+MLP;NotStarted;White[1]"]
    engine.process.send(b"\n   \t\r\n\nvalidmoves foo\r\n")  # blank lines get no answer
    assert engine.read_answer() == ["wS1;wB1;wG1;wA1;wM;wL;wP"]
    engine.process.send(b"\xff\xfe\x00 nonsense\n")
    assert engine.read_answer()[0].startswith("err unknown command")
    engine.process.send(b"PLAY WS1\nplay bs1 ws1-\n")
    assert engine.read_answer() == ["Base+MLP;InProgress;Black[1];wS1"]
    assert engine.read_answer() == ["Base+MLP;InProgress;White[2];wS1;bS1 wS1-"]


def test_an_error_leaves_the_game_as_it_was(engine):
    text = engine.ask(f"newgame {LINE}")
    for command, answer in [
        ("newgame Foo", "err unknown game type 'Foo'"),
        ("newgame Base;;;wS1;bG9 wS1-", "err move 2, 'bG9 wS1-': unable to read"),
        ("newgame Base;;;wS1;wA1 wS1-", "err move 2, 'wA1 wS1-': it is Black's turn"),
        ("play wS1 \\wQ", "invalidmove wS1 is pinned: moving it would split the hive"),
        ("play zzz", "invalidmove unable to read 'zzz'"),
        ("play", "err play needs a move"),
        ("pass", "invalidmove passing is legal only without another move"),
        ("undo 9", "err cannot undo 9 of 4 moves"),
        ("undo 0", "err cannot undo 0"),
        ("undo x", "err undo takes a number of moves, not 'x'"),
        ("bestmove nonsense", "err expected 'bestmove'"),
        ("options get", "err expected 'options'"),
        ("options set NumThreads", "err expected 'options'"),
        ("options set NumThreads many", "err NumThreads takes a whole number from 1 to"),
        ("perft x", "err expected a depth from 0 to 23, not 'x'"),
        ("quit", "err unknown command 'quit'"),
    ]:
        assert engine.ask(command).startswith(answer), command
    engine.ask("play wA1 -wQ")
    assert engine.ask("undo") == text


def test_after_the_end_of_a_game(engine, rows):
    text = next(row[0] for row in rows("real_games.tsv") if row[1:3] == ["WhiteWins", "surround"])
    over = engine.ask(f"newgame {text}")
    assert ";WhiteWins;" in over
    for command in ("play wA1 wQ-", "pass", "validmoves", "bestmove depth 1"):
        assert engine.ask(command).startswith("err the game is over (WhiteWins)")
    assert ";InProgress;" in engine.ask("undo")
    assert engine.ask("bestmove depth 1") in engine.ask("validmoves").split(";")


def test_a_draw_by_repetition_is_declared_on_request_and_answers_go_on(engine):
    engine.ask("options set RepetitionDraw Threefold")
    dance = "Base;;;wS1;bB1 wS1-;wQ \\wS1;bQ bB1\\" + ";wQ -wS1;bQ bB1-;wQ \\wS1;bQ bB1\\" * 2
    assert engine.ask(f"newgame {dance}").startswith("Base;Draw;White[7];")
    moves = engine.ask("validmoves").split(";")
    assert engine.ask("bestmove depth 2") in moves
    engine.ask("options set RepetitionDraw Off")
    assert engine.ask("undo").startswith("Base;InProgress;Black[6];")
    assert engine.ask("play bQ bB1\\").startswith("Base;InProgress;White[7];")


def test_the_old_opening_rule_on_request(engine, rows):
    queen_first = rows("queen_first_games.tsv")[0][0]
    assert "may not be the first piece placed" in engine.ask(f"newgame {queen_first}")
    assert engine.ask("options set TournamentOpening False").startswith(
        "TournamentOpening;bool;False;True"
    )
    loaded = engine.ask(f"newgame {queen_first}").split(";")
    assert loaded[:4] == queen_first.split(";")[:4]
    assert len(loaded) == len(queen_first.split(";"))
    engine.ask("newgame Base")
    assert engine.ask("validmoves").split(";")[0] == "wQ"


def test_options_one_line_each(engine):
    lines = engine.send("options")
    assert len(lines) >= 6
    for line in lines:
        name = line.split(";")[0]
        assert engine.ask(f"options get {name}") == line


def test_bestmove_is_one_line_and_preliminary_moves_only_on_request(engine):
    engine.ask(f"newgame {LINE}")
    assert len(engine.send("bestmove time 00:00:01")) == 1
    engine.ask("options set ReportIntermediateBestMoves True")
    engine.ask("newgame Base+MLP;;;wM;bL wM-;wQ -wM;bQ bL-;wA1 -wQ;bA1 bQ-")
    legal = engine.ask("validmoves").split(";")
    *reports, answer = engine.send("bestmove time 00:00:01")
    assert answer in legal
    assert reports
    for report in reports:
        move, depth, score, *variation = report.split(";")
        assert move in legal
        assert int(depth) == len(variation)
        assert -1 <= float(score) <= 1
        assert variation[0] == move


def test_several_lines_on_request_each_in_the_form_of_one(engine):
    """Reports of MultiPV lines each, the best first; the last one stands before the answer."""
    game = "newgame Base+MLP;;;wM;bL wM-;wQ -wM;bQ bL-;wA1 -wQ;bA1 bQ-"
    engine.ask(game)
    engine.ask("options set MultiPV 3")
    assert len(engine.send("bestmove depth 3")) == 1
    engine.ask("options set ReportIntermediateBestMoves True")
    *reports, answer = engine.send("bestmove seconds 0.6")
    legal = engine.ask("validmoves").split(";")
    assert len(reports) >= 6
    assert len(reports) % 3 == 0
    for report in reports:
        move, depth, score, *variation = report.split(";")
        assert move in legal
        assert int(depth) == len(variation) > 0
        assert -1 <= float(score) <= 1
        assert variation[0] == move
    for first in range(0, len(reports), 3):
        assert len({report.split(";")[0] for report in reports[first : first + 3]}) == 3
    assert reports[-3].split(";")[0] == answer
    assert engine.send("pv") == reports[-3].split(";")[3:]
    engine.ask("options set MultiPV 256")
    assert len(engine.send("bestmove depth 2")) == len(legal) + 1


def test_pv_is_the_line_of_the_last_bestmove(engine):
    assert engine.ask("pv").startswith("err there is no variation yet")
    engine.ask(f"newgame {LINE}")
    best = engine.ask("bestmove depth 4")
    variation = engine.send("pv")
    assert variation[0] == best
    for move in variation:
        assert not engine.ask(f"play {move}").startswith("invalidmove")


def test_bestmove_by_the_clock(engine):
    engine.ask(f"newgame {LINE}")
    legal = engine.ask("validmoves").split(";")
    for words in ("3", "2 0.05", "0:0:01 0 1", "0", "0.01 0 40"):
        assert engine.ask(f"bestmove clock {words}") in legal
    assert engine.ask("bestmove clock soon").startswith("err expected a number of seconds")
    assert "clock REMAINING" in engine.ask("help bestmove")  # by which the arena knows it


def test_bestmove_depth_is_deterministic(engine):
    game = "newgame Base+MLP;;;wM;bL wM-;wQ -wM;bQ bL-;wA1 -wQ;bA1 bQ-"
    answers = set()
    for _ in range(2):
        engine.ask(game)
        engine.ask("bestmove time 00:00:00.2")
        answers.add((engine.ask("bestmove depth 5"), *engine.send("pv")))
    assert len(answers) == 1


def test_help_names_every_command(engine):
    text = "\n".join(engine.send("help"))
    for command in ("newgame", "play", "pass", "validmoves", "bestmove", "undo", "options", "exit"):
        assert f"{command}" in text
    assert engine.ask("help play").startswith("play MoveString")
    assert engine.ask("help nonsense").startswith("err unknown command")


def test_perft_prints_a_line_a_depth(engine):
    engine.ask("newgame Base")
    answer = engine.send("perft 4")
    row = re.compile(r"^\s*(\d+)\s*:?\s+([\d,]+)(\s+.*)?$")  # what uhp-compare-perft reads
    counts = {int(match[1]): int(match[2]) for line in answer if (match := row.match(line))}
    assert counts == {0: 1, 1: 4, 2: 96, 3: 1440, 4: 21600}


def test_an_overlong_line_is_an_answer_like_any_other(engine):
    assert engine.ask("play " + "wA1 " * 50_000).startswith("err no game")
    engine.ask("newgame")
    assert engine.ask("play " + "wA1 " * 50_000).startswith("invalidmove unable to read")
    assert engine.ask("undo " + "9" * 5000).startswith("err ")
    assert engine.ask("perft " + "9" * 5000).startswith("err ")
    assert engine.ask("bestmove depth 1" + " " * 100_000 + "x") in ["wS1", "wB1", "wG1", "wA1"]


def test_a_long_word_is_read_at_once(engine):
    """A pattern that tries every split of a word would take minutes over this one."""
    engine.ask("newgame")
    assert engine.ask("play " + "a" * 300_000 + "!").startswith("invalidmove unable to read")
    assert len(engine.ask("newgame " + "B" * 300_000)) < 200
    assert len(engine.ask("newgame Base;;;" + "w" * 300_000)) < 300


def test_words_around_a_type(engine):
    assert engine.ask("newgame Base + MLP") == "Base+MLP;NotStarted;White[1]"
    assert engine.ask("newgame Base MLP") == "Base;NotStarted;White[1]"
    engine.process.send(b"\xef\xbb\xbfinfo\n")  # a byte order mark
    assert engine.read_answer() == INFO
    assert engine.ask("undo 1_0").startswith("err undo takes a number")


@pytest.mark.skipif(os.name != "posix", reason="the shell is POSIX's")
@pytest.mark.parametrize(
    ("redirection", "status"), [("<&-", 0), (">&-", 0), (">/dev/full", 3), ("2>&-", 0)]
)
def test_closed_and_full_streams(redirection, status, tmp_path):
    command = f"printf 'newgame\\nexit\\n' | '{sys.executable}' -m uhp_engine {redirection}"
    if redirection == "<&-":
        command = f"'{sys.executable}' -m uhp_engine {redirection}"
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == status
    assert "Traceback" not in done.stderr
    assert not any(line.startswith("uhp-engine") for line in done.stdout.splitlines())


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")
def test_an_interrupt_ends_the_search_and_nothing_else(engine):
    pid = engine.process.pid
    engine.ask(f"newgame {LINE}")
    for _ in range(3):
        os.kill(pid, signal.SIGINT)  # idle: nothing happens
    assert engine.send("info") == INFO
    engine.write("bestmove time 01:00:00")
    time.sleep(0.4)
    os.kill(pid, signal.SIGINT)
    answer = engine.read_answer()
    os.kill(pid, signal.SIGINT)  # just after the answer
    assert len(answer) == 1
    assert answer[0] in engine.ask("validmoves").split(";")
    assert engine.close() == 0


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")
def test_interrupts_from_the_first_moment_on_do_not_kill():
    process = subprocess.Popen(
        [sys.executable, "-m", "uhp_engine"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdout.readline().startswith(b"id ")
    for _ in range(20):
        process.send_signal(signal.SIGINT)
        time.sleep(0.01)
    out, _ = process.communicate(b"newgame\nvalidmoves\n", timeout=60)
    assert process.returncode == 0
    assert b"wS1;wB1;wG1;wA1" in out


def one_move_a_process(seconds: float, game: str) -> subprocess.Popen:
    """Start an engine as hivegame.com's bot runner does: two commands, then the input is closed."""
    process = subprocess.Popen(
        [sys.executable, "-m", "uhp_engine"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    process.stdin.write(f"newgame {game}\nbestmove seconds {seconds}\n")
    process.stdin.close()
    process.stdin = None
    return process


def test_end_of_input_lets_the_search_finish_five_at_once():
    """What the runner reads: the first line other than ok after the second ok."""
    games = [LINE, "Base", "Base+M;;;wM", f"{LINE};wA1 -wQ", "Base+PLM;NotStarted;White[1]"]
    processes = [one_move_a_process(0.5, game) for game in games]
    for process, game in zip(processes, games, strict=True):
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0
        lines = out.splitlines()
        second = [number for number, line in enumerate(lines) if line == "ok"][1]
        assert len(lines) == second + 3
        assert lines[-1] == "ok"
        from uhp_engine.notation import format_moves, parse_game

        position = parse_game(game)
        assert lines[second + 1] in format_moves(position, position.legal_moves())
        assert "Traceback" not in err


def test_a_broken_pipe_ends_the_engine_quietly():
    process = subprocess.Popen(
        [sys.executable, "-m", "uhp_engine"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    process.stdin.write(b"newgame\nvalidmoves\n" * 3)
    process.stdin.flush()
    assert process.wait(timeout=60) == 0
    assert process.stderr.read() == b""
    process.stderr.close()
    process.stdin.close()


@pytest.mark.skipif(os.name != "posix", reason="terminals are POSIX's")
def test_on_a_terminal():
    """A person types; an interrupt during a search answers, an idle one leaves with 130."""
    child = pexpect.spawn(sys.executable, ["-m", "uhp_engine"], timeout=90, encoding="utf-8")
    child.expect_exact("ok\r\n")
    child.sendline("newgame Base")
    child.expect_exact("Base;NotStarted;White[1]\r\nok\r\n")
    child.sendline("bestmove time 01:00:00")
    time.sleep(0.5)
    child.sendintr()
    child.expect(r"w[SBGA]1\r\nok\r\n")
    child.sendintr()
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130


def random_line(choice: random.Random, legal: list[str]) -> str:
    """Make up a line: nonsense, half a command, or a whole one with something wrong."""
    words = [
        "newgame",
        "play",
        "validmoves",
        "undo",
        "options",
        "bestmove",
        "perft",
        "help",
        "pv",
        "info",
    ]
    pieces = ["wS1", "bQ", "wA4", "bM", "wL", "x", "wB1", "-bG2", "/wQ", "bS1\\", "\u2603", "wQ-"]
    arguments = [
        *("", "Base", "Base+X", "Base;;;wS1", "Base+MLP;Draw;;wS1;bS1 wS1-", ";;;", "-1", "0", "3"),
        *("1e9", "get", "set", "NumThreads", "RandomSeed", "True", "depth 0", "depth", "time"),
        *("time 00:00:00", "time x", "time 99999999999999", "seconds 0", "seconds -1"),
        *("depthorseconds 1 0", "pass", ";", "%s%n", "\x00", "'\""),
    ]
    kind = choice.randrange(6)
    if kind == 0:
        return "".join(chr(choice.randrange(1, 0x2FF)) for _ in range(choice.randrange(30)))
    if kind == 1:
        return "play " + " ".join(choice.choice(pieces) for _ in range(choice.randrange(4)))
    if kind == 2 and legal:
        text = choice.choice(legal)
        return "play " + (text if choice.random() < 0.5 else text[: choice.randrange(len(text))])
    line = " ".join([choice.choice(words), *choice.choices(arguments, k=choice.randrange(3))])
    return line if not re.search(r"perft (1e9|$)|bestmove *$|bestmove time 9", line) else "info"


@pytest.mark.slow
@pytest.mark.parametrize(("count", "flags"), [(10_000, ()), (2_000, ("--ponder", "true"))])
def test_thousands_of_lines_of_nonsense(start_engine, count, flags):
    """One ok for each command, no traceback, no dead process, the game unchanged by errors."""
    choice = random.Random(2026)
    engine = start_engine(*flags)
    engine.ask("newgame Base+MLP")
    current = "Base+MLP;NotStarted;White[1]"
    legal: list[str] = []
    for number in range(count):
        line = random_line(choice, legal)
        line = re.sub(r"[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]", " ", line)
        if not line.split() or line.split()[0].lower() == "exit":
            continue
        engine.process.send((line + "\n").encode())
        answer = engine.read_answer()
        assert not any("internal error" in row or "Traceback" in row for row in answer), line
        head = line.split()[0].lower()
        if any(row.startswith(("err", "invalidmove")) for row in answer):
            assert len(answer) == 1, line
            if number % 10 == 0:
                state = engine.send("undo 0")  # an error, too
                assert state[0].startswith("err")
                fields = engine.ask("validmoves")
                assert fields == ";".join(legal) or not legal or fields.startswith("err")
        elif head in ("newgame", "play", "undo", "pass"):
            assert len(answer) == 1
            current = answer[0]
            moves = engine.ask("validmoves")
            legal = [] if moves.startswith("err") else moves.split(";")
    assert engine.ask(f"newgame {current}") == current
    assert engine.close() == 0
