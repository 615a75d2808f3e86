"""SVG to PNG, by resvg: the extra `png`."""

from __future__ import annotations


class PngUnavailable(RuntimeError):
    """The renderer is not installed."""


def png_from_svg(svg_text: str) -> bytes:
    """Return the PNG of an SVG picture in the picture's own size.

    Raises:
        PngUnavailable: resvg-py is not installed.
    """
    try:
        import resvg_py
    except ImportError:
        raise PngUnavailable(
            "PNG needs the extra png: pip install 'uhp-engine[png]', or save --svg"
        ) from None
    return bytes(resvg_py.svg_to_bytes(svg_string=svg_text))
