"""Games turned into numbers: counts of positions with results, features of moves with choices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from ..game import PASS, Game
from ..notation import GameStringError, parse_game
from ..search.evaluation import BLOCK, features_at
from ..search.policy import MOST_PER_MOVE, slots_at

FIRST_PLY = 2  # before it there is nothing to learn
POLICY_EVERY = 4  # one decision in so many is kept: each brings some sixty rows
_POINTS = {"WhiteWins": 1.0, "BlackWins": 0.0, "Draw": 0.5}


@dataclass
class ValueData:
    """Positions and how their games ended.

    Attributes:
        counts: int8 array (positions, 2 * BLOCK), see search/evaluation.py.
        results: float array (positions,): 1 where the side to move won, 0.5, 0.
        games: int array (positions,): the number of each position's game.
    """

    counts: np.ndarray
    results: np.ndarray
    games: np.ndarray


@dataclass
class PolicyData:
    """Decisions: the legal moves of each, and which was played.

    Attributes:
        slots: int16 array (moves, MOST_PER_MOVE), -1 where unused, see search/policy.py.
        starts: int array (decisions + 1,): where each decision's moves begin.
        chosen: int array (decisions,): the row of the move played.
        games: int array (decisions,): the number of each decision's game.
    """

    slots: np.ndarray
    starts: np.ndarray
    chosen: np.ndarray
    games: np.ndarray


def replays(lines: Iterable[str]) -> Iterator[tuple[Game, float]]:
    """Yield each decided or drawn game and White's points; what can't be replayed is left out.

    Args:
        lines: a GameString and its result, tab-separated, further columns ignored. Where the
            loser's own last move surrounds its queen, a way to resign, that move is dropped.
    """
    for line in lines:
        text, _, rest = line.rstrip("\n").partition("\t")
        points = _POINTS.get(rest.split("\t")[0])
        if points is None:
            continue
        try:
            game = parse_game(text)
        except GameStringError:
            continue
        mover_won = {0: 1.0, 1: 0.0}[(game.ply - 1) & 1]
        if game.state.is_over and points == 1.0 - mover_won:
            game.undo()
        yield game, points


def collect(lines: Iterable[str]) -> tuple[ValueData, PolicyData]:
    """Return what games say of positions and of moves.

    Raises:
        ValueError: no game could be read.
    """
    counts: list[np.ndarray] = []
    results: list[float] = []
    value_games: list[int] = []
    slots: list[np.ndarray] = []
    chosen: list[int] = []
    policy_games: list[int] = []
    starts = [0]
    for number, (game, points) in enumerate(replays(lines)):
        moves = game.moves
        if moves:
            game.undo(len(moves))
        for move in moves:
            legal = game.legal_moves()
            if game.ply >= FIRST_PLY:
                row = np.zeros(2 * BLOCK, dtype=np.int64)
                if not features_at(game.states, row):
                    counts.append(row.astype(np.int8))
                    results.append(points if game.side == 0 else 1.0 - points)
                    value_games.append(number)
            if game.ply % POLICY_EVERY == number % POLICY_EVERY and move != PASS and len(legal) > 1:
                table = np.zeros((len(legal), MOST_PER_MOVE), dtype=np.int64)
                slots_at(game.states, np.array([other.code for other in legal]), table)
                slots.append(table.astype(np.int16))
                chosen.append(starts[-1] + legal.index(move))
                policy_games.append(number)
                starts.append(starts[-1] + len(legal))
            game.play(move)
    if not results or not chosen:
        raise ValueError("no decided or drawn game could be read: expected GameString, tab, result")
    return (
        ValueData(np.array(counts), np.array(results), np.array(value_games)),
        PolicyData(
            np.concatenate(slots), np.array(starts), np.array(chosen), np.array(policy_games)
        ),
    )
