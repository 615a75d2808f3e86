"""Pondering, and the reader that tells it whether it may."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from uhp_engine import warmup
from uhp_engine.search.searcher import Searcher
from uhp_engine.uhp.lines import LineReader
from uhp_engine.uhp.options import OptionValues
from uhp_engine.uhp.session import Session

MIDDLE = (
    "Base+MLP;;;wL;bL \\wL;wM wL\\;bM \\bL;wA1 wM\\;bA1 bM-;wQ -wM;bQ bM/;wA1 -bM;bA1 wM-;wA2 /wQ;"
    "bP bM-;wP wA2-;bA2 bQ-"
)
PATIENCE_SECONDS = 60


class Pondering:
    """A session that ponders, and what it wrote."""

    def __init__(self) -> None:
        values = OptionValues()
        values.set("Ponder", "True")
        values.set("TreeMemoryMiB", "64")
        self.written: list[str] = []
        self.session = Session(values, self.written.append)

    def send(self, line: str) -> list[str]:
        """Return the lines of the answer to a command, the `ok` left out."""
        self.written.clear()
        assert self.session.handle(line)
        *lines, last = "".join(self.written).splitlines()
        assert last == "ok"
        return lines

    @property
    def is_running(self) -> bool:
        return self.session.ponderer.is_running

    @property
    def visits(self) -> int:
        """How often the tree's root was visited."""
        searcher = self.session.searcher
        if searcher is None or searcher.tree.is_empty:
            return 0
        return int(searcher.tree.nodes[0]["visits"])

    def wait_for(self, condition: Callable[[], bool]) -> None:
        until = time.monotonic() + PATIENCE_SECONDS
        while not condition():
            assert time.monotonic() < until, "it never came"
            time.sleep(0.005)


@pytest.fixture
def pondering() -> Iterator[Pondering]:
    warmup.load()
    made = Pondering()
    yield made
    made.session.ponderer.stop()
    assert not [thread for thread in threading.enumerate() if thread.name == "ponder"]


def test_the_tree_grows_while_nobody_asks(pondering):
    pondering.send(f"newgame {MIDDLE}")
    assert pondering.is_running
    pondering.wait_for(lambda: pondering.visits > 2000)
    assert "".join(pondering.written).count("\n") == 2  # the answer to newgame and its ok
    pondering.session.ponderer.stop()
    known = pondering.visits
    (best,) = pondering.send("bestmove seconds 0")
    assert pondering.visits > known
    assert best in pondering.send("validmoves")[0].split(";")


def test_what_was_learnt_is_kept_when_moves_are_played(pondering):
    pondering.send(f"newgame {MIDDLE}")
    (best,) = pondering.send("bestmove seconds 0.2")
    pondering.wait_for(lambda: pondering.visits > 4000)
    pondering.send(f"play {best}")
    pondering.wait_for(lambda: len(pondering.session.searcher._moves) == 15)
    pondering.session.ponderer.stop()
    assert pondering.visits > 1000  # the subtree of the best move, grown before it was played
    pondering.send("undo")
    assert pondering.is_running


def test_every_command_finds_it_stopped(pondering, monkeypatch):
    running = []
    dispatch = Session.dispatch

    def watched(self: Session, *arguments: Any) -> list[str]:
        running.append(self.ponderer.is_running)
        return dispatch(self, *arguments)

    monkeypatch.setattr(Session, "dispatch", watched)
    pondering.send(f"newgame {MIDDLE}")
    for line in ("info", "validmoves", "nonsense", "options", "bestmove depth 1", "pv", "undo 2"):
        assert pondering.is_running
        pondering.send(line)
    assert running == [False] * 8
    assert pondering.is_running
    assert pondering.session.handle("  ")
    assert not pondering.session.handle("exit")
    assert not pondering.is_running


def test_a_signal_stops_it_until_the_next_command(pondering):
    pondering.send(f"newgame {MIDDLE}")
    assert pondering.session.interrupt() is False
    pondering.wait_for(lambda: not pondering.is_running)
    pondering.send("info")
    assert pondering.is_running


def test_it_waits_for_a_game_that_is_under_way(pondering, rows):
    pondering.send("info")
    assert not pondering.is_running
    pondering.send("newgame Base")
    assert not pondering.is_running
    pondering.send("bestmove depth 1")
    assert pondering.is_running
    over = next(row[0] for row in rows("real_games.tsv") if row[2] == "surround")
    pondering.send(f"newgame {over}")
    assert not pondering.is_running
    pondering.session.input_waits = lambda: True
    pondering.send(f"newgame {MIDDLE}")
    assert not pondering.is_running
    pondering.session.input_waits = lambda: False
    pondering.send("options set Ponder False")
    assert not pondering.is_running


def test_it_ends_where_all_is_known(pondering, rows):
    pondering.send(f"newgame {rows('win_in_one.tsv')[0][0]}")
    pondering.wait_for(lambda: not pondering.is_running)
    best = pondering.session._ready_searcher()
    assert best.tree.counters[4] == 1  # the root is proven won in one


