"""Games to learn from, read once."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from uhp_engine.training.positions import collect
from uhp_engine.training.records import read

GAMES = Path(__file__).parents[1] / "data" / "real_games.tsv"


@pytest.fixture(scope="session")
def people():
    """Return what sixty games of people say: positions and decisions."""
    return collect(islice(read([GAMES]), 60))
