"""Drive a UHP engine from Python: what python-chess's `chess.engine` is to chess.

    >>> import asyncio
    >>> async def main():
    ...     async with await open_engine("uhp-engine") as engine:
    ...         await engine.new_game("Base+MLP")
    ...         answer = await engine.best_move(Limit(seconds=0.5))
    ...         print(engine.name, answer.move, await engine.play(answer.move))
    >>> asyncio.run(main())  # doctest: +SKIP
    uhp-engine wS1 Base+MLP;InProgress;Black[1];wS1

Every answer has a time limit (`Patience`). An engine that hangs, dies or breaks the protocol
raises an `EngineError` under the name of what it did, and is of no further use: close it. An
`EngineRefused`, its `err` or `invalidmove`, leaves it usable. `blocking.SimpleEngine` is the same
without asyncio.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType

from .errors import EngineDied, EngineGarbage, EngineNotStarted, EngineRefused, EngineStalled
from .limits import FORMS_TO_TRY, Limit, Patience, TimeForm, clock_command
from .process import Answer, EngineProcess, Log, launch

OPTION_TYPES = ("bool", "int", "double", "enum")


@dataclass(frozen=True)
class Option:
    """One option of an engine, all values as the engine writes them.

    Attributes:
        key: its name.
        kind: `bool`, `int`, `double` or `enum`.
        value: what it is now.
        default: what it is at start.
        minimum: the least value of an int or double, None where not told.
        maximum: the greatest.
        choices: the values of an enum.
    """

    key: str
    kind: str
    value: str
    default: str
    minimum: str | None = None
    maximum: str | None = None
    choices: tuple[str, ...] = ()

    @classmethod
    def parse(cls, line: str) -> Option:
        """Read an option's line, `KEY;TYPE;VALUE;DEFAULT[;MIN;MAX]` or `[;CHOICE...]`.

        Raises:
            ValueError: it has another form.

        >>> Option.parse("NumThreads;int;1;1;1;8").maximum
        '8'
        """
        key, *fields = line.split(";")
        if not key or len(fields) < 3 or fields[0] not in OPTION_TYPES:
            raise ValueError(f"expected 'KEY;TYPE;VALUE;DEFAULT', not {line!r}")
        kind, value, default, *more = fields
        if kind == "enum":
            return cls(key, kind, value, default, choices=tuple(more))
        if kind == "bool" or not more:
            return cls(key, kind, value, default)
        if len(more) != 2:
            raise ValueError(f"expected a minimum and a maximum in {line!r}")
        return cls(key, kind, value, default, more[0], more[1])


@dataclass(frozen=True)
class BestMove:
    """An engine's answer to `bestmove`.

    Attributes:
        move: the MoveString, as the engine wrote it.
        seconds: from writing the command to reading the answer.
        asked_seconds: the time that the engine was told, or all of its clock; None for a depth.
        lines: all that it printed; those before the last are preliminary moves.
    """

    move: str
    seconds: float
    asked_seconds: float | None
    lines: tuple[str, ...]


class Engine:
    """A running UHP engine; made by `open_engine`.

    Attributes:
        name: the name and version in its `id` line.
        capabilities: the expansions that it plays, of `Mosquito`, `Ladybug` and `Pillbug`.
        patience: the limit for each answer.
        time_form: how it is asked for a time; None while that is not known. It is then found out
            at the first time with a fraction: the first form without an error.
        process: the process below, for what the protocol has no word for.
    """

    def __init__(
        self, process: EngineProcess, patience: Patience, time_form: TimeForm | None
    ) -> None:
        self.process = process
        self.patience = patience
        self.time_form = time_form
        self.name = ""
        self.capabilities: tuple[str, ...] = ()

    async def __aenter__(self) -> Engine:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    # -- any command --------------------------------------------------------------------------

    async def ask(self, command: str, seconds: float | None = None) -> Answer:
        """Send any command; return all the lines of its answer, errors too.

        Args:
            command: one line.
            seconds: the limit; `patience.answer` where None.

        Raises:
            ValueError: the command holds a line break.
            EngineDied, EngineStalled, EngineGarbage: no answer came.
        """
        if "\n" in command or "\r" in command:
            raise ValueError(f"a command is one line, not {command!r}")
        return await self.process.ask(command, seconds or self.patience.answer)

    async def request(self, command: str, seconds: float | None = None) -> list[str]:
        """Send any command; return its lines.

        Raises:
            EngineRefused: the answer is `err` or `invalidmove`.
            EngineDied, EngineStalled, EngineGarbage: no answer came.
        """
        lines = (await self.ask(command, seconds)).lines
        _raise_refusal(command, lines)
        return lines

    async def _one_line(self, command: str) -> str:
        lines = await self.request(command)
        if len(lines) != 1 or not lines[0]:
            raise EngineGarbage(f"answered {command!r} with {_shown(lines)}, not with one line")
        return lines[0]

    # -- the protocol's commands --------------------------------------------------------------

    def _read_info(self, lines: list[str]) -> None:
        if not lines or not lines[0].startswith("id "):
            raise EngineGarbage(f"introduced itself with {_shown(lines)}, not with an 'id' line")
        self.name = lines[0][3:].strip()
        self.capabilities = tuple(word for word in "".join(lines[1:2]).split(";") if word)

    async def info(self) -> str:
        """Ask for name and capabilities again; return the name."""
        self._read_info(await self.request("info"))
        return self.name

    async def options(self) -> dict[str, Option]:
        """Return the options by name; none where the engine has no `options` command.

        Raises:
            EngineGarbage: an option's line can't be read.
        """
        try:
            lines = await self.request("options")
            return {option.key: option for option in map(Option.parse, lines)}
        except EngineRefused:
            return {}
        except ValueError as error:
            raise EngineGarbage(f"printed an unreadable option: {error}") from None

    async def set_option(self, key: str, value: str | int | float | bool) -> str:
        """Set one option; return the line that the engine answers, empty where it prints none.

        Raises:
            EngineRefused: the engine has no such option or won't take the value.
        """
        return "\n".join(await self.request(f"options set {key} {value}"))

    async def configure(self, options: Mapping[str, str | int | float | bool]) -> None:
        """Set several options, in order.

        Raises:
            EngineRefused: the engine has no such option, won't take the value, or takes another.
        """
        for key, value in options.items():
            line = await self.set_option(key, value)
            # Some clamp a value in silence, and answer with what they took instead.
            if line.startswith(f"{key};") and not _same_value(line.split(";")[2:3], str(value)):
                raise EngineRefused(f"options set {key} {value}", line)

    async def new_game(self, game: str = "Base") -> str:
        """Start from a game type or a GameString; return the engine's GameString."""
        return await self._one_line(f"newgame {game}")

    async def play(self, move: str) -> str:
        """Play a MoveString; return the engine's new GameString.

        Raises:
            EngineRefused: the engine holds the move for illegal.
        """
        return await self._one_line("pass" if move == "pass" else f"play {move}")

    async def undo(self, moves: int = 1) -> str:
        """Take back moves; return the engine's new GameString."""
        return await self._one_line(f"undo {moves}")

    async def valid_moves(self) -> list[str]:
        """Return the MoveStrings that the engine holds for legal."""
        return (await self._one_line("validmoves")).split(";")

    async def best_move(self, limit: Limit, *, allowed: float | None = None) -> BestMove:
        """Ask for a move and wait for it; it is not played.

        A search that takes longer than the limit says is waited for, up to `patience`: whether
        it came in time is for the caller to judge.

        Args:
            limit: what the engine is told.
            allowed: the seconds that it may take, where those are more than it is told (a clock
                for the whole game); `patience.hang` begins after them.

        Raises:
            EngineRefused: the engine answers with an error.
            EngineDied, EngineStalled, EngineGarbage: no move came.
        """
        if self.time_form is not None or limit.is_whole:
            return await self._search(limit, self.time_form or TimeForm.TIMESPAN, allowed)
        for form in FORMS_TO_TRY[:-1]:
            try:
                answer = await self._search(limit, form, allowed)
            except EngineRefused:
                continue
            self.time_form = form
            return answer
        answer = await self._search(limit, FORMS_TO_TRY[-1], allowed)
        self.time_form = FORMS_TO_TRY[-1]
        return answer

    async def keeps_clock(self) -> bool:
        """Say whether the engine knows `bestmove clock`: set to it, or told by `help bestmove`.

        Raises:
            EngineDied, EngineStalled, EngineGarbage: no answer came.
        """
        if self.time_form is None:
            lines = (await self.ask("help bestmove")).lines
            if any("clock REMAINING" in line for line in lines):
                self.time_form = TimeForm.CLOCK
        return self.time_form is TimeForm.CLOCK

    async def best_move_on_clock(
        self, remaining: float, increment: float = 0.0, moves_to_go: int = 0
    ) -> BestMove:
        """Ask an engine that keeps a clock for a move; it decides how long that takes.

        Args:
            remaining: seconds left on its clock.
            increment: seconds added after the move.
            moves_to_go: moves until more time is added, 0 for never.

        Raises:
            EngineRefused, EngineDied, EngineStalled, EngineGarbage: as for `best_move`.
        """
        command = clock_command(remaining, increment, moves_to_go)
        return await self._ask_for_move(command, remaining, remaining)

    async def _search(self, limit: Limit, form: TimeForm, allowed: float | None) -> BestMove:
        asked = limit.asked_seconds(form)
        until = None if asked is None else max(asked, allowed or 0)
        return await self._ask_for_move(limit.command(form), asked, until)

    async def _ask_for_move(
        self, command: str, asked: float | None, until: float | None
    ) -> BestMove:
        until_hung = self.patience.for_move(until)
        answer = await self.ask(command, until_hung)
        _raise_refusal(command, answer.lines)
        if not answer.lines:
            raise EngineGarbage(f"answered {command!r} without a move")
        move = answer.lines[-1].partition(";")[0].strip()
        return BestMove(move, answer.seconds, asked, tuple(answer.lines))

    # -- beside the protocol ------------------------------------------------------------------

    def interrupt(self) -> None:
        """Send the signal that asks a searching engine for its move so far."""
        self.process.interrupt()

    async def close(self) -> None:
        """Say `exit`, and kill the engine and all it started unless it leaves."""
        await self.process.close(self.patience.exit)

    async def kill(self) -> None:
        """Kill the engine and all it started."""
        await self.process.kill()


