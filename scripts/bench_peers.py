"""Measure our speed beside other UHP engines': perft, and simulations a second beside their nodes.

    python scripts/bench_peers.py --peer "other=/path/to/engine uhp --threads=1" [--json out.json]
    python scripts/bench_peers.py --nodes --peer "other=/path/to/engine uhp --verbose" --seconds 2

Perft: each engine is sent `perft N` for the start of every game type and for the twenty positions
of uhp_engine/bench/positions.tsv. Engines answer with the counts at all depths up to N, so what is
timed, from writing the command to reading its `ok`, is the same work for all. Short commands are
repeated until the faster engine has had --least seconds. Runs alternate between the engines, one
works at a time; a ratio is that of two runs side by side, above 1 where we are faster.

--nodes: our simulations a second and the nodes a second that the peer reports on its standard error
or in its answer, for so many seconds of search on ten positions, each search in a fresh process or
tree. Peers count what they like as a node: the ratio says how it changes, not who plays better.

Exit codes: 0 right, 1 counts differ, 2 wrong usage, 3 an engine failed, 130 interrupted.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
import sys
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import Any

from peer_nodes import SearchRow, nodes_text, run_nodes
from peer_perft import OURS, CountsDiffer, PerftRow, note, perft_text, run_perft

from uhp_engine import warmup
from uhp_engine.arena.errors import EngineError
from uhp_engine.bench.positions import all_positions, ten_positions
from uhp_engine.core.pieces import GAME_TYPES
from uhp_engine.exits import (
    EXIT_CHECK_FAILED,
    EXIT_ENGINE_FAILED,
    EXIT_INTERRUPTED,
    EXIT_USAGE,
    silence_stdout,
)

OUR_COMMAND = [sys.executable, "-m", "uhp_engine"]


def perft_rows(wanted: argparse.Namespace) -> list[PerftRow]:
    """Return the start positions and the twenty, to be counted."""
    starts = [PerftRow(f"{kind} start", kind, wanted.depth) for kind in GAME_TYPES]
    positions = [PerftRow(at.name, at.text, wanted.position_depth) for at in all_positions()]
    return [row for row in (*starts, *positions) if wanted.only.lower() in row.name.lower()]


def search_rows(wanted: argparse.Namespace) -> list[SearchRow]:
    """Return the ten positions, to be searched."""
    return [SearchRow(at) for at in ten_positions() if wanted.only.lower() in at.name.lower()]


def arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--peer", action="append", required=True, type=_peer, metavar="NAME=COMMAND"
    )
    parser.add_argument("--nodes", action="store_true", help="searches in place of perft")
    parser.add_argument("--runs", type=int, default=5, help="of each (%(default)s)")
    parser.add_argument("--depth", type=int, default=6, help="from the starts (%(default)s)")
    parser.add_argument("--position-depth", type=int, default=4, help="elsewhere (%(default)s)")
    parser.add_argument("--least", type=float, default=0.3, help="seconds a run (%(default)s)")
    parser.add_argument("--seconds", type=float, default=2.0, help="a search (%(default)s)")
    parser.add_argument(
        "--only", default="", metavar="TEXT", help="positions whose name holds this"
    )
    parser.add_argument("--json", metavar="FILE", help="figures as JSON; - for standard output")
    wanted = parser.parse_args(words)
    for name in ("runs", "depth", "position_depth", "seconds"):
        if getattr(wanted, name) <= 0:
            parser.error(f"--{name.replace('_', '-')} must be above 0")
    names = [name for name, _ in wanted.peer]
    if OURS in names or len(set(names)) < len(names):
        parser.error(f"each --peer needs a name of its own, other than {OURS}")
    return wanted


def _peer(text: str) -> tuple[str, str]:
    name, sign, command = text.partition("=")
    if not (name and sign and command.strip()):
        raise argparse.ArgumentTypeError(f"expected NAME=COMMAND, not {text!r}")
    return name, command


def measure(wanted: argparse.Namespace) -> int:
    """Measure, print what was measured, even if not all; return the exit code."""
    commands: dict[str, str | list[str]] = {OURS: OUR_COMMAND, **dict(wanted.peer)}
    peers = [name for name, _ in wanted.peer]
    perfts = [] if wanted.nodes else perft_rows(wanted)
    searches = search_rows(wanted) if wanted.nodes else []
    if not perfts and not searches:
        note(f"--only {wanted.only!r} is in no position's name, such as 'Base+MLP at 12'")
        return EXIT_USAGE
    if wanted.nodes:
        status = _guarded(run_nodes(searches, commands, wanted.runs, wanted.seconds))
        searches = [row for row in searches if row.is_measured(peers)]
        text = nodes_text(searches, peers)
    else:
        status = _guarded(run_perft(perfts, commands, wanted.runs, wanted.least))
        perfts = [row for row in perfts if row.is_measured]
        text = perft_text(perfts, peers)
    figures = {
        "mode": "nodes" if wanted.nodes else "perft",
        "peers": dict(wanted.peer),
        "runs": wanted.runs,
        "complete": status == 0,
        "rows": [row.as_dict() for row in (*perfts, *searches)],
    }
    text = text if figures["rows"] else "nothing was measured"
    _print(text, json.dumps(figures, indent=1), wanted.json)
    return status


def _guarded(work: Coroutine[Any, Any, None]) -> int:
    """Do the work; say what went wrong, and return the exit code."""
    try:
        asyncio.run(work)
    except (KeyboardInterrupt, asyncio.CancelledError):
        note("interrupted; what was measured so far:")
        return EXIT_INTERRUPTED
    except CountsDiffer as error:
        note(f"counts differ: {error}")
        return EXIT_CHECK_FAILED
    except EngineError as error:
        note(f"an engine failed: {error}")
        return EXIT_ENGINE_FAILED
    return 0


def _print(text: str, figures: str, json_file: str | None) -> None:
    if json_file not in (None, "-"):
        Path(str(json_file)).write_text(figures + "\n", encoding="utf-8")
    try:
        print(figures if json_file == "-" else text, flush=True)
    except BrokenPipeError:  # the reader has left
        silence_stdout()


def main() -> None:
    """Run."""
    # A shell that starts us in the background has us ignore interrupts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    wanted = arguments()
    if wanted.json not in (None, "-"):
        try:
            Path(wanted.json).touch()
        except OSError as error:
            note(f"cannot write {wanted.json}: {error.strerror}")
            sys.exit(EXIT_USAGE)
    warmup.load()
    sys.exit(measure(wanted))


if __name__ == "__main__":
    main()
