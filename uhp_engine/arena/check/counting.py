"""Perft against our own count; where they differ, the first branch that does."""

from __future__ import annotations

import re
import time
from functools import partial

from ...core.pieces import GAME_TYPES
from ...game import Game
from ...notation import format_game, format_move
from .compare import compare_moves, some
from .exam import Exam, is_error, shown
from .findings import Check, Deviation, Opinion
from .positions import PERFT_POSITIONS

DEEPEST = 7
QUICK_DEEPEST = 3

# `3 6678 …` and `3: 6,678` as uhp-utils reads them, and `perft(3) = 6,678 in …` as Mzinga writes.
_COUNT = re.compile(r"\s*(?:perft\s*\(\s*)?(\d+)\s*\)?\s*[:=]?\s+([\d,.]*\d)\b.*")


def read_counts(lines: list[str]) -> dict[int, int]:
    """Return the counts in the lines of a `perft` answer, by depth."""
    counts = {}
    for line in lines:
        match = _COUNT.fullmatch(line)
        if match:
            counts[int(match[1])] = int(re.sub(r"\D", "", match[2]))
    return counts


async def _perft(exam: Exam, text: str) -> str:
    """Count ever deeper, as long as the next depth is likely to be done in time."""
    game = await exam.set_up(text)
    deepest = QUICK_DEEPEST if exam.settings.quick else DEEPEST
    nodes, last = game.perft(1), 1
    for depth in range(1, deepest + 1):
        expected = game.perft(depth)
        started = time.perf_counter()
        count = await _count(exam, game, depth)
        seconds = time.perf_counter() - started
        if count != expected:
            branch = await _first_difference(exam, game, depth)
            raise Deviation(f"perft({depth}) = {expected}", f"{count}; {branch}")
        last, nodes = depth, expected
        if seconds * _growth(game, depth) > exam.settings.perft_seconds:
            break
    return f"perft({last}) = {nodes}"


def _growth(game: Game, depth: int) -> float:
    """Guess how many times longer the next depth takes."""
    return game.perft(depth) / max(1, game.perft(depth - 1))


async def _count(exam: Exam, game: Game, depth: int) -> int | None:
    """Return the engine's count, None where it prints none.

    Raises:
        Opinion: the engine has no `perft`; its moves agree two plies deep.
        Deviation: they do not.
    """
    lines = await exam.ask(f"perft {depth}", exam.settings.patience)
    counts = read_counts(lines)
    if depth in counts:
        return counts[depth]
    difference = await _by_valid_moves(exam, game, depth)
    if difference:
        raise Deviation("the same moves", difference)
    if any(is_error(line) for line in lines):
        raise Opinion("a perft command (valid moves agree two plies deep)", shown(lines))
    raise Opinion("a line 'DEPTH COUNT' (valid moves agree two plies deep)", shown(lines))


async def _by_valid_moves(exam: Exam, game: Game, depth: int) -> str:
    """Compare the moves here and after each move; return the first difference."""
    for move in [None, *game.legal_moves()]:
        after = game.copy()
        if move is not None:
            after.play(move)
            if after.board_state.is_over:
                continue
            await exam.ask(f"play {format_move(game, move)}")
        lines = await exam.ask("validmoves")
        try:
            compare_moves(after, lines[0] if len(lines) == 1 else "")
        except Deviation as deviation:
            return f"in {format_game(after)} the engine {deviation.seen}"
        if move is not None:
            await exam.ask("undo")
    return ""


async def _first_difference(exam: Exam, game: Game, depth: int) -> str:
    """Walk down the first branch that is counted otherwise; return where it leads."""
    here = game.copy()
    while True:
        await exam.ask(f"newgame {format_game(here)}")
        lines = await exam.ask("validmoves")
        try:
            compare_moves(here, lines[0] if len(lines) == 1 else "")
        except Deviation as deviation:
            return f"the first difference is in {format_game(here)}: {deviation.seen}"
        depth -= 1
        branch = await _differing_move(exam, here, depth) if depth > 0 else None
        if branch is None:
            return f"no single branch of {format_game(here)} differs"
        here = branch


async def _differing_move(exam: Exam, game: Game, depth: int) -> Game | None:
    """Return the position after the first move below which the counts differ."""
    for move in game.legal_moves():
        after = game.copy()
        after.play(move)
        lines = await exam.ask(f"play {format_move(game, move)}")
        if any(is_error(line) for line in lines):
            return after
        counts = read_counts(await exam.ask(f"perft {depth}"))
        await exam.ask("undo")
        if counts.get(depth) != after.perft(depth):
            return after
    return None


def checks() -> list[Check]:
    """Return the checks of this module."""
    found = [
        Check(
            "perft",
            f"the start of {kind}",
            partial(_perft, text=f"{kind};NotStarted;White[1]"),
            kind,
        )
        for kind in GAME_TYPES
    ]
    for text in PERFT_POSITIONS:
        kind, _, turn, *moves = text.split(";")
        name = f"{kind} at {turn}, after {some(moves[-1:])}"
        found.append(Check("perft", name, partial(_perft, text=text), kind))
    return found
