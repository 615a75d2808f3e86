"""Repeated measurements in three numbers, and tables of them in plain text."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Spread(NamedTuple):
    """The median of some measurements, the least and the most."""

    median: float
    least: float
    most: float

    @classmethod
    def of(cls, values: Iterable[float]) -> Spread:
        """Return the three numbers.

        Raises:
            ValueError: there are no values.

        >>> Spread.of([3.0, 1.0, 2.0])
        Spread(median=2.0, least=1.0, most=3.0)
        """
        ordered = sorted(values)
        if not ordered:
            raise ValueError("nothing was measured")
        return cls(statistics.median(ordered), ordered[0], ordered[-1])

    def as_dict(self) -> dict[str, float]:
        """Return it for JSON."""
        return {"median": self.median, "min": self.least, "max": self.most}


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return rows as text in columns, the first to the left, the others to the right.

    >>> print(table(["what", "n"], [["moves", "12"]]))
    what    n
    moves  12
    """
    lines = [list(header), *(list(row) for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )
