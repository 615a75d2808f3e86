"""The SGF file format itself: properties with values, as boardspace.net's files have them.

Read leniently: backslashes that should have been doubled, a missing bracket at a line's end, a
file cut short, records one after another. Of variations only the first is followed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

_OUTSIDE = re.compile(r"([A-Za-z][A-Za-z0-9]*(?:-\d+)?)?\s*\[|[()]|[^()\[]")
# What players did; such a value never runs over the end of its line.
_PLAYER = re.compile(r"P-?\d")


@dataclass
class SgfEvent:
    """One value of a property `P0` or `P1` in the order of the file, such as `3 done`."""

    line: int
    player: int
    text: str


@dataclass
class SgfTree:
    """One record: its first values by property, and the players' events in order.

    Attributes:
        line: where it begins.
        properties: text by name, of everything but the players' events.
        events: what the players did, names and clocks among it.
        comments: number of events before it, and text, of each property `C`.
    """

    line: int
    properties: dict[str, str] = field(default_factory=dict)
    events: list[SgfEvent] = field(default_factory=list)
    comments: list[tuple[int, str]] = field(default_factory=list)

    def add(self, name: str, value: str, line: int) -> None:
        """File a property's value where it belongs."""
        if _PLAYER.fullmatch(name):
            self.events.append(SgfEvent(line, int(name[1:]), value.strip()))
        elif name == "C":
            self.comments.append((len(self.events), value.strip()))
        else:
            self.properties.setdefault(name, value.strip())


def read_trees(lines: Iterable[str]) -> Iterator[SgfTree]:
    """Yield each record of an SGF file."""
    reader = _Reader()
    for number, line in enumerate(lines, start=1):
        yield from reader.feed(number, line.rstrip("\r\n"))
    yield from reader.finish()


class _Reader:
    """A reader fed line by line, so that files of any length take little memory."""

    def __init__(self) -> None:
        self.tree: SgfTree | None = None
        self.children: list[int] = []  # variations begun at each open parenthesis
        self.skipped = 0  # parentheses open inside a variation that is left out
        self.name = ""
        self.value: str | None = None
        self.value_line = 0

    def feed(self, number: int, line: str) -> Iterator[SgfTree]:
        at = 0
        while at < len(line) or self.value is not None:
            if self.value is not None:
                at = self._in_value(line, at)
                if self.value is not None:
                    self.value += "\n"
                    return
                continue
            match = _OUTSIDE.match(line, at)
            if match is None:
                return
            at = match.end()
            if match[0][-1] == "[":
                if match[1]:
                    self.name = match[1]
                    yield from self._maybe_new_record(number)
                self.value, self.value_line = "", number
            elif match[0] == "(":
                self._open(number)
            elif match[0] == ")":
                yield from self._close()

    def finish(self) -> Iterator[SgfTree]:
        if self.tree is not None:
            if self.value is not None:
                self._end_value()
            yield self.tree
        self.tree = None

    def _in_value(self, line: str, at: int) -> int:
        """Read on in a value; return where outside text goes on, if it ends on this line."""
        assert self.value is not None
        of_player = _PLAYER.fullmatch(self.name) is not None
        while at < len(line):
            char = line[at]
            if char == "\\" and at + 1 < len(line):
                rest = line[at + 2 :].strip()
                ends = line[at + 1] == "]" and of_player and (not rest or rest[:3] == "TM[")
                if not ends:
                    escaped = line[at + 1]
                    self.value += escaped if escaped in "\\[]:" else char + escaped
                    at += 2
                    continue
            elif char == "]":
                self._end_value()
                return at + 1
            self.value += char
            at += 1
        if of_player:
            self._end_value()
        return at

    def _end_value(self) -> None:
        value, self.value = self.value or "", None
        if self.tree is not None and not self.skipped:
            self.tree.add(self.name, value, self.value_line)

    def _maybe_new_record(self, number: int) -> Iterator[SgfTree]:
        """A second GM means that the record before it was never closed."""
        if self.name == "GM" and self.tree is not None and "GM" in self.tree.properties:
            yield self.tree
            self.tree, self.children, self.skipped = SgfTree(number), [0], 0

    def _open(self, number: int) -> None:
        if self.skipped:
            self.skipped += 1
        elif self.tree is None:
            self.tree, self.children = SgfTree(number), [0]
        else:
            self.children[-1] += 1
            if self.children[-1] > 1:
                self.skipped = 1
            else:
                self.children.append(0)

    def _close(self) -> Iterator[SgfTree]:
        if self.skipped:
            self.skipped -= 1
        elif self.tree is not None:
            self.children.pop()
            if not self.children:
                yield self.tree
                self.tree = None
