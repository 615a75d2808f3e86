"""The eight bugs, drawn for this project: seen from above, the head up, within 40 units around 0.

Each drawing is SVG with three colours left open: {c} the bug's own, {d} for marks on it, {w} for
wings. Lines are thick and few, so that a bug is known at 30 pixels.
"""

from __future__ import annotations

from ..core.pieces import (
    ANT,
    BEETLE,
    GRASSHOPPER,
    LADYBUG,
    MOSQUITO,
    PILLBUG,
    QUEEN,
    SPIDER,
)

# The usual colours of a bug: on a white tile, on a black one.
COLOURS = {
    QUEEN: ("#d99000", "#ffc93c"),
    SPIDER: ("#7d4a1e", "#c98d57"),
    BEETLE: ("#7a3aa5", "#c394ee"),
    GRASSHOPPER: ("#23873a", "#6fd37c"),
    ANT: ("#1466bd", "#62b0ff"),
    MOSQUITO: ("#636b78", "#b9c1cd"),
    LADYBUG: ("#cc2a26", "#ff6f66"),
    PILLBUG: ("#08807f", "#4bd0c6"),
}


def _both(path: str) -> str:
    """Return a path and its mirror image."""
    return f'<path d="{path}"/><path d="{path}" transform="scale(-1,1)"/>'


def _lines(width: float, paths: str) -> str:
    return (
        f'<g fill="none" stroke="{{c}}" stroke-width="{width}" stroke-linecap="round" '
        f'stroke-linejoin="round">{paths}</g>'
    )


def _marks(width: float, paths: str) -> str:
    return (
        f'<g fill="none" stroke="{{d}}" stroke-width="{width}" stroke-linecap="round">{paths}</g>'
    )


