"""A position as an SVG picture; nothing but the standard library is needed.

Black's hand is above, White's below, the stacks that hide something are laid open at the foot,
from the bottom up. Dots on a tile are the piece's number.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from ..core.pieces import BUG_COUNTS, NUMBER_OF_INDEX, PIECE_NAMES, bug_of, colour_of
from ..game import PASS, Game, Move
from ..notation.movestring import format_moves
from .bugs import bug_drawing
from .scene import Axial, Scene, centre, describe, hex_points, scene_of, target_of

RADIUS = 50.0  # of a cell, in the picture's own units
TILE = 47.0
LIFT = (4.0, -8.5)  # how far each level of a stack lies beside the one below
SMALL = 0.46  # tiles in hands and opened stacks
MARGIN = 14.0

BACKGROUND = "#dbe5d7"
ACCENT = "#e8590c"
ARROW = "#1864ab"
STACK = "#5f3dc4"
_FACES = ("#fbf3e2", "#34302d")
_EDGES = ("#a8946c", "#0f0e0d")
_INKS = ("#463a26", "#f1ece4")
_FONT = 'font-family="DejaVu Sans, Verdana, Arial, sans-serif"'


@dataclass(frozen=True)
class Arrow:
    """A move to point out.

    Attributes:
        move: the move; a placement is drawn as a pale tile, a pass not at all.
        label: a short text at its end, such as a rank or `62%`.
        colour: any SVG colour.
        weight: 0 to 1, how thick.
    """

    move: Move
    label: str = ""
    colour: str = ARROW
    weight: float = 1.0


def svg(
    game: Game,
    *,
    size: int = 400,
    last_move: bool = True,
    arrows: Sequence[Arrow | Move] = (),
    coordinates: bool = False,
    hands: bool = True,
    background: str | None = BACKGROUND,
) -> str:
    """Return the position of a game as SVG text.

    Args:
        game: the game; it is not changed.
        size: the longer side in pixels.
        last_move: outline where the last move ended, and dashed where it began.
        arrows: candidate moves to draw, legal in the position.
        coordinates: write each piece's name on it, and in each cell beside the hive how a
            MoveString names that cell.
        hands: draw the pieces not yet placed.
        background: any SVG colour, None for transparent.

    >>> svg(Game("Base"), size=200).startswith("<svg xmlns=")
    True
    """
    scene = scene_of(game)
    picture = _Picture()
    _draw_board(picture, game, scene, last_move=last_move, coordinates=coordinates)
    for arrow in arrows:
        _draw_arrow(picture, game, scene, arrow if isinstance(arrow, Arrow) else Arrow(arrow))
    _open_stacks(picture, scene)
    if hands:
        _draw_hands(picture, game)
    return picture.finish(size, background, describe(game))


class _Picture:
    """SVG elements, the box that they fill, and the drawings that they use."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.kinds: set[tuple[int, int]] = set()
        self.left = self.top = float("inf")
        self.right = self.bottom = float("-inf")

    def add(self, text: str) -> None:
        self.parts.append(text)

    def cover(self, x: float, y: float, dx: float, dy: float) -> None:
        """Make the box hold a rectangle around a point."""
        self.left, self.right = min(self.left, x - dx), max(self.right, x + dx)
        self.top, self.bottom = min(self.top, y - dy), max(self.bottom, y + dy)

    def tile(
        self, piece: int, x: float, y: float, scale: float = 1.0, title: str = "", extra: str = ""
    ) -> None:
        """Draw a piece; @ stands for the picture's own mark, which keeps its names apart."""
        kind = (colour_of(piece), bug_of(piece))
        self.kinds.add(kind)
        self.add(
            f'<g transform="translate({x:.1f},{y:.1f}) scale({scale})"{extra}>'
            f"<title>{escape(title or PIECE_NAMES[piece])}</title>"
            f'<use href="#@{kind[0]}{kind[1]}" xlink:href="#@{kind[0]}{kind[1]}"/>'
            f"{_dots(piece)}</g>"
        )
        self.cover(x, y, RADIUS * scale, RADIUS * scale)

    def text(self, x: float, y: float, words: str, size: float, colour: str, bold: bool) -> None:
        weight = ' font-weight="bold"' if bold else ""
        self.add(
            f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{colour}" {_FONT}{weight} '
            f'text-anchor="middle" dominant-baseline="central">{escape(words)}</text>'
        )

    def finish(self, size: int, background: str | None, description: str) -> str:
        x, y = self.left - MARGIN, self.top - MARGIN
        width, height = self.right + MARGIN - x, self.bottom + MARGIN - y
        scale = size / max(width, height)
        box = f"{x:.1f} {y:.1f} {width:.1f} {height:.1f}"
        defs = "".join(tile_symbol(f"@{c}{b}", c, b) for c, b in sorted(self.kinds))
        back = (
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="10" '
            f'fill="{background}"/>'
            if background
            else ""
        )
        body = f"<defs>{defs}</defs>{back}{''.join(self.parts)}"
        mark = f"hive-{hashlib.sha256((box + body).encode()).hexdigest()[:8]}-"
        return (
            '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
            f'viewBox="{box}" width="{width * scale:.0f}" height="{height * scale:.0f}" '
            f'role="img"><title>{escape(description)}</title>{body.replace("@", mark)}</svg>'
        )


