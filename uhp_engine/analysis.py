"""The engine's view of every move of a game, and the moves on which it turned."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from .game import PASS, Game, GameState, Move
from .search.limits import Limits
from .search.result import SearchResult
from .search.searcher import Searcher

# A move that throws away so much of the expected score (0 to 1) is marked.
DUBIOUS, MISTAKE, BLUNDER = 0.08, 0.18, 0.35


@dataclass(frozen=True)
class View:
    """What the engine thinks of a position.

    Attributes:
        score: White's expected score, 0 to 1.
        proof: plies to a proven end, counted from the position; 0 where nothing is proven.
        best: the best move, None at the end of the game.
        line: the expected moves, the best first.
    """

    score: float
    proof: int
    best: Move | None
    line: tuple[Move, ...]

    def to_json(self) -> list[Any]:
        """Return the view as a list that JSON can hold."""
        return [
            self.score,
            self.proof,
            self.best.code if self.best is not None else None,
            [m.code for m in self.line],
        ]

    @classmethod
    def from_json(cls, values: list[Any]) -> View:
        """Return the view that `to_json` gave."""
        score, proof, best, line = values
        moves = tuple(Move.from_code(code) for code in line)
        return cls(score, proof, None if best is None else Move.from_code(best), moves)


def view_position(game: Game, searcher: Searcher, limits: Limits) -> View:
    """Return what the engine thinks of a position; an end on the board needs no search."""
    ends = {GameState.WHITE_WINS: 1.0, GameState.BLACK_WINS: 0.0, GameState.DRAW: 0.5}
    if game.board_state in ends:
        return View(ends[game.board_state], 0, None, ())
    if game.legal_moves() == [PASS]:
        after = game.copy()
        after.play(PASS)
        if after.legal_moves() == [PASS]:
            return View(0.5, 0, PASS, (PASS,))
        view = view_position(after, searcher, limits)
        return View(view.score, view.proof + 1 if view.proof else 0, PASS, (PASS, *view.line))
    return _view(game, searcher.search(game, limits))


def _view(game: Game, result: SearchResult) -> View:
    best = result.best
    score = (1 + (best.score if game.side == 0 else -best.score)) / 2
    proof = 0 if best.is_draw else abs(best.proof)
    return View(score, proof, best.move, best.pv)


def view_game(
    game: Game,
    searcher: Searcher,
    limits: Limits,
    *,
    known: list[View] | None = None,
    on_view: Callable[[int, View], None] | None = None,
) -> list[View]:
    """Return the views of a game's positions, from the start to its end: one more than moves.

    Args:
        game: the game; it is not changed.
        searcher: what searches.
        limits: for each position.
        known: views of the first positions, from an earlier run.
        on_view: called with the ply and the view of each new one.
    """
    views = list(known or [])
    replay = game.copy()
    if replay.ply > len(views):
        replay.undo(replay.ply - len(views))
    for ply in range(len(views), game.ply + 1):
        while replay.ply < ply:
            replay.play(game.moves[replay.ply])
        views.append(view_position(replay, searcher, limits))
        if on_view is not None:
            on_view(ply, views[-1])
    return views


def losses(views: list[View]) -> list[float]:
    """Return how much expected score each move cost its player, 0 to 1."""
    found = []
    for ply, (before, after) in enumerate(pairwise(views)):
        lost = before.score - after.score if ply % 2 == 0 else after.score - before.score
        found.append(max(0.0, lost))
    return found


def judgement(loss: float) -> str:
    """Return the mark of a move that lost so much: nothing, `?!`, `?` or `??`.

    >>> judgement(0.05), judgement(0.2)
    ('', '?')
    """
    marks = ((BLUNDER, "??"), (MISTAKE, "?"), (DUBIOUS, "?!"))
    return next((mark for least, mark in marks if loss >= least), "")


class AnalysisFile:
    """Views on disk, a game a line, so that an interrupted analysis goes on where it was.

    Args:
        path: the file; it need not exist yet.
        limits: of each position; views found under others do not count.
        version: of the engine; likewise.

    Raises:
        OSError: the file cannot be read.
    """

    def __init__(self, path: str | os.PathLike[str], limits: Limits, version: str) -> None:
        self.path = Path(path)
        self._mark = f"{version} {limits}"
        self._known: dict[str, list[View]] = {}
        if self.path.exists():
            for line in self.path.read_text(encoding="utf-8").splitlines():
                self._read(line)

    def _read(self, line: str) -> None:
        try:
            mark, game, ply, view = json.loads(line)
        except ValueError:
            return  # cut short by a kill
        views = self._known.setdefault(game, [])
        if mark == self._mark and ply == len(views):
            views.append(View.from_json(view))

    def known(self, game: Game) -> list[View]:
        """Return what was found for the first positions of a game."""
        return list(self._known.get(self._key(game), []))

    def add(self, game: Game, ply: int, view: View) -> None:
        """Write down the view of one position."""
        row = [self._mark, self._key(game), ply, view.to_json()]
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")

    def remove(self) -> None:
        """Delete the file: all is done."""
        self.path.unlink(missing_ok=True)

    @staticmethod
    def _key(game: Game) -> str:
        codes = ",".join(str(move.code) for move in game.moves)
        return hashlib.sha256(f"{game.game_type}:{codes}".encode()).hexdigest()[:24]
