"""What a check can find, and the report of all."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from .exam import Exam

Status = Literal["pass", "FAIL", "note", "skip"]


class Deviation(Exception):
    """The engine did not do what the protocol asks: the check fails.

    Args:
        expected: what should have come.
        seen: what came.
    """

    def __init__(self, expected: str, seen: str) -> None:
        super().__init__(f"expected {expected}; seen {seen}")
        self.expected = expected
        self.seen = seen


class Opinion(Deviation):
    """The engine does it otherwise, where the protocol is silent or engines differ: a note."""


class Skipped(Exception):
    """The check does not apply to this engine; the text says why."""


@dataclass(frozen=True)
class Check:
    """One thing to look at.

    Attributes:
        group: what it belongs to.
        name: what holds where it passes.
        run: finds out, raising a Deviation, an Opinion or a Skipped; what it returns is shown
            beside a pass.
        game_type: the game type that it needs.
    """

    group: str
    name: str
    run: Callable[[Exam], Awaitable[str | None]]
    game_type: str = "Base"


@dataclass(frozen=True)
class Finding:
    """What became of one check."""

    group: str
    name: str
    status: Status
    expected: str
    seen: str
    seconds: float

    def __str__(self) -> str:
        text = f"{self.status:4}  {self.group}: {self.name}"
        if self.expected:
            return f"{text}; expected {self.expected}; seen {self.seen}"
        return f"{text} ({self.seen})" if self.seen else text


@dataclass
class Report:
    """All findings about one engine.

    Attributes:
        command: its command line.
        engine: the name that it gave itself, empty where it could not be started.
        findings: one for each check, in order.
        broken: why the engine could not be started, or started again; empty where it could.
        deaths: what the engine was doing each time it died unasked.
    """

    command: str
    engine: str = ""
    findings: list[Finding] = field(default_factory=list)
    broken: str = ""
    deaths: list[str] = field(default_factory=list)

    def count(self, status: Status) -> int:
        """Return how many checks ended so."""
        return sum(finding.status == status for finding in self.findings)

    @property
    def has_failed(self) -> bool:
        """True where a check failed."""
        return self.count("FAIL") > 0

    @property
    def engine_failed(self) -> bool:
        """True where the engine could not be started, or died unasked."""
        return bool(self.broken or self.deaths)

    def summary(self) -> str:
        """Return the last lines of the report."""
        seconds = sum(finding.seconds for finding in self.findings)
        lines = [
            f"{self.engine or self.command}: {len(self.findings)} checks in {seconds:.1f} s: "
            f"{self.count('pass')} passed, {self.count('FAIL')} failed, "
            f"{self.count('note')} noted, {self.count('skip')} skipped"
        ]
        lines += [f"The engine died: {what}" for what in self.deaths]
        lines += [f"Stopped: {self.broken}"] if self.broken else []
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """Return the report as values for JSON."""
        return {
            "command": self.command,
            "engine": self.engine,
            "passed": self.count("pass"),
            "failed": self.count("FAIL"),
            "noted": self.count("note"),
            "skipped": self.count("skip"),
            "broken": self.broken or None,
            "deaths": self.deaths,
            "checks": [asdict(finding) for finding in self.findings],
        }
