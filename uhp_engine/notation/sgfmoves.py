"""What players did in a boardspace.net game, event by event, and the moves that come of it.

A turn is a run of picks and drops that ends with `done`; the last drop counts. Cells are a letter
and a number: a column further is one cell to the east, a row further one to the upper left. A drop
may also name a neighbour, as MoveStrings do. Boardspace itself replays by the cells, so they
decide; the neighbour is used where the cells tell nothing, or nothing legal.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..core.layout import CELL_MASK, STEPS
from ..core.pieces import (
    AXIAL_STEPS,
    BUG_COUNTS,
    BUG_LETTERS,
    PIECE_NAMES,
    PIECE_OF_NAME,
    bug_of,
)
from ..game import PASS, Game, GameState, Move
from .movestring import MoveStringError, parse_move
from .record import BrokenGame
from .replay import Replay, UnplayableMove
from .sgftree import SgfEvent

BOARD_SIZE = 26  # boardspace's board wraps: column A follows Z, row 1 follows 26

_PIECE = re.compile(r"([wb]?)o?([qsbgamlp])(\d?)", re.ASCII | re.IGNORECASE)
_COLUMN = re.compile(r"(\d*)([a-z])", re.ASCII | re.IGNORECASE)
_REFERENCE = re.compile(r"([-/\\]*)(\w+)([-/\\]*)\.?")
_DROPS = ("dropb", "pdropb")
_MOVES = ("move", "pmove", "movedone", "pmovedone")
_TALK = ("offerdraw", "acceptdraw", "declinedraw")
_TAKE_BACK = ("undo", "reset", "allowundo")


def piece_in_text(text: str) -> tuple[str, int | None, int]:
    """Return colour (`w`, `b` or empty), bug (None where there is none) and number of a name.

    >>> piece_in_text("bL1"), piece_in_text("b1"), piece_in_text("q"), piece_in_text("13")
    (('b', 6, 1), ('', 2, 1), ('', 0, 1), ('', None, 0))
    """
    match = _PIECE.fullmatch(text)
    if match is None:
        return "", None, 0
    return match[1].lower(), BUG_LETTERS.index(match[2].upper()), int(match[3] or 1)


def _cell(column: str, row: str) -> tuple[int, int] | None:
    """Return a cell as numbers below BOARD_SIZE: `N 13`, and `1A`, `1Z` for beyond the edges."""
    match = _COLUMN.fullmatch(column)
    if match is None or not re.fullmatch(r"-?\d+", row):
        return None
    index = ord(match[2].upper()) - ord("A")
    if match[1]:
        index += int(match[1]) if match[2].upper() == "Z" else -int(match[1])
    return index % BOARD_SIZE, int(row) % BOARD_SIZE


def split_event(event: SgfEvent) -> tuple[str, list[str]]:
    """Return an event's verb in lower case and its arguments; the number before them is dropped."""
    words = event.text.split()
    if words and words[0].lstrip("-").isdigit():
        words = words[1:]
    return (words[0].lower(), words[1:]) if words else ("", [])


def dropped_bug(event: SgfEvent) -> int | None:
    """Return the bug that an event puts on the board, None where it puts none."""
    verb, args = split_event(event)
    at = 0 if verb in _DROPS else 1
    if verb not in _DROPS + _MOVES or len(args) < at + 3:
        return None
    return piece_in_text(args[at])[1]


@dataclass
class _Drop:
    """A drop that `done` has not confirmed yet."""

    piece: int
    cell: tuple[int, int]
    reference: str
    player: int
    line: int


