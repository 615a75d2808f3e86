"""One game between two engines, from start to result."""

from __future__ import annotations

import asyncio
import platform
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone

from .client import BestMove, Engine, open_engine
from .clock import Clock
from .errors import EngineError, EngineRefused
from .limits import Limit, Patience
from .outcome import BLACK_WINS, WHITE_WINS, Fault, PlayedGame, Termination
from .plan import EngineSpec
from .referee import SIDES, Referee, Verdict
from .schedule import ScheduledGame

MAX_LOG_LINES = 200_000


@dataclass(frozen=True)
class Rules:
    """The conditions of a game that its engines share; see `Plan` for each."""

    repetition_draw: bool = True
    max_moves: int = 0
    patience: Patience = field(default_factory=Patience)
    keep_log: bool = False


class Player:
    """An engine as a player of many games: its process is started when needed, and kept.

    Attributes:
        spec: which engine, under which conditions.
        engine: the running process, None before its start and after its failure.
    """

    def __init__(self, spec: EngineSpec, patience: Patience) -> None:
        self.spec = spec
        self.patience = patience
        self.engine: Engine | None = None
        self.clock: Clock | None = None
        self._on_clock = False
        self.label = ""
        self._log: list[str] | None = None
        self._log_from = 0.0

    @property
    def engine_id(self) -> str:
        """What the engine calls itself, empty where it did not start."""
        return self.engine.name if self.engine else ""

    def log_to(self, lines: list[str] | None, label: str) -> None:
        """Write the dialogue to a list, under a label; None for nowhere."""
        self._log, self.label, self._log_from = lines, label, time.perf_counter()
        if self.engine is not None:
            self.engine.process.log = self._note if lines is not None else None

    def _note(self, direction: str, line: str) -> None:
        if self._log is not None and len(self._log) < MAX_LOG_LINES:
            since = time.perf_counter() - self._log_from
            self._log.append(f"{since:10.4f} {self.label} {direction} {line}")

    async def start(self) -> None:
        """Make sure that a process runs.

        Raises:
            EngineNotStarted: it does not start.
        """
        if self.engine is not None and self.engine.process.is_alive and not self.spec.restart:
            return
        await self.close()
        self.engine = await open_engine(
            self.spec.command,
            folder=self.spec.folder,
            environment=self.spec.environment,
            options=self.spec.options,
            time_form=self.spec.time_form,
            patience=self.patience,
            log=self._note if self._log is not None else None,
        )

    async def set_up(self, game_type: str, opening: list[str]) -> None:
        """Begin a game and play its opening.

        An engine that does not begin anew in mid-game (some go on with the old one) is restarted.

        Raises:
            EngineError: it fails.
        """
        self.clock = Clock(self.spec.clock) if self.spec.clock else None
        await self.start()
        assert self.engine is not None
        self._on_clock = self.clock is not None and await self.engine.keeps_clock()
        if not _is_new_game(await self.engine.new_game(game_type)):
            await self.close()
            await self.start()
            reply = await self.engine.new_game(game_type)
            if not _is_new_game(reply):
                raise EngineRefused(f"newgame {game_type}", reply[:200])
        for move in opening:
            await self.engine.play(move)

    async def best_move(self) -> tuple[BestMove, float]:
        """Ask for a move; return it with the seconds by which it was too late, 0 in time.

        Raises:
            EngineError: none came.
        """
        assert self.engine is not None
        margin = self.spec.margin_ms / 1000
        if self.clock is not None:
            answer = await self._best_move_of(self.engine, self.clock, margin)
            overrun = self.clock.spend(answer.seconds)
        else:
            assert self.spec.limit is not None
            answer = await self.engine.best_move(self.spec.limit)
            overrun = answer.seconds - (answer.asked_seconds or answer.seconds)
        return answer, overrun if overrun > margin else 0.0

    async def _best_move_of(self, engine: Engine, clock: Clock, margin: float) -> BestMove:
        """Ask by the clock where the engine knows one, else for a move within a share of it."""
        if self._on_clock:
            return await engine.best_move_on_clock(
                clock.remaining, clock.control.increment, clock.moves_to_go
            )
        share = Limit(seconds=clock.share(margin))
        return await engine.best_move(share, allowed=clock.remaining)

    async def close(self) -> None:
        """Ask the process to leave, if there is one."""
        if self.engine is not None:
            engine, self.engine = self.engine, None
            await engine.close()

    async def kill(self) -> None:
        """Kill the process, if there is one."""
        if self.engine is not None:
            engine, self.engine = self.engine, None
            await engine.kill()


