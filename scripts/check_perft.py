"""Compare perft of every game type's start with published counts, to a depth.

python scripts/check_perft.py [--depth 7]

Exit code 1 where a count differs.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from uhp_engine import Game
from uhp_engine.perft import count_depths

TABLE = Path(__file__).parents[1] / "tests" / "data" / "perft_start.tsv"


@click.command()
@click.option("--depth", default=7, show_default=True)
def main(depth: int) -> None:
    """Count and compare."""
    rows = [line.split("\t") for line in TABLE.read_text().splitlines()[1:]]
    published = {(name, int(plies)): int(nodes) for name, plies, nodes in rows}
    wrong = 0
    for game_type in dict.fromkeys(name for name, _, _ in rows):
        for row in count_depths(Game(game_type), depth):
            expected = published.get((game_type, row.depth))
            verdict = "no published count" if expected is None else "ok"
            if expected is not None and expected != row.nodes:
                verdict = f"WRONG: {expected} is right"
                wrong += 1
            click.echo(f"{game_type:9}{row.line()}  {verdict}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
