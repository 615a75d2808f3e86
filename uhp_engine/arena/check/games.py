"""Random games in which both sides' valid moves must agree, ply by ply."""

from __future__ import annotations

import random
from functools import partial

from ...core.pieces import BEETLE, GAME_TYPES, LADYBUG, MOSQUITO, PILLBUG, bug_of, colour_of
from ...game import Game, Move
from .compare import compare_game, spelt_otherwise
from .exam import Exam
from .findings import Check, Opinion

MAX_PLIES = 150
QUICK_GAMES = 4
UNDO_SHARE = 0.1
_LIVELY = (BEETLE, MOSQUITO, LADYBUG, PILLBUG)


def choose(game: Game, generator: random.Random) -> Move:
    """Return a random legal move: mostly of pieces on the board, often of the intricate bugs."""
    moves = game.legal_moves()
    on_board = [m for m in moves if m.piece >= 0 and game.cell_of(m.piece) >= 0]
    lively = [m for m in on_board if bug_of(m.piece) in _LIVELY or colour_of(m.piece) != game.side]
    share = generator.random()
    if lively and share < 0.4:
        return generator.choice(lively)
    return generator.choice(on_board if on_board and share < 0.65 else moves)


async def _random_game(exam: Exam, game_type: str, seed: int) -> str:
    generator = random.Random(seed)
    game = await exam.set_up(Game(game_type))
    spelt = total = 0
    while not game.board_state.is_over and game.ply < MAX_PLIES:
        texts = await exam.valid_moves(game)
        total += len(texts)
        spelt += spelt_otherwise(game, texts)
        move = choose(game, generator)
        # By turns our own text of the move, and the engine's.
        try:
            await exam.play(game, move, texts[move] if game.ply % 2 else "")
        except Opinion as opinion:  # it ends the game by repetition: so be it
            raise Opinion(opinion.expected, f"{opinion.seen} after {game.ply} plies") from None
        if generator.random() < UNDO_SHARE and not game.board_state.is_over:
            count = generator.randint(1, min(4, game.ply))
            game.undo(count)
            compare_game(game, await exam.one_line(f"undo {count}"))
    line = await exam.one_line("undo")
    game.undo()
    compare_game(game, line)
    how = f", {spelt} spelt otherwise than Mzinga does" if spelt else ""
    return f"{game.ply + 1} plies, {total} moves agree{how}"


async def _spelling(exam: Exam) -> str:
    """Count the moves whose text is not Mzinga's, which tools that compare texts stumble over."""
    generator = random.Random(exam.settings.seed)
    spelt = total = 0
    for game_type in ("Base", "Base+MLP"):
        if not exam.plays(game_type):
            continue
        game = await exam.set_up(Game(game_type))
        while game.ply < 24 and not game.board_state.is_over:
            texts = await exam.valid_moves(game)
            total += len(texts)
            spelt += spelt_otherwise(game, texts)
            await exam.play(game, choose(game, generator))
    if spelt:
        raise Opinion("none spelt otherwise", f"{spelt} of {total} moves spelt otherwise")
    return f"{total} moves"


def checks(games: int, seed: int) -> list[Check]:
    """Return a check for each random game, half of them with all expansions."""
    found = [Check("games", "moves are spelt as Mzinga does", _spelling)]
    for number in range(games):
        kind = "Base+MLP" if number % 2 else GAME_TYPES[number // 2 % len(GAME_TYPES)]
        run = partial(_random_game, game_type=kind, seed=seed * 1000 + number)
        found.append(Check("games", f"random game {number + 1}, {kind}", run, kind))
    return found
