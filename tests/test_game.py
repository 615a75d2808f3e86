"""The Game object: play, undo, result, repetition, copies."""

from __future__ import annotations

import numpy as np
import pytest

from uhp_engine.core.repetition import repetition_key
from uhp_engine.game import PASS, Game, GameState, IllegalMove, Move, RepetitionDraw
from uhp_engine.notation import format_game, format_moves, parse_game, parse_move

DANCE = ("wS1", "bB1 wS1-", "wQ \\wS1", "bQ bB1\\")
ROUND = ("wQ -wS1", "bQ bB1-", "wQ \\wS1", "bQ bB1\\")
# A forced pass (White's queen and pieces are shut in), from the protocol's facts.
FORCED_PASS = (
    "Base;;;wA1;bS1 wA1-;wQ -wA1;bQ bS1/;wQ \\wA1;bA1 bS1\\;wQ -wA1;bA2 bQ\\;wQ \\wA1;"
    "bA1 \\wQ;wG1 /wQ;bA2 /wG1"
)


def play(game: Game, *texts: str) -> Game:
    for text in texts:
        game.play(parse_move(game, text))
    return game


def test_a_game_begins_not_started():
    game = Game("Base+MLP")
    assert (game.state, game.side, game.turn, game.ply) == (GameState.NOT_STARTED, 0, 1, 0)
    assert len(game.legal_moves()) == 7
    assert game.hand(0) == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]


def test_an_unknown_type_is_refused():
    with pytest.raises(ValueError, match="unknown game type 'Base\\+X': expected Base, Base"):
        Game("Base+X")


def test_an_illegal_move_changes_nothing():
    game = play(Game("Base"), "wS1")
    before = format_game(game)
    with pytest.raises(IllegalMove):
        game.play(Move(0, 5))
    assert format_game(game) == before


def test_undo_gives_back_each_position():
    game = play(Game("Base"), *DANCE)
    game.undo(2)
    assert format_game(game) == "Base;InProgress;White[2];wS1;bB1 wS1-"
    with pytest.raises(ValueError, match="cannot undo 3 of 2 moves"):
        game.undo(3)
    with pytest.raises(ValueError, match="cannot undo 0"):
        game.undo(0)
    game.undo(2)
    assert game.state is GameState.NOT_STARTED


def test_a_copy_goes_its_own_way():
    game = play(Game("Base"), *DANCE)
    other = game.copy()
    play(other, "wQ -wS1")
    assert game.ply == 4
    assert other.ply == 5
    assert play(game, "wA1 -wQ").ply == 5


def test_a_forced_pass_is_the_only_move():
    game = parse_game(FORCED_PASS)
    assert game.legal_moves() == [PASS]
    assert game.why_illegal(parse_move(game, "wG1 -wQ")) is not None
    game.play(PASS)
    assert game.side == 1


def test_passing_with_moves_left_is_refused():
    game = Game("Base")
    assert game.why_illegal(PASS) == "passing is legal only without another move, and there are 4"


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (RepetitionDraw.OFF, GameState.IN_PROGRESS),
        (RepetitionDraw.THREEFOLD, GameState.DRAW),
        (RepetitionDraw.THREEFOLD_WITHIN_32, GameState.DRAW),
    ],
)
def test_the_third_occurrence(rule, expected):
    game = play(Game("Base", repetition_draw=rule), *DANCE, *ROUND)
    assert game.state is GameState.IN_PROGRESS
    play(game, *ROUND)
    assert game.state is expected
    assert game.legal_moves()  # whoever has not claimed the draw may play on
    game.undo()
    assert game.state is GameState.IN_PROGRESS


def test_the_window_is_32_plies():
    game = Game("Base", repetition_draw=RepetitionDraw.THREEFOLD_WITHIN_32)
    game._keys = [7, *range(100, 116), 7, *range(200, 215), 7]
    assert len(game._keys) == 34
    assert game._keys.index(7) == 0
    assert not game.is_drawn_by_repetition()  # 33 plies from the first to the third
    game._keys.pop(1)
    assert game.is_drawn_by_repetition()  # 32
    game.repetition_draw = RepetitionDraw.OFF
    assert not game.is_drawn_by_repetition()


