"""An engine's answers held against our own core: as moves and states, never as text."""

from __future__ import annotations

from collections import Counter

from ...game import Game, Move
from ...notation import (
    GameStringError,
    MoveStringError,
    format_move,
    format_moves,
    parse_game,
    parse_move,
)
from ...notation.gamestring import format_header
from .findings import Deviation, Opinion

SHOWN = 3


def some(items: list[str]) -> str:
    """Return the first few of many, and how many more there are."""
    more = len(items) - SHOWN
    return ", ".join(items[:SHOWN]) + (f" and {more} more" if more > 0 else "")


def read_moves(game: Game, line: str) -> dict[Move, str]:
    """Return the moves of a `validmoves` line with their texts.

    Raises:
        Deviation: a text names no move, or two name the same.
    """
    moves: dict[Move, str] = {}
    for text in line.split(";"):
        try:
            move = parse_move(game, text)
        except MoveStringError as error:
            raise Deviation("MoveStrings joined by ';'", f"{text!r}: {error}") from None
        if move in moves:
            raise Deviation("each move once", f"{moves[move]!r} and {text!r}, the same move")
        moves[move] = text
    return moves


def moves_difference(game: Game, moves: dict[Move, str]) -> str:
    """Say which moves are too many and which are missing, empty where all agree."""
    legal = game.legal_moves()
    extra = [
        f"{text!r}, which is illegal: {game.why_illegal(move)}"
        for move, text in moves.items()
        if move not in legal
    ]
    missing = [repr(format_move(game, move)) for move in legal if move not in moves]
    parts = [f"lists {some(extra)}"] if extra else []
    parts += [f"leaves out {some(missing)}"] if missing else []
    return "; ".join(parts)


def compare_moves(game: Game, line: str) -> dict[Move, str]:
    """Return the moves of a `validmoves` line, which must be the legal ones.

    Raises:
        Deviation: they are not, or the line can't be read.
    """
    moves = read_moves(game, line)
    difference = moves_difference(game, moves)
    if difference:
        raise Deviation(f"{len(game.legal_moves())} moves", f"{len(moves)}: {difference}")
    return moves


def is_repetition(game: Game, state: str) -> bool:
    """Say whether a state is a draw that only a rule of repetition explains."""
    repeated = max(Counter(game.position_keys).values()) >= 3
    return state == "Draw" and repeated and not game.board_state.is_over


def compare_game(game: Game, line: str, *, whole: bool = True) -> None:
    """Hold a GameString against a game.

    Args:
        game: what was played.
        line: the engine's GameString.
        whole: whether to read all moves again, or to count them and read the last.

    Raises:
        Deviation: they differ.
        Opinion: but for a draw by repetition they agree.
    """
    fields = line.split(";")
    header = format_header(game)
    if len(fields) > 2 and fields[1] != header[1] and is_repetition(game, fields[1]):
        raise Opinion("no draw by repetition unless asked for", repr(fields[1]))
    if fields[:3] != header:
        raise Deviation(repr(";".join(header)), repr(";".join(fields[:3])[:120]))
    if len(fields) - 3 != game.ply:
        raise Deviation(f"a GameString of {game.ply} moves", f"one of {len(fields) - 3}")
    if whole:
        try:
            same = parse_game(line, tournament_opening=game.tournament_opening).moves
        except GameStringError as error:
            raise Deviation("a GameString", f"{line[:120]!r}: {error}") from None
        if same != game.moves:
            raise Deviation("the moves that were played", f"others: {line[-120:]!r}")
    elif game.ply:
        before = game.copy()
        before.undo()
        try:
            last = parse_move(before, fields[-1])
        except MoveStringError as error:
            raise Deviation("the move played", f"{fields[-1]!r}: {error}") from None
        if last != game.moves[-1]:
            raise Deviation(repr(format_move(before, game.moves[-1])), repr(fields[-1]))


def spelt_otherwise(game: Game, moves: dict[Move, str]) -> int:
    """Return how many moves have another text than the canonical one, Mzinga's."""
    texts = format_moves(game, list(moves))
    return sum(ours != theirs for ours, theirs in zip(texts, moves.values(), strict=True))
