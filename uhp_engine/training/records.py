"""Games to learn from, people's and our own, as one kind of record."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..game import Game
from ..notation import GameStringError, parse_game

POINTS = {"WhiteWins": 1.0, "BlackWins": 0.0, "Draw": 0.5}


@dataclass
class Record:
    """A game and what is known of its moves.

    Attributes:
        game: at its end.
        points: White's points, 0, 0.5 or 1; None where the game was cut off.
        first: the ply from which on the result speaks for the positions.
        search: what selfplay.play_game writes for each ply; empty for people's games, whose own
            choices are all that is known.
    """

    game: Game
    points: float | None
    first: int = 0
    search: list[Any] = field(default_factory=list)

    def target(self, ply: int, side: int, result_share: float) -> float | None:
        """Return the expected points of the side to move at a ply, None where nothing is known.

        Args:
            ply: which position.
            side: who is to move there.
            result_share: the result's part where there is a search's value as well.
        """
        points = None
        if self.points is not None and ply >= self.first:
            points = self.points if side == 0 else 1.0 - self.points
        searched = self.search[ply] if self.search else None
        if searched is None:
            return points
        value = (1.0 + float(searched[0])) / 2
        return value if points is None else result_share * points + (1 - result_share) * value

    def shares(self, ply: int, codes: np.ndarray, played: int) -> np.ndarray | None:
        """Return each legal move's share of the choice at a ply, None where there was no choice.

        Args:
            ply: which position.
            codes: the kernels' numbers of its legal moves.
            played: the number of the move that was played.
        """
        if len(codes) < 2:
            return None
        if not self.search:
            return np.asarray(codes == played, dtype=np.float64)
        searched = self.search[ply]
        if searched is None:
            return None
        visits = dict(searched[1])
        shares = np.array([float(visits.get(code, 0)) for code in codes.tolist()])
        return shares / shares.sum() if shares.sum() else None


def read(lines: Iterable[str]) -> Iterator[Record]:
    """Yield the games of lines; those that can't be replayed, or have no result, are left out.

    Args:
        lines: either JSON objects as selfplay.py writes them; or a GameString and its result,
            tab-separated, further columns ignored. Of these, where the loser's own last move
            surrounds its queen, a way to resign, that move is dropped.
    """
    for line in lines:
        try:
            record = _own(line) if line.startswith("{") else _of_people(line)
        except (GameStringError, KeyError, TypeError, ValueError):
            continue
        if record is not None:
            yield record


def _own(line: str) -> Record:
    data = json.loads(line)
    game = parse_game(data["game"])
    search = data["search"]
    if len(search) != game.ply:
        raise ValueError(f"{game.ply} plies, and searches of {len(search)}")
    return Record(game, POINTS.get(data["result"]), int(data["first"]), search)


def _of_people(line: str) -> Record | None:
    text, _, rest = line.rstrip("\n").partition("\t")
    points = POINTS.get(rest.split("\t")[0])
    if points is None:
        return None
    game = parse_game(text)
    mover_won = {0: 1.0, 1: 0.0}[(game.ply - 1) & 1]
    if game.state.is_over and points == 1.0 - mover_won:
        game.undo()
    return Record(game, points)
