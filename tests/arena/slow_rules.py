"""The rules of Hive once more, slow and plain, each of them breakable.

Independent of `uhp_engine`: an oracle for its kernels, and the rules of `slow_engine.py`, which
the conformance check must find out. A break is a word in `breaks`; BREAKS lists them all.
"""

from __future__ import annotations

from collections.abc import Iterator

Cell = tuple[int, int]

# Clockwise from the upper left, in axial steps: q to the east, r to the south-east.
DIRECTIONS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
COUNTS = {"Q": 1, "S": 2, "B": 2, "G": 3, "A": 3, "M": 1, "L": 1, "P": 1}
# From the named piece to the mover: the mark in front, or behind.
BEFORE = {"\\": (0, -1), "-": (-1, 0), "/": (-1, 1)}
AFTER = {"/": (1, -1), "-": (1, 0), "\\": (0, 1)}

BREAKS = {
    "queen-first": "a queen may be the first piece",
    "queen-late": "nobody needs place the queen by the fourth turn",
    "queen-no-move": "pieces move before their own queen is placed",
    "pass-always": "passing is legal beside other moves",
    "pass-never": "without a move nothing is listed, not even a pass",
    "draw-wins": "both queens surrounded is a win for White",
    "suicide": "a queen surrounded by her own side's move is overlooked",
    "covered-queen": "a covered queen is not surrounded",
    "pinned-moves": "the hive may be split",
    "stack-pinned": "a piece on top of one that joins the hive is held for pinned",
    "slide-gate": "pieces slide through gaps too narrow",
    "slide-contact": "pieces lose touch with the hive on the way",
    "gate-up": "a climb up ignores the stacks beside",
    "gate-down": "a climb down ignores the stacks beside",
    "gate-level": "a step at one height ignores the stacks beside",
    "gate-ladybug": "a ladybug ignores the stacks beside",
    "gate-throw": "a throw ignores the stacks beside",
    "spider-short": "a spider may stop after one step or two",
    "spider-back": "a spider may tread on a cell twice",
    "ant-home": "an ant may end where it began",
    "ant-short": "an ant walks five steps at most",
    "hop-gap": "a grasshopper leaps over one piece only, or over a gap",
    "beetle-flat": "a beetle does not climb stacks",
    "ladybug-home": "a ladybug may end where it began",
    "ladybug-short": "a ladybug may come down after one step",
    "mosquito-below": "a mosquito takes the powers of covered pieces",
    "mosquito-alone": "a mosquito touching only a mosquito moves like a queen",
    "mosquito-top": "a mosquito on top keeps its other powers",
    "mosquito-pinned-top": "a mosquito on top cannot move",
    "mosquito-no-throw": "a mosquito does not get the pillbug's power",
    "mosquito-top-throw": "a mosquito on top throws",
    "throw-own": "a pillbug throws only its own side's pieces",
    "throw-stacked": "a pillbug throws the top of a stack",
    "throw-pinned": "a pillbug throws pinned pieces",
    "throw-last": "a pillbug throws the piece that moved last",
    "throw-held": "a pinned pillbug cannot throw",
    "thrown-moves": "a thrown piece moves in the next turn",
    "thrown-throws": "a thrown pillbug throws in the next turn",
    "stun-stays": "a thrown piece is still held after a pass",
    "place-below": "the colour of a cell is that of its lowest piece",
    "place-any": "pieces of a kind are placed in any order",
    "twice": "a move is listed as often as it can be made",
    "wrap": "the board is 16 cells wide",
    "drift": "the board ends 60 cells from the first piece",
}


def add(cell: Cell, step: Cell) -> Cell:
    return cell[0] + step[0], cell[1] + step[1]


