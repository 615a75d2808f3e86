"""One self-contained HTML page out of games and tournaments: the extra `report`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..core.pieces import PIECE_NAMES
from ..game import Game
from ..notation.movestring import format_move
from ..notation.record import CHESS_RESULTS, GameRecord
from .svg import tile_symbol
from .track import Step, Tracker

_FOLDER = Path(__file__).with_name("page")
# Tags that the page shows elsewhere, or that say nothing to a reader.
_HIDDEN_TAGS = ("White", "Black", "SgfGameName", "SgfDate", "SgfResult")


class ReportUnavailable(RuntimeError):
    """The template engine is not installed."""


@dataclass(frozen=True)
class MoveView:
    """What the engine thought before a move was played.

    Attributes:
        score: White's expected score after the move, 0 to 1.
        mark: `??`, `?`, `?!` or nothing.
        words: the engine's view as a sentence.
        best: the move that it would have played, in the plane; None where it is the move played.
    """

    score: float
    mark: str
    words: str
    best: Step | None


@dataclass(frozen=True)
class ReportGame:
    """A game for the page: its record, and one view for each move where it was analysed."""

    record: GameRecord
    views: Sequence[MoveView] = ()
    start_score: float = 0.5


@dataclass(frozen=True)
class Standing:
    """A line of a tournament's table. `error` is None where no interval is known."""

    name: str
    conditions: str
    elo: float
    error: float | None
    games: int
    points: float
    wins: int
    draws: int
    losses: int


@dataclass(frozen=True)
class Tournament:
    """What a tournament's page shows besides its games.

    Attributes:
        title: its name.
        notes: facts, each in a line: conditions, how many games, what ended them.
        standings: the engines, the strongest first.
        cells: for each engine in that order, its points and games against each, or None.
    """

    title: str
    notes: Sequence[str]
    standings: Sequence[Standing]
    cells: Sequence[Sequence[tuple[float, int, str] | None]]


@dataclass
class Report:
    """All that a page shows."""

    title: str
    games: list[ReportGame] = field(default_factory=list)
    tournaments: list[Tournament] = field(default_factory=list)


def report_page(report: Report) -> str:
    """Return the page as HTML text; it asks for nothing from outside.

    Raises:
        ReportUnavailable: jinja2 is not installed.
    """
    try:
        import jinja2
    except ImportError:
        raise ReportUnavailable(
            "a report needs the extra report: pip install 'uhp-engine[report]'"
        ) from None
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_FOLDER),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    symbols = "".join(tile_symbol(f"tile-{c}{b}", c, b) for c in (0, 1) for b in range(8))
    data = {"games": [game_data(game) for game in report.games]}
    return environment.get_template("report.html.jinja").render(
        report=report,
        bars=[rating_bars(tournament.standings) for tournament in report.tournaments],
        results=[CHESS_RESULTS[game.record.result] for game in report.games],
        symbols=symbols,
        data=_script_json(data),
        style=(_FOLDER / "report.css").read_text(encoding="utf-8"),
        script=(_FOLDER / "report.js").read_text(encoding="utf-8"),
    )


def _script_json(data: Any) -> str:
    """Return JSON that may stand inside a script element whatever the players are called."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def game_data(game: ReportGame) -> dict[str, Any]:
    """Return a game as the page's script reads it.

    The keys: `white`, `black`, `result`, `type`, `tags` (pairs), `moves` (MoveStrings), `steps`
    (`[piece, q, r]` or null), `box` (the pieces of this game type), `comments` (by ply), and,
    where analysed, `start` (White's expected score) and `views`.
    """
    record = game.record
    tracker = Tracker(Game(record.game.game_type, tournament_opening=False))
    texts, steps = [], []
    for move in record.game.moves:
        texts.append(format_move(tracker.game, move))
        steps.append(_step_data(tracker.play(move)))
    box = Game(record.game.game_type)
    names = [PIECE_NAMES[piece] for colour in (0, 1) for piece in box.hand(colour)]
    data: dict[str, Any] = {
        "white": record.tags.get("White") or "White",
        "black": record.tags.get("Black") or "Black",
        "result": CHESS_RESULTS[record.result],
        "type": record.game.game_type,
        "tags": [[k, v] for k, v in record.tags.items() if v and k not in _HIDDEN_TAGS],
        "moves": texts,
        "steps": steps,
        "box": names,
        "comments": {str(ply): text for ply, text in record.comments.items()},
    }
    if game.views:
        data["start"] = round(game.start_score, 3)
        data["views"] = [
            [round(v.score, 3), v.mark, v.words, _step_data(v.best)] for v in game.views
        ]
    return data


def _step_data(step: Step | None) -> list[Any] | None:
    return None if step is None else [PIECE_NAMES[step.piece], step.q, step.r]


def rating_bars(standings: Sequence[Standing]) -> list[dict[str, float]]:
    """Return for each standing where its interval and its rating lie, in hundredths of a line."""
    ends = [
        end
        for line in standings
        for end in (line.elo - (line.error or 0.0), line.elo + (line.error or 0.0))
    ]
    low, high = min(ends, default=0.0), max(ends, default=0.0)
    span = max(high - low, 1.0)

    def place(elo: float) -> float:
        return round(2 + 96 * (elo - low) / span, 2)

    return [
        {
            "left": place(line.elo - (line.error or 0.0)),
            "middle": place(line.elo),
            "right": place(line.elo + (line.error or 0.0)),
        }
        for line in standings
    ]
