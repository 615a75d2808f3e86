"""`uhp-engine analyze`: the best moves of a position, or of every position of a game."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from .. import warmup
from ..search.limits import DEFAULT_MEMORY_MIB
from . import EXIT_INTERRUPTED
from .interrupts import interrupts
from .sources import go_to, load_game

if TYPE_CHECKING:
    from ..game import Game
    from ..search.limits import Limits
    from ..search.result import SearchResult
    from ..search.searcher import Searcher

DEFAULT_LINES = 3
PIPE_SECONDS = 5.0
EACH_SECONDS = 1.0


@click.command()
@click.argument("source", metavar="GAMESTRING|FILE|-")
@click.option("--game", "number", default=1, show_default=True, metavar="N", help="Of a file.")
@click.option("--move", type=int, metavar="PLY", help="After so many moves; -1: before the last.")
@click.option("--all", "whole", is_flag=True, help="Every position of the game, a line each.")
@click.option("--time", "time_text", metavar="HH:MM:SS", help="Time for a position.")
@click.option("--seconds", type=click.FloatRange(0.001), metavar="S", help="The same in seconds.")
@click.option("--depth", type=click.IntRange(0), metavar="N", help="As in bestmove depth N.")
@click.option("--simulations", type=click.IntRange(1), metavar="N", help="So many simulations.")
@click.option(
    "--multipv",
    type=click.IntRange(1, 256),
    metavar="N",
    default=DEFAULT_LINES,
    show_default=True,
    help="How many moves to show.",
)
@click.option("--threads", type=click.IntRange(1, 1024), default=1, metavar="N", show_default=True)
@click.option(
    "--memory",
    type=click.IntRange(16, 1_048_576),
    default=DEFAULT_MEMORY_MIB,
    show_default=True,
    metavar="MIB",
    help="Limit of the search tree.",
)
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=0, show_default=True)
@click.option(
    "--repetition-draw",
    type=click.Choice(["Off", "Threefold", "ThreefoldWithin32"], case_sensitive=False),
    default="Off",
    show_default=True,
    help="Whether a position's third occurrence is a draw.",
)
@click.option("--queen-first", is_flag=True, help="The queen may be placed first.")
@click.option("--json", "as_json", is_flag=True, help="A JSON object for each position.")
def analyze(
    source: str,
    number: int,
    move: int | None,
    whole: bool,
    multipv: int,
    as_json: bool,
    **settings: Any,
) -> int:
    """Show the best moves of a position with their chances, visits and expected lines of play.

    The position is the end of a GameString or game type, of a game in a FILE (PGN, SGF,
    GameStrings, a match's results), or of one on standard input (-). On a terminal the moves are
    shown while it thinks, and it thinks until Ctrl+C unless a limit is given; elsewhere 5 s.
    """
    limits = _limits(settings, whole)
    if whole and move is not None:
        raise click.UsageError("--all and --move exclude each other")
    warmup.load()
    from ..core.pieces import QUEEN
    from ..game import RepetitionDraw

    game = load_game(source, number)
    game.repetition_draw = RepetitionDraw(settings["repetition_draw"])
    began_so = any(move.piece & 15 == QUEEN for move in game.moves[:2])
    game.tournament_opening = not (settings["queen_first"] or began_so)
    if move is not None:
        go_to(game, move, "--move")
    analyst = _Analyst(_searcher(settings), limits, multipv, as_json)
    with interrupts() as stopped, analyst.live(stopped):
        return analyst.whole_game(game) if whole else analyst.position(game)


def _searcher(settings: dict[str, Any]) -> Searcher:
    from ..search.searcher import Searcher

    return Searcher(settings["memory"], settings["threads"], settings["seed"])


def _limits(settings: dict[str, Any], whole: bool) -> Limits:
    """Return what ends the search of each position.

    Raises:
        click.UsageError: two of them say the same thing, or the time cannot be read.
    """
    from ..search.limits import Limits
    from ..uhp.timespan import parse_timespan

    seconds: float | None = settings["seconds"]
    text, depth = settings["time_text"], settings["depth"]
    simulations: int | None = settings["simulations"]
    if seconds is not None and not math.isfinite(seconds):
        raise click.BadParameter(f"{seconds} is no time", param_hint="--seconds")
    if text is not None and seconds is not None:
        raise click.UsageError("--time and --seconds exclude each other")
    if depth is not None and simulations is not None:
        raise click.UsageError("--depth and --simulations exclude each other")
    if text is not None:
        try:
            seconds = parse_timespan(text)
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="--time") from None
    if depth is not None:
        return Limits.depth(depth, seconds)
    if simulations is not None:
        return Limits(seconds=seconds, simulations=simulations, fresh=True)
    if seconds is None and whole:
        seconds = EACH_SECONDS
    elif seconds is None and not (sys.stdout.isatty() and sys.stderr.isatty()):
        seconds = PIPE_SECONDS
    return Limits(seconds=seconds)


@dataclass
class _Analyst:
    """Searches positions and shows what it finds.

    Attributes:
        searcher: what searches.
        limits: of each position.
        count: how many moves to show.
        as_json: whether for programs.
    """

    searcher: Searcher
    limits: Limits
    count: int
    as_json: bool

    def __post_init__(self) -> None:
        self.stopped: Callable[[], bool] = lambda: False
        self.show: Callable[[Game, SearchResult | None, str], None] = lambda *_: None
        self.echo: Callable[[str], None] = click.echo

    @contextmanager
    def live(self, stopped: Callable[[], bool]) -> Iterator[None]:
        """Show the moves while it thinks, where standard error is a terminal."""
        self.stopped = stopped
        if not sys.stderr.isatty():
            yield
            return
        from rich.console import Console
        from rich.live import Live

        from .analysis_text import table

        screen = Live(
            console=Console(stderr=True),
            transient=True,
            auto_refresh=False,
            redirect_stdout=False,
            redirect_stderr=False,
        )

        def show(game: Game, result: SearchResult | None, title: str) -> None:
            screen.start()
            screen.update(table(game, result, self.count, title), refresh=True)

        def echo(text: str) -> None:
            screen.stop()  # standard output may be the same terminal
            click.echo(text)

        self.show, self.echo = show, echo
        try:
            yield
        finally:
            screen.stop()

    def search(self, game: Game, title: str = "") -> SearchResult | None:
        """Return what is found for a position; None where the game is over."""
        if game.state.is_over:
            return None
        self.show(game, None, title)
        return self.searcher.search(
            game,
            self.limits,
            stopped=self.stopped,
            on_progress=lambda result: self.show(game, result, title),
            variations=self.count,
            forced_too=True,
        )

    def position(self, game: Game) -> int:
        """Show one position; return the exit code."""
        from .analysis_text import ending, plain_lines, to_json

        result = self.search(game)
        if self.as_json:
            self.echo(json.dumps(to_json(game, result, self.count)))
        elif result is None:
            self.echo(f"{ending(game)}; --move -1 shows the position before the last")
        else:
            self.echo("\n".join(plain_lines(game, result, self.count)))
        return EXIT_INTERRUPTED if self.stopped() else 0

    def whole_game(self, game: Game) -> int:
        """Show every position of a game, a line each; return the exit code."""
        from .analysis_text import SUMMARY_HEAD, ending, summary, white_score

        replay = game.copy()
        if replay.ply:
            replay.undo(replay.ply)
        if not self.as_json:
            self.echo(SUMMARY_HEAD)
        before: tuple[Game, SearchResult, str] | None = None
        while True:
            result = self.search(replay, f"position {replay.ply + 1} of {game.ply + 1}")
            played = self._played(game, replay)
            if self.as_json:
                self._echo_json(replay, result, played)
            elif before is not None:
                cost = white_score(before[0], before[1]) - white_score(replay, result)
                self.echo(summary(*before, cost if before[0].side == 0 else -cost))
            before = None if result is None else (replay.copy(), result, played)
            if not played or self.stopped():
                break
            replay.play(game.moves[replay.ply])
        if not self.as_json:
            self.echo(ending(replay) if before is None else summary(*before, 0.0))
        return EXIT_INTERRUPTED if self.stopped() else 0

    def _echo_json(self, game: Game, result: SearchResult | None, played: str) -> None:
        from .analysis_text import to_json

        values = to_json(game, result, self.count)
        self.echo(json.dumps({**values, "played": played} if played else values))

    @staticmethod
    def _played(game: Game, replay: Game) -> str:
        """Return the move that the game goes on with, empty at its end."""
        from ..notation import format_move

        return format_move(replay, game.moves[replay.ply]) if replay.ply < game.ply else ""
