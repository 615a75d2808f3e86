"""One game of Hive: its moves, their legality with reasons, its result, undo."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

import numpy as np

from .core import board, layout
from .core.moves import generate_at
from .core.perft import perft_at
from .core.pieces import AXIAL_STEPS, GAME_TYPES, PIECE_NAMES, bugs_of_type
from .core.repetition import repetition_key
from .reasons import COLOUR_NAMES, explain


class GameState(Enum):
    """How a game stands, in the protocol's words."""

    NOT_STARTED = "NotStarted"
    IN_PROGRESS = "InProgress"
    DRAW = "Draw"
    WHITE_WINS = "WhiteWins"
    BLACK_WINS = "BlackWins"

    @property
    def is_over(self) -> bool:
        """True for a draw or a win."""
        return self not in (GameState.NOT_STARTED, GameState.IN_PROGRESS)


class RepetitionDraw(Enum):
    """Whether the third occurrence of a position is a draw."""

    OFF = "Off"
    THREEFOLD = "Threefold"
    THREEFOLD_WITHIN_32 = "ThreefoldWithin32"


RECENT_PLIES = 32


class IllegalMove(ValueError):
    """A move that the rules do not allow; its text says why."""


class Move(NamedTuple):
    """A move: which piece, and the cell where it ends.

    Cells are numbers of the position's board; they mean something only beside a game. PASS is
    the move without either.
    """

    piece: int
    cell: int

    @property
    def code(self) -> int:
        """The number by which the kernels know the move."""
        return layout.PASS if self.piece < 0 else self.piece << 10 | self.cell

    @classmethod
    def from_code(cls, code: int) -> Move:
        """Return the move for a kernel's number."""
        return PASS if code == layout.PASS else cls(int(code) >> 10, int(code) & layout.CELL_MASK)


PASS = Move(-1, -1)

_OUTCOMES = {
    board.WHITE_WINS: GameState.WHITE_WINS,
    board.BLACK_WINS: GameState.BLACK_WINS,
    board.DRAW: GameState.DRAW,
}


class Placed(NamedTuple):
    """A piece on the board in axial coordinates: q to the east, r to the south-east."""

    piece: int
    q: int
    r: int
    height: int


