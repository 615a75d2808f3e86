"""Checks of `bestmove`: its form, its time, its end by a signal or by the end of input."""

from __future__ import annotations

import asyncio
import time
from functools import partial

from ...game import Game
from ...notation import MoveStringError, parse_game, parse_move
from ..client import Engine
from ..errors import EngineDied, EngineStalled
from ..limits import Limit, Patience, TimeForm
from .exam import Exam, is_error, shown
from .findings import Check, Deviation, Opinion, Skipped
from .positions import MIDDLE, PASSING
from .raw import converse

ATTEMPTS = 3
SIGNAL_AFTER_SECONDS = 0.4
SIGNAL_ANSWER_SECONDS = 2.0
LONG_SECONDS = 20
BARE_SECONDS = 15.0
ZERO_SECONDS = 5.0


def _legal(game: Game, lines: list[str]) -> str:
    """Return the move that an answer to `bestmove` names.

    Raises:
        Deviation: it names none, or an illegal one.
    """
    if not lines or is_error(lines[-1]):
        raise Deviation("a MoveString", shown(lines))
    text = lines[-1].partition(";")[0].strip()
    try:
        reason = game.why_illegal(parse_move(game, text))
    except MoveStringError as error:
        reason = str(error)
    if reason is not None:
        raise Deviation("a legal move", f"{text!r}: {reason}")
    return text


async def _best_move(exam: Exam, text: str, command: str) -> str:
    game = await exam.set_up(text)
    move = _legal(game, await exam.ask(command, _patience(exam)))
    await exam.is_unchanged(game)
    return move


def _patience(exam: Exam) -> float:
    """Return how long an answer may take to a search of a second or so."""
    return exam.settings.patience + 1.0


async def _one_move(exam: Exam) -> None:
    game = await exam.set_up(MIDDLE)
    lines = await exam.ask("bestmove time 00:00:01", _patience(exam))
    text = _legal(game, lines)
    if len(lines) > 1:
        raise Opinion("one line, as hivegame.com's bots take the first", shown(lines))
    if lines[0] != text:
        raise Opinion("a MoveString and nothing else", shown(lines))
    moves = await exam.valid_moves(game)
    if text not in moves.values():
        ours = moves[parse_move(game, text)]
        raise Opinion(f"the text that validmoves has, {ours!r}", repr(text))


async def _in_time(exam: Exam) -> str:
    """The best of several attempts counts, so that a busy machine is not the engine's fault."""
    overrun = first = 0.0
    seen = []
    for attempt in range(ATTEMPTS):
        game = await exam.set_up(MIDDLE)
        started = time.perf_counter()
        _legal(game, await exam.ask("bestmove time 00:00:01", _patience(exam)))
        seconds = time.perf_counter() - started
        seen.append(f"{seconds:.2f} s")
        overrun = min(overrun, seconds - 1) if attempt else seconds - 1
        first = first or seconds - 1
        if overrun <= exam.settings.time_margin and attempt:
            break
    margin = exam.settings.time_margin
    if overrun > margin:
        raise Deviation(f"an answer to 'time 00:00:01' within {1 + margin:g} s", ", ".join(seen))
    if first > margin:
        raise Opinion(f"the first answer too within {1 + margin:g} s", ", ".join(seen))
    return ", ".join(seen)


async def _fractions(exam: Exam) -> str:
    game = await exam.set_up(MIDDLE)
    engine = Engine(await exam.running(), Patience(hang=_patience(exam)), None)
    answer = await engine.best_move(Limit(seconds=0.5))
    _legal(game, list(answer.lines))
    if engine.time_form is not TimeForm.TIMESPAN:
        form = engine.time_form.value if engine.time_form else "none"
        raise Opinion("'bestmove time 00:00:00.5' understood", f"refused; it understands: {form}")
    return f"{answer.seconds:.2f} s"


async def _no_time(exam: Exam) -> None:
    game = await exam.set_up(MIDDLE)
    seconds = min(ZERO_SECONDS, exam.settings.patience)
    try:
        lines = await exam.ask("bestmove time 00:00:00", seconds)
    except EngineStalled:
        await exam.kill()
        raise Deviation(f"an answer within {seconds:g} s", "none") from None
    if lines and is_error(lines[0]):
        raise Opinion("a move at once", shown(lines))
    _legal(game, lines)


async def _bare(exam: Exam) -> None:
    game = await exam.set_up(MIDDLE)
    try:
        lines = await exam.ask("bestmove", BARE_SECONDS)
    except EngineStalled:
        await exam.kill()
        raise Opinion("a search that ends by itself", f"none in {BARE_SECONDS:g} s") from None
    if lines and is_error(lines[0]):
        raise Opinion("a search that ends by itself", shown(lines))
    _legal(game, lines)


