"""Games turned into numbers: positions and what they are worth, moves and how they were chosen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields

import numpy as np

from ..core.symmetry import symmetric_key
from ..game import PASS, Game, Move
from ..search.evaluation import inputs_at
from ..search.policy import slots_at
from ..search.shapes import BLOCK, MOST_PER_MOVE, MOST_ROWS
from .records import Record

FIRST_PLY = 2  # before it there is nothing to learn
RESULT_SHARE = 0.5  # of what is learned, where a search's value is known, too
POLICY_EVERY = 4  # one decision of people in so many is kept: each brings some sixty rows
POLICY_EVERY_SEARCHED = 8  # searched ones say more each
HELD_OUT = 10  # every tenth game is for measuring, the others for learning
# Points of a win, a draw and a loss.
POINTS = (1.0, 0.5, 0.0)


@dataclass
class ValueData:
    """Positions and what they are worth to the side to move.

    Attributes:
        counts: int8 array (positions, 2 * BLOCK), see search/evaluation.py.
        rows: int16 array (positions, MOST_ROWS), see search/places.py; -1 where unused.
        outcomes: float32 array (positions, 3): 1 for a win, a draw or a loss in the end, or
            shares of them; zeros where the end is not known or does not speak for the position.
        values: float32 array (positions,): the points, 0 to 1, that a search expected; where
            there was none, those of the end.
        games: int array (positions,): the number of each position's game.
        keys: int array (positions,): the same for symmetric positions.
    """

    counts: np.ndarray
    rows: np.ndarray
    outcomes: np.ndarray
    values: np.ndarray
    games: np.ndarray
    keys: np.ndarray

    @property
    def points(self) -> np.ndarray:
        """What a single number is fitted to: the end and the search's value mixed, (positions,)."""
        ends = self.outcomes @ np.array(POINTS)
        shares = RESULT_SHARE * self.outcomes.sum(axis=1)
        return np.asarray(RESULT_SHARE * ends + (1 - shares) * self.values)

    def where(self, wanted: np.ndarray) -> ValueData:
        """Return positions: those for which `wanted` holds, or whose indices it holds."""
        return ValueData(*(getattr(self, field.name)[wanted] for field in fields(self)))

    def split(self) -> tuple[ValueData, ValueData]:
        """Return what is for learning and what is held out, symmetric positions as one in each.

        The games are split, then positions to learn from are not held out as well.

        Raises:
            ValueError: one of them is empty.
        """
        held = self.games % HELD_OUT == 0
        learned, held_out = merged(self.where(~held)), merged(self.where(held))
        held_out = held_out.where(~np.isin(held_out.keys, learned.keys))
        if not len(learned.values) or not len(held_out.values):
            raise _too_few(self.games)
        return learned, held_out


@dataclass
class PolicyData:
    """Decisions: the legal moves of each, and how good they were found to be.

    Attributes:
        slots: int16 array (moves, MOST_PER_MOVE), -1 where unused, see search/policy.py.
        shares: float array (moves,): each move's share of the choice; 1 in sum for a decision.
        starts: int array (decisions + 1,): where each decision's moves begin.
        games: int array (decisions,): the number of each decision's game.
        keys: int array (decisions,): the same for symmetric positions.
    """

    slots: np.ndarray
    shares: np.ndarray
    starts: np.ndarray
    games: np.ndarray
    keys: np.ndarray

    def where(self, wanted: np.ndarray) -> PolicyData:
        """Return the decisions for which `wanted`, a bool array, holds."""
        sizes = np.diff(self.starts)
        rows = np.repeat(wanted, sizes)
        starts = np.concatenate([[0], np.cumsum(sizes[wanted])])
        return PolicyData(
            self.slots[rows], self.shares[rows], starts, self.games[wanted], self.keys[wanted]
        )

    def split(self) -> tuple[PolicyData, PolicyData]:
        """Return what is for learning and what is held out; no position is in both.

        Raises:
            ValueError: one of them is empty.
        """
        held = self.games % HELD_OUT == 0
        known = np.isin(self.keys, self.keys[~held])
        if held.all() or known.all():
            raise _too_few(self.games)
        return self.where(~held), self.where(~known)


