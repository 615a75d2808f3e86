"""`uhp-engine bench`: how fast search and rules are here, and a signature of what they do."""

from __future__ import annotations

import json
import os
from pathlib import Path

import click

from .. import warmup
from . import EXIT_CHECK_FAILED, EXIT_INTERRUPTED

STANDARD_OUTPUT = "-"


@click.command()
@click.option(
    "--json",
    "json_file",
    is_flag=False,
    flag_value=STANDARD_OUTPUT,
    metavar="[FILE]",
    help="Write all figures as JSON, to a file or (without one) in place of the tables.",
)
@click.option(
    "--runs", type=click.IntRange(1, 99), default=None, metavar="N", help="Measure N times [5]."
)
@click.option("--quick", is_flag=True, help="Measure once, and less: the signature is another.")
def bench(json_file: str | None, runs: int | None, quick: bool) -> None:
    """Measure simulations a second, the kernels of the rules and the search, and memory.

    The fixed set of searches has a signature: the same wherever the search is the same, whatever
    the clock says. The exit code is 1 where two runs of it differ.
    """
    if json_file not in (None, STANDARD_OUTPUT):
        _check_writable(str(json_file))
    from ..bench.resident import resident_bytes

    at_start = resident_bytes()
    warmup.load()
    from ..bench import report as bench_report

    report = bench_report.begin(runs or (1 if quick else 5), quick, at_start)
    status = 0
    try:
        bench_report.measure(report, warmup.note)
    except KeyboardInterrupt:
        warmup.note("interrupted; what was measured so far:")
        status = EXIT_INTERRUPTED
    except bench_report.SignatureChanged as error:
        warmup.note(f"{error}: the search is not deterministic")
        status = EXIT_CHECK_FAILED
    text = json.dumps(report, indent=1)
    if json_file == STANDARD_OUTPUT:
        click.echo(text)
    else:
        click.echo(bench_report.as_text(report))
        if json_file is not None:
            Path(json_file).write_text(text + "\n", encoding="utf-8")
    raise SystemExit(status)


def _check_writable(name: str) -> None:
    """Say now what would else be said after a minute's work."""
    path = Path(name)
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise click.BadParameter(f"cannot write {name!r}", param_hint="--json")
