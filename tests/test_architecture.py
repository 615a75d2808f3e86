"""Imports run down only, as docs/architecture.md says; no two files import each other."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "uhp_engine"
FLOORS = (
    {"core", "exits"},
    {"reasons"},
    {"game"},
    {"notation", "search", "perft"},
    {"warmup", "render"},
    {"analysis", "arena", "bench", "training", "uhp"},
    {"library"},
    {"cli"},
    {"__init__", "__main__"},
)
FLOOR = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}


def module_of(path: Path) -> tuple[str, ...]:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts


def imports(path: Path) -> Iterator[tuple[str, ...]]:
    """Yield what a file imports from the package, late imports too, those for types alone not."""
    here = path.relative_to(PACKAGE).parts[:-1]
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for_types = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if node in for_types:
            continue
        if isinstance(node, ast.ImportFrom) and node.level:
            base = here[: len(here) - node.level + 1]
            named = tuple((node.module or "").split(".")) if node.module else ()
            if named:
                yield base + named
            else:
                for alias in node.names:
                    yield (*base, alias.name)


def test_every_room_has_a_floor():
    rooms = {module_of(path)[0] for path in PACKAGE.rglob("*.py")}
    assert rooms == set(FLOOR)


def test_arrows_run_down():
    upward = []
    for path in PACKAGE.rglob("*.py"):
        room = module_of(path)[0]
        for target in imports(path):
            if target == ("__version__",) or target[0] == room:
                continue
            if FLOOR[target[0]] >= FLOOR[room]:
                upward.append((str(path.relative_to(PACKAGE)), ".".join(target)))
    assert upward == []


def test_no_two_files_import_each_other():
    arrows = {
        (module_of(path), target) for path in PACKAGE.rglob("*.py") for target in imports(path)
    }
    assert [arrow for arrow in arrows if arrow[::-1] in arrows and arrow[0] != arrow[1]] == []
