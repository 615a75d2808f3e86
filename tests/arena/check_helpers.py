"""What the tests of the conformance check share."""

from __future__ import annotations

import asyncio
import shlex
import sys
from pathlib import Path
from typing import Any

from uhp_engine import warmup
from uhp_engine.arena.check import Finding, Report, Settings, all_checks, check_engine

SLOW_ENGINE = Path(__file__).with_name("slow_engine.py")


def slow(*breaks: str) -> str:
    """Return the command line of the slow engine with some breaks."""
    return shlex.join([sys.executable, str(SLOW_ENGINE), *breaks])


def examine(command: str, *names: str, **settings: Any) -> Report:
    """Carry out the checks of some names, or of some groups; all where none is given."""
    warmup.load()
    chosen = Settings(**{"games": 2, "quick": True, "patience": 2.0, **settings})
    checks = all_checks(chosen)
    known = {check.name for check in checks} | {check.group for check in checks}
    assert set(names) <= known, set(names) - known
    checks = [one for one in checks if not names or {one.name, one.group} & set(names)]
    return asyncio.run(check_engine(command, chosen, checks=checks))


def finding(report: Report, name: str) -> Finding:
    """Return what became of one check."""
    return next(one for one in report.findings if one.name == name)