async def open_engine(
    command: str | Sequence[str],
    *,
    folder: str | None = None,
    environment: Mapping[str, str] | None = None,
    options: Mapping[str, str | int | float | bool] | None = None,
    time_form: TimeForm | None = None,
    patience: Patience | None = None,
    log: Log | None = None,
) -> Engine:
    """Start an engine, read its greeting, set its options.

    Args:
        command: a command line with shell-like quotes (no shell is run), or a list of words.
        folder: its working folder.
        environment: variables beside ours.
        options: names and values, set in this order.
        time_form: how it is asked for a time; None to find out.
        patience: limits for its answers.
        log: called for each line with `>`, `<` or `!` (standard error) and the text.

    Raises:
        EngineNotStarted: it could not be run, left, or gave no proper greeting in time, or
            refused an option.
    """
    patience = patience or Patience()
    process = await launch(command, folder=folder, environment=environment, log=log)
    engine = Engine(process, patience, time_form)
    try:
        engine._read_info((await process.receive(patience.start, "start")).lines)
        await engine.configure(options or {})
    except (EngineDied, EngineStalled, EngineGarbage, EngineRefused) as error:
        await engine.kill()
        stderr = error.stderr or process.stderr
        said = f"; its standard error ends: {stderr.splitlines()[-1]}" if stderr else ""
        raise EngineNotStarted(f"{error}{said}", stderr) from None
    except BaseException:
        await engine.kill()
        raise
    return engine


def _same_value(told: list[str], wanted: str) -> bool:
    if told and told[0].lower() == wanted.lower():
        return True
    try:
        return bool(told) and float(told[0]) == float(wanted)
    except ValueError:
        return False


def _raise_refusal(command: str, lines: list[str]) -> None:
    for line in lines:
        if line.partition(" ")[0] in ("err", "invalidmove"):
            raise EngineRefused(command, line)


def _shown(lines: list[str]) -> str:
    if not lines:
        return "nothing"
    more = f" and {len(lines) - 1} more lines" if len(lines) > 1 else ""
    return f"{lines[0][:200]!r}{more}"
