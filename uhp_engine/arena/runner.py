"""Running a match: play what is left of a schedule, store each game, stop when it is time."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Protocol

from .outcome import PlayedGame
from .schedule import ScheduledGame
from .store import Store
from .tally import Tally


class End(Enum):
    """Why a run ended."""

    COMPLETE = "complete"
    """The whole schedule is played."""
    SPRT = "sprt"
    """The test accepted a hypothesis."""
    ENGINE_FAILED = "engine failed"
    """An engine broke, and `recover` is off."""
    INTERRUPTED = "interrupted"
    """Somebody asked for it; the schedule can be resumed."""


@dataclass(frozen=True)
class RunSettings:
    """How a run goes about a match; no part of the plan, so each run may choose.

    Attributes:
        concurrency: games at once; on a cluster 0 for as many as it has threads.
        recover: whether to go on after an engine crashed, stalled, or did not start.
        log_folder: where each game's dialogue is written, None for nowhere.
        cluster: the address of a Dask scheduler, None for this machine.
    """

    concurrency: int = 1
    recover: bool = False
    log_folder: str | None = None
    cluster: str | None = None


class Observer(Protocol):
    """Who is told how a run goes."""

    def begin(self, tally: Tally, planned: int) -> None:
        """A run begins, with the games of earlier runs counted."""

    def started(self, game: ScheduledGame) -> None:
        """A game begins."""

    def finished(self, game: PlayedGame, tally: Tally) -> None:
        """A game has ended, is stored and counted."""

    def close(self) -> None:
        """The run is over."""


class Executor(Protocol):
    """Who plays the games: this machine or a cluster."""

    def begin(self, games: Iterable[ScheduledGame]) -> None:
        """Begin to play."""

    async def next_game(self) -> PlayedGame | None:
        """Wait for the next game to end; None when all have."""

    async def close(self) -> list[PlayedGame]:
        """Break off; return finished games not yet asked for."""


class Run:
    """One run over a results file.

    Args:
        store: the results file, with its plan.
        settings: how to go about it.
        observer: who is told.

    Attributes:
        tally: the results of all runs so far.
        broken: the game after which an engine was of no use, where that ended the run.
        decision: what the SPRT said when it ended the run, H0 or H1; else None.
    """

    def __init__(self, store: Store, settings: RunSettings, observer: Observer) -> None:
        self.store = store
        self.settings = settings
        self.observer = observer
        names = [engine.name for engine in store.plan.engines]
        self.tally = Tally(names, store.games())
        self.broken: PlayedGame | None = None
        self.decision: str | None = None

    async def play(self, stop: asyncio.Event) -> End:
        """Play what is left of the schedule, until its end, or until `stop` is set.

        Raises:
            StoreError: the results can't be written.
        """
        planned = self.store.planned()
        finished = self.store.finished()
        left = [game for game in planned if game.number not in finished]
        self.observer.begin(self.tally, len(planned))
        if self._is_decided():
            return End.SPRT
        executor = self._executor()
        try:
            executor.begin(left)
            return await self._collect(executor, stop)
        finally:
            for game in await executor.close():
                self._take(game)

    def _executor(self) -> Executor:
        keep_log = self.settings.log_folder is not None
        plan, concurrency = self.store.plan, self.settings.concurrency
        if self.settings.cluster is not None:
            from .cluster import ClusterExecutor

            return ClusterExecutor(
                self.settings.cluster, plan, concurrency, keep_log, self.observer.started
            )
        from .local import LocalExecutor

        return LocalExecutor(plan, concurrency, keep_log, self.observer.started)

    async def _collect(self, executor: Executor, stop: asyncio.Event) -> End:
        stopping = asyncio.ensure_future(stop.wait())
        try:
            while True:
                coming = asyncio.ensure_future(executor.next_game())
                await asyncio.wait({coming, stopping}, return_when=asyncio.FIRST_COMPLETED)
                if not coming.done():
                    coming.cancel()
                    with contextlib.suppress(asyncio.CancelledError):
                        await coming
                    return End.INTERRUPTED
                game = coming.result()
                if game is None:
                    return End.COMPLETE
                self._take(game)
                if game.kind.breaks_engine and not self.settings.recover:
                    self.broken = game
                    return End.ENGINE_FAILED
                if self._is_decided():
                    return End.SPRT
        finally:
            stopping.cancel()

    def _take(self, game: PlayedGame) -> None:
        self.store.add(game)
        self.tally.add(game)
        if self.settings.log_folder is not None:
            path = Path(self.settings.log_folder) / f"game-{game.number + 1:05}.log"
            head = f"# game {game.number + 1}: {game.white} (White) vs {game.black} (Black)"
            tail = f"# {game.result}, {game.termination}: {game.detail}"
            path.write_text("".join(f"{line}\n" for line in (head, *game.log, tail)), "utf-8")
        self.observer.finished(game, self.tally)

    def _is_decided(self) -> bool:
        plan = self.store.plan
        if plan.sprt is None:
            return False
        first, second = (engine.name for engine in plan.engines)
        score = self.tally.score(first, second, paired=plan.repeat)
        status = plan.sprt.status(score)
        if status == "continue":
            return False
        self.decision = status
        return True


def run_to_end(run: Run) -> End:
    """Play a run in an event loop of its own; Ctrl+C and SIGTERM interrupt it without loss."""

    async def main() -> End:
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        handled: list[signal.Signals] = []
        for number in (signal.SIGINT, signal.SIGTERM):
            with contextlib.suppress(NotImplementedError, ValueError, RuntimeError):
                loop.add_signal_handler(number, stop.set)
                handled.append(number)
        try:
            return await run.play(stop)
        finally:
            for number in handled:
                loop.remove_signal_handler(number)

    try:
        return asyncio.run(main())
    except KeyboardInterrupt:  # Windows, where the loop takes no handlers
        return End.INTERRUPTED
    finally:
        run.observer.close()
