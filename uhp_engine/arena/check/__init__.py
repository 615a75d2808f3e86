"""A conformance test for UHP engines: is the engine right, and where not?

    >>> import asyncio
    >>> from uhp_engine.arena.check import Settings, check_engine
    >>> report = asyncio.run(check_engine("uhp-engine", Settings(quick=True)))  # doctest: +SKIP
    >>> print(report.summary())  # doctest: +SKIP
    uhp-engine 1.0: 120 checks in 14.3 s: 120 passed, 0 failed, 0 noted, 0 skipped

Every position comes from our own core or was found by random play on it; what an engine says is
compared as moves, never as text. The kernels must be loaded (`uhp_engine.warmup.load`).
"""

from __future__ import annotations

from collections.abc import Callable

from ..errors import EngineNotStarted
from . import commands, counting, games, options, rules, searching, startup
from .exam import Exam, Settings
from .findings import Check, Finding, Report

__all__ = ["Check", "Finding", "Report", "Settings", "all_checks", "check_engine"]

QUICK_GAMES = 4


def all_checks(settings: Settings) -> list[Check]:
    """Return every check in the order in which they are carried out."""
    number = min(settings.games, QUICK_GAMES) if settings.quick else settings.games
    return [
        *startup.checks(),
        *commands.checks(),
        *options.checks(),
        *rules.checks(),
        *counting.checks(),
        *games.checks(number, settings.seed),
        *searching.checks(settings.quick),
    ]


async def check_engine(
    command: str,
    settings: Settings | None = None,
    *,
    checks: list[Check] | None = None,
    tell: Callable[[Finding], None] | None = None,
) -> Report:
    """Examine an engine.

    Args:
        command: its command line, with shell-like quotes.
        settings: how to examine.
        checks: which; all where None.
        tell: called with each finding as it is made.

    Returns:
        What was found. Where the engine cannot be started, `Report.broken` says why.
    """
    settings = settings or Settings()
    exam = Exam(command, settings)
    try:
        await exam.start()
        for check in all_checks(settings) if checks is None else checks:
            finding = await exam.run(check)
            if tell is not None:
                tell(finding)
    except EngineNotStarted as error:
        exam.report.broken = str(error)
    finally:
        await exam.kill()
    return exam.report
