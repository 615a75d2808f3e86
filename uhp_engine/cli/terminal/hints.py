"""Why a move is good, in words: what it changes on the board."""

from __future__ import annotations

import numpy as np

from ...core import board
from ...core.layout import CELL_MASK, STEPS
from ...core.moves import generate_at
from ...core.pieces import BUG_NAMES, PIECE_NAMES, QUEEN, bug_of, colour_of
from ...game import PASS, Game, GameState, Move
from ...notation import format_move
from .opponent import Idea

_COUNTS = ("no", "one", "two", "three", "four", "five", "all six")


def reasons(game: Game, move: Move) -> list[str]:
    """Return what a legal move brings its player, the most important first; perhaps nothing."""
    if move == PASS:
        return ["nothing else is legal"]
    side = game.side
    after = game.copy()
    after.play(move)
    won = (GameState.WHITE_WINS, GameState.BLACK_WINS)[side]
    if after.board_state is won:
        return ["it wins at once"]
    if after.board_state.is_over:
        return [f"it ends the game: {after.board_state.value}"]
    found = []
    if _wins_in_one(game, 1 - side) and not _wins_in_one(after, 1 - side):
        found.append("it keeps the other side from winning at once")
    found += _about_queens(game, after, move, side)
    found += _about_the_piece(game, move, side)
    before_free, after_free = _free(game, 1 - side), _free(after, 1 - side)
    stuck = sorted(before_free - after_free - {move.piece})
    if stuck:
        found.append(f"{_names(stuck)} can no longer move")
    return found


def _about_queens(game: Game, after: Game, move: Move, side: int) -> list[str]:
    theirs_before, theirs = _around(game, 1 - side), _around(after, 1 - side)
    ours_before, ours = _around(game, side), _around(after, side)
    found = []
    if theirs > theirs_before and _queen_cell(game, 1 - side) >= 0:
        found.append(
            f"it takes a place beside {_queen(1 - side)}: {_COUNTS[theirs]} of six are taken"
        )
    if ours < ours_before:
        found.append(f"it gives {_queen(side)} air: {_COUNTS[ours]} of six places are taken")
    elif bug_of(move.piece) == QUEEN and game.cell_of(move.piece) < 0:
        found.append("with the queen placed, your pieces may move")
    return found


def _about_the_piece(game: Game, move: Move, side: int) -> list[str]:
    below = game.stack(move.cell)
    name = PIECE_NAMES[move.piece]
    if below and colour_of(below[-1]) != side:
        return [f"{name} sits on {PIECE_NAMES[below[-1]]}, which cannot move any more"]
    if colour_of(move.piece) != side:
        return [f"your pillbug throws {name} where it harms less"]
    if game.cell_of(move.piece) < 0 and bug_of(move.piece) != QUEEN:
        return [f"it brings a new {BUG_NAMES[bug_of(move.piece)]} into play"]
    return []


def _queen(colour: int) -> str:
    return "wQ" if colour == 0 else "bQ"


def _queen_cell(game: Game, colour: int) -> int:
    return game.cell_of(colour << 4)


def _around(game: Game, colour: int) -> int:
    cell = _queen_cell(game, colour)
    if cell < 0:
        return 0
    return sum(1 for step in STEPS if game.stack((cell + step) & CELL_MASK))


def _moves_were_it_the_turn(game: Game, colour: int) -> tuple[np.ndarray, list[int]]:
    """Return the position with a colour to move (the other having passed) and its moves."""
    states = game.states.copy()
    if int(states["side"][0]) != colour:
        board.make_at(states, PASS.code)
    count = generate_at(states)
    return states, states["moves"][0, :count].tolist()


def _wins_in_one(game: Game, colour: int) -> bool:
    won = (board.WHITE_WINS, board.BLACK_WINS)[colour]
    states, codes = _moves_were_it_the_turn(game, colour)
    for code in codes:
        undo = board.make_at(states, code)
        outcome = board.outcome_at(states)
        board.unmake_at(states, code, undo)
        if outcome == won:
            return True
    return False


def _free(game: Game, colour: int) -> set[int]:
    """Return the pieces of a colour on the board that could move, were it its turn."""
    _, codes = _moves_were_it_the_turn(game, colour)
    moves = map(Move.from_code, codes)
    return {
        move.piece
        for move in moves
        if move != PASS and colour_of(move.piece) == colour and game.cell_of(move.piece) >= 0
    }


def _names(pieces: list[int]) -> str:
    names = [PIECE_NAMES[piece] for piece in pieces]
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def hint_text(game: Game, ideas: list[Idea]) -> str:
    """Return the best moves with their chances, reasons and what is expected to follow."""
    lines = []
    for number, idea in enumerate(ideas, start=1):
        text = format_move(game, idea.move)
        why = reasons(game, idea.move)
        chance = f"{100 * idea.score:.0f} %"
        if idea.plies_to_end > 0:
            chance = f"wins in {(idea.plies_to_end + 1) // 2}"
        elif idea.plies_to_end < 0:
            chance = f"loses in {-idea.plies_to_end // 2}"
        lines.append(f"{number}. {text} ({chance})" + (f": {'; '.join(why)}" if why else ""))
        follow = _line_text(game, idea)
        if follow:
            lines.append(f"     then perhaps {follow}")
    return "\n".join(lines)


def _line_text(game: Game, idea: Idea, length: int = 4) -> str:
    replay = game.copy()
    texts = []
    for move in idea.line[:length]:
        if not replay.is_legal(move):
            break
        texts.append(format_move(replay, move))
        replay.play(move)
    return ", ".join(texts[1:])
