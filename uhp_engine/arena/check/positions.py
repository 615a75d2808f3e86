"""The positions on which engines are examined. All of our own making: found by random play."""

from __future__ import annotations

from importlib import resources
from itertools import pairwise
from typing import NamedTuple

# Base, 15 plies in: every bug that Base has can move, and a beetle stands on a stack.
MIDDLE = (
    r"Base;InProgress;Black[8];wS1;bB1 /wS1;wS2 wS1-;bQ bB1\;wB1 \wS2;bS1 bQ\;wQ wS2-;bS1 wS2\;"
    r"wB1 \wQ;bG1 bS1\;wB2 -wB1;bB2 /bB1;wQ wB1-;bA1 /bS1;wB2 wS2"
)
# White has no move but to pass.
PASSING = (
    r"Base;InProgress;White[14];wG1;bS1 wG1\;wQ wG1/;bQ bS1-;wG2 \wQ;bA1 bQ-;wG3 -wG1;bS2 bQ\;"
    r"wA1 wQ-;bA2 bS1\;wA1 wQ/;bQ \bA1;wA1 /bS1;bG1 bA1-;wA1 wQ/;bA3 bQ/;wG2 wQ\;bA3 -wQ;"
    r"wG3 \bG1;bQ \wG3;wA1 -bQ;bG2 bG1\;wA1 \wQ;bB1 \bQ;wQ /bB1;bA2 \wA1"
)
# White's pillbug has just thrown Black's queen.
THROWN = (
    r"Base+P;InProgress;Black[5];wP;bP wP\;wG1 \wP;bQ bP\;wG2 wG1/;bQ bP/;wQ wG2-;bP /wP;bQ wG2"
    "\\"
)
WHITE_WON = (
    r"Base;WhiteWins;Black[5];wS1;bS1 -wS1;wS2 wS1\;bQ /bS1;wB1 /wS2;bQ bS1\;wQ /wB1;bG1 /bS1;"
    "wQ bG1\\"
)
DRAWN = (
    r"Base;Draw;White[8];wA1;bB1 wA1/;wS1 /wA1;bA1 bB1/;wS2 -wA1;bQ -bA1;wQ \wS2;bS1 \bA1;"
    r"wB1 /wQ;bA2 -bS1;wQ /bQ;bA3 -bA2;wA2 -wQ;bA3 /bA2"
)
PERFT_POSITIONS = (
    MIDDLE,
    r"Base+MLP;InProgress;White[7];wP;bM \wP;wM wP\;bA1 bM/;wB1 wM/;bL -bA1;wQ wB1-;bQ bA1-;wM wP;"
    "bG1 \\bL;wM bM;bG1 wP\\",
    r"Base+MLP;InProgress;White[8];wP;bG1 \wP;wQ wP-;bM bG1/;wM /wP;bQ bM-;wL -wM;bS1 bQ/;"
    r"wB1 wM\;bL bS1\;wB1 wM;bB1 -bM;wA1 wP\;bB1 bG1",
)

# A hive of two queens and two ants that rolls one cell to the east in four plies.
_ROLL_START = r"Base;;;wA1;bA1 wA1-;wQ -wA1;bQ bA1-;wQ \wA1;bQ bA1/"
_ROLL = r";wQ -bQ;bA1 bQ\;wA1 wQ\;bQ bA1/"


_ALL_BUGS = {
    "Base": "S1 S2 Q B1 B2 G1 G2 G3 A1 A2 A3",
    "Base+MLP": "S1 S2 Q B1 B2 G1 G2 G3 L M P A1 A2 A3",
}
# Where White's and Black's next piece goes, beside its last one.
_AXES = {
    "east": ("-{}", "{}-"),
    "north-east": ("/{}", "{}/"),
    "south-east": ("\\{}", "{}\\"),
}


class RulePosition(NamedTuple):
    """A position in which a rule matters.

    Attributes:
        rule: what holds.
        game: a GameString.
        wrong: a MoveString that would be legal without the rule; empty where there is none.
    """

    rule: str
    game: str
    wrong: str

    @property
    def game_type(self) -> str:
        """The game type of the position."""
        return self.game.partition(";")[0]


def rule_positions() -> list[RulePosition]:
    """Return the positions in `rules.tsv`, and those that are made by a pattern."""
    text = (resources.files(__package__) / "rules.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines()[1:]]
    return [*(RulePosition(*row) for row in rows), *_lines(), _rolled(70)]


def _lines() -> list[RulePosition]:
    """Return hives of all pieces in one straight line, along each of the three axes."""
    found = []
    for kind, bugs in _ALL_BUGS.items():
        for axis, (white, black) in _AXES.items():
            moves = ["wS1", f"bS1 {black.format('wS1')}"]
            names = bugs.split()
            for last, name in pairwise(names):
                moves.append(f"w{name} {white.format(f'w{last}')}")
                moves.append(f"b{name} {black.format(f'b{last}')}")
            rule = f"{len(moves)} pieces in a line to the {axis}"
            found.append(RulePosition(rule, f"{kind};;;{';'.join(moves)}", ""))
    return found


def _rolled(cells: int) -> RulePosition:
    """Return a hive that has rolled so many cells to the east."""
    rule = f"a hive {cells} cells from where it began"
    return RulePosition(rule, _ROLL_START + _ROLL * cells, "")