def tile_symbol(name: str, colour: int, bug: int) -> str:
    """Return an SVG group of that id: a tile with its bug around the point 0,0."""
    return (
        f'<g id="{name}"><polygon points="{hex_points(0, 0, TILE)}" fill="{_FACES[colour]}" '
        f'stroke="{_EDGES[colour]}" stroke-width="2.5" stroke-linejoin="round"/>'
        f'<g transform="translate(0,-2) scale(0.86)">{bug_drawing(bug, colour)}</g></g>'
    )


def _dots(piece: int) -> str:
    if BUG_COUNTS[bug_of(piece)] == 1:
        return ""
    count = NUMBER_OF_INDEX[piece & 15]
    ink = _INKS[colour_of(piece)]
    return "".join(
        f'<circle cx="{(i - (count - 1) / 2) * 8.6:.1f}" cy="39.5" r="3.4" fill="{ink}"/>'
        for i in range(count)
    )


def _top(at: Axial, height: int) -> tuple[float, float]:
    """Return the centre of the tile at a height (0 on the ground)."""
    x, y = centre(at, RADIUS)
    return x + LIFT[0] * height, y + LIFT[1] * height


def _draw_board(
    picture: _Picture, game: Game, scene: Scene, *, last_move: bool, coordinates: bool
) -> None:
    stacks = scene.stacks
    if not stacks:
        _outline(picture, (0, 0), 0, dashed=True, colour="#8a9a86")
    if last_move and scene.last_from is not None and scene.last_from not in stacks:
        _outline(picture, scene.last_from, 0, dashed=True)
    if coordinates:
        _name_border(picture, game, scene)
    # Row by row, so that a stack covers what lies behind it.
    for at in sorted(stacks, key=lambda cell: (cell[1], cell[0])):
        stack = stacks[at]
        names = " on ".join(PIECE_NAMES[piece] for piece in reversed(stack))
        for height, piece in enumerate(stack):
            picture.tile(piece, *_top(at, height), title=names)
        height = len(stack) - 1
        if last_move and at == scene.last_from:
            _outline(picture, at, height, dashed=True)
        if last_move and at == scene.last_to:
            _outline(picture, at, height, dashed=False)
        if coordinates:
            _name_tile(picture, stack[-1], *_top(at, height))
        if height:
            _badge(picture, len(stack), *_top(at, height))


