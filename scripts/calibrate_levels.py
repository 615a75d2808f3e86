"""Play each strength level against the one below, or find the skills that space them evenly.

python scripts/calibrate_levels.py [--games 60] [--seconds 0.1] [--type Base+MLP]
python scripts/calibrate_levels.py --tune

Games from the shipped openings, both colours each, every game with other seeds; a third occurrence
of a position is a draw, and so is a game of 300 plies. Prints Markdown for docs/levels.md.
Some twenty minutes either way on two cores.

--tune plays neighbours on a grid of skills, and full strength against the most skilled; from the
Elo between them it prints the tuple SKILLS for uhp_engine/search/levels.py.
"""

from __future__ import annotations

import itertools
import math
import random
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import click
import numpy as np

from uhp_engine import warmup
from uhp_engine.arena.openings import load_openings
from uhp_engine.arena.plan import OpeningSource
from uhp_engine.arena.statistics import Score
from uhp_engine.game import Game, GameState, Move, RepetitionDraw
from uhp_engine.notation import parse_move
from uhp_engine.search.levels import STRONGEST, WEAKEST, handicap_at, handicap_of
from uhp_engine.search.limits import Limits
from uhp_engine.search.searcher import Searcher

MOST_PLIES = 300
MEMORY_MIB = 128
GRID = np.linspace(0.3, 1.0, 8)
STEP = 160.0  # Elo: 71.5 %
MOST_GAP = 600.0
FULL = 100.0  # stands for full strength
RANDOM = -1.0  # stands for a player of random moves


@dataclass(frozen=True)
class Pairing:
    """Two games from one opening, first and second changing colours.

    Attributes:
        first: a level, or a skill where `tuned`; FULL or RANDOM.
        second: the other.
        tuned: whether they are skills.
        game_type: `Base` to `Base+MLP`.
        opening: MoveStrings.
        seed: of the players.
        limits: of full strength; the others have the time of it.
    """

    first: float
    second: float
    tuned: bool
    game_type: str
    opening: tuple[str, ...]
    seed: int
    limits: Limits


class Player:
    """A level or a skill at the board."""

    def __init__(self, strength: float, tuned: bool, seed: int, limits: Limits) -> None:
        self.limits = limits
        self.random = random.Random(seed) if strength == RANDOM else None
        self.searcher = Searcher(memory_mib=MEMORY_MIB, seed=seed)
        if strength in (RANDOM, FULL):
            return
        self.limits = Limits(seconds=limits.seconds)
        self.searcher.handicap = handicap_at(strength) if tuned else handicap_of(int(strength))

    def move(self, game: Game) -> Move:
        """Return the move to play."""
        if self.random is not None:
            return self.random.choice(game.legal_moves())
        return self.searcher.search(game, self.limits).move


def play_game(pairing: Pairing, first_colour: int) -> tuple[float, int]:
    """Return the points of the first player, and how many plies were played."""
    game = Game(pairing.game_type, repetition_draw=RepetitionDraw.THREEFOLD)
    for text in pairing.opening:
        game.play(parse_move(game, text))
    seed = 4 * pairing.seed + 2 * first_colour
    players = [
        Player(pairing.first, pairing.tuned, seed, pairing.limits),
        Player(pairing.second, pairing.tuned, seed + 1, pairing.limits),
    ]
    while not game.state.is_over and game.ply < MOST_PLIES:
        game.play(players[game.side ^ first_colour].move(game))
    wins = (GameState.WHITE_WINS, GameState.BLACK_WINS)
    if game.state in wins:
        return float(game.state is wins[first_colour]), game.ply
    return 0.5, game.ply


def play_pairing(pairing: Pairing) -> list[tuple[float, int]]:
    """Play both games."""
    return [play_game(pairing, colour) for colour in (0, 1)]


@dataclass(frozen=True)
class Outcome:
    """What a match came to.

    Attributes:
        score: of the first.
        plies: mean length of a game.
        cut: games that were cut short at MOST_PLIES.
    """

    score: Score
    plies: float
    cut: int

    @property
    def wdl(self) -> str:
        """Wins, draws and losses."""
        return f"{self.score.wins}-{self.score.draws}-{self.score.losses}"


