"""All measurements of `uhp-engine bench`: made one by one into a dictionary, and shown."""

from __future__ import annotations

import platform
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

from .. import __version__
from ..notation import parse_game
from ..search.tree import EDGE, NODE
from . import micro, side_by_side
from .positions import one_of_each
from .resident import resident_bytes
from .searches import MEMORY_MIB, Searched, search_all, signature, total_nodes
from .spread import Spread, table

SIMULATIONS, QUICK_SIMULATIONS = 10_000, 1_000
THREADS_SIMULATIONS, QUICK_THREADS_SIMULATIONS = 50_000, 5_000
MICRO_SECONDS, QUICK_MICRO_SECONDS = 0.2, 0.02

Note = Callable[[str], None]


class SignatureChanged(Exception):
    """The same searches found something else the second time."""


def begin(runs: int, quick: bool, resident_at_start: int | None) -> dict[str, Any]:
    """Return a report with nothing measured yet.

    Keys: `program`, `python`, `numba`, `machine`, `runs`, `quick`, `complete` (False until the
    end), and later `search`, `threads` (on two cores or more), `micro`, `memory`. What was
    measured often is `{median, min, max}`; rates are a second, sizes in bytes.
    """
    return {
        "program": f"uhp_engine {__version__}",
        "python": platform.python_version(),
        "numba": version("numba"),
        "machine": f"{platform.system()} {platform.machine()}",
        "runs": runs,
        "quick": quick,
        "complete": False,
        "memory": {"resident_start": resident_at_start, "resident_loaded": resident_bytes()},
    }


def measure(report: dict[str, Any], note: Note) -> None:
    """Measure everything, writing each figure into the report as soon as it is there.

    Raises:
        SignatureChanged: two runs of the same searches differ.
    """
    runs, quick = report["runs"], report["quick"]
    _measure_searches(report, QUICK_SIMULATIONS if quick else SIMULATIONS, runs, note)
    if side_by_side.is_possible():
        _measure_threads(
            report,
            QUICK_THREADS_SIMULATIONS if quick else THREADS_SIMULATIONS,
            runs,
            note,
        )
    states = [parse_game(position.text).states for position in one_of_each()]
    note("compiling loops to measure; this takes some ten seconds, and is not kept")
    micro.prepare(states)
    report["micro"] = {}
    for key, unit, rate in micro.measure(
        states, runs, QUICK_MICRO_SECONDS if quick else MICRO_SECONDS
    ):
        report["micro"][key] = {"unit": unit, "per_second": rate.as_dict()}
        note(f"{unit}: {rate.median:,.0f} a second")
    report["complete"] = True


def _measure_searches(report: dict[str, Any], simulations: int, runs: int, note: Note) -> None:
    positions = one_of_each()
    rates: list[list[float]] = [[] for _ in positions]
    totals: list[float] = []
    for run in range(runs):
        note(f"searching {len(positions)} positions, run {run + 1} of {runs}")
        found = search_all(positions, simulations)
        for rate, each in zip(rates, found, strict=True):
            rate.append(each.result.simulations / each.result.seconds)
        seconds = sum(each.result.seconds for each in found)
        totals.append(sum(each.result.simulations for each in found) / seconds)
        now = signature(found)
        before = report.get("search", {}).get("signature", now)
        if before != now:
            raise SignatureChanged(
                f"run {run + 1} of the searches has the signature {now}, the one before {before}"
            )
        report["search"] = {"signature": now, **_search_report(found, simulations, rates, totals)}
        report["memory"].update(_memory_report(found))


def _measure_threads(report: dict[str, Any], simulations: int, runs: int, note: Note) -> None:
    note(f"searching with one thread and with {side_by_side.THREADS}, in turn")
    speeds = []
    for speed in side_by_side.measure(simulations, runs):
        speeds.append(speed)
        report["threads"] = {
            "count": side_by_side.THREADS,
            "simulations_each": simulations,
            "one_per_second": Spread.of(each.one for each in speeds).as_dict(),
            "together_per_second": Spread.of(each.together for each in speeds).as_dict(),
            "ratio": Spread.of(each.ratio for each in speeds).as_dict(),
        }


def _search_report(
    found: list[Searched], simulations: int, rates: list[list[float]], totals: list[float]
) -> dict[str, Any]:
    return {
        "simulations_each": simulations,
        "nodes": total_nodes(found),
        "simulations_per_second": Spread.of(totals).as_dict(),
        "positions": [
            {
                "name": each.position.name,
                "position": each.position.text,
                "simulations": each.result.simulations,
                "nodes": each.size.nodes,
                "edges": each.size.edges,
                "simulations_per_second": Spread.of(rate).as_dict(),
            }
            for each, rate in zip(found, rates, strict=True)
        ],
    }


def _memory_report(found: list[Searched]) -> dict[str, Any]:
    nodes = sum(each.size.nodes for each in found)
    simulations = sum(each.result.simulations for each in found)
    return {
        "resident_searched": max(each.resident or 0 for each in found) or None,
        "node": NODE.itemsize,
        "edge": EDGE.itemsize,
        "tree_limit": MEMORY_MIB * 2**20,
        "tree_reserved": found[0].size.reserved_bytes,
        "edges_per_node": sum(each.size.edges for each in found) / nodes,
        "tree_per_simulation": sum(each.size.used_bytes for each in found) / simulations,
    }


def as_text(report: dict[str, Any]) -> str:
    """Return what was measured so far as tables for people."""
    parts = []
    search = report.get("search")
    if search:
        rows = [_rate_row(each["name"], each) for each in search["positions"]]
        rows.append(_rate_row("all", search))
        parts.append(table(["simulations a second", "median", "least", "most"], rows))
    threads = report.get("threads")
    if threads:
        parts.append(
            table(
                ["simulations a second", "median", "least", "most"],
                [
                    _spread_row("one thread", threads["one_per_second"]),
                    _spread_row(f"{threads['count']} threads", threads["together_per_second"]),
                    _spread_row("ratio", threads["ratio"], "{:.2f}"),
                ],
            )
        )
    measured = report.get("micro")
    if measured:
        rows = [_spread_row(each["unit"], each["per_second"]) for each in measured.values()]
        parts.append(table(["a second", "median", "least", "most"], rows))
    parts.append(table(["memory", ""], _memory_rows(report["memory"])))
    if search:
        parts.append(f"nodes {search['nodes']}\nsignature {search['signature']}")
    return "\n\n".join(parts)


def _rate_row(name: str, searched: dict[str, Any]) -> list[str]:
    return _spread_row(name, searched["simulations_per_second"])


def _spread_row(name: str, spread: dict[str, float], form: str = "{:,.0f}") -> list[str]:
    return [name, *(form.format(spread[key]) for key in ("median", "min", "max"))]


def _memory_rows(memory: dict[str, Any]) -> list[list[str]]:
    def mib(key: str) -> str:
        return "not known here" if memory[key] is None else f"{memory[key] / 2**20:,.1f} MiB"

    rows = [
        ["resident at start", mib("resident_start")],
        ["resident, kernels loaded", mib("resident_loaded")],
    ]
    if "node" in memory:
        rows += [
            ["resident in a search", mib("resident_searched")],
            ["a node", f"{memory['node']} bytes"],
            ["an edge", f"{memory['edge']} bytes"],
            ["a tree's limit", mib("tree_limit")],
            ["a tree's arenas when full", mib("tree_reserved")],
            ["edges a node", f"{memory['edges_per_node']:.1f}"],
            ["tree a simulation", f"{memory['tree_per_simulation']:,.0f} bytes"],
        ]
    return rows
