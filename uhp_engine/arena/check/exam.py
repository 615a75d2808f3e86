"""An engine under examination: started, asked, started anew where it died or hung."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from ...game import Game, Move
from ...notation import format_game, format_move, parse_game
from ..client import Option
from ..errors import EngineDied, EngineError, EngineNotStarted
from ..process import EngineProcess, Log, launch
from .compare import compare_game, compare_moves
from .findings import Check, Deviation, Finding, Opinion, Report, Skipped, Status

EXPANSIONS = ("Mosquito", "Ladybug", "Pillbug")


@dataclass(frozen=True)
class Settings:
    """How to examine.

    Args:
        games: how many random games to play.
        seed: of the random games.
        quick: whether to leave out what takes long.
        patience: seconds for an answer, `bestmove` aside, before the engine counts as hung.
        perft_seconds: about how long one count of perft may take.
        time_margin: seconds that a `bestmove` may overrun its time.
        options: to set in the engine first.
        log: see `EngineProcess.log`.
    """

    games: int = 20
    seed: int = 1
    quick: bool = False
    patience: float = 30.0
    perft_seconds: float = 2.0
    time_margin: float = 0.1
    options: Mapping[str, str] = field(default_factory=dict)
    log: Log | None = None


class Exam:
    """What the checks ask the engine through.

    Attributes:
        command: the engine's command line.
        settings: how to examine.
        report: what was found so far.
        greeting: the lines of the first start.
        greeting_seconds: how long it took.
        letters: those of `M`, `L` and `P` whose bugs the engine says that it knows.
    """

    def __init__(self, command: str, settings: Settings) -> None:
        self.command = command
        self.settings = settings
        self.report = Report(command)
        self.greeting: list[str] = []
        self.greeting_seconds = 0.0
        self.letters = ""
        self._process: EngineProcess | None = None

    # -- starting and ending ----------------------------------------------------------------

    async def start(self) -> None:
        """Start the engine for the first time and read its greeting.

        Raises:
            EngineNotStarted: it could not be run, left, or gave no greeting in time.
        """
        await self.running()
        lines = self.greeting
        self.report.engine = next((line[3:].strip() for line in lines if line[:3] == "id "), "")
        words = ";".join(lines[1:]).split(";")
        self.letters = "".join(word[0] for word in EXPANSIONS if word in words)

    async def running(self) -> EngineProcess:
        """Return the engine's process, started anew where there is none.

        Raises:
            EngineNotStarted: it could not be.
        """
        if self._process is not None and self._process.is_alive:
            return self._process
        await self.kill()
        process = self._process = await self.fresh()
        for key, value in self.settings.options.items():
            lines = (await process.ask(f"options set {key} {value}", self.settings.patience)).lines
            if any(line.startswith("err") for line in lines):
                raise EngineNotStarted(f"refused the option {key}={value}: {lines[0]!r}")
        return process

    async def fresh(self) -> EngineProcess:
        """Return a new process that has greeted; whoever asks for it must kill it.

        Raises:
            EngineNotStarted: it could not be run, left, or gave no greeting in time.
        """
        started = time.perf_counter()
        process = await launch(self.command, log=self.settings.log)
        try:
            answer = await process.receive(self.settings.patience, "start")
        except EngineError as error:
            said = process.stderr.splitlines()[-1:]
            await process.kill()
            more = f"; its standard error ends: {said[0]}" if said else ""
            raise EngineNotStarted(f"no greeting: it {error}{more}") from None
        except BaseException:
            await process.kill()
            raise
        if not self.greeting:
            self.greeting = answer.lines
            self.greeting_seconds = time.perf_counter() - started
        return process

    async def kill(self) -> None:
        """Kill the engine and all that it started."""
        if self._process is not None:
            await self._process.kill()
            self._process = None

    async def run(self, check: Check) -> Finding:
        """Carry out one check; what goes wrong in it is a finding.

        Raises:
            EngineNotStarted: the engine had to be started again, and could not be.
        """
        started = time.perf_counter()
        status: Status = "pass"
        expected, seen = "", ""
        try:
            if not self.plays(check.game_type):
                raise Skipped(f"the engine does not offer {check.game_type}")
            seen = await check.run(self) or ""
        except Skipped as reason:
            status, seen = "skip", str(reason)
        except Deviation as deviation:
            status = "note" if isinstance(deviation, Opinion) else "FAIL"
            expected, seen = deviation.expected, deviation.seen
        except EngineNotStarted:
            raise
        except EngineError as error:
            status, expected, seen = "FAIL", "an answer", f"the engine {error}"
            if isinstance(error, EngineDied):
                self.report.deaths.append(f"it {error}, in the check '{check.name}'")
            await self.kill()
        seconds = time.perf_counter() - started
        finding = Finding(check.group, check.name, status, expected, seen, round(seconds, 3))
        self.report.findings.append(finding)
        return finding

    def plays(self, game_type: str) -> bool:
        """Say whether the engine offers a game type."""
        return set(game_type.partition("+")[2]) <= set(self.letters)

    # -- asking -----------------------------------------------------------------------------

    async def ask(self, command: str, seconds: float | None = None) -> list[str]:
        """Send a command; return the lines of the answer, errors too.

        Raises:
            EngineError: no answer came.
        """
        process = await self.running()
        return (await process.ask(command, seconds or self.settings.patience)).lines

    async def one_line(self, command: str) -> str:
        """Send a command that is answered with one line; return that.

        Raises:
            Deviation: the answer is an error, or not one line.
        """
        lines = await self.ask(command)
        if len(lines) != 1 or not lines[0] or is_error(lines[0]):
            raise Deviation(f"one line for {command[:80]!r}", shown(lines))
        return lines[0]

    async def refused(self, command: str, words: tuple[str, ...] = ("err",)) -> None:
        """Send a command that must be refused.

        Args:
            command: the command.
            words: how the answer's one line may begin.

        Raises:
            Deviation: it is answered otherwise.
        """
        lines = await self.ask(command)
        if len(lines) != 1 or lines[0].partition(" ")[0] not in words:
            expected = f"one line '{' or '.join(words)} …' for {command[:80]!r}"
            raise Deviation(expected, shown(lines))

    async def set_up(self, game: Game | str) -> Game:
        """Give the engine a game; return it.

        Raises:
            Deviation: what it answers is not the GameString of that game.
        """
        game = parse_game(game) if isinstance(game, str) else game
        compare_game(game, await self.one_line(f"newgame {format_game(game)}"))
        return game

    async def play(self, game: Game, move: Move, text: str = "") -> None:
        """Play a move in a game and in the engine.

        Raises:
            Deviation: it does not answer with the new GameString.
        """
        text = text or format_move(game, move)
        game.play(move)
        line = await self.one_line("pass" if text == "pass" else f"play {text}")
        compare_game(game, line, whole=False)

    async def valid_moves(self, game: Game) -> dict[Move, str]:
        """Return the engine's moves, which must be the legal ones.

        Raises:
            Deviation: they are not.
        """
        return compare_moves(game, await self.one_line("validmoves"))

    async def is_unchanged(self, game: Game) -> None:
        """See that the engine has the position of a game after an error.

        Raises:
            Deviation: its moves are others.
        """
        lines = await self.ask("validmoves")
        try:
            compare_moves(game, lines[0] if len(lines) == 1 else "")
        except Deviation as deviation:
            raise Deviation("the game unchanged after an error", deviation.seen) from None

    async def options(self) -> dict[str, Option]:
        """Return the engine's options.

        Raises:
            Deviation: a line can't be read.
        """
        try:
            return {option.key: option for option in map(Option.parse, await self.ask("options"))}
        except ValueError as error:
            raise Deviation("'KEY;TYPE;VALUE;DEFAULT…' for each option", str(error)) from None


def is_error(line: str) -> bool:
    """Say whether a line of an answer is an error."""
    return line.partition(" ")[0] in ("err", "invalidmove")


def shown(lines: list[str]) -> str:
    """Return lines as text for a report."""
    if not lines:
        return "nothing but ok"
    return " / ".join(repr(line[:120]) for line in lines[:3]) + (" …" if len(lines) > 3 else "")