def match(
    pool: ProcessPoolExecutor,
    first: float,
    second: float,
    *,
    tuned: bool,
    games: int,
    limits: Limits,
    game_type: str,
) -> Outcome:
    """Play a match."""
    suite = load_openings(OpeningSource(), [game_type], games // 2, 0)[game_type]
    pairings = [
        Pairing(first, second, tuned, game_type, suite[n % len(suite)], n, limits)
        for n in range(games // 2)
    ]
    counts = [0] * 5
    points: list[float] = []
    plies: list[int] = []
    for pair in pool.map(play_pairing, pairings):
        counts[round(2 * sum(result for result, _ in pair))] += 1
        points += [result for result, _ in pair]
        plies += [length for _, length in pair]
    wins, losses = points.count(1.0), points.count(0.0)
    won_and_lost = sum(
        points[n] + points[n + 1] == 1 and points[n] != 0.5 for n in range(0, len(points), 2)
    )
    score = Score(tuple(counts), won_and_lost)
    assert (score.wins, score.losses) == (wins, losses)
    return Outcome(score, float(np.mean(plies)), sum(length >= MOST_PLIES for length in plies))


def _elo(score: Score) -> str:
    elo = score.elo()
    if math.isfinite(elo.value):
        return f"{elo.value:+.0f} ± {elo.error:.0f}"
    return "all won" if elo.value > 0 else "all lost"


def measured_rows(
    pool: ProcessPoolExecutor, levels: list[int], games: int, limits: Limits, game_type: str
) -> Iterator[str]:
    """Yield the rows of the table: each level against the one below, level 1 against chance."""
    for level in levels:
        below = level - 1 if level > WEAKEST else RANDOM
        first = FULL if level == STRONGEST else level
        found = match(
            pool,
            first,
            below,
            tuned=False,
            games=games,
            limits=limits,
            game_type=game_type,
        )
        against = str(below) if below != RANDOM else "random moves"
        handicap = handicap_of(level)
        simulations = f"{handicap.simulations:,}" if handicap is not None else "no limit"
        yield (
            f"| {level} | {simulations} | {against} | {found.wdl} | {found.score.mean:.0%} "
            f"| {_elo(found.score)} | {found.plies:.0f} |"
        )


def tuned_skills(
    pool: ProcessPoolExecutor, games: int, limits: Limits, game_type: str
) -> list[float]:
    """Return the skills of the levels from WEAKEST on, STEP Elo apart, down from full strength.

    A parabola is laid through the slopes of Elo over skill, so that the chance in one match does
    little.
    """

    def gap(upper: float, lower: float) -> float:
        found = match(
            pool, upper, lower, tuned=True, games=games, limits=limits, game_type=game_type
        )
        elo = max(-MOST_GAP, min(MOST_GAP, found.score.elo().value))
        name = "full strength" if upper == FULL else f"skill {upper:.1f}"
        click.echo(
            f"{name} against {lower:.1f}: {found.wdl}, {elo:+.0f} Elo, {found.plies:.0f} plies a "
            f"game, {found.cut} cut short",
            err=True,
        )
        return elo

    top = gap(FULL, 1.0)
    gaps = [gap(upper, lower) for lower, upper in itertools.pairwise(GRID)]
    middles, widths = (GRID[1:] + GRID[:-1]) / 2, np.diff(GRID)
    curve = np.polynomial.Polynomial.fit(middles, np.array(gaps) / widths, 2).integ()
    skills = np.linspace(GRID[0], GRID[-1], 1001)
    elos = curve(skills) - curve(1.0) - top  # below full strength
    wanted = -STEP * np.arange(STRONGEST - WEAKEST, 0, -1)
    click.echo(f"the least and the most skill: {elos[0]:.0f}, {elos[-1]:.0f} Elo", err=True)
    return [float(np.interp(elo, np.maximum.accumulate(elos), skills)) for elo in wanted]


@click.command()
@click.option("--games", default=60, show_default=True, help="Of a match; even.")
@click.option("--seconds", default=0.1, show_default=True, help="For a move.")
@click.option("--simulations", type=int, help="Of full strength, for a busy machine; no time then.")
@click.option("--type", "game_type", default="Base+MLP", show_default=True)
@click.option("--levels", default="1-10", show_default=True, help="Which to measure: 3-5, or 7.")
@click.option("--jobs", default=2, show_default=True, help="Games at a time.")
@click.option("--tune", is_flag=True, help="Find skills instead.")
def main(
    games: int,
    seconds: float,
    simulations: int | None,
    game_type: str,
    levels: str,
    jobs: int,
    tune: bool,
) -> None:
    """Measure the levels, or tune them."""
    limits = Limits(seconds=None if simulations else seconds, simulations=simulations)
    warmup.load()
    with ProcessPoolExecutor(jobs, initializer=warmup.load) as pool:
        if tune:
            skills = tuned_skills(pool, games, limits, game_type)
            click.echo(f"SKILLS = ({', '.join(f'{skill:.3f}' for skill in skills)})")
            return
        low, _, high = levels.partition("-")
        click.echo("| level | simulations | against | W-D-L | score | Elo | plies |")
        click.echo("| --- | --- | --- | --- | --- | --- | --- |")
        for row in measured_rows(
            pool, list(range(int(low), int(high or low) + 1)), games, limits, game_type
        ):
            click.echo(row)
            sys.stdout.flush()


if __name__ == "__main__":
    main()
