"""Play the engine against itself and report illegal moves, late answers and memory.

python scripts/selfplay.py [--games 100] [--seconds 0.05] [--type Base+MLP]...

Late means more than 20 ms over the limit. A late answer may be the machine's doing: while an answer
is awaited, a watch sleeps for a millisecond at a time, and what it oversleeps is printed beside.
Exit code 1 where a move was illegal.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

import click

from uhp_engine import Game
from uhp_engine.game import GameState, RepetitionDraw

LATE_SECONDS = 0.02
MAX_PLIES = 200


class StallWatch(threading.Thread):
    """Measures by how much a sleeping thread is woken too late: the machine's own stalls."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.longest = 0.0

    def run(self) -> None:
        """Sleep for a millisecond again and again."""
        while True:
            before = time.perf_counter()
            time.sleep(0.001)
            self.longest = max(self.longest, time.perf_counter() - before - 0.001)


class Engine:
    """An engine process."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "uhp_engine", "--repetition-draw", "Threefold"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.answer()

    def answer(self) -> str:
        """Return the last line before the next ok."""
        assert self.process.stdout is not None
        last = ""
        while (line := self.process.stdout.readline().rstrip("\n")) != "ok":
            last = line
        return last

    def ask(self, command: str) -> str:
        """Send a command and return its answer."""
        assert self.process.stdin is not None
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        return self.answer()

    def memory_mib(self) -> float:
        """Return the resident memory; 0 where there is no /proc."""
        status = Path(f"/proc/{self.process.pid}/status")
        if not status.exists():
            return 0.0
        line = next(row for row in status.read_text().splitlines() if row.startswith("VmRSS"))
        return int(line.split()[1]) / 1024


@click.command()
@click.option("--games", default=100, show_default=True)
@click.option("--seconds", default=0.05, show_default=True)
@click.option("--type", "types", multiple=True, default=("Base", "Base+MLP"), show_default=True)
def main(games: int, seconds: float, types: tuple[str, ...]) -> None:
    """Play and report."""
    engine = Engine()
    watch = StallWatch()
    watch.start()
    late: list[tuple[int, int, float, float]] = []
    worst = 0.0
    ends: dict[str, int] = {}
    memory: list[float] = []
    answers = 0
    for number in range(games):
        game = Game(types[number % len(types)], repetition_draw=RepetitionDraw.THREEFOLD)
        engine.ask(f"options set RandomSeed {number}")
        engine.ask(f"newgame {game.game_type}")
        while not game.state.is_over and game.ply < MAX_PLIES:
            watch.longest = 0.0
            started = time.perf_counter()
            best = engine.ask(f"bestmove time 00:00:{seconds:010.7f}")
            over = time.perf_counter() - started - seconds
            answers += 1
            worst = max(worst, over)
            if over > LATE_SECONDS:
                late.append((number, game.ply, over, watch.longest))
            if best not in game.legal_texts():
                click.echo(f"illegal move {best!r} in {game}", err=True)
                sys.exit(1)
            game.play(best)
            engine.ask(f"play {best}")
        ends[game.state.value] = ends.get(game.state.value, 0) + 1
        memory.append(engine.memory_mib())
        if number % 10 == 9:
            click.echo(f"{number + 1} games, {answers} answers, {len(late)} late", err=True)
    click.echo(f"games {games} at {seconds} s a move: {ends}")
    click.echo(f"answers {answers}, illegal 0, the latest {worst * 1000:+.1f} ms from its limit")
    click.echo(f"more than {LATE_SECONDS * 1000:.0f} ms late: {len(late)}")
    for number, ply, over, stall in late:
        click.echo(f"  game {number} ply {ply}: {over * 1000:.1f} ms; stall {stall * 1000:.1f} ms")
    tenth = max(len(memory) // 10, 1)
    click.echo(
        f"memory in MiB: after the first tenth {max(memory[:tenth]):.0f}, "
        f"at most {max(memory):.0f}, at the end {memory[-1]:.0f}"
    )
    unfinished = ends.get(GameState.IN_PROGRESS.value, 0)
    click.echo(f"stopped after {MAX_PLIES} plies: {unfinished}")


if __name__ == "__main__":
    main()
