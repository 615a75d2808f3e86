"""The referee: our own rules, applied to what the engines say. No engine's word is trusted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ..game import Game, GameState, IllegalMove, Move, RepetitionDraw
from ..notation import MoveStringError, format_move, parse_move
from .outcome import DRAW, Fault, Termination

SIDES = ("White", "Black")
_WORDS = {state.value: state for state in GameState}


class Verdict(NamedTuple):
    """The end of a game: result, reason, and a sentence about it."""

    result: str
    termination: Termination
    detail: str


class Referee:
    """Judges one game.

    Args:
        game_type: one of the eight.
        opening: MoveStrings played before the engines move.
        repetition_draw: whether a third occurrence of a position is a draw.
        max_moves: a draw after so many moves of each side, the opening's included; 0 for never.

    Raises:
        ValueError: the opening is illegal.
    """

    def __init__(
        self,
        game_type: str,
        opening: Iterable[str] = (),
        *,
        repetition_draw: bool = True,
        max_moves: int = 0,
    ) -> None:
        rule = RepetitionDraw.THREEFOLD if repetition_draw else RepetitionDraw.OFF
        self.game = Game(game_type, repetition_draw=rule)
        self.max_moves = max_moves
        self.moves: list[str] = []
        for text in opening:
            self.play(parse_move(self.game, text))

    @property
    def side(self) -> int:
        """Whose turn it is: 0 White, 1 Black."""
        return self.game.side

    def judge(self, text: str) -> Move:
        """Return the move that the engine to move has given.

        Raises:
            Fault: it can't be read, or is illegal.
        """
        try:
            move = parse_move(self.game, text)
        except MoveStringError as error:
            unreadable = "unable to read" in str(error)
            kind = Termination.GARBAGE if unreadable else Termination.ILLEGAL_MOVE
            raise Fault(self.side, kind, f"plays {text[:100]!r}: {error}") from None
        reason = self.game.why_illegal(move)
        if reason is not None:
            raise Fault(self.side, Termination.ILLEGAL_MOVE, f"plays {text[:100]!r}: {reason}")
        return move

    def play(self, move: Move) -> str:
        """Play a move; return its canonical text.

        Raises:
            IllegalMove: it is illegal.
        """
        reason = self.game.why_illegal(move)
        if reason is not None:
            raise IllegalMove(reason)
        text = format_move(self.game, move)
        self.game.play(move)
        self.moves.append(text)
        return text

    def verdict(self) -> Verdict | None:
        """Return how the game ended, None while it goes on."""
        state = self.game.board_state
        if state is GameState.DRAW:
            return Verdict(DRAW, Termination.BOTH_SURROUNDED, "both queens are surrounded")
        if state.is_over:
            loser = SIDES[state is GameState.WHITE_WINS]
            return Verdict(state.value, Termination.SURROUND, f"{loser}'s queen is surrounded")
        if self.game.is_drawn_by_repetition():
            return self._repetition()
        if self.max_moves and self.game.ply >= 2 * self.max_moves:
            detail = f"{self.max_moves} moves were played"
            return Verdict(DRAW, Termination.MAX_MOVES, detail)
        return None

    def _repetition(self) -> Verdict:
        return Verdict(DRAW, Termination.REPETITION, "a position occurred for the third time")

    def check_reply(self, side: int, reply: str) -> Verdict | None:
        """Compare an engine's GameString with the board, while the game goes on.

        An engine that draws by repetition where the match does not is right in its own way, and
        would not move any more: the game is then drawn.

        Returns:
            The draw that the engine rightly claims, or None.

        Raises:
            Fault: it tells of another turn, or of an end that is none.
        """
        fields = [field.strip() for field in reply.split(";")]
        state = _WORDS.get(fields[1]) if len(fields) >= 3 else None
        if state is None:
            raise Fault(side, Termination.GARBAGE, f"printed {reply[:100]!r} for a GameString")
        turn = f"{SIDES[self.game.side]}[{self.game.turn}]"
        if fields[2] != turn:
            told = f"says that it is {fields[2]}, where it is {turn}"
            raise Fault(side, Termination.DISAGREES, told)
        if not state.is_over:
            return None
        keys = self.game.position_keys
        if state is GameState.DRAW and keys.count(keys[-1]) >= 3:
            return self._repetition()
        told = f"says {state.value}, where the game goes on"
        raise Fault(side, Termination.DISAGREES, told)
