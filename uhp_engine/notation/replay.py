"""Replay a game out of a file, whose writer may have kept other rules of opening or numbering."""

from __future__ import annotations

import re

from ..core.layout import CELL_MASK, STEPS
from ..core.pieces import PIECE_NAMES, PIECE_OF_NAME, QUEEN, bug_of
from ..game import PASS, Game, IllegalMove, Move
from .movestring import MoveStringError, parse_move

_NAME = re.compile(r"[wb][qsbgamlp]\d?", re.ASCII | re.IGNORECASE)
_SIGNED = re.compile(r"(\w+)\s+([-/\\]?)(\w+)([-/\\]?)", re.ASCII)
_DIRECTIONS = {"\\X": 0, "X/": 1, "X-": 2, "X\\": 3, "/X": 4, "-X": 5}  # as in core.layout.STEPS


class UnplayableMove(ValueError):
    """A move that cannot be read or is illegal; says which and why."""


def piece_of_name(name: str) -> int | None:
    """Return the piece that a name means (any letter case, `wM1` for `wM`), or None.

    >>> piece_of_name("BL1") == piece_of_name("bL"), piece_of_name("wX")
    (True, None)
    """
    name = name.lower()
    if name not in PIECE_OF_NAME and name[-1:] == "1":
        name = name[:-1]
    return PIECE_OF_NAME.get(name)


class Replay:
    """A game in the making.

    Sites once allowed the queen as the first piece, and some number the pieces of a kind otherwise
    than in the order in which they enter. Unless `strict`, both are taken, and noted: the pieces
    are renumbered, the game's `tournament_opening` is off.

    Attributes:
        game: the game so far.
        notes: what had to be mended, each in one line.
    """

    def __init__(
        self, game_type: str, *, strict: bool = False, game_class: type[Game] = Game
    ) -> None:
        self.game = game_class(game_type, tournament_opening=strict)
        self.strict = strict
        self.notes: list[str] = []
        self._ours: dict[int, int] = {}

    @property
    def number(self) -> int:
        """The number of the next move, from 1."""
        return self.game.ply + 1

    def our_piece(self, theirs: int) -> int:
        """Return our piece for one that the file names; a new one is the first of its kind left."""
        known = self._ours.get(theirs)
        if known is not None:
            return known
        if self.strict:
            return theirs
        kind = bug_of(theirs)
        spare = [p for p in self.game.hand(theirs >> 4) if bug_of(p) == kind]
        return min(spare, default=theirs)

    def play(self, move: Move, theirs: int | None = None) -> None:
        """Play a move of one of our pieces, which the file calls `theirs`.

        Raises:
            UnplayableMove: the move is illegal.
        """
        number, opening = self.number, self.game.ply < 2
        try:
            self.game.play(move)
        except IllegalMove as error:
            raise UnplayableMove(str(error)) from None
        if move == PASS:
            return
        named = move.piece if theirs is None else theirs
        if named not in self._ours:
            self._ours[named] = move.piece
            if named != move.piece:
                self.notes.append(
                    f"move {number}: {PIECE_NAMES[named]} enters out of order, "
                    f"read as {PIECE_NAMES[move.piece]}"
                )
        if opening and bug_of(move.piece) == QUEEN:
            self.notes.append(f"move {number}: opens with the queen, which tournaments forbid")

    def play_text(self, text: str) -> None:
        """Play a MoveString as the file has it.

        Raises:
            UnplayableMove: it cannot be read or is illegal; names the move's number.
        """
        number, text = self.number, text.strip()
        mover = _NAME.match(text)
        theirs = piece_of_name(mover[0]) if mover else None
        renamed = text
        if theirs is not None:
            ours = self.our_piece(theirs)
            renamed = _NAME.sub(lambda name: self._renamed(name[0], theirs, ours), text)
        try:
            self.play(self._parsed(renamed), theirs)
        except (MoveStringError, UnplayableMove) as error:
            raise UnplayableMove(f"move {number}, '{text}': {error}") from None

    def _parsed(self, text: str) -> Move:
        """Return the move of a text; hivegame.com's signs may point at a piece that is climbed."""
        try:
            return parse_move(self.game, text)
        except MoveStringError:
            climb = None if self.strict else self._climb(text)
            if climb is None or not self.game.is_legal(climb):
                raise
            self.notes.append(f"move {self.number}: {text} points at a piece, read as a climb")
            return climb

    def _climb(self, text: str) -> Move | None:
        match = _SIGNED.fullmatch(text)
        if match is None:
            return None
        mover, other = piece_of_name(match[1]), piece_of_name(match[3])
        if mover is None or other is None or self.game.cell_of(other) < 0:
            return None
        direction = _DIRECTIONS.get(f"{match[2]}X{match[4]}")
        if direction is None:
            return None
        return Move(mover, (self.game.cell_of(other) + STEPS[direction]) & CELL_MASK)

    def _renamed(self, name: str, mover: int, ours: int) -> str:
        piece = piece_of_name(name)
        if piece is None:
            return name
        return PIECE_NAMES[ours if piece == mover else self._ours.get(piece, piece)]

    def finish(self) -> Game:
        """Return the game; its opening rule is the tournament's wherever it was kept."""
        opened = {bug_of(move.piece) for move in self.game.moves[:2] if move != PASS}
        self.game.tournament_opening = QUEEN not in opened
        return self.game
