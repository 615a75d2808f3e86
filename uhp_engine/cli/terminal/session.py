"""One sitting at the terminal: the game, the player's commands, the engine's answers."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from ...game import PASS, Game, GameState
from ...notation import GameStringError, format_move, parse_game_type
from ...search.levels import STRONGEST, WEAKEST
from ..interrupts import interrupts
from .guide import HELP, rules
from .hints import hint_text
from .moves import MoveList, NotAMove, choose
from .opponent import Opponent
from .reading import Reader
from .saves import SaveError, load, save

COMMANDS = (
    *("list", "hint", "undo", "level", "board", "rules", "help"),
    *("save", "load", "resign", "new", "quit"),
)
HINT_SECONDS = 1.5
HINTS = 3
_SIDES = ("White", "Black")
_SHORT = {"?": "help", "q": "quit", "exit": "quit"}


@dataclass
class Settings:
    """What may be chosen for a game.

    Attributes:
        game_type: `Base` to `Base+MLP`.
        side: the player's colour, 0 White, 1 Black.
        level: the engine's, WEAKEST to STRONGEST.
        seconds: the engine's time for a move.
        autosave: where the game is kept after every move, None for nowhere.
    """

    game_type: str
    side: int
    level: int
    seconds: float
    autosave: Path | None


class Leave(Exception):
    """The player has had enough."""


class Session:
    """The game between the player and an opponent.

    Args:
        settings: of the game; `level` and others change as the player says.
        make_opponent: returns the opponent of a level.
        reader: where the player's lines come from.
        draw: returns a game's board as text, with labels in empty cells.
        say: prints a line or more.
    """

    def __init__(
        self,
        settings: Settings,
        make_opponent: Callable[[int], Opponent],
        reader: Reader,
        draw: Callable[[Game, dict[int, str]], str],
        say: Callable[[str], None] = click.echo,
    ) -> None:
        self.settings = settings
        self.make_opponent = make_opponent
        self.opponent = make_opponent(settings.level)
        self.reader = reader
        self.draw = draw
        self.say = say
        self.game = Game(settings.game_type)
        self.resigned = False
        self._warned = False

    # -- the course of the game ------------------------------------------------------------------

    def resume(self, path: Path) -> None:
        """Go on with a saved game.

        Raises:
            SaveError: there is none that can be read.
        """
        saved = load(path)
        self.game = saved.game
        self.settings.game_type = saved.game.game_type
        if saved.side is not None:
            self.settings.side = saved.side
        if saved.level is not None:
            self.set_level(saved.level)
        over = saved.result.is_over and not saved.game.state.is_over
        self.resigned = over

    def run(self) -> None:
        """Play until the player leaves; the game is saved after every move.

        Raises:
            Leave: by command or Ctrl+D.
            KeyboardInterrupt: Ctrl+C at the prompt.
        """
        self.show()
        while True:
            if self.is_over:
                self.command(self.reader.read("game over> ", None, ""))
            elif self.game.side != self.settings.side:
                self.engine_turn()
            else:
                self.player_turn()

    @property
    def is_over(self) -> bool:
        """True at the end on the board, and after resigning."""
        return self.resigned or self.game.state.is_over

    @property
    def result(self) -> GameState:
        """How the game stands, a resignation included."""
        if self.resigned and not self.game.state.is_over:
            return (GameState.BLACK_WINS, GameState.WHITE_WINS)[self.settings.side]
        return self.game.state

    def player_turn(self) -> None:
        """Read a command or a move, and do it."""
        listed = MoveList.of(self.game)
        must_pass = listed.moves == (PASS,)
        if must_pass:
            self.say("You have no move but to pass: press Enter.")
        status = f" {self.position_line()}  |  level {self.settings.level}  |  ? for help "
        typed = self.reader.read(f"{_SIDES[self.settings.side]}> ", listed, status)
        if not typed and must_pass:
            typed = "pass"
        if not typed or self.command(typed):
            return
        try:
            move = choose(self.game, listed, typed)
        except NotAMove as error:
            self.say(f"{error}. Type ? for help." if not error.fitting else f"{error}:")
            if error.fitting:
                self.offer(listed, error.fitting)
            return
        self.say(f"You play {format_move(self.game, move)}.")
        self.play(move)

    def engine_turn(self) -> None:
        """Let the opponent move; Ctrl+C ends its thinking early."""
        if self.game.legal_moves() == [PASS]:
            self.say("The engine has no move but to pass.")
            self.play(PASS)
            return
        with interrupts() as stopped:
            move = self.opponent.choose_move(self.game, self.settings.seconds, stopped)
        self.say(f"The engine plays {format_move(self.game, move)}.")
        self.play(move)
        self.show()

    def play(self, move: Any) -> None:
        """Play a legal move and keep the game."""
        self.game.play(move)
        self.autosave()
        if self.game.state.is_over:
            if self.game.side != self.settings.side:
                self.show()
            self.say(self.end_line())

    def end_line(self) -> str:
        """Return how the game ended, for the player."""
        won = (GameState.WHITE_WINS, GameState.BLACK_WINS)[self.settings.side]
        how = {GameState.DRAW: "a draw", won: "you win"}.get(self.result, "you lose")
        return f"Game over: {how} ({self.result.value}). Type new, undo, save FILE or quit."

    def autosave(self) -> None:
        """Write the game where it is kept; say once if that cannot be done."""
        path = self.settings.autosave
        if path is None:
            return
        try:
            save(path, self.game, self.settings.side, self.settings.level, self.result)
        except SaveError as error:
            if not self._warned:
                self.say(f"Note: the game is not kept when you leave: {error}")
            self._warned = True

    # -- what is shown -----------------------------------------------------------------------------

    def show(self, labels: dict[int, str] | None = None) -> None:
        """Print the board."""
        self.say("")
        self.say(self.draw(self.game, labels or {}))
        self.say("")

    def position_line(self) -> str:
        """Return the turn and the last move in one line."""
        text = f"{self.game.game_type}, turn {self.game.turn}"
        if self.game.moves:
            before = self.game.copy()
            before.undo()
            text += f", last {format_move(before, self.game.moves[-1])}"
        return text

    def offer(self, listed: MoveList, numbers: list[int]) -> None:
        """Print moves to choose from; those of one piece also on the board."""
        labels = listed.labels(numbers)
        if labels:
            self.show(labels)
        self.say(listed.lines(numbers, shutil.get_terminal_size().columns))

    # -- commands ----------------------------------------------------------------------------------

    def command(self, typed: str) -> bool:
        """Do a command; False where it is none."""
        word, _, rest = typed.strip().partition(" ")
        word, rest = _SHORT.get(word.lower(), word.lower()), rest.strip()
        if word not in COMMANDS:
            if self.is_over and typed.strip():
                self.say("The game is over. Type new, undo, save FILE, load FILE or quit.")
            return self.is_over
        getattr(self, f"do_{word}")(rest)
        return True

    def do_help(self, rest: str) -> None:
        """Print the commands."""
        self.say(HELP)

    def do_rules(self, rest: str) -> None:
        """Print the rules, or one bug's."""
        self.say(rules(self.game.game_type, rest))

    def do_board(self, rest: str) -> None:
        """Print the board."""
        self.show()

    def do_quit(self, rest: str) -> None:
        """Leave."""
        raise Leave

    def do_list(self, rest: str) -> None:
        """Print the legal moves, or those that begin so."""
        listed = MoveList.of(self.game)
        numbers = listed.narrowed(rest)
        if numbers:
            self.offer(listed, numbers)
        else:
            self.say(f"No legal move begins with {rest!r}." if rest else "There is no legal move.")

    def do_hint(self, rest: str) -> None:
        """Print the best moves and why."""
        if self.is_over:
            self.say("The game is over.")
            return
        self.say("Thinking ...")
        with interrupts() as stopped:
            ideas = self.opponent.ideas(self.game, HINT_SECONDS, HINTS, stopped)
        self.say(hint_text(self.game, ideas))

    def do_undo(self, rest: str) -> None:
        """Take back moves until the player is to move again."""
        if self.resigned:
            self.resigned = False
            self.say("You play on.")
        else:
            side, count = self.settings.side, 1
            while count < self.game.ply and (self.game.ply - count) & 1 != side:
                count += 1
            if self.game.ply < count or (self.game.ply - count) & 1 != side:
                self.say("There is no move of yours to take back.")
                return
            self.game.undo(count)
            self.say(f"Taken back: {count} move{'s' if count > 1 else ''}.")
        self.autosave()
        self.show()

    def do_level(self, rest: str) -> None:
        """Set the engine's strength."""
        if not rest.isdecimal() or not WEAKEST <= int(rest) <= STRONGEST:
            self.say(
                f"The level is {self.settings.level}; level N sets it, from {WEAKEST} (a beginner) "
                f"to {STRONGEST}."
            )
            return
        self.set_level(int(rest))
        self.autosave()
        self.say(f"The engine plays at level {rest}.")

    def set_level(self, level: int) -> None:
        """Set the engine's strength."""
        self.settings.level = level
        self.opponent = self.make_opponent(level)

    def do_save(self, rest: str) -> None:
        """Write the game to a file."""
        if not rest:
            self.say("save needs a file's name, such as save mygame.pgn")
            return
        try:
            save(Path(rest).expanduser(), self.game, *self._facts())
            self.say(f"Saved as {rest}.")
        except SaveError as error:
            self.say(f"{error}.")

    def _facts(self) -> tuple[int, int, GameState]:
        return self.settings.side, self.settings.level, self.result

    def do_load(self, rest: str) -> None:
        """Go on with a game out of a file."""
        if not rest:
            self.say("load needs a file's name, such as load mygame.pgn")
            return
        try:
            self.resume(Path(rest).expanduser())
        except SaveError as error:
            self.say(f"{error}. The game goes on as it was.")
            return
        self.autosave()
        self.say(f"Loaded {rest}: you have {_SIDES[self.settings.side]}.")
        self.show()
        if self.is_over:
            self.say(self.end_line())

    def do_resign(self, rest: str) -> None:
        """Give up."""
        if self.is_over:
            self.say("The game is over.")
            return
        self.resigned = True
        self.autosave()
        self.say(self.end_line())

    def do_new(self, rest: str) -> None:
        """Begin again, perhaps with another game type."""
        try:
            self.settings.game_type = parse_game_type(rest) if rest else self.settings.game_type
        except GameStringError as error:
            self.say(f"{error}.")
            return
        self.game = Game(self.settings.game_type)
        self.resigned = False
        self.autosave()
        self.show()
