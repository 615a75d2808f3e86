"""Strength levels for people: how far a level looks, what it overlooks, how it errs.

A level thinks about each position afresh, in one thread, for a number of simulations that the
clock hardly ever cuts short: so it plays alike at any time control. Level STRONGEST is the search
as it is. docs/levels.md has what each scores against the one below.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ..core.layout import SIGHT_SLOTS
from ..game import Game
from . import oversight
from .limits import Limits
from .tree import DRAW_PROOF

if TYPE_CHECKING:
    from .result import Line

WEAKEST, STRONGEST = 1, 10


@dataclass(frozen=True)
class Handicap:
    """What makes a level weaker than the search can be.

    Attributes:
        simulations: how many are run for a move, at most.
        blindness: the share, 0 to 1, of moves overlooked that are as hard to see as a mosquito's;
            see oversight.py for the other kinds.
        misjudgement: standard deviation of the error of the evaluation, in logits.
        hope: how much better it takes its position for, in logits, for each filled cell around
            its own queen: it does not see the slow danger.
        temperature: moves are drawn by their visits to the power of 1 / temperature; at 0 the
            best is played.
    """

    simulations: int
    blindness: float
    misjudgement: float
    hope: float
    temperature: float

    def limits(self, limits: Limits) -> Limits:
        """Return limits that are none above this handicap's."""
        most = self.simulations
        if limits.simulations is not None:
            most = min(most, limits.simulations)
        return replace(limits, simulations=most, fresh=True)

    def sight(self, game: Game, seed: int) -> np.ndarray:
        """Return how the side to move sees the position: int64 of shape (SIGHT_SLOTS,)."""
        slots = np.zeros(SIGHT_SLOTS, dtype=np.int64)
        slots[oversight.LIMITED] = 1
        slots[oversight.THOUGHT] = _chance(game, seed, "thought").getrandbits(60)
        slots[oversight.PLAYER] = random.Random(f"player {seed}").getrandbits(60)
        slots[oversight.COLOUR] = game.side
        slots[oversight.PLY] = game.ply
        slots[oversight.BLINDNESS] = round(1000 * self.blindness)
        slots[oversight.MISJUDGEMENT] = round(1000 * self.misjudgement)
        slots[oversight.HOPE] = round(1000 * self.hope)
        return slots

    def drawn(self, game: Game, seed: int, lines: Sequence[Line]) -> int:
        """Return which of a search's lines is played, the best being the first.

        A win that was found is played; a loss that was found only where there is nothing else.
        """
        best = lines[0].proof
        if self.temperature == 0 or 0 < best != DRAW_PROOF:
            return 0
        visits = [line.visits if line.proof >= 0 else 0 for line in lines]
        most = max(visits)
        if most == 0:
            return 0
        weights = [(count / most) ** (1 / self.temperature) for count in visits]
        return _chance(game, seed, "draw").choices(range(len(lines)), weights)[0]


def _chance(game: Game, seed: int, what: str) -> random.Random:
    """Return a source of chance that is the same for one seed and one point of a game."""
    return random.Random(f"{what} {seed} {game.ply} {game.place_keys[-1]}")


def handicap_at(skill: float) -> Handicap:
    """Return the handicap of a skill from 0, a beginner's, to 1, limited in depth alone."""
    lack = 1.0 - skill
    return Handicap(
        simulations=round(6 * (26_000 / 6) ** skill),
        blindness=0.8 * lack,
        misjudgement=2.0 * lack,
        hope=0.3 * lack,
        temperature=max(0.0, 1.0 - 1.5 * skill),
    )


# The skill of each level from 1 on, as `python scripts/calibrate_levels.py --tune` prints them.
SKILLS = (0.451, 0.518, 0.584, 0.651, 0.717, 0.784, 0.850, 0.917, 0.983)
HANDICAPS = tuple(handicap_at(skill) for skill in SKILLS)


def handicap_of(level: int) -> Handicap | None:
    """Return a level's handicap, None for full strength.

    Raises:
        ValueError: there is no such level.
    """
    if not WEAKEST <= level <= STRONGEST:
        raise ValueError(f"the level is a number from {WEAKEST} to {STRONGEST}, not {level}")
    return None if level == STRONGEST else HANDICAPS[level - 1]
