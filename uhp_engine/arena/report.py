"""What a match has shown: the summary for scripts, and the same as text for people."""

from __future__ import annotations

import math
from typing import Any

from .plan import Plan
from .ratings import Rating, crosstable, rate
from .statistics import format_report
from .tally import Tally


def summary(plan: Plan, tally: Tally, planned: int) -> dict[str, Any]:
    """Return the results so far as values that JSON can hold.

    Args:
        plan: the match.
        tally: its counts.
        planned: how many games the schedule has.
    """
    encounters = []
    for (first, second), (wins, draws, losses) in tally.results.items():
        score = tally.score(first, second, paired=plan.repeat)
        entry = {"first": first, "second": second, **score.summary()}
        entry.update(wins=wins, draws=draws, losses=losses)
        if plan.sprt is not None:
            lower, upper = plan.sprt.bounds
            entry["sprt"] = {
                "llr": plan.sprt.llr(score),
                "lower": lower,
                "upper": upper,
                "status": plan.sprt.status(score),
            }
        encounters.append(entry)
    return {
        "event": plan.event,
        "games_planned": planned,
        "games_played": tally.games,
        "engines": [
            {"name": engine.name, "cmd": engine.command, "conditions": engine.conditions}
            for engine in plan.engines
        ],
        "encounters": encounters,
        "ratings": [_rating_values(rating) for rating in ratings(tally)],
        "terminations": dict(tally.terminations),
        "failures": [
            {"engine": name, "termination": reason, "games": count}
            for (name, reason), count in sorted(tally.failures.items())
        ],
    }


def _rating_values(rating: Rating) -> dict[str, Any]:
    finite = {
        k: v if not isinstance(v, float) or math.isfinite(v) else None
        for k, v in rating._asdict().items()
    }
    return finite


def ratings(tally: Tally) -> list[Rating]:
    """Return the engines' ratings, the strongest first."""
    return rate(tally.results)


def conditions(plan: Plan) -> str:
    """Return the conditions in one line."""
    limits = {engine.conditions for engine in plan.engines}
    if len(limits) > 1:
        text = ", ".join(f"{engine.name} {engine.conditions}" for engine in plan.engines)
    else:
        (text,) = limits
    return f"{text}; {', '.join(plan.game_types)}"


def format_summary(plan: Plan, tally: Tally) -> str:
    """Return the results so far as text: fastchess's block for two engines, tables for more."""
    names = [engine.name for engine in plan.engines]
    if not tally.games:
        return "No game is finished yet."
    if len(names) == 2:
        score = tally.score(names[0], names[1], paired=plan.repeat)
        sprt_line = plan.sprt.format(score) if plan.sprt else None
        head = f"Results of {names[0]} vs {names[1]} ({conditions(plan)}):"
        lines = [head, format_report(score, sprt_line)]
        if plan.sprt is not None and plan.sprt.status(score) != "continue":
            lines.append(f"SPRT: {plan.sprt.status(score)} is accepted")
    else:
        lines = [f"Results ({conditions(plan)}):", *rating_lines(tally), "", *cross_lines(tally)]
    return "\n".join([*lines, *failure_lines(tally)])


def rating_lines(tally: Tally) -> list[str]:
    """Return the table of ratings with 95 % intervals."""
    rows = [["Rank", "Engine", "Elo", "+/-", "Games", "Points", "Score"]]
    for rank, rating in enumerate(ratings(tally), start=1):
        score = f"{100 * rating.points / rating.games:.1f} %" if rating.games else "-"
        numbers = [f"{rating.elo:+.0f}", f"{rating.error:.0f}", str(rating.games)]
        rows.append([str(rank), rating.name, *numbers, f"{rating.points:g}", score])
    return _aligned(rows, left=(1,))


def cross_lines(tally: Tally) -> list[str]:
    """Return the crosstable: points of the row against the column, of so many games."""
    order = [rating.name for rating in ratings(tally)]
    table = crosstable(tally.results, order)
    rows = [["", *(str(place) for place in range(1, len(order) + 1))]]
    for place, name in enumerate(order, start=1):
        cells = [
            "-" if meeting is None else f"{meeting.points:g}/{meeting.games}"
            for meeting in table.row(name)
        ]
        rows.append([f"{place} {name}", *cells])
    return _aligned(rows, left=(0,))


def failure_lines(tally: Tally) -> list[str]:
    """Return one line an engine that lost games by its own failure."""
    by_engine: dict[str, list[str]] = {}
    for (name, reason), count in sorted(tally.failures.items()):
        by_engine.setdefault(name, []).append(f"{reason} {count}")
    return [f"{name} failed: {', '.join(counts)}" for name, counts in by_engine.items()]


def _aligned(rows: list[list[str]], left: tuple[int, ...]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(width) if column in left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
