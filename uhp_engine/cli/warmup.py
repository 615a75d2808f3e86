"""`uhp-engine warmup`: compile now what would else be compiled at the first game."""

from __future__ import annotations

import click

from ..warmup import load, note


@click.command()
def warmup() -> None:
    """Compile everything now, so that the first game starts at once."""
    seconds = load(progress=lambda name: note(f"preparing {name} ..."))
    from ..core.jit import code_cache

    where = code_cache.target or "nowhere: no folder can be written, so each start compiles anew"
    click.echo(f"ready after {seconds:.1f} s; compiled code is in {where}")
