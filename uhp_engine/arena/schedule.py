"""Who plays whom, with which colour, from which opening: all of it known before the first game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, count

from .plan import Plan

Openings = Mapping[str, Sequence[Sequence[str]]]


@dataclass(frozen=True)
class ScheduledGame:
    """One game to be played.

    Attributes:
        number: from 0, in the order of play; unique.
        pair: games with the same number have the same opening and engines, colours swapped.
        round: the encounter that it belongs to, from 1.
        white, black: positions in `Plan.engines`.
        game_type: `Base` to `Base+MLP`.
        opening: MoveStrings.
    """

    number: int
    pair: int
    round: int
    white: int
    black: int
    game_type: str
    opening: tuple[str, ...]


def encounters(plan: Plan) -> list[tuple[int, int]]:
    """Return who meets whom, as positions in `Plan.engines`.

    In a gauntlet the seeds meet all others, and not one another.
    """
    places = range(len(plan.engines))
    if plan.format == "gauntlet":
        return [(seed, other) for seed in places[: plan.seeds] for other in places[plan.seeds :]]
    return list(combinations(places, 2))


def pairs_needed(plan: Plan) -> int:
    """Return how many openings each two engines play: half the games where colours are swapped."""
    games = plan.rounds * plan.games
    return (games + 1) // 2 if plan.repeat else games


def schedule(plan: Plan, openings: Openings) -> Iterator[ScheduledGame]:
    """Yield every game of a plan in the order of play.

    All encounters play the same openings, one after the other, and each opening is played by all
    before the next begins: a match that is stopped early is a fair one.

    Args:
        plan: the plan.
        openings: by game type, in order of use; begun anew where there are too few.
    """
    games = plan.rounds * plan.games
    numbers, pairs = count(), count()
    for unit in range(pairs_needed(plan)):
        game_type = plan.game_types[unit % len(plan.game_types)]
        suite = openings[game_type]
        opening = tuple(suite[unit // len(plan.game_types) % len(suite)])
        first = unit * 2 if plan.repeat else unit
        for one, other in encounters(plan):
            pair = next(pairs)
            for game in range(first, min(first + 2, games) if plan.repeat else first + 1):
                swapped = game % 2 == 1
                white, black = (other, one) if swapped else (one, other)
                yield ScheduledGame(
                    next(numbers), pair, game // plan.games + 1, white, black, game_type, opening
                )


def shard(games: Iterator[ScheduledGame], index: int, parts: int) -> Iterator[ScheduledGame]:
    """Yield the games of one of several machines: every `parts`-th pair, from the `index`-th (1).

    A pair stays together, so that pentanomial counts of the parts add up.
    """
    return (game for game in games if game.pair % parts == index - 1)
