"""Games on this machine: so many at once, each between two engine processes."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable

from .outcome import PlayedGame
from .plan import Plan
from .playing import Player, Rules, play_game
from .schedule import ScheduledGame


class LocalExecutor:
    """Plays games one after the other in several asyncio tasks.

    Each task keeps the processes of its last two engines, so a match starts few of them.

    Args:
        plan: the match.
        concurrency: how many games are played at once.
        keep_log: whether games carry their dialogue.
        on_start: called with each game that begins.
    """

    def __init__(
        self,
        plan: Plan,
        concurrency: int,
        keep_log: bool,
        on_start: Callable[[ScheduledGame], None],
    ) -> None:
        self._plan = plan
        self._concurrency = concurrency
        self._on_start = on_start
        self._rules = rules_of(plan, keep_log)
        self._waiting: deque[ScheduledGame] = deque()
        self._finished: asyncio.Queue[PlayedGame | BaseException | None] = asyncio.Queue()
        self._tasks: list[asyncio.Task[None]] = []

    def begin(self, games: Iterable[ScheduledGame]) -> None:
        """Begin to play; `next_game` gives the games as they end."""
        self._waiting.extend(games)
        count = min(self._concurrency, len(self._waiting))
        self._tasks = [asyncio.create_task(self._work()) for _ in range(count)]
        if not self._tasks:
            self._finished.put_nowait(None)

    async def next_game(self) -> PlayedGame | None:
        """Wait for the next game to end; None when all have."""
        item = await self._finished.get()
        if isinstance(item, BaseException):
            raise item
        return item

    async def close(self) -> list[PlayedGame]:
        """Break off the games that are being played; return finished ones not yet asked for."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        left = [self._finished.get_nowait() for _ in range(self._finished.qsize())]
        return [item for item in left if isinstance(item, PlayedGame)]

    async def _work(self) -> None:
        players: dict[int, Player] = {}
        try:
            while self._waiting:
                game = self._waiting.popleft()
                for place in set(players) - {game.white, game.black}:
                    await players.pop(place).close()
                for place in (game.white, game.black):
                    spec = self._plan.engines[place]
                    players.setdefault(place, Player(spec, self._plan.patience))
                self._on_start(game)
                played = await play_game(
                    game, players[game.white], players[game.black], self._rules
                )
                self._finished.put_nowait(played)
            await asyncio.gather(*(player.close() for player in players.values()))
        except Exception as error:  # handed to whoever waits: a fault of ours, not an engine's
            self._finished.put_nowait(error)
        finally:
            await asyncio.gather(*(player.kill() for player in players.values()))
            if all(task.done() or task is asyncio.current_task() for task in self._tasks):
                self._finished.put_nowait(None)


def rules_of(plan: Plan, keep_log: bool) -> Rules:
    """Return the part of a plan that one game needs beside its engines."""
    return Rules(plan.repetition_draw, plan.max_moves, plan.patience, keep_log)
