from __future__ import annotations

import re
from pathlib import Path

from uhp_engine.core.pieces import PIECE_NAMES
from uhp_engine.game import Game
from uhp_engine.notation import parse_game, parse_move
from uhp_engine.render.text import board_text

DATA = Path(__file__).parents[1] / "data"
ANSI = re.compile(r"\033\[[0-9;]*m")


def test_a_small_board_exactly() -> None:
    game = parse_game("Base+M;;;wS1;bM wS1-;wQ -wS1;bQ bM-;wB1 \\wQ;bA1 bQ-;wB1 wQ")
    assert board_text(game) == (
        "Black in hand: S1 S2 B1 B2 G1 G2 G3 A2 A3 <- to move\n"
        "\n"
        " ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲\n"
        "[wB1]wS1│bM │bQ │bA1│\n"
        " ╲2╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱\n"
        "\n"
        "White in hand: S2 B2 G1 G2 G3 A1 A2 A3 M\n"
        "Stacks: wB1 on wQ"
    )


def test_directions_lie_as_movestrings_say() -> None:
    game = parse_game("Base;;;wS1;bS1 wS1\\;wQ \\wS1;bQ bS1\\;wA1 -wQ;bA1 bQ/")
    assert board_text(game, hands=False, ascii_only=True) == (
        " / \\ / \\\n"
        "|wA1|wQ |\n"
        " \\ / \\ / \\\n"
        "      |wS1|\n"
        "       \\ / \\ / \\\n"
        "        |bS1[bA1]\n"
        "         \\ / \\ /\n"
        "          |bQ |\n"
        "           \\ /"
    )


def test_every_top_piece_is_named_once_in_real_positions() -> None:
    for line in (DATA / "real_games.tsv").read_text().splitlines()[::200]:
        game = parse_game(line.split("\t")[0])
        text = board_text(game, hands=False)
        tops = {game.stack(game.cell_of(placed.piece))[-1] for placed in game.placed()}
        found = re.findall(r"[wb][QSBGAMLP]\d?", text)
        assert sorted(found) == sorted(PIECE_NAMES[piece] for piece in tops)


def test_colour_changes_no_character() -> None:
    game = parse_game((DATA / "real_games.tsv").read_text().split("\t")[0])
    coloured = board_text(game, colour=True)
    assert "\033[" in coloured
    stripped = [line.rstrip() for line in ANSI.sub("", coloured).splitlines()]
    assert stripped == board_text(game).splitlines()


def test_labels_stand_in_empty_cells() -> None:
    game = parse_game("Base;;;wS1;bS1 wS1-;wQ -wS1;bQ bS1-")
    move = parse_move(game, "wQ /wS1")
    text = board_text(game, labels={move.cell: "12"}, hands=False)
    assert "│12 │" in text.splitlines()[3]


def test_a_board_wider_than_the_terminal_is_cut_around_the_last_move() -> None:
    moves = ["wA1", "bA1 wA1-", "wQ -wA1", "bQ bA1-", "wA2 -wQ", "bA2 bQ-", "wA3 -wA2", "bA3 bA2-"]
    game = parse_game("Base;;;" + ";".join(moves))
    lines = board_text(game, width=16, hands=False).splitlines()
    assert max(map(len, lines)) <= 16
    assert "bA3" in lines[1]
    assert "wA3" not in lines[1]


def test_the_side_to_move_and_an_end() -> None:
    assert "White in hand: Q S1 S2 B1 B2 G1 G2 G3 A1 A2 A3 <- to move" in board_text(Game("Base"))
    over = parse_game((DATA / "real_games.tsv").read_text().split("\t")[0])
    assert over.state.is_over
    assert "to move" not in board_text(over)