def test_an_error_is_told_and_the_engine_goes_on(pondering, monkeypatch, capsys):
    def fail(*arguments: Any, **more: Any) -> None:
        raise MemoryError("no room\nat all")

    with monkeypatch.context() as patch:
        patch.setattr(Searcher, "search", fail)
        pondering.send(f"newgame {MIDDLE}")
        pondering.wait_for(lambda: not pondering.is_running)
        pondering.session.ponderer.stop()
    assert "pondering failed: MemoryError: no room at all\n" in capsys.readouterr().err
    assert len(pondering.send("bestmove depth 1")) == 1
    assert pondering.is_running


def test_a_depth_gives_the_same_move_whatever_was_pondered(pondering):
    found = set()
    for visits in (1, 3000):
        pondering.send(f"newgame {MIDDLE}")
        pondering.wait_for(lambda least=visits: pondering.visits > least)
        found.add((*pondering.send("bestmove depth 3"), *pondering.send("pv")))
    assert len(found) == 1


def test_the_tree_keeps_to_its_memory(pondering):
    pondering.send("options set TreeMemoryMiB 16")
    pondering.send(f"newgame {MIDDLE}")
    pondering.wait_for(lambda: pondering.visits > 40_000)
    pondering.session.ponderer.stop()
    tree = pondering.session.searcher.tree
    assert tree.nodes.nbytes + tree.edges.nbytes <= 1.05 * 16 * 2**20


# -- through a real process ------------------------------------------------------------------------


@pytest.mark.parametrize("threads", ["1", "2"])
def test_a_game_with_a_pondering_engine(start_engine, threads):
    engine = start_engine("--ponder", "true", "--num-threads", threads)
    engine.ask("newgame Base+MLP")
    for _ in range(6):
        best = engine.ask("bestmove seconds 0.1")
        assert engine.ask(f"play {best}").endswith(f";{best}")
        assert len(engine.send("info")) == 2
    assert engine.close() == 0


@pytest.mark.parametrize("last", ["", "exit\n"])
def test_the_end_of_input_ends_it(last):
    done = subprocess.run(
        [sys.executable, "-m", "uhp_engine", "--ponder", "true"],
        input=f"newgame {MIDDLE}\nbestmove seconds 0.1\n{last}",
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0
    assert done.stderr == ""
    assert done.stdout.count("ok\n") == 3


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")
def test_interrupts_of_a_pondering_engine(start_engine):
    engine = start_engine("--ponder", "true")
    engine.ask(f"newgame {MIDDLE}")
    for _ in range(5):
        os.kill(engine.process.pid, signal.SIGINT)
        assert len(engine.send("info")) == 2
    assert engine.close() == 0


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")
def test_an_interrupt_before_a_waiting_bestmove_is_read_is_not_lost(engine):
    """Loading the kernels at the first newgame leaves the signal time to come first."""
    engine.write(f"newgame {MIDDLE}\nbestmove time 01:00:00")
    os.kill(engine.process.pid, signal.SIGINT)
    assert engine.read_answer()[0].startswith("Base+MLP;InProgress;")
    (best,) = engine.read_answer()
    assert best in engine.ask("validmoves").split(";")
    assert len(engine.send("bestmove seconds 0.1")) == 1


def test_an_interrupt_counts_for_one_search_that_waits(pondering):
    session = pondering.session
    pondering.send(f"newgame {MIDDLE}")
    session.input_waits = lambda: True
    assert session.interrupt() is True
    pondering.send("validmoves")
    assert session.stop_wanted  # the bestmove may be the line after this one
    assert pondering.send("bestmove time 1:00:00")
    assert not session.stop_wanted
    session.interrupt()
    session.input_waits = lambda: False
    pondering.send("info")
    assert not session.stop_wanted  # no search came


# -- lines -----------------------------------------------------------------------------------------


def test_lines_however_they_come():
    read, write = os.pipe()
    with os.fdopen(read, "rb") as stream:
        lines = LineReader(stream)
        if os.name == "posix":
            assert not lines.is_waiting()
        os.write(write, b"one\ntwo\r\n\nthr")
        if os.name == "posix":
            assert lines.is_waiting()
        found = iter(lines)
        announced = []
        lines.announce = lambda line: announced.append((line, lines.is_waiting()))
        assert next(found) == "one"
        assert announced == [("one", True)]
        assert lines.is_waiting()
        assert [next(found), next(found)] == ["two\r", ""]
        os.write(write, b"ee")
        os.write(write, b"\nlast")
        os.close(write)
        assert list(found) == ["three", "last"]


def test_a_line_of_many_chunks():
    read, write = os.pipe()
    text = b"x" * 300_000
    writer = threading.Thread(target=lambda: (os.write(write, text + b"\nend\n"), os.close(write)))
    writer.start()
    with os.fdopen(read, "rb") as stream:
        assert list(LineReader(stream)) == [text.decode(), "end"]
    writer.join()
