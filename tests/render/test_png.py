from __future__ import annotations

import struct
import sys

import pytest

from uhp_engine.game import Game
from uhp_engine.render import svg
from uhp_engine.render.png import PngUnavailable, png_from_svg


def test_a_png_of_the_pictures_size() -> None:
    pytest.importorskip("resvg_py", reason="the extra png is not installed")
    data = png_from_svg(svg(Game("Base"), size=400))
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", data[16:24])
    assert max(width, height) == 400


def test_without_the_extra_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(PngUnavailable, match=r"uhp-engine\[png\]"):
        png_from_svg("<svg/>")