def _badge(picture: _Picture, height: int, x: float, y: float) -> None:
    """Write a stack's height on its upper right corner."""
    x, y = x + 33, y - 25
    picture.add(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="14" fill="{STACK}" stroke="#ffffff"/>')
    picture.text(x, y + 0.5, str(height), 21, "#ffffff", bold=True)


def _outline(
    picture: _Picture, at: Axial, height: int, *, dashed: bool, colour: str = ACCENT
) -> None:
    x, y = _top(at, height)
    dash = ' stroke-dasharray="9 7"' if dashed else ""
    picture.add(
        f'<polygon points="{hex_points(x, y, TILE - 1)}" fill="none" stroke="{colour}" '
        f'stroke-width="{4 if dashed else 6}" stroke-linejoin="round"{dash}/>'
    )
    picture.cover(x, y, RADIUS, RADIUS)


def _name_tile(picture: _Picture, piece: int, x: float, y: float) -> None:
    colour = colour_of(piece)
    picture.add(
        f'<polygon points="{x - 24:.1f},{y + 19:.1f} {x + 24:.1f},{y + 19:.1f} {x + 24:.1f},'
        f'{y + 32:.1f} {x:.1f},{y + 44:.1f} {x - 24:.1f},{y + 32:.1f}" fill="{_FACES[colour]}"/>'
    )
    picture.text(x, y + 28.5, PIECE_NAMES[piece], 18, _INKS[colour], bold=True)


def _name_border(picture: _Picture, game: Game, scene: Scene) -> None:
    """Write in each empty cell beside the hive what a MoveString calls it."""
    stacks = scene.stacks
    for cell, at in scene.cells.items():
        if at in stacks or not stacks:
            continue
        # Any piece of hand or board may stand for the mover: only the reference is wanted.
        mover = next(iter(game.hand(0) + game.hand(1)), None)
        if mover is None:
            return
        name = format_moves(game, [Move(mover, cell)])[0].partition(" ")[2]
        x, y = centre(at, RADIUS)
        picture.text(x, y, name, 16, "#50614d", bold=False)
        picture.cover(x, y, RADIUS * 0.8, RADIUS * 0.5)


def _draw_arrow(picture: _Picture, game: Game, scene: Scene, arrow: Arrow) -> None:
    move = arrow.move
    target = target_of(scene, move)
    if move == PASS or target is None:
        return
    stacks = scene.stacks
    x2, y2 = _top(target, max(0, len(stacks.get(target, [])) - 1))
    start = scene.cells.get(game.cell_of(move.piece))
    if start is None:
        picture.tile(move.piece, x2, y2, extra=' opacity="0.6"')
        _outline(picture, target, 0, dashed=True, colour=arrow.colour)
    else:
        x1, y1 = _top(start, len(stacks[start]) - 1)
        _arrow_shape(picture, (x1, y1), (x2, y2), arrow)
        picture.cover(x2, y2, RADIUS * 0.6, RADIUS * 0.6)
    if arrow.label:
        half = 9 + 5.6 * len(arrow.label)
        picture.add(
            f'<rect x="{x2 - half:.1f}" y="{y2 - 14:.1f}" width="{2 * half:.1f}" height="28" '
            f'rx="14" fill="{arrow.colour}"/>'
        )
        picture.text(x2, y2 + 0.5, arrow.label, 18, "#ffffff", bold=True)


def _arrow_shape(
    picture: _Picture, start: tuple[float, float], end: tuple[float, float], arrow: Arrow
) -> None:
    (x1, y1), (x2, y2) = start, end
    length = max(1.0, ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5)
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    x1, y1, length = x1 + 16 * ux, y1 + 16 * uy, length - 16
    half = 4.0 + 4.0 * min(1.0, max(0.0, arrow.weight))
    head = min(26.0, length * 0.6)

    def point(along: float, aside: float) -> str:
        return f"{x1 + along * ux - aside * uy:.1f},{y1 + along * uy + aside * ux:.1f}"

    neck, wing = length - head, half * 2.3
    points = " ".join(
        point(along, aside)
        for along, aside in (
            (0, half),
            (neck, half),
            (neck, wing),
            (length, 0),
            (neck, -wing),
            (neck, -half),
            (0, -half),
        )
    )
    picture.add(
        f'<polygon points="{points}" fill="{arrow.colour}" fill-opacity="0.85" stroke="#ffffff" '
        'stroke-width="1.5" stroke-linejoin="round"/>'
    )


def _open_stacks(picture: _Picture, scene: Scene) -> None:
    """Lay each stack open in a row at the foot, its bottom to the left, joined by a bar."""
    stacks = [stack for stack in scene.stacks.values() if len(stack) > 1]
    if not stacks:
        return
    step, gap = 2 * TILE * SMALL * 0.9, 26.0
    x, limit = picture.left, max(picture.right, picture.left + 420)
    x += TILE * SMALL
    y = picture.bottom + 18 + TILE * SMALL
    left = x
    for stack in sorted(stacks, key=len, reverse=True):
        width = step * (len(stack) - 1)
        if x + width > limit and x > left:
            x, y = left, y + 2 * TILE * SMALL + 8
        picture.add(
            f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{x + width:.1f}" y2="{y:.1f}" '
            'stroke="#6d7a69" stroke-width="7"/>'
        )
        for piece in stack:
            picture.tile(piece, x, y, SMALL, title=f"{PIECE_NAMES[piece]}, in a stack")
            x += step
        x += gap


def _draw_hands(picture: _Picture, game: Game) -> None:
    left = min(picture.left, (picture.left + picture.right) / 2 - 210)
    rows = ((1, picture.top - 18 - TILE * SMALL), (0, picture.bottom + 18 + TILE * SMALL))
    to_move = None if game.state.is_over else game.side
    for colour, y in rows:
        hand = game.hand(colour)
        x = left + TILE * SMALL + 24
        if to_move == colour:
            picture.add(
                f'<path d="M{left + 2:.1f},{y - 9:.1f} l14,9 l-14,9 z" fill="{ACCENT}">'
                "<title>to move</title></path>"
            )
            picture.cover(left + 8, y, 8, 9)
        previous = -1
        for piece in hand:
            if previous >= 0:
                x += 13 if bug_of(piece) == bug_of(previous) else 46
            title = f"{PIECE_NAMES[piece]}, in hand"
            picture.tile(piece, x, y, SMALL, title=title)
            previous = piece
