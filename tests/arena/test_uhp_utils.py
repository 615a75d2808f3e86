"""The commands of uhp-utils, other people's runner, drive our engine and find no difference."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("uhp_utils")

pytestmark = pytest.mark.slow

DATA = Path(__file__).parent.parent / "data"
POSITIONS = 40


def run(command: str, *words: str) -> str:
    """Run one of its commands; return what it prints."""
    module, _, function = COMMANDS[command].partition(":")
    code = f"import sys; from {module} import {function} as main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def entry_points() -> dict[str, str]:
    from importlib.metadata import distribution

    return {point.name: point.value for point in distribution("uhp-utils").entry_points}


COMMANDS = entry_points()
ENGINE = sys.executable
COMPARED = [ENGINE, ENGINE, "--engine-a-arg=-m", "--engine-a-arg=uhp_engine"]
COMPARED += ["--engine-b-arg=-m", "--engine-b-arg=uhp_engine"]


def test_arena_plays_whole_games() -> None:
    words = ["--white-arg=-m", "--white-arg=uhp_engine", "--black-arg=-m", "--black-arg=uhp_engine"]
    limits = ["--command-timeout", "120", "--search-timeout", "60"]
    text = run("uhp-arena", ENGINE, ENGINE, *words, *limits, "-d", "2", "-g", "2", "--no-results")
    assert "Games: 2" in text
    assert text.count("Result: ") == 2
    assert "rror" not in text


def test_compare_perft_reads_our_table() -> None:
    text = run("uhp-compare-perft", *COMPARED, "Base+MLP;NotStarted;White[1]", "4", "-t", "120")
    assert text.count("{0: 1, 1: 7, 2: 294, 3: 6678, 4: 151686}") == 2
    assert "Perft results match." in text


def test_compare_validmoves_finds_no_difference(tmp_path: Path) -> None:
    games = (DATA / "real_games.tsv").read_text("utf-8").splitlines()[:POSITIONS]
    file = tmp_path / "positions.txt"
    file.write_text("".join(f"{line.split(chr(9))[0]}\n" for line in games))
    text = run("uhp-compare-validmoves", *COMPARED, str(file), "-t", "120")
    assert f"Compared {POSITIONS} positions: {POSITIONS} matched, 0 differed" in text
