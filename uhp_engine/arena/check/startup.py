"""Checks of the start, of lines and their ends, of leaving."""

from __future__ import annotations

import asyncio
import re

from ..errors import EngineDied
from .exam import EXPANSIONS, Exam, is_error, shown
from .findings import Check, Deviation, Opinion
from .raw import Transcript, converse

GREETING_SECONDS = 2.0
UNASKED_SECONDS = 0.3
LEAVING_SECONDS = 5.0


async def _greeting_id(exam: Exam) -> str:
    first = exam.greeting[0] if exam.greeting else ""
    if not re.fullmatch(r"id \S.*", first):
        raise Deviation("a first line 'id NAME VERSION'", shown(exam.greeting))
    return first[3:]


async def _greeting_expansions(exam: Exam) -> str:
    rest = exam.greeting[1:]
    words = rest[0].split(";") if rest else []
    if len(rest) > 1 or not set(words) <= set(EXPANSIONS):
        raise Deviation(f"at most one line made of {';'.join(EXPANSIONS)}", shown(rest))
    return ", ".join(words) or "none"


async def _greeting_time(exam: Exam) -> str:
    seconds = f"{exam.greeting_seconds:.2f} s"
    if exam.greeting_seconds > GREETING_SECONDS:
        raise Opinion(f"the greeting within {GREETING_SECONDS:g} s of the start", seconds)
    return seconds


async def _info(exam: Exam) -> None:
    lines = await exam.ask("info")
    if lines != exam.greeting:
        raise Deviation(f"the greeting again, {shown(exam.greeting)}", shown(lines))


async def _unasked(exam: Exam) -> None:
    for command in ("info", "newgame Base", "play wS1", "validmoves", "undo"):
        await exam.ask(command)
        await asyncio.sleep(UNASKED_SECONDS / 3)
    await exam.ask("info")


async def _talk(exam: Exam, text: bytes) -> Transcript:
    return await converse(exam.command, text, exam.settings.patience)


async def _in_one_write(exam: Exam) -> None:
    transcript = await _talk(exam, b"newgame Base\nplay wS1\nplay bS1 wS1-\nundo 2\nexit\n")
    starts = [answer[0].split(";")[:3] if answer else [] for answer in transcript.answers[1:]]
    expected = [
        ["Base", "NotStarted", "White[1]"],
        ["Base", "InProgress", "Black[1]"],
        ["Base", "InProgress", "White[2]"],
        ["Base", "NotStarted", "White[1]"],
    ]
    if starts[:4] != expected:
        raise Deviation("four commands in one write answered in order", str(transcript.answers[1:]))


async def _windows_lines(exam: Exam) -> None:
    transcript = await _talk(exam, b"newgame Base\r\nplay wS1\r\nexit\r\n")
    if [line.startswith("Base;") for line in transcript.lines] != [True, True]:
        raise Opinion("lines that end in CR LF taken", shown(transcript.lines))


async def _blank_line(exam: Exam) -> None:
    transcript = await _talk(exam, b"\n \nexit\n")
    if transcript.lines or len(transcript.answers) > 1:
        raise Opinion("no answer to a blank line", shown(transcript.lines))


async def _strange_bytes(exam: Exam) -> None:
    transcript = await _talk(exam, b"\xff\xfe\x80\ninfo\nexit\n")
    answers = transcript.answers
    if len(answers) < 3 or answers[-1] != exam.greeting:
        raise Opinion("err, and the next line answered", shown(transcript.lines))


async def _letter_case(exam: Exam) -> None:
    if any(is_error(line) for line in await exam.ask("NewGame Base")):
        raise Opinion("any taken", "'NewGame' refused")


async def _exit(exam: Exam) -> None:
    seconds = min(LEAVING_SECONDS, exam.settings.patience)
    process = await exam.fresh()
    try:
        process.write_raw(b"newgame Base\nexit\n")
        code = await process.wait(seconds)
    finally:
        await process.kill()
    if code is None:
        raise Deviation(f"the engine gone within {seconds:g} s of exit", "it runs on")
    if code != 0:
        raise Deviation("exit code 0 after exit", f"{code}")


async def _exit_silently(exam: Exam) -> None:
    transcript = await _talk(exam, b"exit\n")
    if transcript.lines or len(transcript.answers) > 1:
        raise Opinion("nothing printed after exit, not even ok", shown(transcript.lines))


async def _end_of_input(exam: Exam) -> None:
    transcript = await _talk(exam, b"newgame Base\n")
    if transcript.code is None:
        flood = f", after {len(transcript.answers)} answers" if len(transcript.answers) > 9 else ""
        raise Deviation("the engine gone at the end of input", f"it runs on{flood}")
    if transcript.code != 0:
        raise Deviation("exit code 0 at the end of input", f"{transcript.code}")


async def _unknown_options_at_start(exam: Exam) -> None:
    """HiveArena sets four options of other engines, and drops one that dies of it."""
    for key in ("NumThreads 1", "TableSizeMiB 64", "Unheard_of None", "Cheer True"):
        try:
            await exam.ask(f"options set {key}")
        except EngineDied as error:
            raise Deviation("an unknown option refused", f"the engine {error}") from None


def checks() -> list[Check]:
    """Return the checks of this module."""
    start, lines, end = "start", "lines", "end"
    return [
        Check(start, "the greeting names the engine", _greeting_id),
        Check(start, "the greeting names the expansions", _greeting_expansions),
        Check(start, "the greeting comes at once", _greeting_time),
        Check(start, "info repeats the greeting", _info),
        Check(start, "options of other engines do no harm", _unknown_options_at_start),
        Check(lines, "nothing is printed unasked", _unasked),
        Check(lines, "commands that come together are answered in order", _in_one_write),
        Check(lines, "Windows line ends", _windows_lines),
        Check(lines, "blank lines", _blank_line),
        Check(lines, "bytes that are no text", _strange_bytes),
        Check(lines, "letter case of commands", _letter_case),
        Check(end, "exit leaves", _exit),
        Check(end, "exit prints nothing", _exit_silently),
        Check(end, "the end of input leaves", _end_of_input),
    ]
