"""`import uhp_engine`: what a Python programmer gets."""

from __future__ import annotations

import doctest
import subprocess
import sys

import pytest

import uhp_engine
import uhp_engine.game
import uhp_engine.library
import uhp_engine.notation.gamestring
import uhp_engine.uhp.timespan


def test_importing_is_cheap():
    program = (
        "import sys, uhp_engine, uhp_engine.uhp.session, uhp_engine.cli\n"
        "heavy = {'numba', 'numpy', 'rich', 'scipy', 'dask', 'jinja2', 'torch'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    "module",
    [
        uhp_engine,
        uhp_engine.game,
        uhp_engine.library,
        uhp_engine.notation.gamestring,
        uhp_engine.uhp.timespan,
        uhp_engine.core.pieces,
    ],
    ids=lambda module: module.__name__,
)
def test_the_examples_in_docstrings(module):
    results = doctest.testmod(module)
    assert results.failed == 0
    assert results.attempted > 0


def test_a_game_in_strings():
    game = uhp_engine.Game("Base+MLP")
    game.play("wS1")
    game.play("bS1 wS1-")
    assert "wQ -wS1" in game.legal_texts()
    assert str(game) == "Base+MLP;InProgress;White[2];wS1;bS1 wS1-"
    assert repr(game) == f"Game.from_string({str(game)!r})"
    assert game.text(game.legal_moves()[0]) in game.legal_texts()
    with pytest.raises(uhp_engine.IllegalMove, match="wA2 cannot be placed yet"):
        game.play("wA2 -wS1")
    with pytest.raises(ValueError, match="unable to read"):
        game.play("nonsense")
    again = uhp_engine.Game.from_string(str(game))
    assert isinstance(again, uhp_engine.Game)
    assert str(again) == str(game)
    assert isinstance(again.copy(), uhp_engine.Game)


def test_an_unknown_name():
    with pytest.raises(AttributeError, match="no attribute 'Gane'"):
        _ = uhp_engine.Gane
