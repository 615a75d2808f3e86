from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from arena_helpers import plan_of

from uhp_engine.arena.openings import Suites
from uhp_engine.arena.outcome import PlayedGame
from uhp_engine.arena.plan import Plan
from uhp_engine.arena.store import Store, StoreError, merge

pytest_plugins = ["arena_fixtures"]

OPENINGS: Suites = {"Base": [("wS1", "bS1 wS1-"), ("wA1", "bA1 wA1-")]}


def played(number: int, result: str = "WhiteWins", **more: Any) -> PlayedGame:
    white, black = ("a", "b") if number % 2 == 0 else ("b", "a")
    game = PlayedGame(
        number=number,
        pair=number // 2,
        round=1,
        white=white,
        black=black,
        game_type="Base",
        result=result,
        termination="surround",
        detail="it's \u201eover\u201c",
        at_fault="",
        moves=["wS1", "bS1 wS1-"],
        opening_plies=2,
        seconds=[0.25, 1.5],
        started="2026-11-30T08:00:00+00:00",
        duration=1.75,
    )
    return replace(game, **more)


def plan(games: int = 8) -> Plan:
    return plan_of("one", "two", games=games)


def test_games_come_back_as_they_were(tmp_path: Path) -> None:
    path = str(tmp_path / "r.sqlite")
    with Store.create(path, plan(), OPENINGS) as store:
        store.add(played(3, "Draw"))
        store.add(played(1, moves=[], at_fault="a", termination="no start"))
    with Store.open(path) as store:
        assert store.plan == plan()
        assert store.openings == OPENINGS
        assert list(store.games()) == [
            played(1, moves=[], at_fault="a", termination="no start"),
            played(3, "Draw"),
        ]
        assert store.finished() == {1, 3}
        assert [game.number for game in store.planned()] == list(range(8))


def test_a_game_is_stored_once(tmp_path: Path) -> None:
    with Store.create(str(tmp_path / "r.sqlite"), plan(), OPENINGS) as store:
        store.add(played(3))
        with pytest.raises(StoreError, match=r"game 4 is in .* already"):
            store.add(played(3, "Draw"))
        assert [game.result for game in store.games()] == ["WhiteWins"]


def test_an_existing_file_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("mine")
    with pytest.raises(StoreError, match="exists already"):
        Store.create(str(path), plan(), OPENINGS)
    assert path.read_text() == "mine"


@pytest.mark.parametrize("content", [b"", b"hello, I am text and long enough to be looked at" * 40])
def test_other_files_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x"
    path.write_bytes(content)
    with pytest.raises(StoreError, match="is no results file"):
        Store.open(str(path))
    with pytest.raises(StoreError, match="no results file"):
        Store.open(str(tmp_path / "nowhere"))
    with pytest.raises(StoreError, match="unable to write"):
        Store.create(str(tmp_path / "no" / "folder"), plan(), OPENINGS)


def test_another_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE other (a)")
    connection.close()
    with pytest.raises(StoreError, match="is no results file"):
        Store.open(str(path))


def test_two_runners_do_not_share_a_file(tmp_path: Path) -> None:
    path = str(tmp_path / "r.sqlite")
    with Store.create(path, plan(), OPENINGS) as first:
        first.lock()
        with Store.open(path) as second:
            with pytest.raises(StoreError, match="another process is playing"):
                second.lock()
            assert second.finished() == set()  # reading is free
    with Store.open(path) as third:
        third.lock()


def shards(tmp_path: Path, games: dict[int, list[PlayedGame]], parts: int = 2) -> list[str]:
    paths = []
    for index, finished in games.items():
        paths.append(str(tmp_path / f"part{index}"))
        with Store.create(paths[-1], plan(), OPENINGS, (index, parts)) as store:
            for game in finished:
                store.add(game)
    return paths


def test_shards_know_their_part_and_merge_into_the_whole(tmp_path: Path) -> None:
    paths = shards(tmp_path, {1: [played(0), played(1)], 2: [played(2, "Draw")]})
    with Store.open(paths[1]) as store:
        assert [game.number for game in store.planned()] == [2, 3, 6, 7]
    target = str(tmp_path / "all")
    assert merge(target, paths) == (3, 8)
    with Store.open(target) as store:
        assert list(store.games()) == [played(0), played(1), played(2, "Draw")]
        assert len(store.planned()) == 8
        assert store.part == (1, 1)


def test_merging_refuses_other_matches_and_contradictions(tmp_path: Path) -> None:
    paths = shards(tmp_path, {1: [played(0)], 2: [played(0, "Draw")]})
    with pytest.raises(StoreError, match=r"game 1 is in both .* and differs"):
        merge(str(tmp_path / "all"), paths)
    other = str(tmp_path / "other")
    Store.create(other, plan(2), OPENINGS).close()
    with pytest.raises(StoreError, match="are of different matches"):
        merge(str(tmp_path / "all"), [paths[0], other])
    assert merge(str(tmp_path / "all"), [paths[0], paths[0]]) == (1, 8)
    with pytest.raises(StoreError, match="exists already"):
        merge(paths[0], paths[1:])
