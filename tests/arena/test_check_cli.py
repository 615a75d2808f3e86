"""`uhp-engine check` as a person or a script calls it."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from check_helpers import SLOW_ENGINE, slow


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "uhp_engine", "check", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


def processes_of(mark: str) -> list[int]:
    """The numbers of the processes whose command line holds a text."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
        if mark in line and int(folder.name) != os.getpid():
            found.append(int(folder.name))
    return found


def test_all_passed() -> None:
    result = run(slow(), "--only", "start", "--only", "undo")
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0] == "pass  start: the greeting names the engine (SlowEngine 1.0)"
    assert lines[-1].startswith("SlowEngine 1.0: 11 checks in ")
    assert lines[-1].endswith(" s: 11 passed, 0 failed, 0 noted, 0 skipped")
    assert "\x1b" not in result.stdout


def test_a_failure() -> None:
    result = run(slow("undo-nothing"), "--only", "undo")
    assert result.returncode == 1
    assert "FAIL  undo: takes back one move or several; expected " in result.stdout
    assert "; seen " in result.stdout


def test_json() -> None:
    result = run(slow("undo-nothing"), "--only", "undo", "--json")
    assert result.returncode == 1
    report = json.loads(result.stdout)
    assert report["engine"] == "SlowEngine 1.0"
    assert report["failed"] >= 1
    assert report["failed"] == sum(one["status"] == "FAIL" for one in report["checks"])
    assert report["broken"] is None


def test_an_engine_that_dies() -> None:
    result = run(slow("best-dies"), "--only", "bestmove", "--quick")
    assert result.returncode == 3
    assert "The engine died: it ended with exit code 9, in the check" in result.stdout


@pytest.mark.parametrize("engine", ["/no/such/engine", f"{sys.executable} -c 'print(1)'"])
def test_an_engine_that_does_not_start(engine: str) -> None:
    result = run(engine)
    assert result.returncode == 3
    assert "Stopped: " in result.stdout
    assert "Traceback" not in result.stdout + result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["''"], "the engine's command line is empty"),
        (["'unclosed"], "a quotation mark is not closed"),
        (["engine", "--only", "sorcery"], "no group 'sorcery': expected start, lines, end"),
        (["engine", "--option", "Threads"], "expected KEY=VALUE, not 'Threads'"),
        (["engine", "--log", "/no/such/folder/log"], "No such file"),
        (["engine", "--games", "-1"], "--games"),
        ([], "Missing argument 'ENGINE'"),
    ],
)
def test_wrong_usage(arguments: list[str], message: str) -> None:
    result = run(*arguments)
    assert result.returncode == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_list_starts_nothing() -> None:
    result = run("/no/such/engine", "--list", "--only", "signal")
    assert result.returncode == 0
    assert result.stdout.splitlines() == [
        "signal: SIGINT ends a search with a move",
        "signal: SIGINT behind an answer does no harm",
    ]


def test_log(tmp_path: Path) -> None:
    log = tmp_path / "dialogue"
    assert run(slow(), "--only", "undo", "--log", str(log)).returncode == 0
    lines = log.read_text().splitlines()
    assert lines[0] == "< id SlowEngine 1.0"
    assert "> undo 3" in lines


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="needs Linux's /proc")
def test_interrupted_it_leaves_no_process_behind(tmp_path: Path) -> None:
    (tmp_path / "engine.py").symlink_to(SLOW_ENGINE)
    (tmp_path / "slow_rules.py").symlink_to(SLOW_ENGINE.with_name("slow_rules.py"))
    engine = shlex.join([sys.executable, str(tmp_path / "engine.py"), "best-hangs"])
    command = [sys.executable, "-m", "uhp_engine", "check", engine, "--only", "bestmove"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for _ in range(600):
        if len(processes_of(str(tmp_path / "engine.py"))) > 1:  # ours and the engine itself
            break
        time.sleep(0.1)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in errors
    assert processes_of(str(tmp_path / "engine.py")) == []