_QUEEN = (
    '<g fill="{w}" stroke="{c}" stroke-width="2.5">'
    '<ellipse cx="-22" cy="-8" rx="9" ry="20" transform="rotate(-52 -22 -8)"/>'
    '<ellipse cx="22" cy="-8" rx="9" ry="20" transform="rotate(52 22 -8)"/>'
    '<ellipse cx="-19" cy="10" rx="6.5" ry="15" transform="rotate(-80 -19 10)"/>'
    '<ellipse cx="19" cy="10" rx="6.5" ry="15" transform="rotate(80 19 10)"/></g>'
    + _lines(3.5, _both("M-4,-29 Q-7,-38 -13,-38"))
    + '<g fill="{c}"><path d="M0,41 L-5,30 L5,30 Z"/><ellipse cx="0" cy="13" rx="14" ry="23"/>'
    '<circle cx="0" cy="-13" r="10.5"/><circle cx="0" cy="-26" r="7.5"/></g>'
    + _marks(6, '<path d="M-10,3 Q0,8 10,3"/><path d="M-11,15 Q0,20 11,15"/>')
    + _marks(5, '<path d="M-7,27 Q0,31 7,27"/>')
)
_SPIDER = (
    _lines(
        5,
        _both("M-7,-9 L-21,-23 L-17,-39")
        + _both("M-8,-5 L-29,-12 L-37,-27")
        + _both("M-8,1 L-29,7 L-37,23")
        + _both("M-7,5 L-22,21 L-19,39"),
    )
    + '<g fill="{c}"><circle cx="0" cy="13" r="16"/><circle cx="0" cy="-9" r="10.5"/></g>'
    + '<g fill="{d}"><circle cx="-4" cy="-14" r="2.4"/><circle cx="4" cy="-14" r="2.4"/>'
    '<path d="M0,12 L-6,4 L6,4 Z M0,12 L-6,20 L6,20 Z"/></g>'
)
_BEETLE = (
    _lines(
        5,
        _both("M-14,-8 L-29,-16 L-33,-26")
        + _both("M-18,6 L-34,6")
        + _both("M-15,20 L-29,27 L-31,36"),
    )
    + _lines(5.5, _both("M-5,-25 C-17,-27 -16,-38 -6,-39"))
    + '<g fill="{c}"><circle cx="0" cy="-22" r="9"/>'
    '<path d="M-16,-6 Q-16,-20 0,-20 Q16,-20 16,-6 Z"/>'
    '<path d="M-20,-3 L20,-3 Q25,36 0,37 Q-25,36 -20,-3 Z"/></g>'
    + _marks(3, '<path d="M0,-1 L0,36"/><path d="M-19,-4.5 L19,-4.5"/>')
    + _marks(2.5, _both("M-9,3 Q-12,18 -8,29"))
)
_GRASSHOPPER = (
    _lines(3, _both("M-3,-31 L-11,-41"))
    + _lines(3.5, _both("M-6,-14 L-19,-22 L-25,-15") + _both("M-6,-6 L-19,-4 L-26,4"))
    + _lines(8, _both("M-7,8 L-24,-9"))
    + _lines(5, _both("M-24,-9 L-31,37 L-23,39"))
    + '<g fill="{c}"><ellipse cx="0" cy="-26" rx="8" ry="9"/>'
    '<path d="M-9,-16 Q0,-21 9,-16 L8,14 Q6,34 0,40 Q-6,34 -8,14 Z"/></g>'
    + '<g fill="{d}"><circle cx="-5" cy="-29" r="2.2"/><circle cx="5" cy="-29" r="2.2"/></g>'
    + _marks(2.5, '<path d="M0,-14 L0,37"/><path d="M-8,-13 Q0,-17 8,-13"/>')
)
_ANT = (
    _lines(3.5, _both("M-4,-27 L-10,-37 L-18,-39"))
    + _lines(
        4.5,
        _both("M-6,-8 L-22,-19 L-33,-15")
        + _both("M-6,-3 L-25,-1 L-35,9")
        + _both("M-6,2 L-22,16 L-27,33"),
    )
    + '<g fill="{c}"><ellipse cx="0" cy="-22" rx="10" ry="8.5"/>'
    '<ellipse cx="0" cy="-4" rx="7.5" ry="11.5"/><circle cx="0" cy="9" r="4.5"/>'
    '<ellipse cx="0" cy="25" rx="12.5" ry="15.5"/></g>'
    + '<g fill="{d}"><circle cx="-5" cy="-23" r="2.2"/><circle cx="5" cy="-23" r="2.2"/></g>'
    + _marks(2.5, '<path d="M-10,21 Q0,25 10,21"/><path d="M-11,29 Q0,33 11,29"/>')
)
_MOSQUITO = (
    '<g fill="{w}" stroke="{c}" stroke-width="2.5">'
    '<ellipse cx="-17" cy="10" rx="6.5" ry="21" transform="rotate(38 -17 10)"/>'
    '<ellipse cx="17" cy="10" rx="6.5" ry="21" transform="rotate(-38 17 10)"/></g>'
    + _lines(
        2.8,
        _both("M-5,-11 L-20,-27 L-31,-24")
        + _both("M-6,-7 L-26,-11 L-37,-1")
        + _both("M-5,-1 L-11,19 L-14,40"),
    )
    + _lines(3.6, '<path d="M0,-22 L0,-42"/>')
    + _lines(2.6, _both("M-3,-24 L-10,-37"))
    + '<g fill="{c}"><circle cx="0" cy="-21" r="6.5"/><ellipse cx="0" cy="-8" rx="8" ry="9.5"/>'
    '<path d="M-5.5,0 L5.5,0 L4.5,30 Q0,40 -4.5,30 Z"/></g>'
    + _marks(2.5, '<path d="M-4,9 L4,9"/><path d="M-4,17 L4,17"/><path d="M-3.5,25 L3.5,25"/>')
)
_LADYBUG = (
    _lines(3.5, _both("M-5,-29 Q-8,-38 -14,-39"))
    + _lines(4.5, _both("M-20,-10 L-31,-17") + _both("M-25,6 L-36,6") + _both("M-20,22 L-31,30"))
    + '<path d="M-15,-17 Q-15,-33 0,-33 Q15,-33 15,-17 Z" fill="{d}" stroke="{c}" '
    'stroke-width="2.5"/><circle cx="0" cy="7" r="27.5" fill="{c}"/>'
    + _marks(3, '<path d="M0,-19 L0,34"/>')
    + '<g fill="{d}"><circle cx="-11" cy="-5" r="5"/><circle cx="11" cy="-5" r="5"/>'
    '<circle cx="-15" cy="11" r="5"/><circle cx="15" cy="11" r="5"/>'
    '<circle cx="-8" cy="24" r="4.5"/><circle cx="8" cy="24" r="4.5"/></g>'
)
_PILLBUG = (
    _lines(3.5, _both("M-6,-31 L-16,-38 L-22,-33"))
    + _lines(
        4,
        "".join(_both(f"M-17,{y} L-29,{y + 3}") for y in (-18, -9, 0, 9, 18))
        + _both("M-7,33 L-10,40"),
    )
    + '<g fill="{c}"><ellipse cx="0" cy="0" rx="20" ry="34"/></g>'
    + _marks(
        3.2,
        "".join(
            f'<path d="M-{half},{y} Q0,{y + 7} {half},{y}"/>'
            for y, half in ((-24, 13), (-15, 17), (-6, 19), (3, 19), (12, 17), (21, 14))
        ),
    )
    + '<g fill="{d}"><circle cx="-6" cy="-29" r="2"/><circle cx="6" cy="-29" r="2"/></g>'
)

_DRAWINGS = {
    QUEEN: _QUEEN,
    SPIDER: _SPIDER,
    BEETLE: _BEETLE,
    GRASSHOPPER: _GRASSHOPPER,
    ANT: _ANT,
    MOSQUITO: _MOSQUITO,
    LADYBUG: _LADYBUG,
    PILLBUG: _PILLBUG,
}


def bug_drawing(bug: int, colour: int) -> str:
    """Return the SVG of a bug as it looks on a white (0) or a black (1) tile."""
    marks, wings = (("#3a2a12", "#ffffff"), ("#211f1d", "#6d6a66"))[colour]
    return _DRAWINGS[bug].format(c=COLOURS[bug][colour], d=marks, w=wings)
