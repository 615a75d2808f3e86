"""The engine's options: what there is, the line each one prints, what a value must be."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..search.limits import DEFAULT_MEMORY_MIB

if TYPE_CHECKING:
    from ..search.network import Network

# Names as other engines have them where they have the same thing.


class OptionError(ValueError):
    """An option that does not exist, or a value that it cannot take; says what was expected."""


@dataclass(frozen=True)
class Option:
    """One option.

    Attributes:
        name: as the protocol prints it; no blanks.
        kind: `bool`, `int` or `enum`.
        default: as text.
        help: one sentence for people.
        low: least value of an int.
        high: greatest value of an int.
        choices: values of an enum.
    """

    name: str
    kind: str
    default: str
    help: str
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()

    @property
    def flag(self) -> str:
        """The command line's flag: `NumThreads` is `--num-threads`."""
        return "--" + self.words("-").lower()

    @property
    def variable(self) -> str:
        """The environment variable: `NumThreads` is `UHP_ENGINE_NUM_THREADS`."""
        return "UHP_ENGINE_" + self.words("_").upper()

    def words(self, joint: str) -> str:
        """Return the name's words with something between them."""
        return joint.join(re.findall(r"MiB|PV|[A-Z][a-z]*", self.name))

    def parse(self, text: str) -> str:
        """Return a value as the protocol prints it.

        Raises:
            OptionError: the option cannot take that value.
        """
        if self.kind == "int":
            if re.fullmatch(r"[+-]?[0-9]{1,18}", text) and self.low <= int(text) <= self.high:
                return str(int(text))
            raise OptionError(
                f"{self.name} takes a whole number from {self.low} to {self.high}, not {text!r}"
            )
        values = ("True", "False") if self.kind == "bool" else self.choices
        for value in values:
            if value.lower() == text.lower():
                return value
        raise OptionError(f"{self.name} takes {', '.join(values)}, not {text!r}")

    def line(self, value: str) -> str:
        """Return the protocol's line: `KEY;TYPE;VALUE;DEFAULT` and the bounds or choices."""
        fields = [self.name, self.kind, value, self.default]
        if self.kind == "int":
            fields += [str(self.low), str(self.high)]
        return ";".join(fields + list(self.choices))


OPTIONS = (
    Option(
        "Level",
        "int",
        "10",
        "Strength for people: 1 is a beginner's, 10 all that the search can.",
        low=1,
        high=10,
    ),
    Option(
        "NumThreads",
        "int",
        "1",
        "Search threads; they grow one tree together.",
        low=1,
        high=max(64, os.cpu_count() or 1),
    ),
    Option(
        "TreeMemoryMiB",
        "int",
        str(DEFAULT_MEMORY_MIB),
        "Limit of the search tree's memory.",
        low=16,
        high=1_048_576,
    ),
    Option(
        "RandomSeed",
        "int",
        "0",
        "Varies the play; the same seed plays the same way.",
        low=0,
        high=2_147_483_647,
    ),
    Option(
        "Evaluation",
        "enum",
        "Learned",
        "How positions are judged: by the trained network, or by fitted weights.",
        choices=("Learned", "Classic"),
    ),
    Option(
        "ReportIntermediateBestMoves",
        "bool",
        "False",
        "Print preliminary best moves during a search: MoveString;depth;score;pv.",
    ),
    Option(
        "MultiPV",
        "int",
        "1",
        "How many moves each report of preliminary best moves shows, a line a move.",
        low=1,
        high=256,
    ),
    Option(
        "Ponder",
        "bool",
        "False",
        "Go on thinking while the opponent thinks.",
    ),
    Option(
        "RepetitionDraw",
        "enum",
        "Off",
        "Whether a position's third occurrence is a draw: in the whole game, in 32 plies, or not.",
        choices=("Off", "Threefold", "ThreefoldWithin32"),
    ),
    Option(
        "TournamentOpening",
        "bool",
        "True",
        "True: nobody may place the queen first. False: the original rule book.",
    ),
)
_BY_NAME = {option.name.lower(): option for option in OPTIONS}


def find_option(name: str) -> Option:
    """Return an option by its name in any letter case.

    Raises:
        OptionError: there is no such option.
    """
    option = _BY_NAME.get(name.lower())
    if option is None:
        names = ", ".join(option.name for option in OPTIONS)
        raise OptionError(f"there is no option {name[:40]!r}; the options are {names}")
    return option


@dataclass
class OptionValues:
    """The options' values now.

    Attributes:
        values: option name -> text.
        network: the learned evaluation, None for the shipped one. The protocol has no options
            that are paths, so it comes from the command line alone.
    """

    network: Network | None = None
    values: dict[str, str] = field(
        default_factory=lambda: {option.name: option.default for option in OPTIONS}
    )

    def set(self, name: str, text: str) -> Option:
        """Set an option and return it.

        Raises:
            OptionError: no such option or value; nothing is changed.
        """
        option = find_option(name)
        self.values[option.name] = option.parse(text)
        return option

    def line(self, option: Option) -> str:
        """Return the protocol's line of an option."""
        return option.line(self.values[option.name])

    def integer(self, name: str) -> int:
        """Return an int option's value."""
        return int(self.values[name])

    def boolean(self, name: str) -> bool:
        """Return a bool option's value."""
        return self.values[name] == "True"

    def choice(self, name: str) -> str:
        """Return an enum option's value."""
        return self.values[name]
