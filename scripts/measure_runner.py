"""Measure what the match runner itself costs: plies a second, and the gain of concurrency.

    python scripts/measure_runner.py [--games 40] [--burn 0.01]

Two scripted engines (tests/arena/scripted_engine.py), which answer at once or after so many
seconds of CPU time, play games of real people through the whole of `uhp-engine match`: processes,
clocks, referee, results file.
"""

from __future__ import annotations

import argparse
import asyncio
import shlex
import sys
import tempfile
import time
from pathlib import Path

from uhp_engine import warmup
from uhp_engine.arena.display import Quiet
from uhp_engine.arena.openings import load_openings
from uhp_engine.arena.plan import Plan
from uhp_engine.arena.runner import Run, RunSettings
from uhp_engine.arena.schedule import pairs_needed
from uhp_engine.arena.store import Store

ENGINE = Path(__file__).resolve().parent.parent / "tests" / "arena" / "scripted_engine.py"


def plies_a_second(games: int, burn: float, concurrency: int) -> float:
    """Play so many games; return the engines' moves a second of the whole run."""
    command = shlex.join([sys.executable, "-S", "-E", str(ENGINE), "--burn", str(burn)])
    with tempfile.TemporaryDirectory() as folder:
        book = Path(folder) / "book.txt"
        lines = ENGINE.with_name("scripted_games.txt").read_text().splitlines()[1:]
        book.write_text("".join(f"Base;;;{line.split(';')[3]}\n" for line in lines))
        plan = Plan.from_dict(
            {
                "engine": [{"cmd": command, "name": "a"}, {"cmd": command, "name": "b"}],
                "each": {"st": 10},
                "games": games,
                "game-types": ["Base"],
                "openings": {"file": str(book)},
            }
        )
        suites = load_openings(plan.openings, plan.game_types, pairs_needed(plan), plan.seed)
        with Store.create(f"{folder}/r.sqlite", plan, suites) as store:
            started = time.perf_counter()
            run = Run(store, RunSettings(concurrency), Quiet())
            asyncio.run(_play(run))
            seconds = time.perf_counter() - started
            return sum(len(game.seconds) for game in store.games()) / seconds


async def _play(run: Run) -> None:
    await run.play(asyncio.Event())


def main() -> None:
    """Print one line a measurement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--burn", type=float, default=0.01, help="CPU seconds a move")
    wanted = parser.parse_args()
    warmup.load()
    for burn in (0.0, wanted.burn):
        one = plies_a_second(wanted.games, burn, 1)
        two = plies_a_second(wanted.games, burn, 2)
        print(
            f"{burn:g} s a move: {one:.0f} plies/s at concurrency 1, {two:.0f} at 2: "
            f"{two / one:.2f} times"
        )


if __name__ == "__main__":
    main()
