"""What the evaluation counts of moves, without listing all of them, against the list of all."""

from __future__ import annotations

import random

import numpy as np

from uhp_engine.core.layout import CELL_MASK, STEPS
from uhp_engine.core.pieces import BUG_OF_INDEX, GAME_TYPES
from uhp_engine.core.plane import DISTANCE
from uhp_engine.game import Game, Move
from uhp_engine.search.evaluation import CLASS, inputs_at
from uhp_engine.search.shapes import BLOCK, MOST_ROWS


def beside(cell: int, other: int) -> bool:
    return cell >= 0 and other >= 0 and DISTANCE[(cell - other) & CELL_MASK] == 1


def played(number: int):
    """Yield the positions of a game at random, whose pieces like to stay on the enemy queen."""
    dice = random.Random(number)
    game = Game(GAME_TYPES[number % len(GAME_TYPES)])
    while not game.state.is_over and game.ply < 90:
        moves = game.legal_moves()
        state = game.states[0]
        queen = int(state["cell"][(game.side ^ 1) << 4])
        onto = [move for move in moves if queen >= 0 and move.code & CELL_MASK == queen]
        if queen >= 0 and int(state["top"][queen]) >> 4 == game.side:
            onto = [move for move in moves if move.code < 1 << 15 and placed(state, move)]
        game.play(dice.choice(onto or moves))
        if not game.state.is_over:
            yield game


def placed(state, move: Move) -> bool:
    """Say whether a move, no pass, brings in a piece from the hand."""
    return int(state["cell"][move.code >> 10]) < 0


def of_moves(game: Game) -> tuple[dict[int, int], bool]:
    """Return the counts that depend on the mover's moves, and if a placement fills a cell."""
    state = game.states[0]
    side = int(state["side"])
    cells = state["cell"]
    own_queen, queen = int(cells[side << 4]), int(cells[(side ^ 1) << 4])
    codes = [move.code for move in game.legal_moves() if move.code >> 10 < 32]
    filled, attackers, movable = set(), set(), set()
    fills_by_placement = False
    for code in codes:
        piece, target = code >> 10, code & CELL_MASK
        origin = int(cells[piece])
        if origin >= 0:
            movable.add(piece)
        stays = origin >= 0 and int(state["height"][origin]) == 1 and beside(origin, queen)
        if beside(target, queen) and state["top"][target] < 0 and not stays:
            filled.add(target)
            attackers.add(piece)
            fills_by_placement = fills_by_placement or origin < 0
    around = (
        sum(state["top"][(queen + step) & CELL_MASK] >= 0 for step in STEPS) if queen >= 0 else 0
    )
    expected = {42: len(codes) // 8}
    for bug in range(8):
        own = [p for p in movable if p >> 4 == side and BUG_OF_INDEX[p & 15] == bug]
        expected[23 + bug] = len(own)
    expected[40] = sum(p >> 4 == side and beside(int(cells[p]), own_queen) for p in movable)
    for group in range(4):
        here = group == CLASS[around]
        expected[BLOCK + 13 + group] = len(filled) if here else 0
        expected[BLOCK + 17 + group] = min(len(attackers), 4) if here else 0
    return expected, fills_by_placement


def test_moves_are_counted_as_if_all_were_listed():
    counts = np.zeros(2 * BLOCK, dtype=np.int64)
    rows = np.zeros(MOST_ROWS, dtype=np.int64)
    compared = placed_beside_queen = 0
    for number in range(16):
        for game in played(number):
            if inputs_at(game.states, counts, rows):
                continue
            expected, by_placement = of_moves(game)
            assert {slot: counts[slot] for slot in expected} == expected, str(game)
            compared += 1
            placed_beside_queen += by_placement
    assert compared > 800
    assert placed_beside_queen > 3


def test_a_win_at_once_is_seen_where_there_is_one():
    counts = np.zeros(2 * BLOCK, dtype=np.int64)
    rows = np.zeros(MOST_ROWS, dtype=np.int64)
    wins = 0
    for number in range(24):
        for game in played(number):
            winner = ("WhiteWins", "BlackWins")[game.side]
            enemy_queen = (game.side ^ 1) << 4
            queen = int(game.states["cell"][0][enemy_queen])
            winning = []
            for move in game.legal_moves():  # throwing the queen is left to the tree
                if beside(move.code & CELL_MASK, queen) and move.code >> 10 != enemy_queen:
                    game.play(move)
                    winning.append(game.state.value == winner)
                    game.undo(1)
            assert inputs_at(game.states, counts, rows) == any(winning)
            wins += any(winning)
    assert wins > 3
