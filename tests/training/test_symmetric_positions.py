"""Positions as numbers: symmetric ones are one, and the numbers are those of the position."""

from __future__ import annotations

import random

import numpy as np
import pytest

from uhp_engine.core.layout import CELL_MASK, PASS
from uhp_engine.core.pieces import GAME_TYPES
from uhp_engine.core.plane import DISTANCE
from uhp_engine.core.symmetry import SYMMETRIES, TRANSFORMED, symmetric_key
from uhp_engine.game import Game
from uhp_engine.search.evaluation import inputs_at
from uhp_engine.search.shapes import BLOCK, MOST_ROWS, ROWS, SLOTS, TYPE_ROW
from uhp_engine.training.positions import HELD_OUT, ValueData, merged


def play_code(game: Game, code: int) -> None:
    (move,) = [move for move in game.legal_moves() if move.code == code]
    game.play(move)


def image(game: Game, symmetry: int) -> Game:
    """Return a game whose moves are all turned and mirrored around the first piece's cell."""
    other = Game(game.game_type)
    first = game.moves[0].code & CELL_MASK
    for move in game.moves:
        code = move.code
        if code != PASS:
            way = TRANSFORMED[symmetry, (code - first) & CELL_MASK]
            code = code & ~CELL_MASK | (first + int(way)) & CELL_MASK
        play_code(other, code)
    return other


def inputs(game: Game) -> tuple[int, list[int], list[int]]:
    counts = np.zeros(2 * BLOCK, dtype=np.int64)
    rows = np.zeros(MOST_ROWS, dtype=np.int64)
    wins = inputs_at(game.states, counts, rows)
    return wins, counts.tolist(), sorted(rows.tolist())


@pytest.mark.parametrize("game_type", GAME_TYPES)
def test_twelve_images_are_one_position(game_type):
    dice = random.Random(game_type)
    game = Game(game_type)
    for _ in range(40):
        if game.state.is_over:
            break
        game.play(dice.choice(game.legal_moves()))
    keys = set()
    seen = []
    for symmetry in range(SYMMETRIES):
        other = image(game, symmetry)
        keys.add(symmetric_key(other.states))
        seen.append(inputs(other))
    assert len(keys) == 1
    assert all(each == seen[0] for each in seen)


def test_different_positions_have_different_keys():
    """Two plies into the base game: four bugs beside four, wherever they touch."""
    keys = set()
    positions = 0
    game = Game("Base")
    for first in game.legal_moves():
        game.play(first)
        for second in game.legal_moves():
            game.play(second)
            keys.add(symmetric_key(game.states))
            positions += 1
            game.undo()
        game.undo()
    assert positions == 96
    assert len(keys) == 16


def test_keys_differ_along_a_game():
    dice = random.Random(1)
    game = Game("Base+MLP")
    keys = [symmetric_key(game.states)]
    for _ in range(60):
        game.play(dice.choice(game.legal_moves()))
        keys.append(symmetric_key(game.states))
    assert len(set(keys)) == len(keys)


def test_distances_are_the_steps_on_the_board():
    """One step away in six directions, two in twelve, three in eighteen."""
    assert [int((steps == DISTANCE).sum()) for steps in range(4)] == [1, 6, 12, 18]


def test_rows_tell_the_game_type_from_the_start():
    rows = {game_type: inputs(Game(game_type))[2][-1] for game_type in GAME_TYPES}
    assert sorted(rows.values()) == list(range(TYPE_ROW, ROWS))


def test_shapes(people):
    values, decisions = people
    assert values.counts.shape == (len(values.values), 2 * BLOCK)
    assert values.rows.shape == (len(values.values), MOST_ROWS)
    assert values.rows.max() < ROWS
    assert set(np.unique(values.outcomes.sum(axis=1))) == {1.0}
    assert decisions.starts[-1] == len(decisions.slots)
    assert np.allclose(np.add.reduceat(decisions.shares, decisions.starts[:-1]), 1.0)
    assert decisions.slots.max() < SLOTS


def test_merged_positions_have_the_mean_of_what_they_were_worth():
    outcomes = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=np.float32)
    data = ValueData(
        np.arange(3 * 2 * BLOCK).reshape(3, -1).astype(np.int8),
        np.zeros((3, MOST_ROWS), dtype=np.int16),
        outcomes,
        np.array([0.9, 0.5, 0.1], dtype=np.float32),
        np.array([4, 5, 6]),
        np.array([7, 9, 7]),
    )
    one = merged(data)
    assert one.games.tolist() == [4, 5]
    assert one.values.tolist() == pytest.approx([0.5, 0.5])
    assert one.outcomes.tolist() == [[0.5, 0.0, 0.5], [0.0, 1.0, 0.0]]
    assert np.array_equal(one.counts, data.counts[:2])
    assert one.points.tolist() == pytest.approx([0.5, 0.5])


def test_equal_boards_of_two_game_types_are_two_positions():
    keys, shown = set(), set()
    for game_type in ("Base", "Base+M"):
        game = Game(game_type)
        game.play(next(move for move in game.legal_moves() if move.code >> 10 == 1))
        keys.add(symmetric_key(game.states))
        shown.add(game.states["cell"].tobytes())
    assert len(shown) == 1
    assert len(keys) == 2


def test_no_position_is_learned_from_and_held_out(people):
    for data in people:
        learned, held_out = data.split()
        assert not set(learned.games) & set(held_out.games)
        assert not set(learned.keys.tolist()) & set(held_out.keys.tolist())
        assert set(learned.keys.tolist()) | set(held_out.keys.tolist()) == set(data.keys.tolist())
        assert (held_out.games % HELD_OUT == 0).all()
        with pytest.raises(ValueError, match="too few"):
            learned.where(learned.games == learned.games[0]).split()
    values = people[0]
    assert len(values.split()[0].keys) == len(set(values.keys[values.games % HELD_OUT != 0]))
