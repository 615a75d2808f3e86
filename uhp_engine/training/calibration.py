"""Whether positions that are given so many points win so many: a table, and a picture of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

BINS = 10


@dataclass
class Calibration:
    """Positions in bins of equal width of the points expected, (BINS,) each.

    Attributes:
        expected: the mean of the points expected, nan where a bin is empty.
        reached: the mean of the points reached.
        sizes: how many positions.
    """

    expected: np.ndarray
    reached: np.ndarray
    sizes: np.ndarray

    @property
    def error(self) -> float:
        """The expected calibration error: the mean distance of the two, nan without positions."""
        filled = self.sizes > 0
        if not filled.any():
            return float("nan")
        distances = abs(self.expected[filled] - self.reached[filled])
        return float(distances @ self.sizes[filled] / self.sizes.sum())

    def table(self) -> str:
        """Return the bins as a Markdown table."""
        lines = ["| expected | reached | positions |", "| --- | --- | --- |"]
        for row in zip(self.expected, self.reached, self.sizes, strict=True):
            if row[2]:
                lines.append(f"| {row[0]:.3f} | {row[1]:.3f} | {row[2]} |")
        return "\n".join(lines)


def calibration(expected: np.ndarray, reached: np.ndarray) -> Calibration:
    """Compare points expected with points reached.

    Args:
        expected: float array (positions,), 0 to 1.
        reached: float array (positions,), 0 to 1.
    """
    bins = np.minimum((expected * BINS).astype(int), BINS - 1)
    sizes = np.bincount(bins, minlength=BINS)
    with np.errstate(invalid="ignore"):
        means = [
            np.bincount(bins, points, minlength=BINS) / sizes for points in (expected, reached)
        ]
    return Calibration(means[0], means[1], sizes)


def draw(of: Calibration, title: str, path: Path) -> None:
    """Write a picture, PNG, of 800 by 800 pixels. Needs matplotlib (extra `train`).

    Raises:
        OSError: it cannot be written.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 8), dpi=100)
    upper, lower = figure.subplots(2, height_ratios=(3, 1), sharex=True)
    upper.plot([0, 1], [0, 1], color="grey", linestyle="--", label="as it should be")
    upper.plot(of.expected, of.reached, marker="o", label="held out")
    upper.set(ylabel="points reached", title=title, xlim=(0, 1), ylim=(0, 1))
    upper.legend()
    middles = (np.arange(BINS) + 0.5) / BINS
    lower.bar(middles, of.sizes, width=0.9 / BINS)
    lower.set(xlabel="points expected", ylabel="positions")
    figure.tight_layout()
    figure.savefig(path, format="png")
