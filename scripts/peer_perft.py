"""Perft of several engines beside each other, for bench_peers.py."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from uhp_engine.arena.check.counting import read_counts
from uhp_engine.arena.client import Engine, open_engine
from uhp_engine.arena.errors import EngineError
from uhp_engine.arena.limits import Patience
from uhp_engine.bench.spread import Spread, table

OURS = "uhp_engine"
ANSWER_SECONDS = 600.0


class CountsDiffer(Exception):
    """Two engines count differently."""


@dataclass
class Timed:
    """What was measured of one engine on one position, in seconds for one command.

    Attributes:
        seconds: of each run.
        calibration: the round trip of `perft 0`, and all but the last depth: `perft N - 1`.
    """

    seconds: list[float] = field(default_factory=list)
    calibration: tuple[float, float] = (0.0, 0.0)


@dataclass
class PerftRow:
    """One position's measurements, a `Timed` for each engine, ours first.

    Attributes:
        name: the position's.
        position: its GameString, or the game type.
        depth: of the perft.
        nodes: of all depths that the engines count, together.
        repeats: commands a run.
        engines: by name.
    """

    name: str
    position: str
    depth: int
    nodes: int = 0
    repeats: int = 1
    engines: dict[str, Timed] = field(default_factory=dict)

    def ratio(self, peer: str) -> Spread:
        """Return how many times faster than a peer we are, over runs side by side."""
        pairs = zip(self.engines[peer].seconds, self.engines[OURS].seconds, strict=False)
        return Spread.of(theirs / ours for theirs, ours in pairs)

    @property
    def is_measured(self) -> bool:
        """True once every engine has run."""
        return len(self.engines) > 1 and all(each.seconds for each in self.engines.values())

    def as_dict(self) -> dict[str, Any]:
        """Return it for JSON."""
        return {
            "name": self.name,
            "position": self.position,
            "depth": self.depth,
            "nodes": self.nodes,
            "repeats": self.repeats,
            "engines": {
                name: {
                    "seconds": Spread.of(each.seconds).as_dict(),
                    "runs": each.seconds,
                    "nodes_per_second": self.nodes / Spread.of(each.seconds).median,
                    "perft_0_seconds": each.calibration[0],
                    "lower_depths_seconds": each.calibration[1],
                }
                for name, each in self.engines.items()
            },
            "ratio": {name: self.ratio(name).as_dict() for name in self.engines if name != OURS},
        }


def note(text: str) -> None:
    """Say on standard error what is going on."""
    print(f"bench_peers: {text}", file=sys.stderr, flush=True)


@contextlib.contextmanager
def naming(name: str) -> Iterator[None]:
    """Say in an engine's errors which engine it is."""
    try:
        yield
    except EngineError as error:
        raise EngineError(f"{name} {error}", error.stderr) from None


async def timed_perft(engine: Engine, depth: int) -> tuple[dict[int, int], float]:
    """Return the counts by depth and the seconds of one command.

    Raises:
        EngineError: the engine refuses it or counts nothing.
    """
    answer = await engine.ask(f"perft {depth}", ANSWER_SECONDS)
    counts = read_counts(answer.lines)
    if depth not in counts:
        printed = repr(answer.lines[-1]) if answer.lines else "nothing"
        raise EngineError(f"answered 'perft {depth}' with {printed}, not with counts")
    return counts, answer.seconds


async def compare_counts(row: PerftRow, engines: dict[str, Engine]) -> dict[str, float]:
    """Set the position up, count once with every engine; return the seconds that each took.

    Raises:
        CountsDiffer: where they do.
    """
    counts: dict[str, dict[int, int]] = {}
    seconds = {}
    for name, engine in engines.items():
        with naming(name):
            await engine.new_game(row.position)
            await timed_perft(engine, 0)  # the first may load what it needs
            _, trip = await timed_perft(engine, 0)
            _, lower = await timed_perft(engine, max(row.depth - 1, 0))
            counts[name], seconds[name] = await timed_perft(engine, row.depth)
        row.engines[name] = Timed(calibration=(trip, lower))
    ours = counts[OURS]
    for name, theirs in counts.items():
        for depth in sorted(theirs.keys() & ours.keys()):
            if theirs[depth] != ours[depth]:
                raise CountsDiffer(
                    f"perft {depth} of {row.position}: {OURS} counts {ours[depth]}, "
                    f"{name} {theirs[depth]}"
                )
        if theirs.keys() - {0} != ours.keys() - {0}:
            note(f"{name} prints depths {sorted(theirs)}, {OURS} {sorted(ours)}: not the same work")
    row.nodes = sum(ours.values())
    return seconds


async def measure_perft(
    row: PerftRow, engines: dict[str, Engine], runs: int, least_seconds: float
) -> None:
    """Fill a row: the engines in turn, run after run."""
    seconds = await compare_counts(row, engines)
    row.repeats = max(1, round(least_seconds / max(min(seconds.values()), 1e-6)))
    for run in range(runs):
        note(f"{row.name}, depth {row.depth}, {row.repeats} times: run {run + 1} of {runs}")
        for name, engine in engines.items():
            spent = 0.0
            with naming(name):
                for _ in range(row.repeats):
                    spent += (await timed_perft(engine, row.depth))[1]
            row.engines[name].seconds.append(spent / row.repeats)


@contextlib.asynccontextmanager
async def running(commands: dict[str, str | list[str]]) -> AsyncIterator[dict[str, Engine]]:
    """Start the engines, and end them."""
    async with contextlib.AsyncExitStack() as stack:
        patience = Patience(answer=ANSWER_SECONDS)
        engines = {}
        for name, command in commands.items():
            with naming(name):
                engine = await open_engine(command, patience=patience)
            engines[name] = await stack.enter_async_context(engine)
        yield engines


async def run_perft(
    rows: Sequence[PerftRow],
    commands: dict[str, str | list[str]],
    runs: int,
    least_seconds: float,
) -> None:
    """Measure all rows, of each engine so many runs of so many seconds at least."""
    async with running(commands) as engines:
        for row in rows:
            await measure_perft(row, engines, runs, least_seconds)


def perft_text(rows: Sequence[PerftRow], peers: Sequence[str]) -> str:
    """Return the table, and below it the median and the range of the ratios."""
    header = ["position", "depth", "nodes", f"{OURS} s"]
    header += [column for peer in peers for column in (f"{peer} s", "ratio", "least–most")]
    lines, ends = [], []
    for row in rows:
        ours = Spread.of(row.engines[OURS].seconds).median
        line = [row.name, str(row.depth), f"{row.nodes:,}", f"{ours:.4f}"]
        for peer in peers:
            line.append(f"{Spread.of(row.engines[peer].seconds).median:.4f}")
            line += ratio_cells(row.ratio(peer))
        lines.append(line)
    for peer in peers:
        for group in ("start positions", "middle-game positions"):
            inside = [row for row in rows if row.name.endswith("start") == group.startswith("s")]
            if inside:
                found = Spread.of(row.ratio(peer).median for row in inside)
                ends.append(f"{group}, {OURS} to {peer}: {summary(found, len(inside))}")
    trips = [each.calibration for row in rows for each in row.engines.values()]
    longest = max((trip for trip, _ in trips), default=0.0)
    ends.append(f"longest answer to 'perft 0' (the cost of a command): {longest * 1000:.2f} ms")
    return "\n".join([table(header, lines), "", *ends])


def ratio_cells(ratio: Spread) -> list[str]:
    """Return a ratio and its range for a table."""
    return [f"{ratio.median:.2f}", f"{ratio.least:.2f}–{ratio.most:.2f}"]


def summary(found: Spread, count: int) -> str:
    """Return in words how the ratios of so many positions spread."""
    return f"median {found.median:.2f}, {found.least:.2f} to {found.most:.2f}, of {count}"
