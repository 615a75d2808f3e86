"""`uhp-engine match`, `tournament` and `results` as processes, as a user runs them."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from arena_helpers import run_cli, scripted

from uhp_engine.arena.store import Store
from uhp_engine.notation.pgn import read_pgn

pytest_plugins = ["arena_fixtures"]


def match_words(openings: str, *faults: str, think: float = 0.0, **more: Any) -> list[str]:
    words = ["match", "--st", "0.5", "--time-margin", "60000", "--hang-limit", "2"]
    words += ["--game-type", "Base", "--openings", openings, "order=sequential"]
    for place, fault in enumerate(faults):
        words += ["--engine", f"cmd={scripted(fault, '--think', think)}", f"name={'abcd'[place]}"]
    for key, value in more.items():
        words += [f"--{key.replace('_', '-')}", *([str(value)] if value != "" else [])]
    return words


def test_a_match_prints_results_and_plain_progress(tmp_path: Path, openings: str) -> None:
    results, pgn = str(tmp_path / "r.sqlite"), tmp_path / "games.pgn"
    words = match_words(openings, "none", "none", games=4, results=results, pgn_out=pgn)
    done = run_cli(*words, "--concurrency", "2")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Results of a vs b (0.5 s/move; Base):\nElo: 0.00 ")
    assert "Ptnml(0-2): [0, 0, 2, 0, 0]" in done.stdout
    assert "4 of 4 games to play" in done.stderr
    assert done.stderr.count("Finished game ") == 4
    assert "\x1b" not in done.stderr
    assert len(list(read_pgn(str(pgn)))) == 4


def test_json_for_scripts(tmp_path: Path, openings: str) -> None:
    results = str(tmp_path / "r.sqlite")
    words = match_words(openings, "none", "illegal", games=2, results=results)
    done = run_cli(*words, "--json", "--quiet")
    values = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert (values["end"], values["games_played"], values["results"]) == ("complete", 2, results)
    assert values["failures"] == [{"engine": "b", "termination": "illegal move", "games": 2}]
    assert values["encounters"][0]["wins"] == 2


def test_an_engine_that_breaks_ends_the_match_with_code_3(tmp_path: Path, openings: str) -> None:
    results = str(tmp_path / "r.sqlite")
    words = match_words(openings, "none", "die", games=4, results=results)
    done = run_cli(*words)
    assert done.returncode == 3
    assert "stopped: b failed in game 1 (crash: Black ended with exit code 7)" in done.stderr
    assert f"uhp-engine match --results {results} --resume" in done.stderr
    assert "Traceback" not in done.stderr
    again = run_cli("match", "--results", results, "--resume", "--recover")
    assert again.returncode == 0
    assert "b failed: crash 4" in again.stdout


def test_an_sprt_stops_the_match(tmp_path: Path, openings: str) -> None:
    words = match_words(openings, "none", "illegal", games=500, results=tmp_path / "r")
    done = run_cli(*words, "--sprt", "elo0=0", "elo1=300", "model=logistic", "alpha=0.2", "beta=.2")
    assert done.returncode == 0
    assert "LLR: " in done.stdout
    assert "SPRT: H1 is accepted" in done.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--engine", "a"], "--engine: expected at least two engines"),
        (["--engine", "a", "nam=x", "--engine", "b"], "did you mean 'name'?"),
        (["--engine", "a", "x y", "--engine", "b"], "expected key=value, not 'x y'"),
        (["--engine", "a", "st=1", "st=2", "--engine", "b"], "'st' is given twice"),
        (["--engine", "a", "--engine", "a"], "'a' is the name of engine 1 already"),
        (["--engine", "a", "--engine", "b", "--st", "x"], "st: expected a number, not 'x'"),
        (["--engine", "a", "--engine", "b", "--st", "1", "--depth", "2"], "only one of st, depth"),
        (["--engine", "a", "--engine", "b", "--game-type", "Q"], "--game-type: expected Base"),
        (["--engine", "a", "--engine", "b", "--max-moves", "-1"], "--max-moves: expected a whole"),
        (["--engine", "a", "--engine", "b", "--sprt", "elo0=0"], "--sprt, elo1: expected a number"),
        (["--engine", "a", "--engine", "b", "--openings", "/no/book"], "No such file"),
        (["--engine", "a", "--engine", "b", "--shard", "3/2"], "expected I/N"),
        (["--resume"], "expected at least two engines"),
        (["--resume", "--results", "/no/file"], "there is no results file"),
        (["--engine", "a", "--engine", "b", "--results", "/no/f"], "unable to write '/no/f'"),
        (["--gamess", "3"], "No such option"),
    ],
)
def test_wrong_usage_is_told_in_a_line(words: list[str], message: str, tmp_path: Path) -> None:
    done = run_cli("match", *words, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_resuming_with_other_conditions_is_refused(tmp_path: Path, openings: str) -> None:
    results = str(tmp_path / "r.sqlite")
    assert run_cli(*match_words(openings, "none", "none", results=results)).returncode == 0
    again = run_cli(*match_words(openings, "none", "none", results=results))
    assert again.returncode == 2
    assert "exists already" in again.stderr
    other = run_cli(
        *match_words(openings, "none", "none", results=results, max_moves=9), "--resume"
    )
    assert other.returncode == 2
    assert "holds another match: max-moves differ" in other.stderr
    same = run_cli(*match_words(openings, "none", "none", results=results), "--resume")
    assert (same.returncode, "0 of 2 games to play" in same.stderr) == (0, True)


def test_ctrl_c_interrupts_without_loss(
    tmp_path: Path, openings: str, marked: Callable[[], list[int]]
) -> None:
    results = str(tmp_path / "r.sqlite")
    words = match_words(openings, "none", "none", games=2000, results=results)
    process = start(words)
    wait_for_games(process, 3)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert f"uhp-engine match --results {results} --resume" in stderr
    assert marked() == []
    with Store.open(results) as store:
        assert 3 <= len(store.finished()) < 2000


def start(words: list[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "uhp_engine", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for_games(process: subprocess.Popen[str], games: int) -> None:
    """Read progress lines until so many games have ended."""
    assert process.stderr is not None
    while games:
        line = process.stderr.readline()
        assert line, "the runner ended early"
        games -= line.startswith("Finished game")


@pytest.mark.slow
def test_kill_9_at_any_moment_loses_and_repeats_no_game(
    tmp_path: Path, openings: str, marked: Callable[[], list[int]]
) -> None:
    """A tournament of three engines, killed again and again, ends as one never touched."""
    results = str(tmp_path / "r.sqlite")
    # Slow enough that some games are left after the last kill, however late it comes.
    faults = ("none", "none", "ignore-exit")
    words = match_words(openings, *faults, think=0.01, games=12, results=results)
    words += ["--concurrency", "2", "--resume"]
    rng = random.Random(1)
    seen: dict[int, tuple[Any, ...]] = {}
    kills = 0
    while kills < 4:
        process = start(words)
        wait_for_games(process, rng.randint(1, 4))
        time.sleep(rng.random() * 0.05)
        process.kill()
        process.communicate()
        kills += 1
        assert nothing_runs(marked)
        with Store.open(results) as store:
            now = {game.number: tuple(game.to_dict().items()) for game in store.games()}
        assert {number: now.get(number) for number in seen} == seen
        assert len(now) > len(seen)
        seen = now
    done = run_cli(*words)
    assert done.returncode == 0, done.stderr
    with Store.open(results) as store:
        games = {game.number: tuple(game.to_dict().items()) for game in store.games()}
        assert sorted(games) == [game.number for game in store.planned()] == list(range(36))
    assert {number: games[number] for number in seen} == seen


def nothing_runs(marked: Callable[[], list[int]]) -> bool:
    """Wait for the reaper to end what a killed runner left; it needs a moment."""
    for _ in range(200):
        if not marked():
            return True
        time.sleep(0.05)
    return False


def test_shards_are_played_apart_and_merged(tmp_path: Path, openings: str) -> None:
    parts = []
    for index in (1, 2):
        parts.append(str(tmp_path / f"part{index}"))
        words = match_words(openings, "none", "none", games=6, results=parts[-1])
        assert run_cli(*words, "--shard", f"{index}/2", "--quiet").returncode == 0
    target = str(tmp_path / "all")
    merged = run_cli("results", "merge", target, *parts)
    assert merged.stdout == f"{target}: 6 of 6 games\n"
    shown = run_cli("results", target)
    assert "Ptnml(0-2): [0, 0, 3, 0, 0]" in shown.stdout
    assert run_cli("results", "merge", target, *parts).returncode == 2


def test_results_are_shown_and_exported(tmp_path: Path, openings: str) -> None:
    results = str(tmp_path / "r.sqlite")
    run_cli(*match_words(openings, "none", "none", games=2, results=results), "--quiet")
    shown = run_cli("results", results, "--games")
    assert shown.stdout.count("Finished game ") == 2
    assert shown.stdout.endswith("2 of 2 games are played\n")
    values = json.loads(run_cli("results", results, "--json").stdout)
    assert [game["number"] for game in values["games"]] == [1, 2]
    pgn = run_cli("results", results, "--pgn", "-", "--pgn-result", "chess")
    assert '[Result "0-1"]' in pgn.stdout
    out = tmp_path / "games.csv"
    assert run_cli("results", results, "--csv", str(out)).returncode == 0
    assert out.read_text().count("\n") == 3
    assert "Usage" in run_cli("results", "--help").stdout
    missing = run_cli("results", str(tmp_path / "none"))
    assert (missing.returncode, "there is no results file" in missing.stderr) == (2, True)


TOURNAMENT = """
rounds = 1
game-types = ["Base"]
hang-limit = 2
[openings]
file = '{openings}'
[each]
st = 0.5
time-margin = 60000
[[engine]]
cmd = '''{good}'''
name = "a"
[[engine]]
cmd = '''{good}'''
name = "b"
[[engine]]
cmd = '''{bad}'''
name = "c"
[run]
concurrency = 2
pgn-out = '{pgn}'
"""


def test_a_tournament_file(tmp_path: Path, openings: str) -> None:
    file = tmp_path / "levels.toml"
    pgn = tmp_path / "games.pgn"
    text = TOURNAMENT.format(
        openings=openings, good=scripted(), bad=scripted("illegal", "--at", 1), pgn=pgn
    )
    file.write_text(text)
    done = run_cli("tournament", str(file))
    assert done.returncode == 0, done.stderr
    assert "Rank  Engine" in done.stdout
    assert "c failed: illegal move 4" in done.stdout
    assert (tmp_path / "levels.sqlite").exists()
    assert len(list(read_pgn(str(pgn)))) == 6
    file.write_text(text.replace("rounds = 1", "rounds = 0"))
    wrong = run_cli("tournament", str(file))
    assert wrong.returncode == 2
    assert f"{file}, line 2: rounds: expected a whole number of at least 1, not 0" in wrong.stderr


def test_a_live_display_on_a_terminal(tmp_path: Path, openings: str) -> None:
    pty = pytest.importorskip("pty")
    words = match_words(openings, "none", "none", games=2, results=tmp_path / "r")
    parent, child = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    process = subprocess.Popen(
        [sys.executable, "-m", "uhp_engine", *words],
        stdout=subprocess.PIPE,
        stderr=child,
        text=True,
        env=environment,
    )
    os.close(child)
    drawn = b""
    while True:
        try:
            data = os.read(parent, 65536)
        except OSError:
            break
        if not data:
            break
        drawn += data
    os.close(parent)
    stdout, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "Games: 2" in stdout
    assert b"\x1b[" in drawn
    assert b"games" in drawn
