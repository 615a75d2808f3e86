"""Games turned into numbers: counts of positions with results, features of moves with choices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from ..game import PASS, Game, Move
from ..search.evaluation import BLOCK, features_at
from ..search.policy import MOST_PER_MOVE, slots_at
from .records import Record, read

FIRST_PLY = 2  # before it there is nothing to learn
RESULT_SHARE = 0.5  # of a value's target where a search's value is known, too
POLICY_EVERY = 4  # one decision of people in so many is kept: each brings some sixty rows
POLICY_EVERY_SEARCHED = 8  # searched ones say more each
NOTHING = (
    "no decided or drawn game could be read: expected GameString, tab, result, "
    "or the output of uhp_engine.training.selfplay"
)


@dataclass
class ValueData:
    """Positions and what they are worth.

    Attributes:
        counts: int8 array (positions, 2 * BLOCK), see search/evaluation.py.
        results: float array (positions,): expected points of the side to move, 0 to 1.
        games: int array (positions,): the number of each position's game.
    """

    counts: np.ndarray
    results: np.ndarray
    games: np.ndarray

    def where(self, wanted: np.ndarray) -> ValueData:
        """Return the positions for which `wanted`, a bool array, holds."""
        return ValueData(self.counts[wanted], self.results[wanted], self.games[wanted])


@dataclass
class PolicyData:
    """Decisions: the legal moves of each, and how good they were found to be.

    Attributes:
        slots: int16 array (moves, MOST_PER_MOVE), -1 where unused, see search/policy.py.
        shares: float array (moves,): each move's share of the choice; 1 in sum for a decision.
        starts: int array (decisions + 1,): where each decision's moves begin.
        games: int array (decisions,): the number of each decision's game.
    """

    slots: np.ndarray
    shares: np.ndarray
    starts: np.ndarray
    games: np.ndarray

    def where(self, wanted: np.ndarray) -> PolicyData:
        """Return the decisions for which `wanted`, a bool array, holds."""
        sizes = np.diff(self.starts)
        rows = np.repeat(wanted, sizes)
        starts = np.concatenate([[0], np.cumsum(sizes[wanted])])
        return PolicyData(self.slots[rows], self.shares[rows], starts, self.games[wanted])


class _Collection:
    """Lists that grow game by game, and arrays in the end."""

    def __init__(self) -> None:
        self.counts: list[np.ndarray] = []
        self.results: list[float] = []
        self.value_games: list[int] = []
        self.slots: list[np.ndarray] = []
        self.shares: list[np.ndarray] = []
        self.policy_games: list[int] = []

    def add_value(self, game: Game, record: Record, number: int) -> None:
        """Add a position, unless nothing speaks for its value or it is won at once."""
        target = record.target(game.ply, game.side, RESULT_SHARE)
        if target is None:
            return
        row = np.zeros(2 * BLOCK, dtype=np.int64)
        if not features_at(game.states, row):
            self.counts.append(row.astype(np.int8))
            self.results.append(target)
            self.value_games.append(number)

    def add_decision(self, game: Game, record: Record, played: Move, number: int) -> None:
        """Add the legal moves of a position and their shares."""
        codes = np.array([move.code for move in game.legal_moves()])
        shares = record.shares(game.ply, codes, played.code)
        if shares is None:
            return
        table = np.zeros((len(codes), MOST_PER_MOVE), dtype=np.int64)
        slots_at(game.states, codes, table)
        self.slots.append(table.astype(np.int16))
        self.shares.append(shares)
        self.policy_games.append(number)

    def values(self) -> ValueData:
        """Return the positions.

        Raises:
            ValueError: there are none.
        """
        if not self.results:
            raise ValueError(NOTHING)
        games = np.array(self.value_games)
        return ValueData(np.array(self.counts), np.array(self.results), games)

    def decisions(self) -> PolicyData:
        """Return the decisions.

        Raises:
            ValueError: there are none.
        """
        if not self.slots:
            raise ValueError(NOTHING)
        games = np.array(self.policy_games)
        starts = np.concatenate([[0], np.cumsum([len(table) for table in self.slots])])
        shares = np.concatenate(self.shares)
        return PolicyData(np.concatenate(self.slots), shares, starts, games)


def _collected(lines: Iterable[str], with_decisions: bool) -> _Collection:
    found = _Collection()
    for number, record in enumerate(read(lines)):
        every = POLICY_EVERY_SEARCHED if record.search else POLICY_EVERY
        for game, move in replay(record.game):
            if game.ply >= FIRST_PLY:
                found.add_value(game, record, number)
            if with_decisions and game.ply % every == number % every and move != PASS:
                found.add_decision(game, record, move, number)
    return found


def collect(lines: Iterable[str]) -> tuple[ValueData, PolicyData]:
    """Return what games say of positions and of moves; see `records.read` for the lines.

    Raises:
        ValueError: no game could be read.
    """
    found = _collected(lines, with_decisions=True)
    return found.values(), found.decisions()


def collect_values(lines: Iterable[str]) -> ValueData:
    """Return what games say of positions alone.

    Raises:
        ValueError: no game could be read.
    """
    return _collected(lines, with_decisions=False).values()


def replay(game: Game) -> Iterator[tuple[Game, Move]]:
    """Take a game back to its start and yield it before each move, and the move."""
    moves = game.moves
    if moves:
        game.undo(len(moves))
    for move in moves:
        yield game, move
        game.play(move)
