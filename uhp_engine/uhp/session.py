"""The engine's side of the protocol: one process, one game, a line in, some lines and `ok` out.

Nothing here imports numba before a game is begun, so that the greeting comes at once.
"""

from __future__ import annotations

import gc
import re
import signal
import sys
import time
from collections.abc import Callable, Iterable
from io import BufferedReader
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from .. import __version__, warmup
from ..exits import EXIT_ENGINE_FAILED, EXIT_INTERRUPTED, silence_stdout
from .help import HELP, LICENSES
from .limits import LimitError, parse_limits
from .lines import LineReader
from .options import OPTIONS, OptionError, OptionValues, find_option
from .ponder import Ponderer

if TYPE_CHECKING:
    from ..game import Game
    from ..search.result import Line, SearchResult
    from ..search.searcher import Searcher

CAPABILITIES = "Mosquito;Ladybug;Pillbug"
DEFAULT_PERFT_DEPTH = 5
SEARCHES = (["bestmove"], ["perft"])


class CommandError(Exception):
    """A command that cannot be carried out; its text is the answer after `err`."""


class InvalidMove(Exception):
    """A move that is unreadable or illegal; its text is the answer after `invalidmove`."""


class Session:
    """One engine process's state and the commands that change it.

    Args:
        values: the options' values.
        write: takes whole answers, each ending with a line end.
        input_waits: says whether more input is there to be read.
    """

    def __init__(
        self,
        values: OptionValues,
        write: Callable[[str], None],
        input_waits: Callable[[], bool] = lambda: False,
    ) -> None:
        self.values = values
        self.write = write
        self.input_waits = input_waits
        self.ponderer = Ponderer()
        self.game: Game | None = None
        self.searcher: Searcher | None = None
        self.variation: list[str] | None = None
        self.searching = False
        self.stop_wanted = False

    # -- the loop ---------------------------------------------------------------------------

    def greet(self) -> None:
        """Print, unasked, what `info` prints."""
        self.answer(self._info([]))

    def answer(self, lines: Iterable[str]) -> None:
        """Print lines and the `ok` that ends them, in one piece."""
        self.write("".join(f"{line}\n" for line in [*lines, "ok"]))

    def handle(self, line: str) -> bool:
        """Carry out a line; return False where it is `exit`. A blank line is nothing at all."""
        received = time.perf_counter()
        self.ponderer.stop()
        words = line.split()
        name, arguments = words[0].lower() if words else "", words[1:]
        if name == "exit":
            return False
        self.expect(line)
        if name:
            self.answer(self._answer_to(name, arguments, received))
        if self.searching or not self.input_waits():
            self.stop_wanted = False
        self.searching = False
        self._ponder()
        return True

    def expect(self, line: str) -> None:
        """Be ready for a signal that is meant for the search that a line asks for."""
        self.searching = line.lower().split(maxsplit=1)[:1] in SEARCHES

    def interrupt(self) -> bool:
        """End the search that runs, or the next where its command waits already; else say False.

        Safe in a signal handler.
        """
        self.ponderer.interrupt()
        if self.searching or self.input_waits():
            self.stop_wanted = True
        return self.stop_wanted

    def _answer_to(self, name: str, arguments: list[str], received: float) -> Iterable[str]:
        """Return the answer to a command, errors too, without its `ok`."""
        try:
            return self.dispatch(name, arguments, received)
        except (CommandError, OptionError, LimitError) as error:
            return [f"err {_one_line(error)}"]
        except InvalidMove as error:
            return [f"invalidmove {_one_line(error)}"]
        except BrokenPipeError:
            raise
        except MemoryError:
            return ["err out of memory: lower TreeMemoryMiB"]
        except Exception as error:  # whatever it was, the client gets its answer
            warmup.note(f"internal error: {type(error).__name__}: {_one_line(error)}")
            return [f"err internal error: {type(error).__name__}"]

    def dispatch(self, name: str, arguments: list[str], received: float) -> list[str]:
        """Return the answer to a command, without its `ok`."""
        if name == "bestmove":
            return self._bestmove(arguments, received)
        command: Callable[[list[str]], list[str]] | None = {
            "info": self._info,
            "help": self._help,
            "?": self._help,
            "newgame": self._newgame,
            "play": self._play,
            "pass": lambda _: self._play(["pass"]),
            "validmoves": self._validmoves,
            "undo": self._undo,
            "options": self._options,
            "pv": self._pv,
            "perft": self._perft,
            "licenses": lambda _: list(LICENSES),
        }.get(name)
        if command is None:
            raise CommandError(f"unknown command {name[:40]!r}; 'help' lists the commands")
        return command(arguments)

    # -- commands ---------------------------------------------------------------------------

    def _info(self, arguments: list[str]) -> list[str]:
        return [f"id uhp_engine {__version__}", CAPABILITIES]

    def _help(self, arguments: list[str]) -> list[str]:
        if not arguments:
            return list(HELP.values())
        text = HELP.get(arguments[0].lower())
        if text is None:
            raise CommandError(f"unknown command {arguments[0][:40]!r}; 'help' lists the commands")
        return [text]

    def _newgame(self, arguments: list[str]) -> list[str]:
        if warmup.load():
            # What was made so far stays: a collection going through it all would cost an answer
            # some 40 ms.
            gc.freeze()
        from ..game import RepetitionDraw
        from ..notation import GameStringError, parse_game

        text = " ".join(arguments) or "Base"
        if ";" not in text:  # a type alone; what follows it is ignored
            text = re.sub(r" ?\+ ?", "+", text).split()[0]
        try:
            game = parse_game(
                text,
                repetition_draw=RepetitionDraw(self.values.choice("RepetitionDraw")),
                tournament_opening=self.values.boolean("TournamentOpening"),
            )
        except GameStringError as error:
            raise CommandError(str(error)) from None
        self.game = game
        self.variation = None
        return [self._game_string()]

    def _play(self, arguments: list[str]) -> list[str]:
        if not arguments:
            raise CommandError("play needs a move, such as 'play bS1 wS1-'")
        game = self._open_game()
        from ..notation import parse_move

        try:
            game.play(parse_move(game, " ".join(arguments)))
        except ValueError as error:
            raise InvalidMove(str(error)) from None
        return [self._game_string()]

    def _validmoves(self, arguments: list[str]) -> list[str]:
        game = self._open_game()
        from ..notation import format_moves

        moves = sorted(game.legal_moves(), key=lambda move: move.piece)
        return [";".join(format_moves(game, moves))]

    def _bestmove(self, arguments: list[str], received: float) -> list[str]:
        """Search within limits; what is printed before the answer is progress, if asked for."""
        limits = parse_limits(arguments)
        game = self._open_game()
        from ..notation import format_move

        reports = self.values.boolean("ReportIntermediateBestMoves")
        result = self._ready_searcher().search(
            game,
            limits,
            stopped=lambda: self.stop_wanted,
            on_progress=self._report if reports else None,
            started=received,
            variations=self.values.integer("MultiPV") if reports else 1,
        )
        if reports:
            self._report(result)
        self.variation = self._variation_texts(result.best)
        return [format_move(game, result.move)]

    def _pv(self, arguments: list[str]) -> list[str]:
        if self.variation is None:
            raise CommandError("there is no variation yet: it comes with 'bestmove'")
        return self.variation

    def _undo(self, arguments: list[str]) -> list[str]:
        game = self._begun_game()
        text = arguments[0] if arguments else "1"
        if not re.fullmatch(r"[+-]?[0-9]{1,9}", text):
            raise CommandError(f"undo takes a number of moves, not {text[:40]!r}")
        try:
            game.undo(int(text))
        except ValueError as error:
            raise CommandError(str(error)) from None
        return [self._game_string()]

    def _options(self, arguments: list[str]) -> list[str]:
        if not arguments:
            return [self.values.line(option) for option in OPTIONS]
        verb, rest = arguments[0].lower(), arguments[1:]
        if verb == "get" and rest:
            return [self.values.line(find_option(rest[0]))]
        if verb == "set" and len(rest) >= 2:
            option = self.values.set(rest[0], " ".join(rest[1:]))
            self._apply_rules()
            return [self.values.line(option)]
        raise CommandError("expected 'options', 'options get KEY' or 'options set KEY VALUE'")

    def _perft(self, arguments: list[str]) -> list[str]:
        game = self._begun_game()
        from ..perft import count_depths, header, parse_depth

        try:
            depth = parse_depth(arguments[0] if arguments else str(DEFAULT_PERFT_DEPTH))
        except ValueError as error:
            raise CommandError(str(error)) from None
        self.write(header() + "\n")
        for row in count_depths(game, depth, lambda: self.stop_wanted):
            self.write(row.line() + "\n")
        return []

    # -- what they share ----------------------------------------------------------------------

    def _begun_game(self) -> Game:
        if self.game is None:
            raise CommandError("no game is in progress; 'newgame' begins one")
        return self.game

    def _open_game(self) -> Game:
        """Return the game, unless a queen is surrounded.

        After a draw by repetition alone clients go on asking, so they are answered.
        """
        game = self._begun_game()
        if game.board_state.is_over:
            raise CommandError(
                f"the game is over ({game.board_state.value}); 'newgame' begins another, "
                "'undo' takes moves back"
            )
        return game

    def _game_string(self) -> str:
        from ..notation import format_game

        return format_game(self._begun_game())

    def _apply_rules(self) -> None:
        """Make the running game follow the options that are rules."""
        if self.game is not None:
            from ..game import RepetitionDraw

            self.game.repetition_draw = RepetitionDraw(self.values.choice("RepetitionDraw"))
            self.game.tournament_opening = self.values.boolean("TournamentOpening")

    def _ready_searcher(self) -> Searcher:
        """Return the searcher, made anew where options ask for another."""
        from ..search.searcher import Searcher

        names = ("TreeMemoryMiB", "NumThreads", "RandomSeed")
        memory_mib, threads, seed = wanted = tuple(self.values.integer(name) for name in names)
        evaluation = self.values.choice("Evaluation")
        searcher = self.searcher
        if (
            searcher is None
            or (searcher.memory_mib, searcher.threads, searcher.seed) != wanted
            or searcher.evaluation != evaluation
        ):
            self.searcher = searcher = Searcher(
                memory_mib, threads, seed, evaluation=evaluation, network=self.values.network
            )
        searcher.level = self.values.integer("Level")
        return searcher

    def _ponder(self) -> None:
        """Let the tree grow until the next line comes, in a game that is under way."""
        game = self.game
        if game is None or not self.values.boolean("Ponder") or self.input_waits():
            return
        begun = game.ply > 0 or self.variation is not None
        searcher = self._ready_searcher()
        if begun and not game.state.is_over and searcher.handicap is None:
            self.ponderer.start(searcher, game.copy())

    def _variation_texts(self, line: Line) -> list[str]:
        from ..notation import format_line

        return format_line(self._begun_game(), line.pv)

    def _report(self, result: SearchResult) -> None:
        """Print the best moves so far, the best first: MoveString;depth;score;pv…"""
        rows = []
        for line in result.lines[: self.values.integer("MultiPV")]:
            variation = self._variation_texts(line)
            depth = len(variation) if line.visits else 0  # 0: not looked at yet
            fields = [variation[0], str(depth), f"{line.score:.3f}", *variation]
            rows.append(";".join(fields) + "\n")
        self.write("".join(rows))


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())


