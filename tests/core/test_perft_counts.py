"""Perft against counts published by other engines."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from uhp_engine.core.pieces import GAME_TYPES
from uhp_engine.game import Game
from uhp_engine.notation import parse_game


@pytest.mark.parametrize("game_type", GAME_TYPES)
def test_start_positions_to_depth_5(rows, game_type):
    published = {
        int(depth): int(nodes)
        for name, depth, nodes in rows("perft_start.tsv")[1:]
        if name == game_type
    }
    game = Game(game_type)
    assert {depth: game.perft(depth) for depth in range(6)} == {
        depth: published[depth] for depth in range(6)
    }


def test_base_to_depth_6():
    assert Game("Base").perft(6) == 12_219_480


def test_random_positions_of_all_types(rows):
    wrong = []
    positions = rows("perft_positions.tsv")
    for text, *counts in positions:
        game = parse_game(text)
        found = [game.perft(depth) for depth in (1, 2, 3)]
        if found != [int(count) for count in counts]:
            wrong.append((text, found, counts))
    assert wrong == []
    assert len(positions) == 480


@pytest.mark.slow
def test_positions_of_test_suites_to_depth_4(rows):
    wrong = []
    positions = rows("perft_deep.tsv")
    for text, *counts in positions:
        game = parse_game(text)
        found = [game.perft(depth) for depth in range(1, len(counts) + 1)]
        if found != [int(count) for count in counts]:
            wrong.append((text, found, counts))
    assert wrong == []
    assert len(positions) == 65


@pytest.mark.parametrize("depth", [-1, 24])
def test_depth_out_of_range_is_refused(depth):
    with pytest.raises(ValueError, match="outside 0 to 23"):
        Game("Base").perft(depth)


@pytest.mark.slow
def test_the_kernels_run_as_plain_python():
    """The same source under a debugger or a coverage tool gives the same counts."""
    program = (
        "import numpy; numpy.seterr(all='ignore')\n"
        "from uhp_engine.game import Game\n"
        "print([Game('Base+MLP').perft(depth) for depth in range(4)])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[1, 7, 294, 6678]"
