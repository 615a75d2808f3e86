"""Matches on a real Dask scheduler with real worker processes, one of which is killed."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from arena_helpers import processes_with, run_cli, scripted

from uhp_engine.arena.store import Store

pytest_plugins = ["arena_fixtures"]

pytestmark = pytest.mark.slow

WORKERS = 2
GAMES = 8


class Cluster:
    """A scheduler and its workers, each a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        file = folder / "scheduler.json"
        dashboard = ["--no-dashboard", "--port", "0"]
        self.processes = [
            self._start("scheduler", "--scheduler-file", str(file), *dashboard, mark="scheduler")
        ]
        while not file.exists() or not file.read_text():
            assert self.processes[0].poll() is None, (folder / "scheduler.log").read_text()
            time.sleep(0.05)
        self.address = json.loads(file.read_text())["address"]
        for number in range(WORKERS):
            mark = f"worker{number}"
            options = ["--nthreads", "1", "--no-nanny", "--no-dashboard"]
            options += ["--local-directory", str(folder)]
            self.processes.append(self._start("worker", self.address, *options, mark=mark))

    def _start(self, *words: str, mark: str) -> subprocess.Popen[bytes]:
        log = (self.folder / f"{mark}.log").open("wb")
        with log:
            return subprocess.Popen(
                [sys.executable, "-m", "dask", *words],
                stdout=log,
                stderr=log,
                env={**os.environ, "UHP_TEST_MARK": f"{self.folder}/{mark}"},
            )

    def engines_of(self, number: int) -> list[int]:
        """Return the engine processes that a worker runs: all that carry its mark but itself."""
        own = self.processes[number + 1].pid
        variable = f"UHP_TEST_MARK={self.folder}/worker{number}\0"
        return [pid for pid in processes_with(variable) if pid != own]

    def close(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    pytest.importorskip("distributed")
    with contextlib.closing(Cluster(tmp_path)) as made:
        yield made


def words_for(openings: str, results: Path, *commands: str) -> list[str]:
    words = ["match", "--game-type", "Base", "--openings", openings, "--games", str(GAMES)]
    words += ["--st", "5", "--hang-limit", "60", "--results", str(results)]
    for place, command in enumerate(commands):
        words += ["--engine", f"cmd={command}", f"name={'ab'[place]}"]
    return words


def wait_for(condition: Callable[[], object], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


def test_a_killed_worker_costs_no_game(cluster: Cluster, tmp_path: Path, openings: str) -> None:
    results = tmp_path / "r.sqlite"
    slow = scripted("none", "--think", 0.03)
    words = words_for(openings, results, slow, slow)
    match = subprocess.Popen(
        [sys.executable, "-m", "uhp_engine", *words, "--cluster", cluster.address],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    victim = 0
    wait_for(
        lambda: len(cluster.engines_of(victim)) >= 2 and results.exists() and finished(results)
    )
    cluster.processes[victim + 1].kill()
    wait_for(lambda: not cluster.engines_of(victim))  # its engines do not outlive it
    stdout, stderr = match.communicate(timeout=120)
    assert match.returncode == 0, stderr
    assert f"Games: {GAMES}" in stdout
    with Store.open(str(results)) as store:
        games = list(store.games())
        assert [game.number for game in games] == list(range(GAMES))
        assert Counter(game.termination for game in games) == {"surround": GAMES}
    assert cluster.engines_of(1) == []


def finished(results: Path) -> int:
    with Store.open(str(results)) as store:
        return len(store.finished())


def test_hostile_engines_and_dialogues_on_a_cluster(
    cluster: Cluster, tmp_path: Path, openings: str
) -> None:
    words = words_for(openings, tmp_path / "r.sqlite", scripted(), scripted("die"))
    words += ["--cluster", cluster.address, "--recover", "--log", str(tmp_path / "logs")]
    done = run_cli(*words)
    assert done.returncode == 0, done.stderr
    assert f"b failed: crash {GAMES}" in done.stdout
    logs = sorted((tmp_path / "logs").iterdir())
    assert len(logs) == GAMES
    assert "panic: out of luck" in logs[0].read_text()


def test_a_cluster_that_is_not_there_is_told(tmp_path: Path, openings: str) -> None:
    pytest.importorskip("distributed")
    words = words_for(openings, tmp_path / "r.sqlite", scripted(), scripted())
    done = run_cli(*words, "--cluster", "tcp://127.0.0.1:9")
    assert done.returncode == 3
    assert "no Dask scheduler answers at tcp://127.0.0.1:9" in done.stderr
    assert "Traceback" not in done.stderr
    assert "--resume" in done.stderr


def test_a_lost_scheduler_is_told_and_loses_no_game(
    cluster: Cluster, tmp_path: Path, openings: str, marked: Callable[[], list[int]]
) -> None:
    results = tmp_path / "r.sqlite"
    slow = scripted("none", "--think", 0.03)
    words = [*words_for(openings, results, slow, slow), "--cluster", cluster.address]
    match = subprocess.Popen(
        [sys.executable, "-m", "uhp_engine", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_for(lambda: results.exists() and finished(results))
    cluster.processes[0].kill()
    _, stderr = match.communicate(timeout=120)
    assert match.returncode == 3, stderr
    assert "is gone" in stderr, stderr
    assert "--resume" in stderr
    assert "Traceback" not in stderr
    assert 0 < finished(results) < GAMES
