"""Files of self-play games: what is written is read, a cut costs one game, damage is told."""

from __future__ import annotations

import sys

import pytest

from uhp_engine.training.store import MAGIC, GameWriter, StoreError, packed, read_blocks

SETTINGS = {"simulations": 16, "seed": 3}
GAMES = [
    {"number": number, "game": f"Base;text {number}" * 5, "search": [None]} for number in (0, 1)
]


def blocks_of(path):
    with path.open("rb") as file:
        return list(read_blocks(file))


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "games.uhpgames"
    with GameWriter(path, SETTINGS) as writer:
        for game in GAMES:
            writer.add(packed(game))
    return path


def test_what_is_written_is_read(path):
    assert blocks_of(path) == [SETTINGS, *GAMES]


def test_a_file_cut_anywhere_keeps_the_games_before_and_goes_on(path):
    whole = path.read_bytes()
    after_settings = len(MAGIC + packed(SETTINGS))
    after_first = after_settings + len(packed(GAMES[0]))
    for cut in range(len(whole)):
        path.write_bytes(whole[:cut])
        with GameWriter(path, SETTINGS) as writer:
            kept = {0} if cut >= after_first else set()
            assert writer.numbers == kept
            for game in GAMES:
                if game["number"] not in writer.numbers:
                    writer.add(packed(game))
        assert path.read_bytes() == whole


def test_a_reader_leaves_out_what_is_unfinished(path):
    path.write_bytes(path.read_bytes()[:-1])
    assert blocks_of(path) == [SETTINGS, GAMES[0]]


@pytest.mark.parametrize("block", [0, 1, 2])
def test_damage_is_told(path, block):
    """Any byte of a block that is changed, of its length too, costs no game."""
    whole = path.read_bytes()
    blocks = [SETTINGS, *GAMES]
    start = len(MAGIC) + sum(len(packed(each)) for each in blocks[:block])
    for place in range(start, start + len(packed(blocks[block]))):
        data = bytearray(whole)
        data[place] ^= 1
        path.write_bytes(data)
        with pytest.raises(StoreError, match=f"damaged: block {block}"):
            blocks_of(path)
        with pytest.raises(StoreError, match=f"{path.name}: damaged: block {block}"):
            GameWriter(path, SETTINGS)
        assert path.read_bytes() == data


@pytest.mark.skipif(sys.platform == "win32", reason="files are not locked there")
def test_two_processes_do_not_write_at_once(path):
    with GameWriter(path, SETTINGS), pytest.raises(StoreError, match="another process"):
        GameWriter(path, SETTINGS)
    GameWriter(path, SETTINGS).__exit__(None, None, None)


@pytest.mark.parametrize("content", [b"some\nlines\n", b"UHPGAME0...", b"\0" * 20])
def test_other_files_are_left_alone(tmp_path, content):
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(StoreError, match="no file of self-play games"):
        GameWriter(path, SETTINGS)
    assert path.read_bytes() == content


def test_settings_are_not_mixed(path):
    before = path.read_bytes()
    with pytest.raises(StoreError, match="seed is 3, not 4"):
        GameWriter(path, {**SETTINGS, "seed": 4})
    assert path.read_bytes() == before
