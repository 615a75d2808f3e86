"""The player's choice: a MoveString, a number out of the list, or the beginning of a move."""

from __future__ import annotations

from dataclasses import dataclass

from ...core.pieces import PIECE_NAMES
from ...game import PASS, Game, Move
from ...notation import MoveStringError, format_moves, parse_move


@dataclass(frozen=True)
class MoveList:
    """The legal moves of a position, numbered from 1 in the order of pieces and texts."""

    moves: tuple[Move, ...]
    texts: tuple[str, ...]

    @classmethod
    def of(cls, game: Game) -> MoveList:
        """Return the list of a game's position."""
        moves = game.legal_moves()
        pairs = sorted(
            zip(moves, format_moves(game, moves), strict=True),
            key=lambda pair: (pair[0].piece, pair[1].strip("-/\\")),
        )
        return cls(tuple(move for move, _ in pairs), tuple(text for _, text in pairs))

    def narrowed(self, typed: str) -> list[int]:
        """Return the numbers of the moves that fit what is typed: digits, or letters of moves.

        Each word typed must occur in the move, the first at its beginning.
        """
        words = typed.lower().split()
        if not words:
            return list(range(1, len(self.texts) + 1))
        if len(words) == 1 and words[0].isdecimal():
            return [n for n in range(1, len(self.texts) + 1) if str(n).startswith(words[0])]
        found = []
        for number, text in enumerate(self.texts, start=1):
            lower = text.lower()
            if lower.startswith(words[0]) and all(word in lower for word in words[1:]):
                found.append(number)
        return found

    def lines(self, numbers: list[int], width: int = 80) -> str:
        """Return moves with their numbers, a piece a paragraph, cut to lines of a width."""
        lines: list[str] = []
        piece = -2
        for number in numbers:
            move = self.moves[number - 1]
            entry = f"{number:>4} {self.texts[number - 1]:<10}"
            if move.piece != piece or len(lines[-1]) + len(entry) > width:
                lines.append("")
            piece = move.piece
            lines[-1] += entry
        return "\n".join(line.rstrip() for line in lines)

    def labels(self, numbers: list[int]) -> dict[int, str]:
        """Return the numbers to write into the cells where one piece's moves end."""
        pieces = {self.moves[number - 1].piece for number in numbers}
        if len(pieces) != 1 or self.moves[numbers[0] - 1] == PASS:
            return {}
        return {self.moves[number - 1].cell: str(number) for number in numbers}


class NotAMove(ValueError):
    """What was typed is no legal move; says why.

    Attributes:
        fitting: numbers of moves that begin so.
    """

    def __init__(self, reason: str, fitting: list[int]) -> None:
        super().__init__(reason)
        self.fitting = fitting


def choose(game: Game, listed: MoveList, typed: str) -> Move:
    """Return the legal move that is meant by what was typed.

    Raises:
        NotAMove: none is; or several begin so.
    """
    typed = " ".join(typed.split())
    if typed.isdecimal():
        if 1 <= int(typed) <= len(listed.moves):
            return listed.moves[int(typed) - 1]
        raise NotAMove(f"there are moves 1 to {len(listed.moves)}", [])
    fitting = listed.narrowed(typed)
    try:
        move = parse_move(game, typed)
    except MoveStringError as error:
        if len(fitting) == 1 and " " in typed:
            return listed.moves[fitting[0] - 1]
        if fitting:
            raise NotAMove(f"{len(fitting)} moves begin with {typed!r}", fitting) from None
        raise NotAMove(str(error), _of_piece(listed, typed)) from None
    reason = game.why_illegal(move)
    if reason is not None:
        raise NotAMove(reason, _of_piece(listed, typed))
    return move


def _of_piece(listed: MoveList, typed: str) -> list[int]:
    """Return the moves of the piece that was named, to choose from instead."""
    name = typed.split()[0].lower() if typed else ""
    if name not in {text.lower() for text in PIECE_NAMES.values()}:
        return []
    return listed.narrowed(name)