async def _unreadable(exam: Exam) -> None:
    game = await exam.set_up(MIDDLE)
    for command in ("bestmove depth", "bestmove time", "bestmove soon", "bestmove depth some"):
        await exam.refused(command)
        await exam.is_unchanged(game)


# -- signals --------------------------------------------------------------------------------


async def _search_and_interrupt(exam: Exam) -> tuple[Game, list[str]]:
    """Begin a long search, send SIGINT, return the answer."""
    game = await exam.set_up(MIDDLE)
    process = await exam.running()
    command = f"bestmove time 00:00:{LONG_SECONDS}"
    process.send(command)
    answer = asyncio.ensure_future(process.receive(LONG_SECONDS * 2, command))
    try:
        done, _ = await asyncio.wait([answer], timeout=SIGNAL_AFTER_SECONDS)
        if done:
            _legal(game, answer.result().lines)
            raise Skipped(f"the engine answers within {SIGNAL_AFTER_SECONDS:g} s anyway")
        process.interrupt()
        done, _ = await asyncio.wait([answer], timeout=SIGNAL_ANSWER_SECONDS)
        if not done:
            raise Deviation(f"a move within {SIGNAL_ANSWER_SECONDS:g} s of SIGINT", "none")
        return game, answer.result().lines
    except EngineDied as error:
        raise Deviation("a move after SIGINT", f"the engine {error}") from None
    finally:
        if not answer.done():
            await exam.kill()
            await asyncio.wait([answer])
            answer.exception()


async def _interrupt(exam: Exam) -> str:
    game, lines = await _search_and_interrupt(exam)
    text = _legal(game, lines)
    try:
        await exam.is_unchanged(game)
    except EngineDied as error:
        raise Deviation("the engine alive after SIGINT", f"it {error}") from None
    return text


async def _interrupt_idle(exam: Exam) -> None:
    """A GUI's signal may cross the answer on its way."""
    game = await exam.set_up(MIDDLE)
    await exam.ask("bestmove depth 1", _patience(exam))
    process = await exam.running()
    for _ in range(2):  # at once, and when it has come to rest
        process.interrupt()
        await asyncio.sleep(SIGNAL_AFTER_SECONDS / 2)
    try:
        lines = (await process.ask("validmoves", exam.settings.patience)).lines
    except EngineDied as error:
        await exam.kill()
        raise Opinion(
            "the engine alive after SIGINT just behind an answer", f"it {error}"
        ) from None
    if len(lines) != 1 or len(lines[0].split(";")) != len(game.legal_moves()):
        raise Deviation("the valid moves after SIGINT", shown(lines))


# -- the end of input -----------------------------------------------------------------------


async def _end_of_input(exam: Exam) -> str:
    """As hivegame.com's bots do: the move is the first line but ok after the second ok."""
    game = parse_game(MIDDLE)
    text = f"newgame {MIDDLE}\nbestmove time 00:00:02\n".encode()
    transcript = await converse(exam.command, text, _patience(exam) + 2)
    answers = transcript.answers
    if len(answers) < 3:
        seen = "the engine runs on" if transcript.code is None else f"exit code {transcript.code}"
        raise Deviation("the search answered, then ok", f"{shown(transcript.rest)}, {seen}")
    move = _legal(game, answers[2][:1])
    if transcript.code is None:
        raise Deviation("the engine gone after its answer", "it runs on")
    return move


def checks(quick: bool) -> list[Check]:
    """Return the checks of this module."""
    group = "bestmove"
    found = [
        Check(
            group,
            "with a depth: a legal move",
            partial(_best_move, text=MIDDLE, command="bestmove depth 1"),
        ),
        Check(
            group,
            "with a time: a legal move",
            partial(_best_move, text="Base;NotStarted;White[1]", command="bestmove time 00:00:01"),
        ),
        Check(
            group,
            "passes where nothing else is legal",
            partial(_best_move, text=PASSING, command="bestmove depth 1"),
        ),
        Check(group, "prints one move, spelt as in validmoves", _one_move),
        Check(group, "in time", _in_time),
        Check(group, "fractions of a second", _fractions),
        Check(group, "no time at all", _no_time),
        Check(group, "refuses what it cannot read", _unreadable),
        Check("signal", "SIGINT ends a search with a move", _interrupt),
        Check("signal", "SIGINT behind an answer does no harm", _interrupt_idle),
        Check("end", "a search is answered though the input has ended", _end_of_input),
    ]
    if not quick:
        found.append(Check(group, "without a limit it ends by itself", _bare))
    return found
