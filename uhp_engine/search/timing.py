"""How long to think about a move where a clock runs for the whole game.

Nothing here looks at a clock: what is decided depends on what the search found, and on how much
time it says to have taken.
"""

from __future__ import annotations

from dataclasses import dataclass

from .limits import GameClock
from .result import SearchResult

# A game of Hive between engines takes some thirty moves a side, some take many more: what is left
# is shared out among the moves of an average game, later on always among so many.
MOVES_EXPECTED = 30
MOVES_LEFT_AT_LEAST = 10
INCREMENT_SHARE = 0.75
# A difficult move may take so many usual ones, and so much of what is left.
MOST_TARGETS = 4.0
MOST_OF_REMAINING = 0.25
# What is lost on each move between the engine and whoever keeps the clock.
OVERHEAD_SECONDS = 0.02

# The best move is unstable where it has changed in so much of the time spent, or its value (-1 to
# 1) fell so far since the start; then the usual time is stretched.
RECENT_SHARE = 0.5
FALL = 0.1
CHANGED_STRETCH, RIVAL_STRETCH, FALL_STRETCH = 1.5, 1.3, 1.5
# A move of better value counts as a rival from so many of the best one's visits on.
RIVAL_SHARE = 0.1
# It is clear where it never changed and has so many of the visits; then less time will do.
CLEAR_SHARE = 0.85
CLEAR_STRETCH = 0.6
# The rate of simulations is measured for so much of the usual time at least (what was spent on
# copying the tree does not count), and may be so much higher until the end.
LEAST_MEASURED = 0.1
RATE_MARGIN = 1.25


@dataclass(frozen=True)
class Budget:
    """How long a move may take, in seconds.

    Attributes:
        target: what a usual move gets.
        most: what the search never exceeds.
    """

    target: float
    most: float


def usual_seconds(left: float, increment: float, moves_to_go: int, moves_made: int) -> float:
    """Return what a usual move gets: a share of what is left, and most of the increment.

    Args:
        left: seconds on the clock.
        increment: seconds added after each move.
        moves_to_go: until more time is added, 0 where none ever is.
        moves_made: by the side to move, so far.
    """
    to_go = moves_to_go or max(MOVES_LEFT_AT_LEAST, MOVES_EXPECTED - moves_made)
    return left / to_go + INCREMENT_SHARE * increment


def budget_of(clock: GameClock, moves_made: int) -> Budget:
    """Return the budget of the next move.

    Args:
        clock: what the clock shows.
        moves_made: by the side to move, so far.

    >>> budget_of(GameClock(60.02, 1.0), 0)
    Budget(target=2.75, most=11.0)
    """
    left = max(0.0, clock.remaining - OVERHEAD_SECONDS)
    # The last move before more time comes may take all there is, the others never most of it.
    most = left if clock.moves_to_go == 1 else MOST_OF_REMAINING * left
    target = usual_seconds(left, clock.increment, clock.moves_to_go, moves_made)
    most = min(most, MOST_TARGETS * target)
    return Budget(min(target, most), most)


class Pace:
    """Decides, look by look, whether a search has thought enough about a move."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self._first: SearchResult | None = None
        self._last: SearchResult | None = None
        self._changed_at = 0.0  # seconds; 0 where the best move was the same at every look

    def is_over(self, found: SearchResult) -> bool:
        """Take in what is known now; say whether to play the best move."""
        if self._last is not None and self._last.move != found.move:
            self._changed_at = found.seconds
        self._first = self._first or found
        self._last = found
        end = min(self.budget.most, self.budget.target * self._stretch(found))
        return found.seconds >= end or self._is_out_of_reach(found, end)

    def _stretch(self, found: SearchResult) -> float:
        """Return how many times the usual time the move deserves."""
        assert self._first is not None
        best = found.best
        stretch = 1.0
        if self._changed_at > RECENT_SHARE * found.seconds:
            stretch *= CHANGED_STRETCH
        if any(
            line.value > best.value and line.visits >= RIVAL_SHARE * best.visits and not line.proof
            for line in found.lines
        ):
            stretch *= RIVAL_STRETCH
        if self._first.best.value - best.value > FALL:
            stretch *= FALL_STRETCH
        visits = sum(line.visits for line in found.lines)
        if stretch == 1.0 and not self._changed_at and best.visits > CLEAR_SHARE * visits:
            stretch = CLEAR_STRETCH
        return stretch

    def _is_out_of_reach(self, found: SearchResult, end: float) -> bool:
        """Say whether no other move can get more visits than the best until the time's end.

        Every simulation that is still to come may go to the second, and no more than that.
        """
        assert self._first is not None
        seconds = found.seconds - self._first.seconds
        if seconds < LEAST_MEASURED * self.budget.target:
            return False
        rate = RATE_MARGIN * (found.simulations - self._first.simulations) / seconds
        second = max((line.visits for line in found.lines[1:] if line.proof >= 0), default=0)
        return found.best.visits - second > rate * (end - found.seconds)
