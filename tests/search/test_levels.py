"""Strength levels: what they overlook, that they are repeatable, legal, and in order."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

from uhp_engine import warmup
from uhp_engine.core.pieces import GAME_TYPES
from uhp_engine.game import PASS, Game, GameState, RepetitionDraw
from uhp_engine.notation import parse_game
from uhp_engine.search.levels import HANDICAPS, STRONGEST, WEAKEST, handicap_at, handicap_of
from uhp_engine.search.limits import Limits
from uhp_engine.search.searcher import Searcher
from uhp_engine.uhp.options import find_option

DATA = Path(__file__).parents[1] / "data"
LIMITED = range(WEAKEST, STRONGEST)
WINS = (GameState.WHITE_WINS, GameState.BLACK_WINS)


@pytest.fixture(autouse=True, scope="module")
def _warm():
    warmup.load()


def positions(name, count, back=0):
    """Return every so many-th game of a file, some plies before its end."""
    lines = (DATA / name).read_text().splitlines()
    games = [parse_game(line.split("\t")[0]) for line in lines[:: len(lines) // count][:count]]
    for game in games:
        if back:
            game.undo(min(back, game.ply - 4))
    return games


@pytest.fixture(scope="module")
def middles():
    return positions("real_games.tsv", 12, back=15)


def best(game, level, seed=1, limits=None, **settings):
    searcher = Searcher(memory_mib=16, seed=seed, level=level, **settings)
    return searcher.search(game, limits or Limits())


def wins_at_once(game, move):
    after = game.copy()
    after.play(move)
    return after.board_state is WINS[game.side]


def match(level, other, games, game_type="Base+MLP"):
    """Return the points of a level against another, by simulations alone: no clock."""
    points = 0.0
    for number in range(games):
        game = Game(game_type, repetition_draw=RepetitionDraw.THREEFOLD)
        players = [
            Searcher(memory_mib=16, seed=2 * number, level=level),
            Searcher(memory_mib=16, seed=2 * number + 1, level=other),
        ]
        while not game.state.is_over and game.ply < 200:
            player = players[game.side ^ (number & 1)]
            game.play(player.search(game, Limits()).move)
        if game.state in WINS:
            points += game.state is WINS[number & 1]
        else:
            points += 0.5
    return points


def test_the_option_has_the_levels():
    option = find_option("level")
    assert (option.low, option.high) == (WEAKEST, STRONGEST)
    assert option.default == str(STRONGEST)


@pytest.mark.parametrize("level", [0, 11, -1])
def test_there_are_no_other_levels(level):
    with pytest.raises(ValueError, match=f"from 1 to 10, not {level}"):
        Searcher(level=level)
    searcher = Searcher(level=4)
    with pytest.raises(ValueError, match="from 1 to 10"):
        searcher.level = level
    assert searcher.level == 4


def test_the_handicap_shrinks_from_level_to_level():
    assert len(HANDICAPS) == STRONGEST - WEAKEST
    assert handicap_of(STRONGEST) is None
    for weaker, stronger in itertools.pairwise(HANDICAPS):
        assert weaker.simulations < stronger.simulations
        assert weaker.blindness > stronger.blindness
        assert weaker.misjudgement > stronger.misjudgement
        assert weaker.temperature >= stronger.temperature
    assert handicap_at(1.0).blindness == 0


def test_the_strongest_level_is_the_search_without_levels(middles):
    plain = Searcher(memory_mib=16, seed=5)
    levelled = Searcher(memory_mib=16, seed=5, level=3)
    for game in middles[:4]:
        levelled.level = 3
        levelled.search(game, Limits())
        levelled.level = STRONGEST
        one, other = (s.search(game, Limits(simulations=3000)) for s in (plain, levelled))
        assert (one.move, one.lines, one.simulations) == (other.move, other.lines, 3000)


@pytest.mark.parametrize("level", LIMITED)
def test_a_level_is_repeatable_at_any_time_control(middles, level):
    for game in middles[:3]:
        first = best(game, level)
        for limits, settings in (
            (Limits(seconds=600), {}),
            (Limits(simulations=10**6), {}),
            (Limits(), {"threads": 3}),
        ):
            again = best(game, level, limits=limits, **settings)
            assert again.lines == first.lines
        assert first.simulations <= handicap_of(level).simulations
        assert first.best.move == first.move == first.best.pv[0]


def test_a_level_plays_alike_whatever_was_searched_before(middles):
    searcher = Searcher(memory_mib=16, seed=1, level=4)
    game = middles[0].copy()
    alone = best(game, 4)
    searcher.level = STRONGEST
    searcher.search(game, Limits(simulations=500))
    searcher.level = 4
    game.undo()
    searcher.search(game, Limits())
    assert searcher.search(middles[0], Limits()).lines == alone.lines


def test_another_seed_plays_otherwise_at_a_low_level(middles):
    for game in middles[:3]:
        assert len({best(game, 1, seed).move for seed in range(30)}) >= 4


def test_what_a_level_overlooks(middles):
    """Some legal moves, the more the weaker; a stronger level sees all that a weaker one does."""
    legal = [set(game.legal_moves()) for game in middles]
    above = legal
    shares = []
    for level in reversed(LIMITED):
        seen = [{line.move for line in best(game, level).lines} for game in middles]
        assert all(seen)
        assert all(moves <= more for moves, more in zip(seen, above, strict=True))
        shares.append(sum(map(len, seen)) / sum(map(len, legal)))
        above = seen
    assert shares == sorted(shares, reverse=True)
    assert 0.3 < shares[-1] < 0.9


def test_another_thought_overlooks_other_moves(middles):
    game = middles[0]
    one, other = ({line.move for line in best(game, 1, seed).lines} for seed in (1, 2))
    assert one - other
    assert other - one


def test_something_is_seen_where_there_is_little():
    """The last plies of lost games have few moves; at least one is seen each time."""
    forced = 0
    for game in positions("win_in_one.tsv", 25, back=1):
        for seed in range(4):
            result = best(game, 1, seed)
            assert game.is_legal(result.move)
        forced += len(game.legal_moves()) <= 3
    assert forced
    line = next(t for t in (DATA / "real_games.tsv").read_text().splitlines() if ";pass;" in t)
    game = parse_game(line.split("\t")[0])
    game.undo(game.ply - game.moves.index(PASS))
    assert best(game, 1).move == PASS


def test_sight_is_whole_without_a_handicap(middles):
    searcher = Searcher(memory_mib=16)
    searcher.search(middles[0], Limits(simulations=10))
    assert not np.any(searcher.workers[0].states["sight"])
    searcher.level = 1
    searcher.search(middles[0], Limits())
    assert np.any(searcher.workers[0].states["sight"])
    assert not np.any(middles[0].states["sight"])


@pytest.mark.parametrize("game_type", GAME_TYPES)
def test_low_levels_play_whole_legal_games(game_type):
    game = Game(game_type, repetition_draw=RepetitionDraw.THREEFOLD)
    players = [Searcher(memory_mib=16, seed=11, level=1), Searcher(memory_mib=16, seed=12, level=2)]
    while not game.state.is_over and game.ply < 400:
        game.play(players[game.side].search(game, Limits()).move)  # raises where it is illegal
    assert game.state.is_over or game.ply == 400


def test_a_game_of_beginners_ends():
    game = Game("Base", repetition_draw=RepetitionDraw.THREEFOLD)
    player = Searcher(memory_mib=16, seed=3, level=1)
    while not game.state.is_over:
        assert game.ply < 1000
        game.play(player.search(game, Limits()).move)
    assert game.board_state.is_over or game.is_drawn_by_repetition()


def test_a_win_in_one_is_seen_by_nearly_all():
    games = positions("win_in_one.tsv", 100)
    taken = {
        level: sum(wins_at_once(game, best(game, level).move) for game in games)
        for level in (1, 3, 9)
    }
    assert taken[9] >= 99
    assert taken[3] >= 95
    assert taken[1] >= 85


def test_a_threat_is_overlooked_at_times_by_beginners_alone():
    """Where the opponent threatens to win and need not be let, level 1 lets it now and then."""
    lost = dict.fromkeys((1, 9), 0)
    for game in positions("win_in_one.tsv", 150, back=1):
        strong = best(game, STRONGEST, limits=Limits(simulations=500))
        if len(game.legal_moves()) == 1 or strong.best.proof == -2:
            continue
        for level, seed in itertools.product(lost, range(3)):
            after = game.copy()
            after.play(best(game, level, seed).move)
            answer = best(after, STRONGEST, limits=Limits(simulations=500))
            lost[level] += answer.best.proof == 1
    assert lost[9] <= 1
    assert lost[1] >= 4


def test_a_higher_level_beats_a_lower_one():
    assert match(5, 1, 10) >= 8
