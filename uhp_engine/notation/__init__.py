"""Text and moves: MoveStrings and GameStrings, read and written."""

from .gamestring import GameStringError, format_game, parse_game, parse_game_type
from .movestring import MoveStringError, format_line, format_move, format_moves, parse_move

__all__ = [
    "GameStringError",
    "MoveStringError",
    "format_game",
    "format_line",
    "format_move",
    "format_moves",
    "parse_game",
    "parse_game_type",
    "parse_move",
]
