"""Games to learn from, people's and our own, as one kind of record."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..game import Game
from ..notation import GameStringError, parse_game
from .store import MAGIC, Block, read_blocks

RESULTS = {"WhiteWins": 1.0, "BlackWins": 0.0, "Draw": 0.5}


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

    def points_of(self, ply: int, side: int) -> float | None:
        """Return what a side got in the end, None where the result does not speak for a ply."""
        if self.points is None or ply < self.first:
            return None
        return self.points if side == 0 else 1.0 - self.points

    def value(self, ply: int) -> float | None:
        """Return the points that a search at a ply expected of the side to move, if there was."""
        searched = self.search[ply] if self.search else None
        return None if searched is None else (1.0 + float(searched[0])) / 2

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


def read(
    paths: Iterable[Path], on_left_out: Callable[[Path, int], None] | None = None
) -> Iterator[Record]:
    """Yield the games of files of self-play or of people's games.

    Args:
        paths: the files.
        on_left_out: called after a file of people's games with how many of its lines were of no
            use, where there were any.

    Raises:
        ValueError: a file of self-play is damaged, or a file has no game; names the file.
        OSError: a file cannot be read.
    """
    for path in paths:
        found = False
        left_out: list[str] = []
        try:
            for record in _of_file(path, left_out.append):
                found = True
                yield record
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None
        if not found:
            raise ValueError(
                f"{path}: no decided or drawn game could be read: expected lines of GameString, "
                "tab and result, or a file of `uhp-engine train selfplay`"
            )
        if left_out and on_left_out is not None:
            on_left_out(path, len(left_out))


def _of_file(path: Path, on_left_out: Callable[[str], None]) -> Iterator[Record]:
    with path.open("rb") as file:
        if file.peek(len(MAGIC)).startswith(MAGIC):
            blocks = read_blocks(file)
            next(blocks, None)
            yield from map(of_self_play, blocks)
        else:
            with io.TextIOWrapper(file, encoding="utf-8-sig") as lines:
                yield from of_people(lines, on_left_out)


def of_self_play(block: Block) -> Record:
    """Return a game as selfplay.play_game keeps it.

    Raises:
        ValueError: it holds something else.
    """
    try:
        game = parse_game(block["game"])
        search = block["search"]
        if len(search) != game.ply:
            raise ValueError(f"{game.ply} plies, and searches of {len(search)}")
        return Record(game, RESULTS.get(block["result"]), int(block["first"]), search)
    except (GameStringError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"game {block.get('number')} of self-play: {error}") from None


def _replayed(text: str) -> Game | None:
    try:
        return parse_game(text)
    except GameStringError:
        return None


def of_people(
    lines: Iterable[str], on_left_out: Callable[[str], None] = lambda line: None
) -> Iterator[Record]:
    """Yield people's games; those that can't be replayed, or have no result, are left out.

    Where the loser's own last move surrounds its queen, a way to resign, that move is dropped.

    Args:
        lines: a GameString and its result, tab-separated, further columns ignored.
        on_left_out: called with each line that is left out; blank lines are not told.
    """
    for line in lines:
        text, _, rest = line.rstrip("\n").partition("\t")
        points = RESULTS.get(rest.split("\t")[0])
        game = _replayed(text) if points is not None else None
        if points is None or game is None:
            if line.strip():
                on_left_out(line)
            continue
        mover_won = {0: 1.0, 1: 0.0}[(game.ply - 1) & 1]
        if game.state.is_over and points == 1.0 - mover_won:
            game.undo()
        yield Record(game, points)