def _is_new_game(reply: str) -> bool:
    fields = [field.strip() for field in reply.split(";") if field.strip()]
    return len(fields) == 3 and fields[1] in ("NotStarted", "InProgress")


async def play_game(
    scheduled: ScheduledGame, white: Player, black: Player, rules: Rules
) -> PlayedGame:
    """Play one game. Whatever the engines do, it ends with a result.

    Args:
        scheduled: which game.
        white, black: the players; they keep their processes.
        rules: the conditions.
    """
    log: list[str] | None = [] if rules.keep_log else None
    players = (white, black)
    for player, side in zip(players, SIDES, strict=True):
        player.log_to(log, f"{side} {player.spec.name}")
    referee = Referee(
        scheduled.game_type,
        scheduled.opening,
        repetition_draw=rules.repetition_draw,
        max_moves=rules.max_moves,
    )
    started = datetime.now(timezone.utc).isoformat(timespec="seconds")
    clock, seconds = time.perf_counter(), []
    at_fault = ""
    try:
        await _set_up(players, scheduled.game_type, referee.moves)
        verdict = referee.verdict()
        while verdict is None:
            seconds_taken, verdict = await _play_move(referee, players)
            seconds.append(seconds_taken)
    except Fault as fault:
        at_fault = players[fault.side].spec.name
        result = (BLACK_WINS, WHITE_WINS)[fault.side]
        verdict = Verdict(result, fault.termination, f"{SIDES[fault.side]} {fault.detail}")
    played = PlayedGame(
        number=scheduled.number,
        pair=scheduled.pair,
        round=scheduled.round,
        white=white.spec.name,
        black=black.spec.name,
        game_type=scheduled.game_type,
        result=verdict.result,
        termination=verdict.termination.value,
        detail=verdict.detail,
        at_fault=at_fault,
        moves=referee.moves,
        opening_plies=len(scheduled.opening),
        seconds=[round(value, 4) for value in seconds],
        started=started,
        duration=round(time.perf_counter() - clock, 3),
        white_id=white.engine_id,
        black_id=black.engine_id,
        host=platform.node(),
        log=log or [],
    )
    for player in players:
        if at_fault == player.spec.name and verdict.termination.breaks_engine:
            await player.close()
        player.log_to(None, "")
    return played


async def _set_up(players: tuple[Player, Player], game_type: str, opening: list[str]) -> None:
    """Make both players ready.

    Raises:
        Fault: one does not start, refuses the game type or a move of the opening.
    """
    work = [player.set_up(game_type, opening) for player in players]
    failures = await asyncio.gather(*work, return_exceptions=True)
    _raise_first(failures, (0, 1))


async def _play_move(
    referee: Referee, players: tuple[Player, Player]
) -> tuple[float, Verdict | None]:
    """Have the side to move make its move, and tell both; return its seconds and the end.

    Raises:
        Fault: a player fails.
    """
    side = referee.side
    try:
        answer, overrun = await players[side].best_move()
    except EngineError as error:
        raise Fault.of_error(side, error) from None
    move = referee.judge(answer.move)
    if overrun:
        late = f"loses on time ({overrun * 1000:.0f} ms over)"
        raise Fault(side, Termination.TIMEOUT, late)
    text = referee.play(move)
    verdict = referee.verdict()
    if verdict is None:
        verdict = await _tell(referee, players, text, side)
    return answer.seconds, verdict


async def _tell(
    referee: Referee, players: tuple[Player, Player], text: str, mover: int
) -> Verdict | None:
    engines = [player.engine for player in players]
    work = [engine.play(text) for engine in engines if engine is not None]
    replies = await asyncio.gather(*work, return_exceptions=True)
    order = (mover, 1 - mover)
    _raise_first(replies, order)
    for side in order:
        claim = referee.check_reply(side, str(replies[side]))
        if claim is not None:
            return claim
    return None


def _raise_first(outcomes: Sequence[object], order: tuple[int, int]) -> None:
    for side in order:
        outcome = outcomes[side]
        if isinstance(outcome, EngineError):
            raise Fault.of_error(side, outcome)
        if isinstance(outcome, BaseException):
            raise outcome
