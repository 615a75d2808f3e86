"""A position as a picture (SVG, PNG), as text for a terminal, games as a page."""

from .svg import Arrow, svg

__all__ = ["Arrow", "svg"]
