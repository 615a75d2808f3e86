"""The engine's own openings, in all eight game types: sound, and different from seed to seed."""

from __future__ import annotations

from functools import cache

import pytest

from uhp_engine.core.layout import CELL_MASK, STEPS
from uhp_engine.core.pieces import ANT, FIRST_INDEX, GAME_TYPES, QUEEN
from uhp_engine.game import Game
from uhp_engine.search.limits import Limits
from uhp_engine.search.searcher import Searcher

SEEDS = (1, 2, 3)
PLIES = 14
SIMULATIONS = 1500


@cache
def opening(game_type: str, seed: int) -> Game:
    """Return a game of the engine against itself, PLIES plies old."""
    game = Game(game_type)
    searcher = Searcher(memory_mib=64, seed=seed)
    while game.ply < PLIES and not game.state.is_over:
        game.play(searcher.search(game, Limits(simulations=SIMULATIONS)).move)
    return game


def filled_around_queen(game: Game, colour: int) -> int:
    """Return how many of the six cells around a queen are filled; 0 where she is not placed."""
    queen = game.cell_of(colour << 4 | QUEEN)
    if queen < 0:
        return 0
    return sum(bool(game.stack((queen + step) & CELL_MASK)) for step in STEPS)


def ants(game: Game) -> list[bool]:
    """Return for each ant that the side to move has placed whether it can move."""
    movable = {move.piece for move in game.legal_moves()}
    placed = [game.side << 4 | FIRST_INDEX[ANT] + number for number in range(3)]
    return [piece in movable for piece in placed if game.cell_of(piece) >= 0]


@pytest.mark.parametrize("game_type", GAME_TYPES)
def test_queens_are_placed_and_keep_room(game_type):
    """After seven moves of each side; of 490 games of people 1 % have one free cell beside one."""
    for seed in SEEDS:
        game = opening(game_type, seed)
        for colour in (0, 1):
            assert game.cell_of(colour << 4 | QUEEN) >= 0
            assert filled_around_queen(game, colour) <= 4


def test_ants_are_not_buried():
    """Of the ants placed after seven moves 63 % can move in games of people."""
    free = []
    for game_type in GAME_TYPES:
        for seed in SEEDS:
            game = opening(game_type, seed).copy()
            free += ants(game)
            game.undo()
            free += ants(game)
    assert len(free) > 2 * len(GAME_TYPES) * len(SEEDS)
    assert sum(free) / len(free) > 0.5


@pytest.mark.parametrize("game_type", GAME_TYPES)
def test_openings_differ_by_seed_and_by_nothing_else(game_type):
    assert len({opening(game_type, seed).moves for seed in SEEDS}) > 1
    again = opening.__wrapped__(game_type, SEEDS[0])
    assert again.moves == opening(game_type, SEEDS[0]).moves
