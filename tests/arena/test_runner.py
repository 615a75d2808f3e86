"""Whole runs in this process: completion, recovery, stopping early, interruption, resuming."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from arena_helpers import plan_of, scripted

from uhp_engine.arena.display import Quiet
from uhp_engine.arena.openings import load_openings
from uhp_engine.arena.outcome import PlayedGame
from uhp_engine.arena.plan import Plan
from uhp_engine.arena.runner import End, Run, RunSettings
from uhp_engine.arena.schedule import pairs_needed
from uhp_engine.arena.store import Store
from uhp_engine.arena.tally import Tally

pytest_plugins = ["arena_fixtures"]


def new_store(path: Path, plan: Plan) -> Store:
    suites = load_openings(plan.openings, plan.game_types, pairs_needed(plan), plan.seed)
    return Store.create(str(path / "results.sqlite"), plan, suites)


def plan_with(openings: str, *commands: str, **more: Any) -> Plan:
    return plan_of(*commands, openings={"file": openings, "order": "sequential"}, **more)


class StopAfter(Quiet):
    """Sets an event after so many games."""

    def __init__(self, games: int) -> None:
        self.event = asyncio.Event()
        self.games = games

    def finished(self, game: PlayedGame, tally: Tally) -> None:
        if tally.games >= self.games:
            self.event.set()


def play(store: Store, settings: RunSettings = RunSettings(), stop_after: int = 0) -> Run:  # noqa: B008
    """Play; the run's end is added to it as `end`."""

    async def main() -> Run:
        observer = StopAfter(stop_after or 10**9)
        run = Run(store, settings, observer)
        run.end = await run.play(observer.event)  # type: ignore[attr-defined]
        return run

    return asyncio.run(main())


def ending(run: Run) -> End:
    end: End = run.end  # type: ignore[attr-defined]
    return end


@pytest.mark.parametrize("concurrency", [1, 3])
def test_the_whole_schedule_is_played(
    tmp_path: Path, openings: str, concurrency: int, marked: Callable[[], list[int]]
) -> None:
    plan = plan_with(openings, scripted(), scripted(), games=10)
    with new_store(tmp_path, plan) as store:
        run = play(store, RunSettings(concurrency))
        assert ending(run) is End.COMPLETE
        assert store.finished() == set(range(10))
        # Both sides replay the same game, so each opening is won once by each engine.
        assert run.tally.score("a", "b", paired=True).counts == (0, 0, 5, 0, 0)
    assert marked() == []


def test_a_tournament_uses_every_engine(tmp_path: Path, openings: str) -> None:
    plan = plan_with(openings, scripted(), scripted(), scripted("illegal"), games=2)
    with new_store(tmp_path, plan) as store:
        run = play(store, RunSettings(2))
        assert ending(run) is End.COMPLETE
        assert run.tally.failures == {("c", "illegal move"): 4}


def test_without_recover_a_crash_ends_the_run(tmp_path: Path, openings: str) -> None:
    plan = plan_with(openings, scripted(), scripted("die"), games=10)
    with new_store(tmp_path, plan) as store:
        run = play(store)
        assert ending(run) is End.ENGINE_FAILED
        assert run.broken is not None
        assert (run.broken.at_fault, run.broken.termination) == ("b", "crash")
        assert len(store.finished()) == 1


HOSTILE = ("hang", "die", "garbage", "illegal", "no-ok", "exit-at-start", "close-output")


@pytest.mark.slow
def test_with_recover_hostile_engines_lose_all_their_games(
    tmp_path: Path, openings: str, marked: Callable[[], list[int]]
) -> None:
    commands = [scripted(), *map(scripted, HOSTILE)]
    plan = plan_with(openings, *commands, format="gauntlet", games=2)
    with new_store(tmp_path, plan) as store:
        run = play(store, RunSettings(2, recover=True))
        assert ending(run) is End.COMPLETE
        losses = Counter({name: count for (name, _), count in run.tally.failures.items()})
        assert losses == dict.fromkeys("bcdefgh", 2)
        assert {reason for _, reason in run.tally.failures} == {
            "stall",
            "crash",
            "garbage",
            "illegal move",
            "no start",
        }
    assert marked() == []


def test_a_test_stops_the_run(tmp_path: Path, openings: str) -> None:
    sprt = {"elo0": 0, "elo1": 200, "alpha": 0.1, "beta": 0.1, "model": "logistic"}
    plan = plan_with(openings, scripted("illegal"), scripted(), games=1000, sprt=sprt)
    with new_store(tmp_path, plan) as store:
        run = play(store)
        assert ending(run) is End.SPRT
        assert 0 < run.tally.games < 100
        assert plan.sprt is not None
        assert plan.sprt.status(run.tally.score("a", "b", paired=True)) == "H0"
        games = len(store.finished())
        assert ending(play(store)) is End.SPRT  # resumed, it is decided already
        assert len(store.finished()) == games


def test_an_interrupted_run_loses_nothing_and_is_resumed_to_the_schedule(
    tmp_path: Path, openings: str, marked: Callable[[], list[int]]
) -> None:
    plan = plan_with(openings, scripted("none", "--think", 0.01), scripted(), games=16)
    with new_store(tmp_path, plan) as store:
        run = play(store, RunSettings(3), stop_after=5)
        assert ending(run) is End.INTERRUPTED
        assert marked() == []
        before = list(store.games())
        assert 5 <= len(before) < 16
        assert run.tally.games == len(before)
    with Store.open(str(tmp_path / "results.sqlite")) as store:
        run = play(store, RunSettings(3))
        assert ending(run) is End.COMPLETE
        after = {game.number: game for game in store.games()}
        assert set(after) == set(range(16))
        assert all(after[game.number] == game for game in before)
        assert run.tally.games == 16


def test_dialogues_go_to_files(tmp_path: Path, openings: str) -> None:
    (tmp_path / "logs").mkdir()
    plan = plan_with(openings, scripted(), scripted("die"), games=2)
    with new_store(tmp_path, plan) as store:
        play(store, RunSettings(1, recover=True, log_folder=str(tmp_path / "logs")))
    first, second = sorted((tmp_path / "logs").iterdir())
    assert (first.name, second.name) == ("game-00001.log", "game-00002.log")
    text = first.read_text()
    assert text.startswith("# game 1: a (White) vs b (Black)\n")
    assert "Black b ! panic: out of luck" in text
    assert text.endswith("# WhiteWins, crash: Black ended with exit code 7\n")


def test_each_game_may_have_new_processes(tmp_path: Path, openings: str) -> None:
    each = {"st": 0.5, "time-margin": 60_000, "restart": True}
    plan = plan_with(openings, scripted("die", "--at", 10**6), scripted(), games=2, each=each)
    (tmp_path / "logs").mkdir()
    with new_store(tmp_path, plan) as store:
        play(store, RunSettings(1, log_folder=str(tmp_path / "logs")))
    for log in (tmp_path / "logs").iterdir():
        assert log.read_text().count("< id Scripted") == 2
