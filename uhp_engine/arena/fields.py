"""Reading settings out of plain dictionaries, with faults that name the place."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

Path = tuple[str | int, ...]
Value = TypeVar("Value")


class ConfigError(ValueError):
    """A setting that is wrong.

    Attributes:
        path: the keys that lead to it, list positions included.
        problem: one line: what was wrong and what was expected.
    """

    def __init__(self, path: Path, problem: str) -> None:
        self.path, self.problem = path, problem
        super().__init__(f"{path_text(path)}: {problem}" if path else problem)


def path_text(path: Path) -> str:
    """Return a path for people, list positions from 1.

    >>> path_text(("engine", 0, "cmd"))
    'engine 1, cmd'
    """
    text = ""
    for step in path:
        text += f" {step + 1}" if isinstance(step, int) else f", {step}" if text else step
    return text


class Fields:
    """The keys of one table, each read once by name and kind; `done` finds those not read."""

    def __init__(self, values: Any, path: Path = ()) -> None:
        if not isinstance(values, Mapping):
            raise ConfigError(path, f"expected a table of keys and values, not {values!r}")
        self.values: Mapping[str, Any] = values
        self.path = path
        self._known: list[str] = []

    def fault(self, key: str, problem: str) -> ConfigError:
        """Return the error about a key."""
        return ConfigError((*self.path, key), problem)

    def get(self, key: str, default: Any = None) -> Any:
        """Return the value of a key, the default where it is missing."""
        self._known.append(key)
        value = self.values.get(key)
        return default if value is None else value

    def text(self, key: str, default: str = "") -> str:
        """Return a text."""
        value = self.get(key, default)
        if not isinstance(value, str):
            raise self.fault(key, f"expected a text, not {value!r}")
        return value

    def flag(self, key: str, default: bool) -> bool:
        """Return true or false."""
        value = self.get(key, default)
        if isinstance(value, str) and value.lower() in ("true", "on", "yes", "false", "off", "no"):
            return value.lower() in ("true", "on", "yes")
        if not isinstance(value, bool):
            raise self.fault(key, f"expected true or false, not {value!r}")
        return value

    def number(
        self, key: str, default: float | None = None, *, least: float | None = None
    ) -> float | None:
        """Return a number, from text too."""
        value = self._converted(key, default, float, "a number")
        if value is not None and (value != value or (least is not None and value < least)):
            raise self.fault(key, f"expected a number of at least {least:g}, not {value:g}")
        return value

    def integer(
        self, key: str, default: int | None = None, *, least: int | None = None
    ) -> int | None:
        """Return a whole number, from text too."""
        value = self._converted(key, default, int, "a whole number")
        if value is not None and least is not None and value < least:
            raise self.fault(key, f"expected a whole number of at least {least}, not {value}")
        return value

    def _converted(
        self, key: str, default: Value | None, kind: Callable[[Any], Value], expected: str
    ) -> Value | None:
        value = self.get(key, default)
        if value is None:
            return None
        try:
            if isinstance(value, bool) or (kind is int and isinstance(value, float)):
                raise ValueError
            return kind(value)
        except (TypeError, ValueError):
            raise self.fault(key, f"expected {expected}, not {value!r}") from None

    def choice(self, key: str, default: str, choices: Iterable[str]) -> str:
        """Return one of several texts."""
        value = self.text(key, default)
        allowed = list(choices)
        if value not in allowed:
            raise self.fault(key, f"expected one of {', '.join(allowed)}, not {value!r}")
        return value

    def parsed(self, key: str, parse: Callable[[str], Value]) -> Value | None:
        """Return what a function makes of a text, None where the key is missing."""
        if self.get(key) is None:
            return None
        try:
            return parse(str(self.get(key)))
        except ValueError as error:
            raise self.fault(key, str(error)) from None

    def plain_table(self, key: str) -> dict[str, str]:
        """Return a table of single values, as text."""
        table = Fields(self.get(key, {}), (*self.path, key))
        for name, value in table.values.items():
            if not isinstance(value, str | int | float):
                raise table.fault(name, f"expected a single value, not {value!r}")
        return {name: str(value) for name, value in table.values.items()}

    def done(self) -> None:
        """Refuse keys that nobody asked for."""
        for key in self.values:
            if key not in self._known:
                near = difflib.get_close_matches(str(key), self._known, 1)
                hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(self._known)}"
                raise self.fault(key, f"there is no such key; {hint}")
