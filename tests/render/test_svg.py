from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

import pytest

from uhp_engine import Game as LibraryGame
from uhp_engine.core.pieces import PIECE_NAMES
from uhp_engine.game import PASS, Game
from uhp_engine.notation import parse_game, parse_move
from uhp_engine.render import Arrow, svg
from uhp_engine.render.bugs import COLOURS, bug_drawing

SVG = "{http://www.w3.org/2000/svg}"
DATA = Path(__file__).parents[1] / "data"


def parsed(text: str) -> ET.Element:
    return ET.fromstring(text)


def titles(root: ET.Element) -> list[str]:
    """Return the title of each tile in the order drawn."""
    return [
        title.text or ""
        for group in root.iter(f"{SVG}g")
        if group.get("transform", "").startswith("translate(")
        and "scale(" in group.get("transform", "")
        for title in group.findall(f"{SVG}title")
    ]


def real_games() -> list[Game]:
    lines = (DATA / "real_games.tsv").read_text().splitlines()[::300]
    return [parse_game(line.split("\t")[0]) for line in lines]


def test_every_bug_has_a_drawing_of_its_own_in_both_colours() -> None:
    drawings = {bug_drawing(bug, colour) for bug in range(8) for colour in (0, 1)}
    assert len(drawings) == 16
    assert len({colour for pair in COLOURS.values() for colour in pair}) == 16
    for drawing in drawings:
        parsed(f'<svg xmlns="http://www.w3.org/2000/svg">{drawing}</svg>')
        numbers = [abs(float(n)) for n in re.findall(r"[ML ,](-?\d+(?:\.\d+)?)(?=[ ,])", drawing)]
        assert max(numbers) <= 43


def test_the_start_shows_two_full_hands() -> None:
    root = parsed(svg(Game("Base+MLP")))
    assert Counter(titles(root)) == Counter(f"{name}, in hand" for name in PIECE_NAMES.values())
    assert "The board is empty" in (root.findtext(f"{SVG}title") or "")
    assert titles(parsed(svg(Game("Base"), hands=False))) == []


@pytest.mark.parametrize("game", real_games(), ids=lambda game: str(game.ply))
def test_every_piece_is_drawn_once_and_inside_the_picture(game: Game) -> None:
    root = parsed(svg(game))
    drawn = titles(root)
    on_board = [title for title in drawn if "," not in title]
    assert len(on_board) == len(game.placed())
    assert len([t for t in drawn if t.endswith(", in hand")]) == len(game.hand(0) + game.hand(1))
    x, y, width, height = map(float, (root.get("viewBox") or "").split())
    for match in re.finditer(r"translate\(([-\d.]+),([-\d.]+)\) scale\((1\.0|0\.46)\)", svg(game)):
        at_x, at_y = float(match[1]), float(match[2])
        assert x < at_x < x + width
        assert y < at_y < y + height


def test_a_stack_of_four_is_laid_open() -> None:
    line = (DATA / "real_games.tsv").read_text().splitlines()[25]
    game = parse_game(line.split("\t")[0])
    stacks = {tuple(game.stack(game.cell_of(placed.piece))) for placed in game.placed()}
    tower = max(stacks, key=len)
    assert len(tower) == 4
    root = parsed(svg(game))
    opened = [title for title in titles(root) if title.endswith(", in a stack")]
    names = [PIECE_NAMES[piece] for piece in tower]
    assert opened[:4] == [f"{name}, in a stack" for name in names]
    assert "4" in [text.text for text in root.iter(f"{SVG}text")]
    assert " on ".join(reversed(names)) in (root.findtext(f"{SVG}title") or "")


def test_the_last_move_is_outlined_at_both_ends() -> None:
    game = parse_game("Base;;;wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wQ /wS1")
    text = svg(game)
    assert text.count('stroke="#e8590c"') == 2
    assert text.count("stroke-dasharray") == 1
    assert svg(game, last_move=False).count('stroke="#e8590c"') == 0
    game.undo()
    assert svg(game).count("stroke-dasharray") == 0  # a placement comes from nowhere


def test_a_pass_leaves_no_outline() -> None:
    line = next(
        text for text in (DATA / "real_games.tsv").read_text().splitlines() if ";pass;" in text
    )
    game = parse_game(line.split("\t")[0])
    game.undo(game.ply - game.moves.index(PASS) - 1)
    assert 'stroke="#e8590c"' not in svg(game)
    assert svg(game, arrows=[PASS]) == svg(game)


def test_arrows_for_moves_and_pale_tiles_for_placements() -> None:
    game = parse_game("Base;;;wS1;bS1 wS1-;wQ -wS1;bQ bS1-")
    walk, place = parse_move(game, "wQ /wS1"), parse_move(game, "wA1 -wQ")
    text = svg(game, arrows=[Arrow(walk, "62%", "#123456", 0.5), place])
    assert 'fill="#123456"' in text
    assert "62%" in text
    assert text.count('opacity="0.6"') == 1
    parsed(text)


def test_coordinates_name_pieces_and_empty_cells() -> None:
    game = parse_game("Base;;;wS1;bS1 wS1-")
    root = parsed(svg(game, coordinates=True))
    texts = {text.text for text in root.iter(f"{SVG}text")}
    assert {"wS1", "bS1", "-wS1", "bS1-", "\\wS1", "bS1\\"} <= texts
    assert len(texts) == 2 + 8
    for text in texts - {"wS1", "bS1"}:
        parse_move(game, f"wQ {text}")


def test_size_is_the_longer_side() -> None:
    for game in real_games()[:3]:
        root = parsed(svg(game, size=640))
        assert max(int(root.get("width", 0)), int(root.get("height", 0))) == 640


def test_two_pictures_on_a_page_share_no_names() -> None:
    first, second = (svg(game) for game in real_games()[:2])
    names = [set(re.findall(r'id="([^"]+)"', text)) for text in (first, second)]
    assert names[0]
    assert not names[0] & names[1]
    assert set(re.findall(r' href="#([^"]+)"', first)) == names[0]


def test_a_picture_asks_for_nothing_from_outside() -> None:
    text = svg(real_games()[0])
    assert set(re.findall(r"https?://[^\"]+", text)) == {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xlink",
    }


def test_the_game_is_not_changed() -> None:
    game = real_games()[0]
    before = game.moves, game.states.copy()
    svg(game, coordinates=True)
    assert game.moves == before[0]
    assert (game.states["cell"] == before[1]["cell"]).all()


def test_notebooks_show_a_game() -> None:
    game = LibraryGame("Base")
    game.play("wS1")
    assert "wS1" in titles(parsed(game._repr_svg_()))
