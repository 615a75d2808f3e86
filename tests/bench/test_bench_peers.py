"""scripts/bench_peers.py, beside a peer that is this engine, and one that lies."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import peer_nodes
import peer_perft
import pytest
from peer_perft import PerftRow, Timed

SCRIPT = Path(__file__).parents[2] / "scripts" / "bench_peers.py"
SELF = f'"{sys.executable}" -m uhp_engine'
LIAR = """
import sys
print("id Liar\\nok", flush=True)
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "exit":
        break
    if word == "newgame":
        print(f"{rest};NotStarted;White[1]")
    elif word == "perft":
        for depth, count in enumerate([1, 4, 96, 1441][: int(rest) + 1]):
            print(f"perft({depth}) = {count:,} in 0 ms. inf KN/s")
    elif word == "bestmove":
        print("Explored 12 nodes\\n1234567 nodes/sec", file=sys.stderr, flush=True)
        print("wS1")
    print("ok", flush=True)
"""


@pytest.fixture
def liar(tmp_path: Path) -> str:
    file = tmp_path / "liar.py"
    file.write_text(LIAR)
    return f'"{sys.executable}" "{file}"'


def peers(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)


def test_perft_beside_ourselves(compiled, tmp_path):
    file = tmp_path / "speed.json"
    words = ["--only", "Base+M", "--depth", "3", "--position-depth", "2", "--runs", "2"]
    done = peers("--peer", f"self={SELF}", *words, "--least", "0.001", "--json", str(file))
    assert done.returncode == 0, done.stderr
    figures = json.loads(file.read_text())
    assert figures["complete"] is True
    names = [row["name"] for row in figures["rows"]]
    assert {"Base+M start", "Base+MLP start", "Base+MLP at 12", "Base+M at 32"} <= set(names)
    row = figures["rows"][names.index("Base+MLP start")]
    assert row["nodes"] == 1 + 7 + 294 + 6678
    assert len(row["engines"]["self"]["runs"]) == 2
    assert row["ratio"]["self"]["min"] <= row["ratio"]["self"]["max"]
    assert all(name in done.stdout for name in names)
    assert "middle-game positions, uhp_engine to self: median" in done.stdout


def test_another_count_is_an_error(compiled, liar):
    done = peers("--peer", f"liar={liar}", "--only", "Base start", "--depth", "3")
    assert done.returncode == 1
    assert "perft 3 of Base: uhp_engine counts 1440, liar 1441" in done.stderr
    assert "nothing was measured" in done.stdout


def test_nodes_a_second_are_read_from_standard_error(compiled, liar):
    words = ["--nodes", "--only", "Base at 12", "--seconds", "0.1", "--runs", "1", "--json", "-"]
    done = peers("--peer", f"liar={liar}", *words)
    assert done.returncode == 0, done.stderr
    (row,) = json.loads(done.stdout)["rows"]
    assert row["per_second"]["liar"]["median"] == 1234567
    ours = row["per_second"]["uhp_engine"]["median"]
    assert row["ratio"]["liar"]["median"] == pytest.approx(ours / 1234567)


def test_a_peer_without_nodes_is_an_engine_failure(compiled):
    done = peers("--peer", f"self={SELF}", "--nodes", "--only", "Base at 12", "--seconds", "0.1")
    assert done.returncode == 3
    assert "self printed nothing like" in done.stderr


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--peer", "name"], 2, "expected NAME=COMMAND, not 'name'"),
        (["--peer", "a=x", "--peer", "a=y"], 2, "each --peer needs a name of its own"),
        (["--peer", "uhp_engine=x"], 2, "other than uhp_engine"),
        (["--peer", "a=x", "--runs", "0"], 2, "--runs must be above 0"),
        (["--peer", "a=x", "--only", "chess"], 2, "'chess' is in no position's name"),
        (["--peer", "a=/no/such/engine"], 3, "a could not start '/no/such/engine'"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(compiled, words, code, message):
    done = peers(*words)
    assert done.returncode == code
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="Ctrl+C as a signal is POSIX's")
def test_an_interrupt_gives_what_was_measured(compiled):
    words = ["--peer", f"self={SELF}", "--depth", "3", "--least", "0.1", "--runs", "3"]
    process = subprocess.Popen(
        [sys.executable, str(SCRIPT), *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    for line in process.stderr:
        if "Base+M start" in line:
            break
    time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=600)
    assert process.returncode == 130
    assert "interrupted" in err
    assert "Traceback" not in err
    assert out.splitlines()[1].startswith("Base start")


def test_a_ratio_pairs_runs_side_by_side():
    row = PerftRow("Base start", "Base", 3)
    row.engines = {"uhp_engine": Timed([1.0, 2.0, 4.0]), "peer": Timed([2.0, 3.0, 4.0])}
    assert row.ratio("peer") == (1.5, 1.0, 2.0)
    assert row.is_measured


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (["2737203 nodes/sec"], 2737203.0),
        (["1,234 nps", "5,678 NPS"], 5678.0),
        (["10.5 nodes/s"], 10.5),
        (["12 nodes/second"], 12.0),
        (["Explored 12 nodes to depth 8"], None),
        ([], None),
    ],
)
def test_nodes_a_second_as_engines_print_them(lines, found):
    assert peer_nodes.read_nodes(lines) == found


def test_a_summary_says_how_far_it_goes():
    spread = peer_perft.Spread.of([1.0, 1.5, 3.0])
    assert peer_perft.summary(spread, 3) == "median 1.50, 1.00 to 3.00, of 3"