class Position:
    """A game of Hive as a dictionary of stacks."""

    def __init__(self, game_type: str = "Base", breaks: frozenset[str] = frozenset()) -> None:
        self.game_type = game_type
        self.breaks = breaks
        self.kinds = "QSBGA" + game_type.partition("+")[2]
        self.stacks: dict[Cell, list[str]] = {}
        self.where: dict[str, Cell] = {}
        self.history: list[tuple[str, Cell | None, Cell | None]] = []
        self.texts: list[str] = []

    # -- the board --------------------------------------------------------------------------

    @property
    def side(self) -> str:
        return "wb"[len(self.history) % 2]

    @property
    def last(self) -> str | None:
        if not self.history:
            return None
        if self.history[-1][0] == "pass" and "stun-stays" in self.breaks:
            return next((piece for piece, *_ in self.history[::-1] if piece != "pass"), None)
        return self.history[-1][0]

    def at(self, cell: Cell) -> list[str]:
        return self.stacks.get(self.wrapped(cell), [])

    def wrapped(self, cell: Cell) -> Cell:
        if "wrap" in self.breaks:
            return (cell[0] + 8) % 16 - 8, (cell[1] + 8) % 16 - 8
        return cell

    def around(self, cell: Cell) -> list[Cell]:
        return [self.wrapped(add(cell, step)) for step in DIRECTIONS]

    def height(self, cell: Cell) -> int:
        return len(self.at(cell))

    def filled(self, cell: Cell) -> list[Cell]:
        return [near for near in self.around(cell) if self.at(near)]

    def put(self, piece: str, cell: Cell) -> None:
        cell = self.wrapped(cell)
        if "drift" in self.breaks and max(map(abs, cell)) > 60:
            raise IndexError("off the board")
        self.stacks.setdefault(cell, []).append(piece)
        self.where[piece] = cell

    def lift(self, piece: str) -> Cell:
        cell = self.where.pop(piece)
        self.stacks[cell].pop()
        if not self.stacks[cell]:
            del self.stacks[cell]
        return cell

    def is_whole(self) -> bool:
        if not self.stacks:
            return True
        border = [next(iter(self.stacks))]
        reached = set(border)
        while border:
            fresh = set(self.filled(border.pop())) - reached
            reached |= fresh
            border.extend(fresh)
        return len(reached) == len(self.stacks)

    def is_pinned(self, piece: str) -> bool:
        cell = self.where[piece]
        if len(self.stacks[cell]) > 1 and "stack-pinned" not in self.breaks:
            return False
        pieces = self.stacks.pop(cell)
        whole = self.is_whole()
        self.stacks[cell] = pieces
        return not whole

    # -- state ------------------------------------------------------------------------------

    def is_surrounded(self, colour: str) -> bool:
        cell = self.where.get(f"{colour}Q")
        if cell is None or len(self.filled(cell)) < 6:
            return False
        if "covered-queen" in self.breaks and self.at(cell)[-1] != f"{colour}Q":
            return False
        mover = self.history[-1][0][0] if self.history else ""
        return not ("suicide" in self.breaks and mover == colour)

    @property
    def state(self) -> str:
        white, black = self.is_surrounded("w"), self.is_surrounded("b")
        if white and black:
            return "WhiteWins" if "draw-wins" in self.breaks else "Draw"
        if white or black:
            return "BlackWins" if white else "WhiteWins"
        return "InProgress" if self.history else "NotStarted"

    @property
    def is_over(self) -> bool:
        return self.state not in ("NotStarted", "InProgress")

    def __str__(self) -> str:
        turn = f"{('White', 'Black')[len(self.history) % 2]}[{len(self.history) // 2 + 1}]"
        return ";".join([self.game_type, self.state, turn, *self.texts])

    # -- playing ----------------------------------------------------------------------------

    def play(self, move: tuple[str, Cell] | None) -> None:
        self.texts.append(self.text(move))
        if move is None:
            self.history.append(("pass", None, None))
            return
        piece, target = move
        start = self.lift(piece) if piece in self.where else None
        self.put(piece, target)
        self.history.append((piece, start, target))

    def undo(self) -> None:
        piece, start, _ = self.history.pop()
        self.texts.pop()
        if piece != "pass":
            self.lift(piece)
            if start is not None:
                self.put(piece, start)

    # -- moves ------------------------------------------------------------------------------

    def moves(self) -> list[tuple[str, Cell] | None]:
        """Every legal move, None for a pass."""
        if self.is_over:
            return []
        found = list(self.placements())
        if f"{self.side}Q" in self.where or "queen-no-move" in self.breaks:
            for piece in sorted(self.where):
                if piece[0] == self.side:
                    found += ((piece, target) for target in self.walks(piece))
            found += self.throws()
        if "twice" not in self.breaks:
            found = list(dict.fromkeys(found))
        passes: list[tuple[str, Cell] | None] = [None]
        if not found:
            return [] if "pass-never" in self.breaks else passes
        return [*found, *(passes if "pass-always" in self.breaks else [])]

    def placements(self) -> Iterator[tuple[str, Cell]]:
        turn = len(self.history) // 2
        for kind in self.kinds:
            names = [f"{self.side}{kind}{n}" for n in range(1, COUNTS[kind] + 1)]
            if COUNTS[kind] == 1:
                names = [f"{self.side}{kind}"]
            names = [name for name in names if name not in self.where]
            if kind == "Q" and turn == 0 and "queen-first" not in self.breaks:
                continue
            late = turn >= 3 and f"{self.side}Q" not in self.where
            if kind != "Q" and late and "queen-late" not in self.breaks:
                continue
            for name in names if "place-any" in self.breaks else names[:1]:
                for cell in self.places():
                    yield name, cell

    def places(self) -> list[Cell]:
        if not self.stacks:
            return [(0, 0)]
        border = dict.fromkeys(
            near for cell in self.stacks for near in self.around(cell) if not self.at(near)
        )
        if len(self.stacks) == 1 and len(self.history) == 1:
            return list(border)
        shown = 0 if "place-below" in self.breaks else -1
        return [
            cell
            for cell in border
            if all(self.at(near)[shown][0] == self.side for near in self.filled(cell))
        ]

    def walks(self, piece: str) -> list[Cell]:
        """Where a piece can go by itself."""
        cell = self.where[piece]
        if self.at(cell)[-1] != piece:
            return []
        if piece == self.last and "thrown-moves" not in self.breaks:
            return []
        if self.is_pinned(piece) and "pinned-moves" not in self.breaks:
            return []
        on_top = self.height(cell) > 1
        powers = piece[1]
        if powers == "M":
            powers = self.powers(cell, on_top)
        self.lift(piece)
        found = []
        for power in powers:
            found += self.ways(power, cell)
        self.put(piece, cell)
        return found

    def powers(self, cell: Cell, on_top: bool) -> str:
        """The bugs whose powers a mosquito on a cell has."""
        if on_top and "mosquito-pinned-top" in self.breaks:
            return ""
        if on_top and "mosquito-top" not in self.breaks:
            return "B"
        shown = [self.at(near) for near in self.filled(cell)]
        seen = {name[1] for stack in shown for name in stack[-1:]}
        if "mosquito-below" in self.breaks:
            seen = {name[1] for stack in shown for name in stack}
        if seen == {"M"} and "mosquito-alone" in self.breaks:
            return "Q"
        return "".join(sorted(seen - {"M"})) + ("B" if on_top and "B" not in seen else "")

    def ways(self, bug: str, cell: Cell) -> list[Cell]:
        """Where a bug that has been lifted off a cell can go."""
        if bug in "QP":
            return list(self.slides(cell))
        if bug == "A":
            return self.roams(cell)
        if bug == "S":
            return self.spins(cell)
        if bug == "G":
            return self.hops(cell)
        if bug == "B":
            return [near for near in self.around(cell) if self.can_climb(cell, near)]
        return self.crawls(cell)

    def flanks(self, here: Cell, there: Cell) -> list[Cell]:
        return [near for near in self.around(here) if near in self.around(there)]

    def slides(self, cell: Cell) -> Iterator[Cell]:
        for near in self.around(cell):
            filled = sum(1 for flank in self.flanks(cell, near) if self.at(flank))
            loose = filled == 0 and "slide-contact" in self.breaks and self.filled(near)
            tight = filled == 2 and "slide-gate" in self.breaks
            if not self.at(near) and (filled == 1 or loose or tight):
                yield near

    def roams(self, cell: Cell) -> list[Cell]:
        reached = {cell: 0}
        border = [cell]
        for here in border:
            if "ant-short" in self.breaks and reached[here] == 5:
                continue
            for near in self.slides(here):
                if near not in reached:
                    reached[near] = reached[here] + 1
                    border.append(near)
        moved = len(reached) > 1
        return [end for end in reached if end != cell or (moved and "ant-home" in self.breaks)]

    def spins(self, cell: Cell) -> list[Cell]:
        paths, ends = [[cell]], []
        for _ in range(3):
            paths = [
                [*path, near]
                for path in paths
                for near in self.slides(path[-1])
                if near not in path or "spider-back" in self.breaks
            ]
            ends.append([path[-1] for path in paths])
        found = [*ends[0], *ends[1], *ends[2]] if "spider-short" in self.breaks else ends[2]
        return [end for end in dict.fromkeys(found) if end != cell]

    def hops(self, cell: Cell) -> list[Cell]:
        found = []
        for step in DIRECTIONS:
            there = add(cell, step)
            if not self.at(there):
                continue
            if "hop-gap" in self.breaks:
                there = add(there, step)
                if self.at(there):
                    continue
            while self.at(there):
                there = add(there, step)
            found.append(self.wrapped(there))
        return found

    def can_climb(self, here: Cell, there: Cell, kind: str = "") -> bool:
        """Whether a step at any height is open, the mover having been lifted off."""
        low, high = self.height(here), self.height(there)
        if low == high == 0:
            return there in self.slides(here)
        if high > 1 and "beetle-flat" in self.breaks and not kind:
            return False
        way = kind or ("up" if high > low else "down" if high < low else "level")
        left, right = (self.height(flank) for flank in self.flanks(here, there))
        return f"gate-{way}" in self.breaks or min(left, right) <= max(low, high)

    def crawls(self, cell: Cell) -> list[Cell]:
        """A ladybug's ways."""
        found = []
        for one in self.filled(cell):
            if not self.can_climb(cell, one, "ladybug"):
                continue
            if "ladybug-short" in self.breaks:
                found += [near for near in self.around(one) if not self.at(near)]
            for two in self.filled(one):
                if not self.can_climb(one, two, "ladybug"):
                    continue
                for end in self.around(two):
                    if not self.at(end) and self.can_climb(two, end, "ladybug"):
                        found.append(end)
        ends = dict.fromkeys(found)
        return [end for end in ends if end != cell or "ladybug-home" in self.breaks]

    def throws(self) -> Iterator[tuple[str, Cell]]:
        """What pillbugs, and mosquitoes that touch one, can do to their neighbours."""
        for thrower, centre in list(self.where.items()):
            if not self.can_throw(thrower, centre):
                continue
            for start in self.filled(centre):
                piece = self.at(start)[-1]
                if not self.can_be_thrown(piece, start):
                    continue
                self.lift(piece)
                found = [
                    end
                    for end in self.around(centre)
                    if not self.at(end)
                    and end != start
                    and self.can_climb(start, centre, "throw")
                    and self.can_climb(centre, end, "throw")
                ]
                self.put(piece, start)
                yield from ((piece, end) for end in found)

    def can_throw(self, thrower: str, centre: Cell) -> bool:
        if thrower[0] != self.side or self.at(centre)[-1] != thrower:
            return False
        if thrower == self.last and "thrown-throws" not in self.breaks:
            return False
        if self.is_pinned(thrower) and "throw-held" in self.breaks:
            return False
        if self.height(centre) > 1 and "mosquito-top-throw" not in self.breaks:
            return False
        if thrower[1] == "M" and "mosquito-no-throw" not in self.breaks:
            return any(self.at(near)[-1][1] == "P" for near in self.filled(centre))
        return thrower[1] == "P" and self.height(centre) == 1

    def can_be_thrown(self, piece: str, start: Cell) -> bool:
        if piece[0] != self.side and "throw-own" in self.breaks:
            return False
        if self.height(start) > 1 and "throw-stacked" not in self.breaks:
            return False
        if piece == self.last and "throw-last" not in self.breaks:
            return False
        return not self.is_pinned(piece) or "throw-pinned" in self.breaks

    # -- text -------------------------------------------------------------------------------

    def text(self, move: tuple[str, Cell] | None) -> str:
        """Mzinga's text of a move."""
        if move is None:
            return "pass"
        piece, target = move
        start = self.lift(piece) if piece in self.where else None
        try:
            if self.at(target):
                return f"{piece} {self.at(target)[-1]}"
            for step in DIRECTIONS:
                near = add(target, step)
                if self.at(near):
                    back = (-step[0], -step[1])
                    name = self.at(near)[-1]
                    marks = {v: f"{k}{name}" for k, v in BEFORE.items()}
                    marks |= {v: f"{name}{k}" for k, v in AFTER.items()}
                    return f"{piece} {marks[back]}"
            return piece
        finally:
            if start is not None:
                self.put(piece, start)

    def read(self, text: str) -> tuple[str, Cell] | None:
        """The move that a text names; raises ValueError for none."""
        words = text.split()
        if words == ["pass"]:
            return None
        piece = words[0]
        if len(words) == 1:
            return piece, (0, 0)
        name = words[1].strip("\\-/")
        if len(words) != 2 or name not in self.where:
            raise ValueError(f"cannot read {text!r}")
        cell = self.where[name]
        if words[1][0] in BEFORE:
            return piece, self.wrapped(add(cell, BEFORE[words[1][0]]))
        if words[1][-1] in AFTER:
            return piece, self.wrapped(add(cell, AFTER[words[1][-1]]))
        return piece, cell
