"""The examples in the guides and in docstrings do what they say."""

from __future__ import annotations

import doctest
import importlib
import re
import shlex
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from uhp_engine import warmup
from uhp_engine.cli import COMMANDS

ROOT = Path(__file__).parents[1]
GUIDES = ("files", "pictures", "analyze", "library", "play")
MODULES = (
    *("analysis", "cli.terminal.guide"),
    *(f"notation.{name}" for name in ("dates", "pgn", "record", "replay", "sgfmoves")),
    *(f"render.{name}" for name in ("scene", "svg", "text")),
)
SHELL = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each guide a folder with the games that it speaks of."""
    warmup.load()
    shutil.copytree(ROOT / "tests" / "data" / "games", tmp_path / "games")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", GUIDES)
def test_the_guides_python(name: str) -> None:
    result = doctest.testfile(str(ROOT / "docs" / f"{name}.md"), module_relative=False)
    assert result.failed == 0
    assert result.attempted > 0 or name == "play"


@pytest.mark.parametrize("name", GUIDES[:3])
def test_the_guides_commands(name: str) -> None:
    text = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    lines = [line for block in SHELL.findall(text) for line in block.splitlines()]
    assert len(lines) >= 4
    for line in lines:
        program, command, *words = shlex.split(line)
        assert program == "uhp-engine"
        home = importlib.import_module(f"uhp_engine.cli.{COMMANDS[command]}")
        result = CliRunner().invoke(getattr(home, command), words, standalone_mode=False)
        assert result.exception is None, (line, result.output)
        assert result.return_value in (None, 0), (line, result.output)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_in_docstrings(name: str) -> None:
    result = doctest.testmod(importlib.import_module(f"uhp_engine.{name}"))
    assert result.failed == 0
    assert result.attempted > 0
