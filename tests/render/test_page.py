from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from uhp_engine.core.layout import CELL_MASK, STEPS
from uhp_engine.core.pieces import EAST, PIECE_NAMES
from uhp_engine.game import Move
from uhp_engine.notation import parse_game
from uhp_engine.notation.files import read_games
from uhp_engine.notation.record import GameRecord
from uhp_engine.render.report import (
    MoveView,
    Report,
    ReportGame,
    ReportUnavailable,
    Standing,
    Tournament,
    game_data,
    rating_bars,
    report_page,
)
from uhp_engine.render.scene import scene_of
from uhp_engine.render.track import Step, Tracker

DATA = Path(__file__).parents[1] / "data"


def record_of(number: int) -> GameRecord:
    return next(read_games(DATA / "games" / f"game{number:02}.pgn"))


def page_data(page: str) -> dict[str, Any]:
    text = page.split('<script type="application/json" id="data">')[1].split("</script>")[0]
    data: dict[str, Any] = json.loads(text)
    return data


@pytest.mark.parametrize("number", [1, 4, 6, 12])
def test_steps_lead_to_the_position_that_the_rules_hold(number: int) -> None:
    game = record_of(number).game
    stacks: dict[tuple[int, int], list[str]] = {}
    for step in game_data(ReportGame(record_of(number)))["steps"]:
        if step is None:
            continue
        name, q, r = step
        for stack in stacks.values():
            if name in stack:
                assert stack[-1] == name
                stack.remove(name)
        stacks.setdefault((q, r), []).append(name)
    mine = sorted((stack, at) for at, stack in stacks.items() if stack)
    theirs = sorted(
        ([PIECE_NAMES[piece] for piece in stack], at) for at, stack in scene_of(game).stacks.items()
    )
    assert [stack for stack, _ in mine] == [stack for stack, _ in theirs]
    shifts = {(a[0] - b[0], a[1] - b[1]) for (_, a), (_, b) in zip(mine, theirs, strict=True)}
    assert len(shifts) == 1


class Leapfrog:
    """Two pieces on the rules' wrapping board, each hopping over the other to the east."""

    def __init__(self) -> None:
        self.cells: dict[int, int] = {}

    def cell_of(self, piece: int) -> int:
        return self.cells.get(piece, -1)

    def play(self, move: Move) -> None:
        self.cells[move.piece] = move.cell


def test_coordinates_grow_where_the_rules_board_wraps() -> None:
    tracker = Tracker(Leapfrog())  # type: ignore[arg-type]
    east = STEPS[EAST]
    steps = [tracker.play(Move(n % 2, (n * east) & CELL_MASK)) for n in range(200)]
    assert steps == [Step(n % 2, n, 0) for n in range(200)]


def test_a_page_holds_its_games_whatever_they_are_called() -> None:
    record = record_of(9)
    record.tags["White"] = "</script><b>&\"'\u2028"
    record.comments[2] = "<!-- odd -->"
    page = report_page(Report("a < b", [ReportGame(record)]))
    assert page.startswith("<!DOCTYPE html>")
    assert page.count("</script>") == 2
    assert "<h1>a &lt; b</h1>" in page
    (game,) = page_data(page)["games"]
    assert game["white"] == "</script><b>&\"'\u2028"
    assert game["comments"] == {"2": "<!-- odd -->"}
    assert game["moves"] == record.moves
    assert game["result"] == "1-0"
    assert "views" not in game


def test_a_page_asks_for_nothing_from_outside() -> None:
    page = report_page(Report("games", [ReportGame(record_of(9))]))
    addresses = set(re.findall(r"(?:https?:)?//[\w.]+[^\s\"'<>]*", page))
    assert {a for a in addresses if "." in a} == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"<(script|img|link)[^>]+(src|href)=\"(?!data:,)", page)
    assert "default-src 'none'" in page


def test_views_are_part_of_the_data() -> None:
    record = GameRecord(parse_game("Base;;;wS1;bS1 wS1-"))
    views = [MoveView(0.5125, "", "fair", None), MoveView(0.25, "??", "poor", Step(0, 1, -1))]
    data = game_data(ReportGame(record, views, 0.6))
    assert data["start"] == 0.6
    assert data["views"] == [[0.512, "", "fair", None], [0.25, "??", "poor", ["wQ", 1, -1]]]


def test_a_tournaments_tables() -> None:
    standings = [
        Standing("One & Only", "1 s/move", 50.0, 30.0, 4, 3.0, 3, 0, 1),
        Standing("Two", "1 s/move", -50.0, None, 4, 1.0, 1, 0, 3),
    ]
    cells = [[None, (3.0, 4, "3 won")], [(1.0, 4, "1 won"), None]]
    page = report_page(Report("t", [], [Tournament("Cup", ["a note"], standings, cells)]))
    assert "One &amp; Only" in page
    assert "+50&nbsp;±&nbsp;30" in page
    assert 'aria-label="from 20 to 80"' in page
    assert 'aria-label="no interval"' in page
    assert "3.0<small>/4</small>" in page
    assert 'class="viewer" aria-labelledby="viewer-title" tabindex="-1" hidden' in page


def test_rating_bars_span_the_line() -> None:
    lines = [
        Standing(n, "", elo, error, 1, 1, 1, 0, 0)
        for n, elo, error in (("a", 100, 50), ("b", -100, 100))
    ]
    first, second = rating_bars(lines)
    assert first["right"] == 98
    assert second["left"] == 2
    assert second["left"] < second["middle"] < second["right"] < first["middle"] < 98
    assert rating_bars([]) == []


def test_without_the_extra_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(ReportUnavailable, match=r"uhp-engine\[report\]"):
        report_page(Report("x"))
