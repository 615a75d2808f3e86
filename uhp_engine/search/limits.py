"""How long a search may take, and how much memory by default."""

from __future__ import annotations

from dataclasses import dataclass

SIMULATIONS_AT_DEPTH_0 = 64
DEPTH_FACTOR = 4
MAX_SEARCH_DEPTH = 12
DEFAULT_MEMORY_MIB = 1024


@dataclass(frozen=True)
class GameClock:
    """What a player's clock shows when the move is asked for, in seconds.

    Attributes:
        remaining: time left for the game, or until `moves_to_go` moves are made.
        increment: added after each move.
        moves_to_go: moves until more time is added; 0 where none ever is.
    """

    remaining: float
    increment: float = 0.0
    moves_to_go: int = 0


@dataclass(frozen=True)
class Limits:
    """What ends a search; whichever comes first.

    Attributes:
        seconds: time from `started` on; None for no limit.
        simulations: how many in all; None for no limit.
        fresh: True where nothing learnt before may be used, so that the result depends on the
            position and the settings alone.
        clock: of the game; the search decides how much of it the move is worth.
    """

    seconds: float | None = None
    simulations: int | None = None
    fresh: bool = False
    clock: GameClock | None = None

    @classmethod
    def depth(cls, depth: int, seconds: float | None = None) -> Limits:
        """Return the budget that stands for a depth in plies: 64 * 4 ** depth simulations.

        A tree search has no depth of its own; an alpha-beta search that goes one ply deeper
        looks at some four to eight times as much. Above depth 12 the budget no longer grows.
        """
        simulations = SIMULATIONS_AT_DEPTH_0 * DEPTH_FACTOR ** min(depth, MAX_SEARCH_DEPTH)
        return cls(seconds=seconds, simulations=simulations, fresh=True)