def _writer(stream: BinaryIO) -> Callable[[str], None]:
    def write(text: str) -> None:
        stream.write(text.encode())
        stream.flush()

    return write


def _on_interrupt(session: Session, is_terminal: bool) -> Callable[[int, Any], None]:
    """Return a handler of SIGINT: end a search; leave a terminal; else do nothing."""

    def handle(signum: int, frame: Any) -> None:
        if not session.interrupt() and is_terminal:
            raise KeyboardInterrupt

    return handle


def run(values: OptionValues | None = None) -> int:
    """Speak the protocol on standard input and output until one of them ends; return 0.

    130 where a terminal's user interrupts it idle.
    """
    if values is None:
        from .settings import first_values

        values = first_values()
    if sys.stdin is None or sys.stdout is None:
        warmup.note("standard input or output is closed: nobody to talk to")
        return 0
    lines = LineReader(cast(BufferedReader, sys.stdin.buffer))
    session = Session(values, _writer(sys.stdout.buffer), lines.is_waiting)
    lines.announce = session.expect
    signal.signal(signal.SIGINT, _on_interrupt(session, sys.stdin.isatty()))
    try:
        session.greet()
        for line in lines:
            if not session.handle(line):
                break
    except BrokenPipeError:
        silence_stdout()
    except OSError as error:
        warmup.note(f"cannot go on: {error}")
        silence_stdout()
        return EXIT_ENGINE_FAILED
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    finally:
        session.ponderer.stop()
    return 0
