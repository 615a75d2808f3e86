"""Checks of the rules: positions in which a rule matters, and repetition."""

from __future__ import annotations

from functools import partial

from ...game import Game
from ...notation import format_game, parse_game, parse_move
from .compare import compare_game
from .exam import Exam
from .findings import Check, Deviation, Opinion
from .positions import RulePosition, rule_positions

# Both sides step forth and back: the start comes again after 4 plies, the third time after 8.
_SHUTTLE = "Base;;;wS1;bS1 wS1-;wQ -wS1;bQ bS1-"
_STEPS = ("wQ \\wS1", "bQ bS1\\", "wQ -wS1", "bQ bS1-")


async def _rule(exam: Exam, position: RulePosition) -> str:
    """Compare the valid moves, then offer the move that would be legal without the rule."""
    game = await exam.set_up(position.game)
    if game.board_state.is_over:
        return game.state.value
    await exam.valid_moves(game)
    if position.wrong:
        await exam.refused(f"play {position.wrong}", ("invalidmove",))
        await exam.is_unchanged(game)
    return f"{len(game.legal_moves())} moves"


async def _repetition(exam: Exam) -> str:
    """A note where the engine ends the game at the third occurrence of a position."""
    game = await exam.set_up(parse_game(_SHUTTLE))
    for text in _STEPS * 2:
        line = await _play_on(exam, game, text)
        try:
            compare_game(game, line, whole=False)
        except Opinion as opinion:
            seen = f"{opinion.seen} after {game.ply} plies"
            raise Opinion(opinion.expected, seen) from None
    await exam.valid_moves(game)
    return "no draw"


async def _play_on(exam: Exam, game: Game, text: str) -> str:
    game.play(parse_move(game, text))
    return await exam.one_line(f"play {text}")


async def _repetition_loads(exam: Exam) -> None:
    """Records of people's games go on past a third repetition."""
    game = parse_game(f"{_SHUTTLE};{';'.join(_STEPS * 2)};wA1 -wQ;bA1 bQ-")
    lines = await exam.ask(f"newgame {format_game(game)}")
    try:
        compare_game(game, lines[0] if len(lines) == 1 else "")
    except Deviation as error:
        seen = lines[0][:80] if lines else "nothing"
        raise Opinion("a game that went on after a third occurrence loaded", seen) from error


def checks() -> list[Check]:
    """Return the checks of this module."""
    found = [
        Check("rules", position.rule, partial(_rule, position=position), position.game_type)
        for position in rule_positions()
    ]
    return [
        *found,
        Check("repetition", "a third occurrence is no draw", _repetition),
        Check("repetition", "a game that went on after one loads", _repetition_loads),
    ]