def test_a_hive_moved_as_a_whole_is_the_same_position():
    """Every cell shifted by the same step counts as the same; a queen elsewhere does not."""
    game = play(Game("Base"), "wS1", "bS1 wS1-", "wQ -wS1", "bQ bS1-")
    first = game.copy()
    shifted = play(Game("Base"), "wS1", "bS1 wS1-", "wQ -wS1", "bQ bS1-")
    record = shifted.states[0]
    for name in ("top", "height", "around"):
        record[name][:] = np.roll(record[name], 5)
    for piece in range(32):
        if record["cell"][piece] >= 0:
            record["cell"][piece] = (record["cell"][piece] + 5) % 1024
    assert repetition_key(shifted.states) == repetition_key(first.states)
    play(game, "wQ /wS1")
    assert repetition_key(game.states) != repetition_key(first.states)


def test_pieces_of_a_kind_are_alike_for_repetition():
    one = parse_game("Base;;;wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wA1 -wQ;bA1 bQ-;wA2 /wQ;bA2 bQ/")
    other = parse_game("Base;;;wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wA1 /wQ;bA1 bQ/;wA2 -wQ;bA2 bQ-")
    assert one.position_keys[-1] == other.position_keys[-1]


ANT_LAST = ("wB1 wQ\\", "bA1 bQ\\", "wA1 \\wQ")
BEETLE_LAST = ("wA1 \\wQ", "bA1 bQ\\", "wB1 wQ\\")


def test_which_piece_moved_last_counts_only_where_it_restricts():
    """Without a thrower near, the same layout with another piece moved last is the same."""
    start = "Base+P;;;wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wA1 -wQ;bA1 bQ-;wB1 /wQ;bA2 bQ/"
    one = play(parse_game(start), *ANT_LAST)
    other = play(parse_game(start), *BEETLE_LAST)
    assert one.states["last"][0] != other.states["last"][0]
    assert one.position_keys[-1] == other.position_keys[-1]


def test_which_piece_moved_last_counts_where_it_restricts():
    """Black's pillbug beside White's beetle may throw it, unless it moved last."""
    start = (
        "Base+P;;;wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wA1 -wQ;bP bS1\\;wB1 /wQ;bP /bS1;wG1 \\wS1;bA1 bQ-"
    )
    one = play(parse_game(start), *ANT_LAST)
    other = play(parse_game(start), *BEETLE_LAST)
    beetle = 3
    assert any(move.piece == beetle for move in one.legal_moves())
    assert not any(move.piece == beetle for move in other.legal_moves())
    assert one.position_keys[-1] != other.position_keys[-1]


def test_both_queens_at_once_is_a_draw(rows):
    drawn = [
        text
        for text, result, end, _ in rows("real_games.tsv")
        if (result, end) == ("Draw", "surround")
    ]
    assert drawn
    for text in drawn:
        game = parse_game(text)
        assert game.state is GameState.DRAW
        assert game.legal_moves() == []
        with pytest.raises(IllegalMove, match="the game is over"):
            game.play(PASS)


def test_placed_gives_axial_coordinates():
    game = play(
        Game("Base"), "wS1", "bS1 wS1-", "wQ \\wS1", "bQ bS1\\", "wB1 -wS1", "bA1 bQ-", "wB1 wS1"
    )
    placed = {piece: (q, r, height) for piece, q, r, height in game.placed()}
    q, r, _ = placed[1]
    assert placed[3] == (q, r, 1)
    assert placed[0] == (q, r - 1, 0)
    assert placed[16] == (q + 1, r + 1, 0)


def test_moves_print_in_the_reference_engines_words(rows):
    """Mzinga's own move lists, text for text."""
    for text, expected in rows("valid_moves.tsv"):
        game = parse_game(text)
        assert set(expected.split(";")) <= set(format_moves(game, game.legal_moves()))


def test_plies_since_a_piece_was_placed():
    game = Game("Base")
    assert game.plies_since_placement == 0
    game = parse_game("Base;;;wS1;bB1 wS1-;wQ \\wS1;bQ bB1\\;wQ -wS1;bQ bB1-")
    assert game.plies_since_placement == 2
    game.undo(2)
    assert game.plies_since_placement == 0
