"""Our simulations a second beside other engines' nodes a second, for bench_peers.py."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from peer_perft import OURS, naming, note, ratio_cells, summary

from uhp_engine.arena.client import open_engine
from uhp_engine.arena.errors import EngineError
from uhp_engine.arena.limits import Limit
from uhp_engine.bench.positions import BenchPosition
from uhp_engine.bench.spread import Spread, table

NODES_A_SECOND = re.compile(r"([\d,]+(?:\.\d+)?) *(?:nodes/s(?:ec(?:ond)?)?|nps)\b", re.IGNORECASE)
STDERR_PATIENCE_SECONDS = 2.0


@dataclass
class SearchRow:
    """One position's rates: our simulations a second, the peers' nodes a second, by name."""

    position: BenchPosition
    rates: dict[str, list[float]] = field(default_factory=dict)

    def ratio(self, peer: str) -> Spread:
        """Return our rate as a share of a peer's, over runs side by side."""
        pairs = zip(self.rates[OURS], self.rates[peer], strict=False)
        return Spread.of(ours / theirs for ours, theirs in pairs)

    def is_measured(self, peers: Sequence[str]) -> bool:
        """True once every engine has run."""
        return all(self.rates.get(name) for name in (OURS, *peers))

    def as_dict(self) -> dict[str, Any]:
        """Return it for JSON."""
        return {
            "name": self.position.name,
            "position": self.position.text,
            "per_second": {name: Spread.of(rates).as_dict() for name, rates in self.rates.items()},
            "runs": self.rates,
            "ratio": {name: self.ratio(name).as_dict() for name in self.rates if name != OURS},
        }


def read_nodes(lines: Sequence[str]) -> float | None:
    """Return the last figure of nodes a second that an engine printed, None where it did not."""
    found = [match[1] for line in lines for match in NODES_A_SECOND.finditer(line)]
    return float(found[-1].replace(",", "")) if found else None


async def peer_nodes(command: str | list[str], position: str, seconds: float) -> float:
    """Return the nodes a second that a fresh process reports of its search.

    Raises:
        EngineError: it prints none.
    """
    printed: list[str] = []

    def log(sign: str, line: str) -> None:
        if sign != ">":
            printed.append(line)

    async with await open_engine(command, log=log) as engine:
        await engine.new_game(position)
        printed.clear()
        await engine.best_move(Limit(seconds=seconds))
        for _ in range(int(STDERR_PATIENCE_SECONDS / 0.05)):
            found = read_nodes(printed)
            if found is not None:
                return found
            await asyncio.sleep(0.05)  # standard error may come after the answer
    raise EngineError("printed nothing like '2737203 nodes/sec': has it a verbose option?")


def our_simulations(position: BenchPosition, seconds: float) -> float:
    """Return our simulations a second, with one thread and a fresh tree."""
    from uhp_engine.bench.searches import search
    from uhp_engine.search.limits import Limits

    result = search(position, Limits(seconds=seconds)).result
    return result.simulations / result.seconds


async def run_nodes(
    rows: Sequence[SearchRow], commands: dict[str, str | list[str]], runs: int, seconds: float
) -> None:
    """Measure all rows, of each engine so many runs of so many seconds."""
    for row in rows:
        for run in range(runs):
            note(f"{row.position.name}: run {run + 1} of {runs}")
            for name, command in commands.items():
                if name == OURS:
                    rate = our_simulations(row.position, seconds)
                else:
                    with naming(name):
                        rate = await peer_nodes(command, row.position.text, seconds)
                row.rates.setdefault(name, []).append(rate)


def nodes_text(rows: Sequence[SearchRow], peers: Sequence[str]) -> str:
    """Return the table, and below it the median ratio."""
    header = ["position", f"{OURS} sims/s"]
    header += [column for peer in peers for column in (f"{peer} nodes/s", "ratio", "least–most")]
    lines, ends = [], []
    for row in rows:
        line = [row.position.name, f"{Spread.of(row.rates[OURS]).median:,.0f}"]
        for peer in peers:
            line.append(f"{Spread.of(row.rates[peer]).median:,.0f}")
            line += ratio_cells(row.ratio(peer))
        lines.append(line)
    for peer in peers if rows else ():
        found = Spread.of(row.ratio(peer).median for row in rows)
        ends.append(f"simulations of {OURS} to nodes of {peer}: {summary(found, len(rows))}")
    return "\n".join([table(header, lines), "", *ends])
