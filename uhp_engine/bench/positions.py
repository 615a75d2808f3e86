"""Twenty fixed middle-game positions of all eight game types, 12 to 60 plies in.

`scripts/make_bench_positions.py` chose them; positions.tsv says where each comes from.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

TABLE = Path(__file__).with_name("positions.tsv")


@dataclass(frozen=True)
class BenchPosition:
    """A position to measure on.

    Attributes:
        plies: played so far.
        source: file and line of tests/data.
        text: its GameString.
    """

    plies: int
    source: str
    text: str

    @property
    def game_type(self) -> str:
        """The game type's name."""
        return self.text.partition(";")[0]

    @property
    def name(self) -> str:
        """A short name, each position's own."""
        return f"{self.game_type} at {self.plies}"


def all_positions() -> list[BenchPosition]:
    """Return the twenty."""
    rows = [line.split("\t") for line in TABLE.read_text(encoding="utf-8").splitlines()[1:]]
    return [BenchPosition(int(plies), source, text) for plies, source, text in rows]


def ten_positions() -> list[BenchPosition]:
    """Return every second, for searches beside other engines'."""
    return all_positions()[::2]


def one_of_each() -> list[BenchPosition]:
    """Return every second of each game type's, from the second on, or its only one: thirteen."""
    by_type: dict[str, list[BenchPosition]] = {}
    for position in all_positions():
        by_type.setdefault(position.game_type, []).append(position)
    return [
        position
        for positions in by_type.values()
        for position in (positions[1::2] if len(positions) > 1 else positions)
    ]
