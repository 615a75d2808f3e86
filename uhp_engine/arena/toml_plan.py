"""A tournament's TOML file: read, and its faults told with the line where they stand."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from .fields import ConfigError, Fields, path_text
from .plan import Plan

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_HEADER = re.compile(r"^\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"""^\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"))*)\s*=""")


class TomlError(ValueError):
    """A file that is no plan; the text names file, line, what was wrong and what was expected."""


def load_plan(file: str) -> tuple[Plan, dict[str, Any]]:
    """Read a tournament file: the plan, and its `[run]` table by the names of `RunOptions`.

    Raises:
        TomlError: it can't be read, is no TOML, or a setting is wrong.
    """
    try:
        text = Path(file).read_text("utf-8-sig")
    except OSError as error:
        raise TomlError(f"unable to read {file!r}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise TomlError(f"unable to read {file!r}: it is no UTF-8 text") from None
    return parse_plan(text, file)


def parse_plan(text: str, name: str) -> tuple[Plan, dict[str, Any]]:
    """Read a plan from TOML text; see `load_plan`.

    >>> parse_plan("rounds = 0", "t.toml")
    Traceback (most recent call last):
    uhp_engine.arena.toml_plan.TomlError: t.toml, line 1: engine: expected at least two engines
    """
    try:
        values: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"^(.*) \(at line (\d+), column (\d+)\)$", str(error))
        if found is None:
            raise TomlError(f"{name}: {error}") from None
        raise TomlError(f"{name}, line {found[2]}, column {found[3]}: {found[1]}") from None
    try:
        run_values = _read_run(Fields(values.pop("run", {}), ("run",)))
        plan = Plan.from_dict(values)
        plan.check_folders()
        return plan, run_values
    except ConfigError as error:
        where = path_text(error.path)
        raise TomlError(
            f"{name}, line {line_of(text, error.path)}: {where}: {error.problem}"
        ) from None


def _read_run(fields: Fields) -> dict[str, Any]:
    values: dict[str, Any] = {
        "results": fields.text("results") or None,
        "concurrency": fields.integer("concurrency", least=1),
        "recover": fields.flag("recover", False) if fields.get("recover") is not None else None,
        "log": fields.text("log") or None,
        "pgn_out": fields.text("pgn-out") or None,
        "pgn_result": fields.choice("pgn-result", "mzinga", ("mzinga", "chess"))
        if fields.get("pgn-result") is not None
        else None,
        "cluster": fields.text("cluster") or None,
    }
    fields.done()
    return {key: value for key, value in values.items() if value is not None}


def line_of(text: str, path: tuple[str | int, ...]) -> int:
    """Return the line where a key stands, or its nearest parent that does; 1 for none.

    Tables, arrays of tables and dotted keys are followed; what stands inside an inline table is
    found at that table's line.

    >>> line_of("a = 1\\n[[engine]]\\n[[engine]]\\ncmd = 3", ("engine", 1, "cmd"))
    4
    """
    best, best_depth = 1, 0
    table: tuple[str | int, ...] = ()
    counts: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        header = _HEADER.match(line)
        if header:
            table = _steps(header[2])
            name = ".".join(str(step) for step in table)
            if header[1] == "[[":
                counts[name] = counts.get(name, -1) + 1
            if header[1] == "[[" or name.split(".")[0] in counts:
                table = (table[0], counts.get(str(table[0]), 0), *table[1:])
            here = table
        else:
            key = _KEY.match(line)
            if key is None:
                continue
            here = (*table, *_steps(key[1]))
        if here == path[: len(here)] and len(here) > best_depth:
            best, best_depth = number, len(here)
    return best


def _steps(text: str) -> tuple[str | int, ...]:
    return tuple(part.strip().strip("\"'") for part in text.split("."))
