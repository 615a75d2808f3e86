"""What the tests of matches share: scripted engines, their openings, a look at processes."""

from __future__ import annotations

import contextlib
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

from uhp_engine.arena.plan import Plan

HERE = Path(__file__).parent
SCRIPTED = HERE / "scripted_engine.py"
GAMES = HERE / "scripted_games.txt"


def scripted(fault: str = "none", *more: object) -> str:
    """Return the command line of a scripted engine."""
    words = [sys.executable, "-S", "-E", str(SCRIPTED), "--fault", fault, *map(str, more)]
    return shlex.join(words)


def script_lines() -> list[list[str]]:
    """Return the fields of each scripted game."""
    return [line.split(";") for line in GAMES.read_text().splitlines() if line[0] != "#"]


def processes_with(variable: str) -> list[int]:
    """Return the living processes with a variable in their environment; no reapers, no zombies."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            with contextlib.suppress(OSError):
                state = (folder / "stat").read_text().rpartition(")")[2].split()[0]
                is_reaper = b"killpg" in (folder / "cmdline").read_bytes()
                marked = variable.encode() in (folder / "environ").read_bytes()
                if marked and state not in "ZX" and not is_reaper:
                    found.append(int(folder.name))
    return found


def plan_of(*commands: str, **more: Any) -> Plan:
    """Return a plan for Base with engines named a, b, c ...

    No move is too late unless a test says so, for the machine may be busy; a hang lasts 2 s.
    """
    values: dict[str, Any] = {
        "engine": [{"cmd": command, "name": "abcdefgh"[i]} for i, command in enumerate(commands)],
        "each": {"st": 0.5, "time-margin": 60_000},
        "game-types": ["Base"],
        "hang-limit": 1.5,
        **more,
    }
    return Plan.from_dict(values)


def run_cli(*words: str, timeout: float = 120, **more: Any) -> subprocess.CompletedProcess[str]:
    """Run `uhp-engine` in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "uhp_engine", *words],
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
        **more,
    )