class Game:
    """A game from its start to the position now.

    Args:
        game_type: one of the eight names, `Base` to `Base+MLP`.
        repetition_draw: whether a position's third occurrence is a draw.
        tournament_opening: True where neither side may place the queen as its first piece.

    Raises:
        ValueError: the game type is none of the eight.

    >>> game = Game("Base")
    >>> game.play(game.legal_moves()[0])
    >>> game.state, game.ply
    (<GameState.IN_PROGRESS: 'InProgress'>, 1)
    """

    def __init__(
        self,
        game_type: str = "Base",
        *,
        repetition_draw: RepetitionDraw = RepetitionDraw.OFF,
        tournament_opening: bool = True,
    ) -> None:
        if game_type not in GAME_TYPES:
            raise ValueError(f"unknown game type {game_type!r}: expected {', '.join(GAME_TYPES)}")
        self.game_type = game_type
        self.repetition_draw = repetition_draw
        self._states = layout.new_states()
        board.reset(self._states, bugs_of_type(game_type), int(tournament_opening))
        self._moves: list[Move] = []
        self._undo: list[int] = []
        self._keys: list[int] = [repetition_key(self._states)]
        self._place_keys: list[int] = [0]
        self._legal: list[Move] | None = None

    # -- what the game is -------------------------------------------------------------------

    @property
    def states(self) -> np.ndarray:
        """The position as the kernels want it: an array of one `layout.STATE` record."""
        return self._states

    @property
    def tournament_opening(self) -> bool:
        """True where neither side may place the queen as its first piece."""
        return bool(self._states["queen_opening"][0])

    @tournament_opening.setter
    def tournament_opening(self, wanted: bool) -> None:
        self._states["queen_opening"][0] = int(wanted)
        self._legal = None

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves played."""
        return tuple(self._moves)

    @property
    def ply(self) -> int:
        """How many moves were played."""
        return len(self._moves)

    @property
    def side(self) -> int:
        """Whose turn it is: 0 White, 1 Black."""
        return self.ply & 1

    @property
    def turn(self) -> int:
        """The number of the turn, from 1; it grows after Black's move."""
        return self.ply // 2 + 1

    @property
    def state(self) -> GameState:
        """How the game stands, a draw by repetition included where that rule is on."""
        if self.is_drawn_by_repetition():
            return GameState.DRAW
        return self.board_state

    @property
    def board_state(self) -> GameState:
        """How the game stands by the queens alone."""
        if not self._moves:
            return GameState.NOT_STARTED
        return _OUTCOMES.get(int(board.outcome_at(self._states)), GameState.IN_PROGRESS)

    def is_drawn_by_repetition(self) -> bool:
        """Say whether some position of the game so far occurred for the third time."""
        if self.repetition_draw is RepetitionDraw.OFF:
            return False
        within = RECENT_PLIES if self.repetition_draw is not RepetitionDraw.THREEFOLD else None
        seen: dict[int, list[int]] = {}
        for ply, key in enumerate(self._keys):
            earlier = seen.setdefault(key, [])
            earlier.append(ply)
            if len(earlier) >= 3 and (within is None or ply - earlier[-3] <= within):
                return True
        return False

    @property
    def position_keys(self) -> tuple[int, ...]:
        """A number for each position so far, the same where they count as repeated."""
        return tuple(self._keys)

    @property
    def place_keys(self) -> tuple[int, ...]:
        """A number for each position so far, the same where all lies on the same cells."""
        return tuple(self._place_keys)

    @property
    def plies_since_placement(self) -> int:
        """How many plies ago a piece was last placed; no position before it can come again."""
        count = 0
        for move, undo in zip(reversed(self._moves), reversed(self._undo), strict=True):
            if move != PASS and undo & board.UNDO_ORIGIN == 0:  # it came from the hand
                break
            count += 1
        return count

    # -- moves ------------------------------------------------------------------------------

    def legal_moves(self) -> list[Move]:
        """Return every legal move, PASS alone where there is no other; none after a queen's end.

        A draw by repetition does not end them: a player may not have claimed it.
        """
        if self._legal is None:
            if self.board_state.is_over:
                self._legal = []
            else:
                count = generate_at(self._states)
                codes = self._states["moves"][0, :count].tolist()
                self._legal = [Move.from_code(code) for code in codes]
        return list(self._legal)

    def is_legal(self, move: Move) -> bool:
        """Say whether a move may be played now."""
        return move in self.legal_moves()

    def why_illegal(self, move: Move) -> str | None:
        """Return in plain words why a move may not be played, or None where it may."""
        legal = self.legal_moves()
        if move in legal:
            return None
        if self.board_state.is_over:
            return f"the game is over ({self.board_state.value})"
        if move == PASS:
            return f"passing is legal only without another move, and there are {len(legal)}"
        if move.piece not in PIECE_NAMES or not 0 <= move.cell < layout.CELLS:
            return f"{move} names no piece and cell"
        reason = explain(self._states, move.piece, move.cell)
        if legal == [PASS] and reason.startswith(PIECE_NAMES[move.piece]):
            return f"{reason} ({COLOUR_NAMES[self.side]} has no move but to pass)"
        return reason

    def play(self, move: Move) -> None:
        """Play a move.

        Raises:
            IllegalMove: the rules do not allow it; the game is unchanged.
        """
        reason = self.why_illegal(move)
        if reason is not None:
            raise IllegalMove(reason)
        self._undo.append(int(board.make_at(self._states, move.code)))
        self._moves.append(move)
        self._keys.append(int(repetition_key(self._states)))
        self._place_keys.append(int(self._states["key"][0]))
        self._legal = None

    def undo(self, count: int = 1) -> None:
        """Take back the last moves.

        Raises:
            ValueError: fewer moves were played, or the count is below 1; the game is unchanged.
        """
        if not 1 <= count <= self.ply:
            raise ValueError(f"cannot undo {count} of {self.ply} moves")
        for _ in range(count):
            board.unmake_at(self._states, self._moves.pop().code, self._undo.pop())
            self._keys.pop()
            self._place_keys.pop()
        self._legal = None

    def copy(self) -> Game:
        """Return an independent copy."""
        other = object.__new__(type(self))
        other.__dict__ = dict(self.__dict__)
        other._states = self._states.copy()
        other._moves, other._undo = list(self._moves), list(self._undo)
        other._keys, other._place_keys = list(self._keys), list(self._place_keys)
        return other

    def perft(self, depth: int, *, bulk: bool = True) -> int:
        """Count the ways to play `depth` plies from here.

        Args:
            depth: plies to play.
            bulk: False to make and unmake each move of the last ply, too, not only count them.

        Raises:
            ValueError: the depth is below 0 or above the kernels' limit.
        """
        if not 0 <= depth < layout.MAX_DEPTH:
            raise ValueError(f"perft depth {depth} is outside 0 to {layout.MAX_DEPTH - 1}")
        return int(perft_at(self._states, depth, bulk))

    # -- the board --------------------------------------------------------------------------

    def cell_of(self, piece: int) -> int:
        """Return the cell of a piece, -1 in hand."""
        return int(self._states["cell"][0, piece])

    def stack(self, cell: int) -> list[int]:
        """Return the pieces on a cell from the bottom up."""
        pieces = []
        piece = int(self._states["top"][0, cell])
        while piece >= 0:
            pieces.append(piece)
            piece = int(self._states["below"][0, piece])
        return pieces[::-1]

    def hand(self, colour: int) -> list[int]:
        """Return the pieces that a colour still has in hand."""
        counts = self._states["hand"][0]
        return [
            piece
            for piece in PIECE_NAMES
            if piece >> 4 == colour
            and counts[colour << 3 | int(board.BUG[piece])] > 0
            and self.cell_of(piece) < 0
        ]

    def placed(self) -> list[Placed]:
        """Return every piece on the board in axial coordinates around the first one found.

        >>> Game("Base").placed()
        []
        """
        occupied = [cell for piece in PIECE_NAMES if (cell := self.cell_of(piece)) >= 0]
        if not occupied:
            return []
        where = {occupied[0]: (0, 0)}
        border = [occupied[0]]
        wanted = set(occupied)
        while border:
            cell = border.pop()
            q, r = where[cell]
            for step, (dq, dr) in zip(layout.STEPS, AXIAL_STEPS, strict=True):
                near = (cell + step) & layout.CELL_MASK
                if near in wanted and near not in where:
                    where[near] = (q + dq, r + dr)
                    border.append(near)
        return [
            Placed(piece, *where[cell], height)
            for cell in where
            for height, piece in enumerate(self.stack(cell))
        ]
