"""Finished games as PGN and as CSV."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from typing import TextIO

from ..game import GameState
from ..notation import parse_game
from ..notation.pgn import write_pgn
from ..notation.record import GameRecord
from .outcome import PlayedGame
from .plan import Plan

CSV_COLUMNS = (
    *("number", "round", "pair", "white", "black", "game_type"),
    *("result", "termination", "at_fault", "detail", "plies", "opening_plies"),
    *("white_seconds", "black_seconds", "duration", "started", "host", "gamestring"),
)


def gamestring(game: PlayedGame) -> str:
    """Return the GameString of a finished game, with the result that the match gave it."""
    turn = f"{('White', 'Black')[len(game.moves) % 2]}[{len(game.moves) // 2 + 1}]"
    return ";".join([game.game_type, game.result, turn, *game.moves])


def game_record(game: PlayedGame, plan: Plan) -> GameRecord:
    """Return a finished game for PGN: tags, each move's seconds and the reason of the end."""
    comments = {
        game.opening_plies + place: f"{seconds:.3f}s"
        for place, seconds in enumerate(game.seconds, start=1)
    }
    last = len(game.moves)
    comments[last] = "; ".join(text for text in (comments.get(last), game.detail) if text)
    tags = {
        "Date": game.started[:10].replace("-", "."),
        "Event": plan.event,
        "Site": plan.site or game.host,
        "Round": str(game.round),
        "White": game.white,
        "Black": game.black,
        "Termination": game.termination,
    }
    replayed = parse_game(";".join([game.game_type, "", "", *game.moves]))
    return GameRecord(replayed, tags, GameState(game.result), comments)


def export_pgn(
    games: Iterable[PlayedGame], plan: Plan, stream: TextIO, *, chess_results: bool = False
) -> int:
    """Write games as PGN, as MzingaViewer does; return how many.

    Args:
        games: finished games.
        plan: the match, for its event.
        stream: an open text file.
        chess_results: write `1-0` for `WhiteWins` and so on, as chess tools read them.
    """
    count = 0
    for count, game in enumerate(games, start=1):  # noqa: B007
        write_pgn(game_record(game, plan), stream, chess_results=chess_results)
    stream.flush()
    return count


def export_csv(games: Iterable[PlayedGame], stream: TextIO) -> int:
    """Write games as CSV with a header, one a line; return how many."""
    writer = csv.DictWriter(stream, CSV_COLUMNS, lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    count = 0
    for count, game in enumerate(games, start=1):  # noqa: B007
        writer.writerow(csv_row(game))
    return count


def csv_row(game: PlayedGame) -> dict[str, object]:
    """Return a game's columns; the times of the two sides are sums of their moves' seconds."""
    by_side: list[float] = [0.0, 0.0]
    for ply, seconds in enumerate(game.seconds, start=game.opening_plies):
        by_side[ply % 2] += seconds
    return {
        **game.to_dict(),
        "number": game.number + 1,
        "pair": game.pair + 1,
        "plies": len(game.moves),
        "white_seconds": round(by_side[0], 3),
        "black_seconds": round(by_side[1], 3),
        "gamestring": gamestring(game),
    }
