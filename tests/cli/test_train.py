"""`uhp-engine train`, as a user runs it: a small round of the whole loop, and what goes wrong."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from uhp_engine.search.network import load_network, save_network

PEOPLE = Path(__file__).parents[1] / "data" / "real_games.tsv"
PROGRAM = (sys.executable, "-m", "uhp_engine")


def run(*words: object, given: str | None = None) -> subprocess.CompletedProcess[str]:
    command = [*PROGRAM, *map(str, words)]
    return subprocess.run(command, input=given, capture_output=True, text=True, check=False)


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
    assert "candidate vs best" in played.stdout
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
    save_network(better, load_network())
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
        deadline = time.monotonic() + 60
        while not (path.exists() and path.stat().st_size > 1500):
            assert time.monotonic() < deadline
            assert process.poll() is None
            time.sleep(0.02)
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


def test_self_play_does_not_mix_settings(tmp_path):
    path = tmp_path / "games.uhpgames"
    assert self_play(path, "--games", 1).returncode == 0
    done = self_play(path, "--games", 2, "--seed", 4)
    assert done.returncode == 1
    assert "seed is 0, not 4" in done.stderr


@pytest.mark.parametrize("words", [("selfplay",), ("fit", "-o", "new.npz"), ("classic",)])
def test_what_is_no_file_of_games_is_a_line(tmp_path, words):
    path = tmp_path / "games.txt"
    path.write_text("nonsense\tWhiteWins\n")
    done = run("train", words[0], path, *words[1:])
    assert done.returncode == 1
    assert str(path) in done.stderr
    assert "Traceback" not in done.stderr
    assert path.read_text() == "nonsense\tWhiteWins\n"


def test_too_few_games_are_a_line(tmp_path):
    path = tmp_path / "games.uhpgames"
    assert self_play(path, "--games", 1).returncode == 0
    done = run("train", "fit", path, "-o", tmp_path / "new.npz")
    assert done.returncode == 1
    assert "1 games are too few" in done.stderr
    assert not (tmp_path / "new.npz").exists()


def test_what_is_no_network_is_a_line(tmp_path):
    path = tmp_path / "other.npz"
    path.write_text("nothing")
    for words in (
        ("--network", path),
        ("train", "gate", path),
        ("train", "selfplay", tmp_path / "games", "--network", path),
    ):
        done = run(*words, given="")
        assert done.returncode in (1, 2)
        assert "is no network" in done.stderr
        assert "Traceback" not in done.stderr
        assert done.stdout == ""


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