def _too_few(games: np.ndarray) -> ValueError:
    return ValueError(f"{len(np.unique(games))} games are too few to learn from")


class _Collection:
    """Lists that grow game by game, and arrays in the end."""

    def __init__(self) -> None:
        self.counts: list[np.ndarray] = []
        self.rows: list[np.ndarray] = []
        self.outcomes: list[tuple[float, float, float]] = []
        self.values: list[float] = []
        self.keys: list[int] = []
        self.value_games: list[int] = []
        self.slots: list[np.ndarray] = []
        self.shares: list[np.ndarray] = []
        self.policy_games: list[int] = []
        self.policy_keys: list[int] = []

    def add_value(self, game: Game, record: Record, number: int) -> None:
        """Add a position, unless nothing speaks for its value or it is won at once."""
        points = record.points_of(game.ply, game.side)
        value = record.value(game.ply)
        if value is None:
            value = points
        if value is None:
            return
        counts = np.zeros(2 * BLOCK, dtype=np.int64)
        rows = np.zeros(MOST_ROWS, dtype=np.int64)
        if inputs_at(game.states, counts, rows):
            return
        self.counts.append(counts.astype(np.int8))
        self.rows.append(rows.astype(np.int16))
        self.outcomes.append((float(points == 1.0), float(points == 0.5), float(points == 0.0)))
        self.values.append(value)
        self.keys.append(symmetric_key(game.states))
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
        self.policy_keys.append(symmetric_key(game.states))

    def positions(self) -> ValueData:
        """Return the positions.

        Raises:
            ValueError: there are none.
        """
        if not self.values:
            raise ValueError("no game says what a position is worth: all were cut off")
        return ValueData(
            np.array(self.counts),
            np.array(self.rows),
            np.array(self.outcomes, dtype=np.float32),
            np.array(self.values, dtype=np.float32),
            np.array(self.value_games),
            np.array(self.keys),
        )

    def decisions(self) -> PolicyData:
        """Return the decisions.

        Raises:
            ValueError: there are none.
        """
        if not self.slots:
            raise ValueError("no game says how moves were chosen: none has a full search")
        return PolicyData(
            np.concatenate(self.slots),
            np.concatenate(self.shares),
            np.concatenate([[0], np.cumsum([len(table) for table in self.slots])]),
            np.array(self.policy_games),
            np.array(self.policy_keys),
        )


def merged(data: ValueData) -> ValueData:
    """Return one position for each key: the first, with the mean of what all were worth."""
    _, first, inverse, count = np.unique(
        data.keys, return_index=True, return_inverse=True, return_counts=True
    )
    one = data.where(first)
    values = np.bincount(inverse, weights=data.values) / count
    outcomes = [np.bincount(inverse, weights=column) / count for column in data.outcomes.T]
    one.values = values.astype(np.float32)
    one.outcomes = np.stack(outcomes, axis=1).astype(np.float32)
    return one


def collect(records: Iterable[Record]) -> tuple[ValueData, PolicyData]:
    """Return what games say of positions and of moves.

    Raises:
        ValueError: there are no games, or nothing is known of any.
    """
    found = _Collection()
    for number, record in enumerate(records):
        every = POLICY_EVERY_SEARCHED if record.search else POLICY_EVERY
        for game, move in replay(record.game):
            if game.ply >= FIRST_PLY:
                found.add_value(game, record, number)
            if game.ply % every == number % every and move != PASS:
                found.add_decision(game, record, move, number)
    return found.positions(), found.decisions()


def replay(game: Game) -> Iterator[tuple[Game, Move]]:
    """Take a game back to its start and yield it before each move, and the move."""
    moves = game.moves
    if moves:
        game.undo(len(moves))
    for move in moves:
        yield game, move
        game.play(move)
