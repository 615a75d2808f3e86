"""Games on many machines, through Dask: each game is one task, played on whatever worker is free.

The scheduler and the workers are started with Dask's own commands (docs/arena.md). Results come
back as plain dictionaries and are stored here, so a lost worker costs the time of its games alone:
Dask, or we, have them played again. Only this module imports Dask.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from .outcome import PlayedGame
from .plan import Plan
from .schedule import ScheduledGame

CONNECT_SECONDS = 10
# Games handed out ahead of the free threads, so that no worker waits for the next one.
AHEAD_FACTOR = 2
# Dask gives a task up after it has seen several workers die over it; we begin it anew.
TRIES_A_GAME = 5

_warming = threading.Lock()


class ClusterError(Exception):
    """The cluster can't be used; says why."""


def play_on_worker(plan_values: dict[str, Any], game: dict[str, Any], keep_log: bool) -> Any:
    """Play one game; called by a worker, in a thread of its own.

    Args:
        plan_values: `Plan.to_dict`.
        game: the fields of a `ScheduledGame`.
        keep_log: whether the dialogue comes back too.

    Returns:
        `PlayedGame.to_dict`.
    """
    from .. import warmup
    from .local import rules_of
    from .playing import Player, play_game

    with _warming:
        warmup.load()
    plan = Plan.from_dict(plan_values)
    scheduled = ScheduledGame(**{**game, "opening": tuple(game["opening"])})

    async def play() -> PlayedGame:
        players = [
            Player(plan.engines[place], plan.patience)
            for place in (scheduled.white, scheduled.black)
        ]
        try:
            return await play_game(scheduled, players[0], players[1], rules_of(plan, keep_log))
        finally:
            await asyncio.gather(*(player.close() for player in players))

    return asyncio.run(play()).to_dict()


class ClusterExecutor:
    """Plays games on the workers of a Dask scheduler.

    Args:
        address: the scheduler's, such as `tcp://host:8786`.
        plan: the match.
        concurrency: games at once; 0 for as many as the workers have threads.
        keep_log: whether games carry their dialogue.
        on_start: called with each game that is handed out.
    """

    def __init__(
        self,
        address: str,
        plan: Plan,
        concurrency: int,
        keep_log: bool,
        on_start: Callable[[ScheduledGame], None],
    ) -> None:
        self._address = address
        self._plan = plan
        self._plan_values = plan.to_dict()
        self._concurrency = concurrency
        self._keep_log = keep_log
        self._on_start = on_start
        self._waiting: deque[ScheduledGame] = deque()
        self._tries: dict[int, int] = {}
        self._under_way: dict[asyncio.Task[Any], tuple[ScheduledGame, Any]] = {}
        self._client: Any = None

    def begin(self, games: Iterable[ScheduledGame]) -> None:
        """Take the games; the first `next_game` connects and hands them out."""
        self._waiting.extend(games)

    async def _connect(self) -> None:
        try:
            from distributed import Client

            make_client: Any = Client
        except ImportError:
            raise ClusterError(
                "playing on a cluster needs Dask: pip install 'uhp-engine[cluster]'"
            ) from None
        for name in ("distributed", "distributed.client"):  # we tell what fails, in a line
            logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            self._client = await make_client(
                self._address, asynchronous=True, timeout=CONNECT_SECONDS, set_as_default=False
            )
        except (OSError, ValueError, asyncio.TimeoutError) as error:
            raise ClusterError(f"no Dask scheduler answers at {self._address}: {error}") from None

    async def _slots(self) -> int:
        """Return how many games may be handed out now."""
        if self._concurrency:
            return self._concurrency
        threads: dict[str, int] = await self._client.nthreads()
        return max(1, sum(threads.values()) * AHEAD_FACTOR)

    async def _hand_out(self) -> None:
        slots = await self._slots()
        while self._waiting and len(self._under_way) < slots:
            game = self._waiting.popleft()
            future = self._client.submit(
                play_on_worker, self._plan_values, dict(game.__dict__), self._keep_log, pure=False
            )
            task = asyncio.ensure_future(_result(future))
            self._under_way[task] = (game, future)
            self._on_start(game)

    async def next_game(self) -> PlayedGame | None:
        """Wait for the next game to end; None when all have.

        Raises:
            ClusterError: the scheduler is gone, or a game keeps failing on the workers.
        """
        if self._client is None:
            await self._connect()
        while True:
            try:
                await self._hand_out()
            except OSError:
                raise self._gone() from None
            if not self._under_way:
                return None
            done, _ = await asyncio.wait(self._under_way, return_when=asyncio.FIRST_COMPLETED)
            played = self._settle(done.pop())
            if played is not None:
                return played

    def _settle(self, task: asyncio.Task[Any]) -> PlayedGame | None:
        game, _ = self._under_way.pop(task)
        if task.cancelled():  # Dask cancels what it can't deliver any more
            raise self._gone()
        error = task.exception()
        if error is None:
            return PlayedGame.from_dict(task.result())
        if isinstance(error, OSError) or self._client.status != "running":
            raise self._gone()
        from distributed import KilledWorker

        tries = self._tries[game.number] = self._tries.get(game.number, 0) + 1
        if isinstance(error, KilledWorker) and tries < TRIES_A_GAME:
            self._waiting.appendleft(game)
            return None
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        raise ClusterError(f"game {game.number + 1} failed on the cluster: {reason}")

    def _gone(self) -> ClusterError:
        return ClusterError(f"the scheduler at {self._address} is gone")

    async def close(self) -> list[PlayedGame]:
        """Take back the games under way; return those that have ended meanwhile."""
        finished = []
        for task, (_, future) in list(self._under_way.items()):
            if task.done() and not task.cancelled() and task.exception() is None:
                finished.append(PlayedGame.from_dict(task.result()))
                continue
            task.cancel()
            with contextlib.suppress(OSError, asyncio.CancelledError):
                await future.cancel(force=True)
        await asyncio.gather(*self._under_way, return_exceptions=True)
        self._under_way.clear()
        if self._client is not None:
            with contextlib.suppress(OSError, asyncio.CancelledError):
                await self._client.close()
        return finished


async def _result(future: Any) -> Any:
    return await future.result()
