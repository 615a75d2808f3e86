"""A position as text for a terminal, in colour or without.

    ╱ ╲ ╱ ╲
   │wS1│bS1│
    ╲ ╱ ╲2╱

A digit under a piece is the height of its stack, whose pieces are named below the board.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ..core.pieces import PIECE_NAMES, bug_of, colour_of
from ..game import Game
from .scene import Axial, Scene, scene_of

# 256-colour codes by bug (QUEEN to PILLBUG): on White's pale tiles, on Black's dark ones.
_INKS = ((130, 94, 91, 28, 25, 240, 160, 30), (220, 180, 177, 114, 75, 252, 210, 80))
_PAPERS = (255, 235)
_ACCENT = 208
_RESET = "\033[0m"


class _Edges(NamedTuple):
    up: str
    down: str
    side: str


_UNICODE = _Edges("╱", "╲", "│")
_ASCII = _Edges("/", "\\", "|")


class _Canvas:
    """Characters with styles at lines and columns, both of which may be negative."""

    def __init__(self) -> None:
        self.cells: dict[tuple[int, int], tuple[str, str]] = {}

    def put(self, line: int, column: int, text: str, style: str = "") -> None:
        for offset, char in enumerate(text):
            self.cells[line, column + offset] = (char, style)

    def lines(self, colour: bool, middle: int | None, width: int | None) -> list[str]:
        """Return the lines; where they are wider than `width`, the part around `middle`."""
        if not self.cells:
            return []
        top, bottom = (choose(line for line, _ in self.cells) for choose in (min, max))
        left, right = (choose(column for _, column in self.cells) for choose in (min, max))
        if width is not None and right - left + 1 > width:
            centre = (left + right) // 2 if middle is None else middle
            left = max(left, min(centre - width // 2, right - width + 1))
            right = left + width - 1
        return [self._line(line, left, right, colour) for line in range(top, bottom + 1)]

    def _line(self, line: int, left: int, right: int, colour: bool) -> str:
        text, style = "", ""
        for column in range(left, right + 1):
            char, wanted = self.cells.get((line, column), (" ", ""))
            if colour and wanted != style:
                text += (_RESET if style else "") + wanted
                style = wanted
            text += char
        return text.rstrip() if not style else text + _RESET


def board_text(
    game: Game,
    *,
    colour: bool = False,
    ascii_only: bool = False,
    hands: bool = True,
    labels: Mapping[int, str] | None = None,
    width: int | None = None,
) -> str:
    """Return the position of a game as lines of text.

    Args:
        game: the game.
        colour: with ANSI colours, for a terminal of 256.
        ascii_only: draw with / \\ | alone.
        hands: name the pieces not placed, and what lies in stacks, below and above the board.
        labels: up to three characters to write in empty cells, by the kernel's cell; such as the
            numbers of moves that end there.
        width: cut a wider board to so many columns, around the last move.

    >>> print(board_text(Game("Base"), hands=False, ascii_only=True))
     / \\
    |   |
     \\ /
    """
    scene = scene_of(game)
    edges = _ASCII if ascii_only else _UNICODE
    canvas = _Canvas()
    stacks = scene.stacks
    for at in stacks or [(0, 0)]:
        _frame(canvas, at, edges, "")
    for cell, label in (labels or {}).items():
        if cell in scene.cells and scene.cells[cell] not in stacks:
            at = scene.cells[cell]
            _frame(canvas, at, edges, "\033[2m")
            line, column = _place(at)
            canvas.put(line, column - 1, f"{label:^3}", f"\033[38;5;{_ACCENT};1m")
    for at, stack in stacks.items():
        _piece(canvas, at, stack, last=at == scene.last_to)
    middle = _place(scene.last_to)[1] if scene.last_to else None
    lines = canvas.lines(colour, middle, width)
    if hands:
        lines = [_hand_line(game, 1), "", *lines, "", _hand_line(game, 0), *_stack_lines(scene)]
    return "\n".join(lines)


def _place(at: Axial) -> tuple[int, int]:
    """Return line and column of a cell's middle."""
    q, r = at
    return 2 * r, 4 * q + 2 * r


def _frame(canvas: _Canvas, at: Axial, edges: _Edges, style: str) -> None:
    line, column = _place(at)
    for down, right, char in (
        (-1, -1, edges.up),
        (-1, 1, edges.down),
        (0, -2, edges.side),
        (0, 2, edges.side),
        (1, -1, edges.down),
        (1, 1, edges.up),
    ):
        if style == "" or (line + down, column + right) not in canvas.cells:
            canvas.put(line + down, column + right, char, style)


def _piece(canvas: _Canvas, at: Axial, stack: list[int], last: bool) -> None:
    line, column = _place(at)
    piece = stack[-1]
    side = colour_of(piece)
    ink = f"\033[38;5;{_INKS[side][bug_of(piece)]};48;5;{_PAPERS[side]};1m"
    canvas.put(line, column - 1, f"{PIECE_NAMES[piece]:<3}", ink)
    if last:
        accent = f"\033[38;5;{_ACCENT};1m"
        canvas.put(line, column - 2, "[", accent)
        canvas.put(line, column + 2, "]", accent)
    if len(stack) > 1:
        canvas.put(line + 1, column, str(len(stack)), f"\033[38;5;{_ACCENT};1m")


def _hand_line(game: Game, colour: int) -> str:
    names = " ".join(PIECE_NAMES[piece][1:] for piece in game.hand(colour)) or "nothing"
    mark = " <- to move" if not game.state.is_over and game.side == colour else ""
    return f"{('White', 'Black')[colour]} in hand: {names}{mark}"


def _stack_lines(scene: Scene) -> list[str]:
    high = [
        " on ".join(PIECE_NAMES[piece] for piece in reversed(stack))
        for stack in scene.stacks.values()
        if len(stack) > 1
    ]
    return [f"Stacks: {', '.join(high)}"] if high else []
