"""Showing a run on standard error: a live table on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

from .outcome import CHESS_RESULTS, PlayedGame
from .plan import Plan
from .report import conditions, failure_lines, format_summary, rating_lines
from .schedule import ScheduledGame
from .tally import Tally

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

LAST_GAMES_SHOWN = 5
REFRESHES_A_SECOND = 4
# Leaves room behind the last line for the `^C` that a terminal echoes.
BAR_WIDTH = 40


def game_line(game: PlayedGame) -> str:
    """Return one line about a finished game.

    Its form is that of chess tools: `Finished game 3 (A vs B): 1-0 {reason}`.
    """
    result = CHESS_RESULTS[game.result]
    reason = f"{game.detail} [{game.termination}]" if game.at_fault else game.detail
    turns = (len(game.moves) + 1) // 2
    return (
        f"Finished game {game.number + 1} ({game.white} vs {game.black}): {result} "
        f"{{{reason}}} {turns} moves, {game.duration:.1f} s"
    )


class Quiet:
    """Shows nothing."""

    def begin(self, tally: Tally, planned: int) -> None:
        """Take note of nothing."""

    def started(self, game: ScheduledGame) -> None:
        """Take note of nothing."""

    def finished(self, game: PlayedGame, tally: Tally) -> None:
        """Take note of nothing."""

    def close(self) -> None:
        """Take note of nothing."""


class PlainDisplay(Quiet):
    """Writes a line for each game, and the results so far from time to time.

    Args:
        plan: the match.
        interval: the results are shown after so many games.
    """

    def __init__(self, plan: Plan, interval: int = 10) -> None:
        self.plan = plan
        self.interval = interval
        self._planned = 0

    def begin(self, tally: Tally, planned: int) -> None:
        """Say what is ahead."""
        self._planned = planned
        _say(f"{planned - tally.games} of {planned} games to play ({conditions(self.plan)})")

    def finished(self, game: PlayedGame, tally: Tally) -> None:
        """Say how a game ended."""
        _say(game_line(game))
        left = self._planned - tally.games
        if left and tally.games % self.interval == 0:
            _say(f"--- {tally.games} games played, {left} left ---")
            _say(format_summary(self.plan, tally))


class LiveDisplay(Quiet):
    """A table that is redrawn in place, with rich: the score, the games under way, the rest.

    Args:
        plan: the match.
        console: where to draw.
    """

    def __init__(self, plan: Plan, console: Console) -> None:
        from rich.live import Live
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        self.plan = plan
        self._under_way: dict[int, tuple[ScheduledGame, float]] = {}
        self._last: list[str] = []
        self._tally: Tally | None = None
        self._task: Any = None
        self._progress = Progress(
            TextColumn("games"),
            BarColumn(bar_width=BAR_WIDTH),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=console,
        )
        self._live = Live(
            console=console,
            get_renderable=self._draw,
            refresh_per_second=REFRESHES_A_SECOND,
            transient=True,
        )

    def begin(self, tally: Tally, planned: int) -> None:
        """Begin to draw."""
        self._tally = tally
        # The estimate of the time left must not count games of earlier runs as played just now.
        self._task = self._progress.add_task("", total=planned, completed=tally.games)
        self._live.start()

    def started(self, game: ScheduledGame) -> None:
        """Add a game to those under way."""
        self._under_way[game.number] = (game, time.monotonic())

    def finished(self, game: PlayedGame, tally: Tally) -> None:
        """Move a game from those under way to the finished ones."""
        self._under_way.pop(game.number, None)
        self._last = [*self._last, game_line(game)][-LAST_GAMES_SHOWN:]
        self._tally = tally
        self._progress.update(self._task, completed=tally.games)

    def close(self) -> None:
        """Stop drawing; the drawing is wiped away, for the final results follow."""
        self._live.stop()

    def _draw(self) -> RenderableType:
        from rich.console import Group
        from rich.panel import Panel
        from rich.text import Text

        if self._tally is None:
            return Text("")
        names = [engine.name for engine in self.plan.engines]
        if len(names) == 2 or not self._tally.games:
            score = format_summary(self.plan, self._tally)
        else:
            score = "\n".join([*rating_lines(self._tally), *failure_lines(self._tally)])
        now = time.monotonic()
        playing = "\n".join(
            f"Game {game.number + 1}: {names[game.white]} vs {names[game.black]}, "
            f"{game.game_type}, {now - since:.0f} s"
            for game, since in self._under_way.values()
        )
        blocks: list[RenderableType] = [Panel(Text(score), title=self.plan.event)]
        if self._last:
            blocks.append(Text("\n".join(self._last), style="dim", no_wrap=True))
        blocks += [Text(playing, no_wrap=True), self._progress]
        return Group(*blocks)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def make_display(plan: Plan, *, quiet: bool = False) -> Quiet:
    """Return the display that fits: live on a terminal, lines elsewhere, nothing if quiet."""
    if quiet:
        return Quiet()
    if sys.stderr is not None and sys.stderr.isatty():
        from rich.console import Console

        console = Console(stderr=True)
        if console.is_terminal and not console.is_dumb_terminal:
            return LiveDisplay(plan, console)
    return PlainDisplay(plan)
