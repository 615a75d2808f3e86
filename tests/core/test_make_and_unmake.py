"""Making and unmaking moves in random games restores every field."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from uhp_engine.core.board import settle
from uhp_engine.core.jit import uncached_entry
from uhp_engine.core.pieces import ALL_PIECES, GAME_TYPES
from uhp_engine.game import Game
from uhp_engine.notation import format_moves, parse_move


@uncached_entry
def settle_first(states):
    settle(states[0])


# What the kernels use as scratch says nothing about the position.
SCRATCH = {
    "mark",
    "flood",
    "pinned",
    "throwable",
    "border",
    "border_end",
    "order",
    "low",
    "queue",
    "moves",
    "next",
    "end",
    "undo",
    "features",
}


def snapshot(game: Game) -> dict[str, bytes]:
    record = game.states[0]
    return {name: record[name].tobytes() for name in record.dtype.names if name not in SCRATCH}


STEPS = (-32, -31, 1, 32, 31, -1)


def ring_of(cell: int) -> set[int]:
    return {(cell + step) % 1024 for step in STEPS}


def count_holes(occupied: set[int]) -> int:
    """Flood the empty cells, group by group, and count those groups beside the outermost."""
    empty = set(range(1024)) - occupied
    groups = 0
    while empty:
        groups += 1
        edge = [empty.pop()]
        while edge:
            cell = edge.pop()
            found = {(cell + step) % 1024 for step in STEPS} & empty
            empty -= found
            edge += found
    return groups - 1


def slide_regions(occupied: set[int]) -> list[set[int]]:
    """Flood the empty cells beside the hive by slides on the ground, region by region."""

    def slides_from(cell: int) -> set[int]:
        ring = [(cell + step) % 1024 for step in STEPS]
        return {
            ring[d]
            for d in range(6)
            if ring[d] not in occupied
            and (ring[d - 1] in occupied) != (ring[(d + 1) % 6] in occupied)
        }

    left = {(cell + step) % 1024 for cell in occupied for step in STEPS} - occupied
    found = []
    while left:
        region = {left.pop()}
        edge = list(region)
        while edge:
            fresh = slides_from(edge.pop()) - region
            region |= fresh
            edge += fresh
        left -= region
        found.append(region)
    return found


def recount_tally(game: Game) -> int:
    """Work out the packed counts of core/tally.py by floods."""
    tops = {game.cell_of(piece): game.stack(game.cell_of(piece)) for piece in ALL_PIECES}
    tops.pop(-1, None)
    if not tops:
        return 128 << 22
    open_cells = [0, 0]
    for cell in {(cell + step) % 1024 for cell in tops for step in STEPS} - set(tops):
        beside = {tops[there][-1] >> 4 for step in STEPS if (there := (cell + step) % 1024) in tops}
        if len(beside) == 1:
            open_cells[beside.pop()] += 1
    stacks = sum(len(stack) > 1 for stack in tops.values())
    holes = count_holes(set(tops))
    regions = [len(region) for region in slide_regions(set(tops)) if len(region) > 1]
    pits = sum(ring_of(cell) <= set(tops) for cell in set(range(1024)) - set(tops))
    gates = 2 * (len(regions) - 1 - holes)
    return (
        open_cells[0]
        + (open_cells[1] << 6)
        + (sum(regions) << 12)
        + (pits << 18)
        + ((gates + 128) << 22)
        + (stacks << 30)
        + ((1 - holes) << 35)
    )


def recount(game: Game) -> dict[str, list[int] | int]:
    """Work out the redundant fields from the stacks alone."""
    height, around, on_board = [0] * 1024, [0] * 1024, [0, 0]
    for piece in ALL_PIECES:
        cell = game.cell_of(piece)
        if cell >= 0:
            on_board[piece >> 4] += 1
            height[cell] += 1
    for cell in range(1024):
        stack = game.stack(cell)
        if stack:
            for direction, step in enumerate(STEPS):
                around[(cell + step) % 1024] |= 1 << (direction + 3) % 6 + 6 * (stack[-1] >> 4)
    return {
        "height": height,
        "around": around,
        "on_board": on_board,
        "tally": recount_tally(game),
    }


@settings(max_examples=1000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    game_type=st.sampled_from(GAME_TYPES),
    seed=st.integers(0, 2**32 - 1),
    plies=st.integers(1, 60),
)
def test_random_games(game_type, seed, plies):
    choice = random.Random(seed)
    game = Game(game_type, tournament_opening=bool(seed & 1))
    before = []
    for _ in range(plies):
        legal = game.legal_moves()
        if not legal:
            break
        before.append(snapshot(game))
        texts = format_moves(game, legal)
        assert len(set(texts)) == len(legal)
        assert game.perft(1) == len(legal)  # counted without listing
        move = choice.choice(legal)
        assert parse_move(game, texts[legal.index(move)]) == move
        game.play(move)
    if game.states["unsettled"][0]:
        settle_first(game.states)
    record = game.states[0]
    for name, expected in recount(game).items():
        assert record[name].tolist() == expected, name
    while before:
        game.undo()
        assert snapshot(game) == before.pop()


def test_the_key_depends_on_the_position_and_not_on_the_way():
    one, other = Game("Base"), Game("Base")
    for game, texts in (
        (one, ["wS1", "bS1 wS1-", "wQ -wS1", "bQ bS1-", "wA1 -wQ", "bA1 bQ-"]),
        (other, ["wS1", "bS1 wS1-", "wQ -wS1", "bQ bS1-", "wA1 \\wQ", "bA1 bQ-", "wA1 -wQ"]),
    ):
        for text in texts:
            game.play(parse_move(game, text))
    assert one.states["key"][0] != other.states["key"][0]  # the other side is to move
    one.play(parse_move(one, "wA1 \\wQ"))
    other.undo()
    other.undo()
    other.undo()
    other.play(parse_move(other, "wA1 \\wQ"))
    other.play(parse_move(other, "bA1 bQ-"))
    one.undo()
    one.undo()
    one.undo()
    one.play(parse_move(one, "wA1 \\wQ"))
    one.play(parse_move(one, "bA1 bQ-"))
    assert one.states["key"][0] == other.states["key"][0]


def test_a_hive_that_walks_away_goes_on():
    """539 plies and 150 cells to the east: coordinates never run out."""
    game = Game("Base")
    for text in ("wS1", "bS1 wS1-", "wQ -wS1", "bQ bS1-"):
        game.play(parse_move(game, text))
    keys = []
    for _ in range(300):
        white = max(game.legal_moves(), key=lambda move: (move.piece == 0, move.cell))
        game.play(white)
        keys.append(len(game.placed()))
        if game.state.is_over:
            break
    assert keys[-1] >= 4


@pytest.mark.parametrize("axis", [("-", ""), ("", "\\"), ("", "/")])
def test_a_line_of_28_pieces_does_not_touch_itself(axis):
    """On all three axes: the ends stay apart, and a perimeter ant goes all the way round."""
    before, after = axis
    marks = (
        ("-{}", "{}-") if before == "-" else (("\\{}", "{}\\") if after == "\\" else ("/{}", "{}/"))
    )
    own = ["S1", "Q", "S2", "B1", "B2", "G1", "G2", "G3", "M", "L", "P", "A1", "A2", "A3"]
    game = Game("Base+MLP")
    ends = {0: "wS1", 1: "wS1"}
    for number, name in enumerate(own):
        for side, colour in enumerate("wb"):
            piece = colour + name
            text = piece if game.ply == 0 else f"{piece} {marks[side].format(ends[side])}"
            if side == 1 and number == 0:
                text = f"{piece} {marks[1].format('wS1')}"
            game.play(parse_move(game, text))
            ends[side] = piece
    assert len(game.placed()) == 28
    record = game.states[0]
    neighbours = [
        bin(int(record["around"][game.cell_of(piece)])).count("1") for piece in ALL_PIECES
    ]
    assert sorted(neighbours) == [1, 1] + [2] * 26
    ant = game.cell_of(10)  # wA3, White's end of the line
    targets = {move.cell for move in game.legal_moves() if move.piece == 10}
    assert len(targets) == 2 * 27 + 4 - 1
    assert ant not in targets
    assert np.count_nonzero(record["height"]) == 28