class SgfReplay:
    """A boardspace game in the making: feed it the events, then take `finish()`.

    Attributes:
        white: the player, 0 or 1, who made the first move.
        result: the end by resignation, time or agreement, where there was one.
        comments: text by ply.
    """

    def __init__(self, game_type: str, *, strict: bool, game_class: type[Game]) -> None:
        self.replay = Replay(game_type, strict=False, game_class=game_class)
        self.replay.game.tournament_opening = strict
        self.game = self.replay.game
        self.white = 0
        self.result: GameState | None = None
        self.comments: dict[int, str] = {}
        self._over = False  # nothing that follows belongs to the game
        self._exchanged = 0  # 16 where the file's black began: then its colours change places
        self._colour = {0: "w", 1: "b"}
        self._stacks: dict[tuple[int, int], list[int]] = {}
        self._committed: list[tuple[int, tuple[int, int] | None, tuple[int, int] | None]] = []
        self._picked: int | None = None
        self._pending: _Drop | None = None
        self._passing = False
        self._said = ""
        self._speaker = 0

    @property
    def notes(self) -> list[str]:
        """What had to be mended."""
        return self.replay.notes

    def comment(self, text: str) -> None:
        """Keep a comment beside the last move."""
        earlier = self.comments.get(self.game.ply)
        self.comments[self.game.ply] = f"{earlier}\n{text}" if earlier else text

    def take(self, event: SgfEvent) -> None:
        """Take the next event.

        Raises:
            BrokenGame: it makes an illegal or unreadable move.
        """
        verb, args = split_event(event)
        if not verb or event.player not in (0, 1) or self._over:
            return
        if verb in _DROPS:
            self._drop(event, args)
        elif verb in _MOVES:
            self._drop(event, args[1:], colour=args[0][:1].lower() if args else "")
            if verb.endswith("done"):
                self._done(event.player, event.line)
        elif verb == "pick":
            self._pick(args)
        elif verb == "pickb":
            self._pick_from_board(event, args)
        elif verb == "drop":  # back into the hand
            self._clear()
        elif verb in ("pass", "passdone", "nullmove"):
            self._clear()
            self._passing = True
            if verb == "passdone":
                self._done(event.player, event.line)
        elif verb == "done":
            self._done(event.player, event.line)
        else:
            self._other(verb, event)

    def _other(self, verb: str, event: SgfEvent) -> None:
        if verb in _TALK:
            self._said = verb
        elif verb == "resign":
            self._said = "" if self._said == "resign" else "resign"  # a second click takes it back
            self._speaker = event.player
        elif verb in ("winontime", "gameoverontime"):
            self._end(event.player)
        elif verb in _TAKE_BACK:
            self._take_back(verb, event.player)
        elif verb in ("playwhite", "playblack"):
            mine = "w" if verb == "playwhite" else "b"
            self._colour = {event.player: mine, 1 - event.player: "b" if mine == "w" else "w"}
        elif verb == "edit" and self.game.ply:
            self._clear()
            self._over = True

    def finish(self) -> Game:
        """Return the game; a drop that no `done` confirmed counts if it is legal."""
        drop = self._pending
        if self._over:
            pass
        elif self._said == "resign":
            self._end(1 - self._speaker)
        elif self._said == "acceptdraw":
            self.result = GameState.DRAW
        elif drop is not None:
            try:
                self._done(drop.player, drop.line)
            except BrokenGame:
                self.notes.append("the last move was never confirmed: left out")
        return self.replay.finish()

    # -- what a player holds in hand ----------------------------------------------------------

    def _clear(self) -> None:
        self._picked, self._pending, self._passing = None, None, False

    def _piece(self, text: str, colours: list[str]) -> int | None:
        """Return the piece of a name; where it tells no colour, the first of `colours` does."""
        colour, bug, number = piece_in_text(text)
        if bug is None:
            return None
        colour = next((c for c in (colour, *colours) if c in ("w", "b")), "w")
        name = colour + BUG_LETTERS[bug].lower() + (str(number) if BUG_COUNTS[bug] > 1 else "")
        return PIECE_OF_NAME.get(name)

    def _pick(self, args: list[str]) -> None:
        """`pick W 4 wS1`: out of a hand, whose place there says nothing."""
        self._clear()
        if args:
            self._picked = self._piece(args[-1], [args[0][:1].lower()])

    def _pick_from_board(self, event: SgfEvent, args: list[str]) -> None:
        """`pickb N 13 wS1`: off the board, perhaps what was dropped a moment ago."""
        cell = _cell(args[0], args[1]) if len(args) > 1 else None
        pending = self._pending
        self._clear()
        stack = self._stacks.get(cell, []) if cell is not None else []
        if pending is not None and pending.cell == cell:
            self._picked = pending.piece
        elif stack:
            self._picked = stack[-1]
        elif len(args) > 2:
            self._picked = self._piece(args[2], [self._colour[event.player]])

    def _drop(self, event: SgfEvent, args: list[str], colour: str = "") -> None:
        """`dropb wS1 N 13 wG1/`, and the same after the colour of `move W`."""
        held = self._picked
        cell = _cell(args[1], args[2]) if len(args) > 2 else None
        if cell is None:  # back into the hand
            self._clear()
            return
        colours = [colour, self._colour[event.player]]
        if held is not None and piece_in_text(args[0])[1] == bug_of(held):
            colours.insert(0, "wb"[held >> 4])
        piece = self._piece(args[0], colours)
        if piece is None:
            raise BrokenGame(f"{args[0]!r} is no piece: expected such as wA1", event.line)
        self._clear()
        if self._stacks.get(cell, [])[-1:] == [piece]:
            return  # put back where it was
        reference = "".join(args[3:])
        self._pending = _Drop(piece, cell, reference.strip("."), event.player, event.line)

    # -- the end of a turn --------------------------------------------------------------------

    def _done(self, player: int, line: int) -> None:
        said, self._said = self._said, ""
        drop, passing = self._pending, self._passing
        self._clear()
        if said == "resign":
            self._end(1 - player)
            return
        try:
            if drop is not None:
                self._commit(drop, player)
            elif passing:
                self._pass(player)
            elif not said:
                # Newer files leave a pass out. A `done` where it isn't due means nothing.
                mine = self.game.ply == 0 or self._side_of(player) == self.game.side
                if mine and self.game.legal_moves() == [PASS]:
                    self._pass(player)
        except (MoveStringError, UnplayableMove) as error:
            at = line if drop is None else drop.line
            raise BrokenGame(f"move {self.replay.number}: {error}", at) from None
        if said == "acceptdraw":
            self.result = GameState.DRAW
            self._over = True

    def _side_of(self, player: int) -> int:
        return player ^ self.white

    def _end(self, winner: int) -> None:
        side = self._side_of(winner)
        self.result = GameState.BLACK_WINS if side else GameState.WHITE_WINS
        self._over = True

    def _pass(self, player: int) -> None:
        if self._finished():
            return
        if self.game.ply == 0:
            self.white = player
        self.replay.play(PASS)
        self._committed.append((-1, None, None))

    def _finished(self) -> bool:
        if self.game.state.is_over:
            self._over = True
            return True
        return False

    def _commit(self, drop: _Drop, player: int) -> None:
        if self._finished():
            self.notes.append(f"moves after the end of the game, from line {drop.line}: left out")
            return
        game = self.game
        if game.ply == 0:
            self.white = player
            self._exchanged = drop.piece & 16
        elif self._side_of(player) != game.side and game.legal_moves() == [PASS]:
            self._pass(1 - player)
        ours = self.replay.our_piece(drop.piece ^ self._exchanged)
        self.replay.play(self._target(drop, ours), drop.piece ^ self._exchanged)
        old = next((cell for cell, stack in self._stacks.items() if drop.piece in stack), None)
        if old is not None:
            self._stacks[old].remove(drop.piece)
        self._stacks.setdefault(drop.cell, []).append(drop.piece)
        self._committed.append((drop.piece, old, drop.cell))

    def _take_back(self, verb: str, player: int) -> None:
        """Undo what was not confirmed; else the last moves, until the turn is the player's."""
        waiting = self._pending is not None or self._picked is not None
        if waiting or self._passing or self._said or verb == "reset":
            self._clear()
            self._said = ""
            return
        wanted = self._side_of(1 - player if verb == "allowundo" else player)
        while self._committed:
            piece, old, new = self._committed.pop()
            self.game.undo()
            if new is not None:
                self._stacks[new].remove(piece)
            if old is not None:
                self._stacks[old].append(piece)
            self.comments.pop(self.game.ply + 1, None)
            if self.game.side == wanted:
                break

    # -- where a drop ends --------------------------------------------------------------------

    def _target(self, drop: _Drop, ours: int) -> Move:
        """Return the move of our piece that a drop means.

        Raises:
            MoveStringError: neither its cell nor its neighbour tells where it ends.
        """
        if self.game.ply == 0:
            return Move(ours, 0)
        by_cell = self._by_cell(drop)
        move = Move(ours, by_cell) if by_cell is not None else None
        if move is not None and (not drop.reference or self.game.is_legal(move)):
            return move
        try:
            named = self._by_reference(drop, ours)
        except MoveStringError:
            if move is None:
                raise
            return move
        return named if move is None or self.game.is_legal(named) else move

    def _by_cell(self, drop: _Drop) -> int | None:
        """Return our cell for boardspace's: that of a piece on it, or next to a piece beside it."""
        column, row = drop.cell
        around = zip(AXIAL_STEPS, STEPS, strict=True)
        for (q, r), step in (((0, 0), 0), *around):
            near = ((column - q) % BOARD_SIZE, (row + r) % BOARD_SIZE)
            for piece in self._stacks.get(near, []):
                cell = self.game.cell_of(self.replay.our_piece(piece ^ self._exchanged))
                if cell >= 0:
                    return (cell + step) & CELL_MASK
        return None

    def _by_reference(self, drop: _Drop, ours: int) -> Move:
        text = drop.reference
        match = _REFERENCE.fullmatch(text)
        piece = self._piece(match[2], ["wb"[drop.piece >> 4]]) if match else None
        if match is None or piece is None:
            raise MoveStringError(f"{text!r} names no neighbour, and the cell touches no piece")
        other = PIECE_NAMES[self.replay.our_piece(piece ^ self._exchanged)]
        return parse_move(self.game, f"{PIECE_NAMES[ours]} {match[1][:1]}{other}{match[3][:1]}")
