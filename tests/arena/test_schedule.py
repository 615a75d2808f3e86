from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from arena_helpers import plan_of

from uhp_engine.arena.plan import Plan
from uhp_engine.arena.schedule import ScheduledGame, encounters, pairs_needed, schedule, shard

pytest_plugins = ["arena_fixtures"]

OPENINGS = {
    "Base": [("wS1",), ("wA1",), ("wG1",)],
    "Base+MLP": [("wM",), ("wL",)],
}


def games_of(engines: int, **more: Any) -> tuple[Plan, list[ScheduledGame]]:
    plan = plan_of(*["engine"] * engines, **more)
    return plan, list(schedule(plan, OPENINGS))


def test_a_pair_is_the_same_opening_with_both_colours() -> None:
    _, games = games_of(2, games=6)
    assert [game.number for game in games] == list(range(6))
    assert [game.pair for game in games] == [0, 0, 1, 1, 2, 2]
    assert [game.opening for game in games[::2]] == OPENINGS["Base"]
    for one, other in zip(games[::2], games[1::2], strict=True):
        assert one.opening == other.opening
        assert (one.white, one.black) == (other.black, other.white)


def test_openings_begin_anew_where_there_are_too_few() -> None:
    _, games = games_of(2, games=8)
    assert games[6].opening == games[0].opening


def test_without_repeat_each_game_has_an_opening_and_colours_alternate() -> None:
    _, games = games_of(2, games=3, repeat=False)
    assert [game.opening for game in games] == OPENINGS["Base"]
    assert [game.white for game in games] == [0, 1, 0]
    assert len({game.pair for game in games}) == 3


def test_an_odd_number_of_games_leaves_half_a_pair() -> None:
    plan, games = games_of(2, games=3)
    assert pairs_needed(plan) == 2
    assert [game.pair for game in games] == [0, 0, 1]


def test_rounds_multiply_the_games() -> None:
    _, games = games_of(2, rounds=3, games=2)
    assert [game.round for game in games] == [1, 1, 2, 2, 3, 3]


def test_round_robin_is_fair() -> None:
    plan, games = games_of(4, games=4)
    assert len(encounters(plan)) == 6
    assert len(games) == 24
    whites, blacks = (Counter(getattr(game, side) for game in games) for side in ("white", "black"))
    assert set(whites.values()) == set(blacks.values()) == {6}
    # Everybody has played an opening before the next one comes.
    assert [game.opening for game in games] == [("wS1",)] * 12 + [("wA1",)] * 12


def test_gauntlet_seeds_do_not_meet() -> None:
    plan, games = games_of(4, format="gauntlet", seeds=2, games=2)
    assert encounters(plan) == [(0, 2), (0, 3), (1, 2), (1, 3)]
    assert len(games) == 8


def test_game_types_take_turns() -> None:
    _, games = games_of(2, games=8, **{"game-types": ["Base", "Base+MLP"]})
    assert [game.game_type for game in games[::2]] == ["Base", "Base+MLP"] * 2
    assert [game.opening[0] for game in games[::2]] == ["wS1", "wM", "wA1", "wL"]


@pytest.mark.parametrize("parts", [1, 2, 3, 7])
def test_shards_are_the_whole_and_keep_pairs(parts: int) -> None:
    _, games = games_of(3, games=6)
    pieces = [list(shard(iter(games), index, parts)) for index in range(1, parts + 1)]
    together = sorted((game for piece in pieces for game in piece), key=lambda game: game.number)
    assert together == games
    for piece in pieces:
        assert set(Counter(game.pair for game in piece).values()) <= {2}
