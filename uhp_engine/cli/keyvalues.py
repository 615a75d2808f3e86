"""Options that take several `key=value` words, as chess tools have: `--engine cmd=… name=…`."""

from __future__ import annotations

import shlex
from typing import Any

import click


class KeyValues(click.ParamType):
    """The words of one grouped option as a dictionary; `option.X=V` and `env.X=V` nest."""

    name = "key=value ..."

    def __init__(self, bare: str = "", tables: dict[str, str] | None = None) -> None:
        """Take the key that a bare word stands for, and the tables by the prefix of their keys."""
        self.bare = bare
        self.tables = tables or {}

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> dict[str, Any]:
        """Return the dictionary; see the class."""
        if isinstance(value, dict):
            return value
        result: dict[str, Any] = {}
        for word in shlex.split(value):
            key, equals, text = word.partition("=")
            if not equals or " " in key:
                if not self.bare or self.bare in result:
                    self.fail(f"expected key=value, not {word!r}", param, ctx)
                key, text = self.bare, word
            prefix, _, rest = key.partition(".")
            if prefix in self.tables and rest:
                result.setdefault(self.tables[prefix], {})[rest] = text
            elif key in result:
                self.fail(f"{key!r} is given twice", param, ctx)
            else:
                result[key] = text
        return result


class GroupingCommand(click.Command):
    """A command whose `KeyValues` options take all words up to the next option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Join the words of each grouped option into one value, then parse as usual."""
        grouped = {
            name
            for param in self.params
            if isinstance(param.type, KeyValues)
            for name in param.opts
        }
        joined: list[str] = []
        words = iter(args)
        pending = next(words, None)
        while pending is not None:
            word, pending = pending, next(words, None)
            name, equals, value = word.partition("=")
            if name not in grouped:
                joined.append(word)
                continue
            values = [value] if equals else []
            while pending is not None and not pending.startswith("--"):
                values.append(pending)
                pending = next(words, None)
            joined += [name, shlex.join(values)]
        return super().parse_args(ctx, joined)
