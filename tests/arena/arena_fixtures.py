"""Fixtures of the tests of matches: a module gets them by `pytest_plugins = ["arena_fixtures"]`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from arena_helpers import processes_with, script_lines

from uhp_engine import warmup


@pytest.fixture(scope="session", autouse=True)
def _kernels() -> None:
    warmup.load()


@pytest.fixture
def openings(tmp_path: Path) -> str:
    """A file with the first four plies of each scripted game."""
    path = tmp_path / "openings.txt"
    lines = (f"Base;;;{';'.join(fields[3:7])}\n" for fields in script_lines())
    path.write_text("".join(lines))
    return str(path)


@pytest.fixture
def marked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[], list[int]]:
    """A function that lists what still runs of all that this test started."""
    if not Path("/proc/self/environ").exists():
        pytest.skip("needs /proc to see processes")
    monkeypatch.setenv("UHP_TEST_MARK", str(tmp_path))
    return lambda: processes_with(f"UHP_TEST_MARK={tmp_path}\0")
