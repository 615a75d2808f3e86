"""`uhp-engine train`, as a user runs it: a small round of the whole loop, and what goes wrong."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from uhp_engine.search.network import SHIPPED, load_network, save_network
from uhp_engine.training.store import read_blocks

PEOPLE = Path(__file__).parents[1] / "data" / "real_games.tsv"
PROGRAM = (sys.executable, "-m", "uhp_engine")


def run(
    *words: object, given: str | None = None, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    command = [*PROGRAM, *map(str, words)]
    return subprocess.run(
        command, input=given, capture_output=True, text=True, check=False, cwd=cwd
    )


def wait_for_size(path: Path, size: int, process: subprocess.Popen[str]) -> None:
    """Wait until a file that a process writes is larger than so many bytes."""
    deadline = time.monotonic() + 120
    while not (path.exists() and path.stat().st_size > size):
        assert time.monotonic() < deadline
        assert process.poll() is None
        time.sleep(0.01)


def self_play(path: Path, *words: object) -> subprocess.CompletedProcess[str]:
    return run("train", "selfplay", path, "--simulations", 24, "--fast-simulations", 8, *words)


@pytest.fixture(scope="module")
def some_people(tmp_path_factory):
    path = tmp_path_factory.mktemp("people") / "people.tsv"
    path.write_text("".join(PEOPLE.read_text(encoding="utf-8").splitlines(True)[:150]))
    return path


@pytest.mark.slow
def test_a_round_of_the_loop(tmp_path, some_people):
    """Self-play, a fit that beats a constant, a gate, and the network in an engine."""
    games = tmp_path / "games.uhpgames"
    assert self_play(games, "--games", 60, "--processes", 2).returncode == 0
    network = tmp_path / "new.npz"
    plot = tmp_path / "plot.png"
    done = run("train", "fit", games, some_people, "-o", network, "--epochs", 8, "--plot", plot)
    assert done.returncode == 0, done.stderr
    found = re.search(r"Value: loss ([\d.]+), of a constant ([\d.]+)", done.stdout)
    assert found
    assert float(found[1]) < float(found[2]) - 0.01
    assert plot.stat().st_size > 1000
    assert not list(tmp_path.glob("*.checkpoint"))
    again = self_play(
        tmp_path / "second.uhpgames",
        *("--games", 4, "--network", network, "--pool", network, "--pool-share", 1),
    )
    assert again.returncode == 0, again.stderr
    played = run(
        *("train", "gate", network, "--st", 0.02, "--games", 4, "--concurrency", 2),
        *("--results", tmp_path / "gate.sqlite"),
    )
    assert played.returncode == 1, played.stderr  # four games decide nothing
    assert re.search(r"Results of candidate-\w{8} vs best-\w{8}", played.stdout)
    assert played.stdout.splitlines()[-1] == "not passed"
    spoken = run(
        *("--network", network),
        given="newgame Base+MLP\nvalidmoves\nbestmove time 00:00:00.2\n",
    )
    answers = spoken.stdout.split("ok\n")
    assert answers[3].strip() in answers[2].strip().split(";")


@pytest.mark.slow
def test_the_gate_opens_for_a_much_stronger_network(tmp_path):
    """The shipped one against one that knows nothing and prefers bad moves."""
    worse = tmp_path / "worse.npz"
    network = {name: 0 * array for name, array in load_network().items()}
    network["policy"] = -load_network()["policy"]
    save_network(worse, network)
    better = tmp_path / "better.npz"
    save_network(better, load_network())  # compressed anew, and still the same network
    words = ("--st", 0.02, "--concurrency", 2, "--elo1", 100, "--game-type", "Base")
    done = run(
        *("train", "gate", better, "--against", worse, *words),
        *("--results", tmp_path / "gate.sqlite"),
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "passed"


def test_self_play_goes_on_where_it_was_interrupted(tmp_path):
    path = tmp_path / "games.uhpgames"
    command = [*PROGRAM, "train", "selfplay", str(path), "--games", "6", "--simulations", "150"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        wait_for_size(path, 1500, process)
        process.send_signal(signal.SIGINT)
        error = process.communicate()[1]
    assert process.returncode == 130
    assert "the same command goes on" in error
    assert "Traceback" not in error
    half = path.read_bytes()
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0
    assert path.read_bytes().startswith(half)
    whole = tmp_path / "whole.uhpgames"
    command[5] = str(whole)
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0
    assert whole.read_bytes() == path.read_bytes()


@pytest.mark.slow
def test_self_play_with_two_processes_is_interrupted_and_gone_on_with(tmp_path):
    path = tmp_path / "games.uhpgames"
    command = [*PROGRAM, "train", "selfplay", str(path), "--games", "8", "--simulations", "100"]
    command += ["--processes", "2"]
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        wait_for_size(path, 1500, process)
        os.killpg(process.pid, signal.SIGINT)  # as Ctrl+C in a terminal does
        error = process.communicate()[1]
    assert process.returncode == 130
    assert "the same command goes on" in error
    assert "Traceback" not in error
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0
    with path.open("rb") as file:
        numbers = sorted(block["number"] for block in list(read_blocks(file))[1:])
    assert numbers == list(range(8))


def test_self_play_does_not_mix_settings(tmp_path):
    path = tmp_path / "games.uhpgames"
    assert self_play(path, "--games", 1).returncode == 0
    done = self_play(path, "--games", 2, "--seed", 4)
    assert done.returncode == 2
    assert "seed is 0, not 4" in done.stderr


@pytest.mark.parametrize("words", [("selfplay",), ("fit", "-o", "new.npz"), ("classic",)])
def test_what_is_no_file_of_games_is_a_line(tmp_path, words):
    path = tmp_path / "games.txt"
    path.write_text("nonsense\tWhiteWins\n")
    done = run("train", words[0], path, *words[1:], cwd=tmp_path)
    assert done.returncode == 2
    assert str(path) in done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_text() == "nonsense\tWhiteWins\n"


def test_a_fit_writes_over_nothing_that_it_should_not(tmp_path, some_people):
    games = tmp_path / "games.uhpgames"
    assert self_play(games, "--games", 1).returncode == 0
    before = games.read_bytes()
    network = tmp_path / "new.npz"
    for words, what in (
        (("-o", games), "files of their own"),
        (("-o", network, "--plot", network), "files of their own"),
        (("-o", tmp_path / "no" / "new.npz"), "No such file"),
    ):
        done = run("train", "fit", games, *words)
        assert done.returncode == 2
        assert what in done.stderr
    done = run("train", "fit", some_people, "-o", games)
    assert done.returncode == 2
    assert "holds games of self-play" in done.stderr
    assert games.read_bytes() == before
    assert list(tmp_path.iterdir()) == [games]


def test_a_fit_is_interrupted_and_gone_on_with(tmp_path, some_people):
    network = tmp_path / "new.npz"
    command = [*PROGRAM, "train", "fit", str(some_people), "-o", str(network), "--epochs", "12"]
    checkpoint = tmp_path / "new.npz.checkpoint"
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        wait_for_size(checkpoint, 0, process)
        process.send_signal(signal.SIGINT)
        error = process.communicate()[1]
    if process.returncode == 130:  # else it was through already
        assert "Traceback" not in error
        assert f"goes on from {checkpoint}" in error
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert "goes on after epoch" in done.stderr
    whole = load_network(network)
    assert not checkpoint.exists()
    command[7] = str(tmp_path / "other.npz")
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0
    other = load_network(tmp_path / "other.npz")
    assert all((whole[name] == other[name]).all() for name in whole)


def test_too_few_games_are_a_line(tmp_path):
    path = tmp_path / "games.uhpgames"
    assert self_play(path, "--games", 1).returncode == 0
    done = run("train", "fit", path, "-o", tmp_path / "new.npz")
    assert done.returncode == 2
    assert "1 games are too few" in done.stderr
    assert list(tmp_path.iterdir()) == [path]


def test_lines_of_no_use_are_counted(tmp_path, some_people):
    path = tmp_path / "games.tsv"
    good = some_people.read_text(encoding="utf-8").splitlines(True)[0]
    path.write_text(
        good + "nonsense\tWhiteWins\n" + "Base;NotStarted;White[1]\t?\n", encoding="utf-8"
    )
    done = run("train", "fit", path, "-o", tmp_path / "new.npz")
    assert f"{path}: 2 lines were left out" in " ".join(done.stderr.split())
    assert "1 games are too few" in done.stderr


@pytest.mark.parametrize("content", [b"nothing", b"PK\x03\x04 and no more"])
def test_what_is_no_network_is_a_line(tmp_path, content):
    path = tmp_path / "other.npz"
    path.write_bytes(content)
    for words in (
        ("--network", path),
        ("train", "gate", path),
        ("train", "selfplay", tmp_path / "games", "--network", path),
    ):
        done = run(*words, given="", cwd=tmp_path)
        assert done.returncode == 2
        assert "is no network" in done.stderr
        assert "Traceback" not in done.stderr
        assert done.stdout == ""
    assert list(tmp_path.iterdir()) == [path]


def test_a_damaged_network_is_a_line(tmp_path):
    path = tmp_path / "damaged.npz"
    data = bytearray(SHIPPED.read_bytes())
    data[len(data) // 3] ^= 255
    path.write_bytes(data)
    done = run("--network", path, given="")
    assert done.returncode == 2
    assert "is a damaged network" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_gate_needs_two_networks_and_a_file_to_resume(tmp_path):
    same = run("train", "gate", SHIPPED, cwd=tmp_path)
    assert same.returncode == 2
    assert "are the same network" in same.stderr
    resumed = run("train", "gate", SHIPPED, "--resume", cwd=tmp_path)
    assert resumed.returncode == 2
    assert "--resume needs --results FILE" in resumed.stderr


@pytest.mark.slow
def test_a_gate_goes_on_by_the_command_that_it_prints(tmp_path):
    network = load_network()
    network["output_bias"] = network["output_bias"] + 1
    path = tmp_path / "new.npz"
    save_network(path, network)
    results = tmp_path / "gate.sqlite"
    command = [*PROGRAM, "train", "gate", str(path), "--st", "0.02", "--games", "8"]
    command += ["--results", str(results), "--game-type", "Base+M"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        while "Finished game 1" not in process.stderr.readline():
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        error = process.communicate()[1]
    assert process.returncode == 130
    again = shlex.split(error.rsplit("uhp-engine ", 1)[1])
    done = run(*again)
    assert done.returncode in (0, 1), done.stderr
    assert "Games: 8" in done.stdout
    assert done.stdout.splitlines()[-1] in ("passed", "not passed")


def test_an_engine_never_imports_torch():
    code = (
        "import sys, io\n"
        "from uhp_engine.uhp.session import Session\n"
        "from uhp_engine.uhp.options import OptionValues\n"
        "session = Session(OptionValues(), lambda text: None)\n"
        "for line in ('newgame Base+MLP', 'bestmove depth 1'): session.handle(line)\n"
        "assert session.searcher is not None\n"
        "print('torch' in sys.modules, 'matplotlib' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False False\n"
