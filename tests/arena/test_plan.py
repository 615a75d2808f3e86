from __future__ import annotations

from typing import Any

import pytest

from uhp_engine.arena.fields import ConfigError
from uhp_engine.arena.limits import TimeForm
from uhp_engine.arena.plan import Plan
from uhp_engine.arena.toml_plan import TomlError, parse_plan

TWO = [{"cmd": "one"}, {"cmd": "two"}]

FULL = """
# A tournament with everything in it.
format = "gauntlet"
seeds = 1
rounds = 5
games = 4
repeat = true
game-types = ["Base", "Base+MLP"]
seed = 7
max-moves = 100
repetition-draw = false
start-limit = 5.5
answer-limit = 6
hang-limit = 7
depth-limit = 8
event = "Levels"
site = "here"

[openings]
file = "book.txt"
order = "sequential"
plies = 6
start = 3

[each]
st = 0.5
time-margin = 250
options.Threads = 1

[[engine]]
cmd = "one --fast"
name = "fast"
options = { Threads = 2, Ponder = false }
env.HIVE = "1"

[[engine]]
cmd = "two"
tc = "60+1"
time-form = "whole"
restart = true
time-margin = 0

[[engine]]
cmd = "'three and a half' x"
depth = 3

[run]
concurrency = 2
recover = true
pgn-out = "games.pgn"
"""


def test_all_that_a_file_can_say() -> None:
    plan, run = parse_plan(FULL, "full.toml")
    fast, two, three = plan.engines
    assert (plan.format, plan.rounds, plan.games, plan.seed) == ("gauntlet", 5, 4, 7)
    assert plan.game_types == ("Base", "Base+MLP")
    assert plan.openings.file == "book.txt"
    assert (plan.patience.start, plan.patience.hang) == (5.5, 7)
    assert fast.options == {"Threads": "2", "Ponder": "False"}
    assert fast.environment == {"HIVE": "1"}
    assert fast.limit is not None
    assert (fast.limit.seconds, fast.margin_ms) == (0.5, 250)
    assert (str(two.clock), two.limit, two.time_form) == ("60+1", None, TimeForm.WHOLE)
    assert (two.options, two.restart, two.margin_ms) == ({"Threads": "1"}, True, 0)
    assert three.limit is not None
    assert (three.limit.depth, three.name) == (3, "three and a half")
    assert run == {"concurrency": 2, "recover": True, "pgn_out": "games.pgn"}


def test_a_plan_survives_its_dictionary() -> None:
    plan, _ = parse_plan(FULL, "full.toml")
    assert Plan.from_dict(plan.to_dict()) == plan
    small = Plan.from_dict({"engine": TWO, "sprt": {"elo0": "0", "elo1": "5"}})
    assert Plan.from_dict(small.to_dict()) == small
    assert small.sprt is not None
    assert small.sprt.alpha == 0.05


FAULTS = [
    ("rounds = 0", 1, "rounds: expected a whole number of at least 1, not 0"),
    ("\nrouds = 3", 2, "rouds: there is no such key; did you mean 'rounds'?"),
    ("games = 'many'", 1, "games: expected a whole number, not 'many'"),
    ("games = 2.5", 1, "games: expected a whole number, not 2.5"),
    ("repeat = 3", 1, "repeat: expected true or false, not 3"),
    ("format = 'knockout'", 1, "format: expected one of round-robin, gauntlet, not 'knockout'"),
    ("game-types = ['Base+X']", 1, "game-types: expected Base, Base+M,"),
    ("format = 'gauntlet'\nseeds = 2", 2, "seeds: expected fewer than the 2 engines"),
    ("[openings]\nfile = 'x'\nrandom-plies = 4", 3, "openings, random-plies: either"),
    ("[openings]\n\norder = 'odd'", 3, "openings, order: expected one of random, sequential"),
    ("[sprt]\nelo0 = 5\nelo1 = 1", 1, "sprt: elo0 5 must be below elo1 1"),
    ("sprt.elo0 = 5", 1, "sprt, elo1: expected a number"),
    ("[each]\nst = -1", 0, "time must be positive"),
    ("[run]\nconcurrency = 0", 2, "run, concurrency: expected a whole number of at least 1"),
    ("[run]\ncolour = 1", 2, "run, colour: there is no such key"),
]


@pytest.mark.parametrize(("text", "line", "message"), FAULTS)
def test_faults_name_line_key_and_what_was_expected(text: str, line: int, message: str) -> None:
    whole = f"{text}\n[[engine]]\ncmd = 'a'\n[[engine]]\ncmd = 'b'\n"
    with pytest.raises(TomlError) as caught:
        parse_plan(whole, "t.toml")
    assert message in str(caught.value)
    if line:
        assert str(caught.value).startswith(f"t.toml, line {line}: ")


ENGINE_FAULTS = [
    ("name = 'b'", 3, "engine 2, cmd: expected the engine's command line"),
    ("cmd = 'b'\nname = 'a'", 5, "engine 2, name: 'a' is the name of engine 1 already"),
    ("cmd = 'b'\nst = 1\ndepth = 2", 6, "engine 2, depth: only one of st, depth can hold"),
    ("cmd = 'b'\ntc = 'soon'", 5, "engine 2, tc: unable to read the time control 'soon'"),
    ("cmd = 'b'\ndir = '/no/where'", 5, "engine 2, dir: there is no folder '/no/where'"),
    ("cmd = 'b'\ntime-form = 'x'", 5, "expected one of auto, timespan, seconds, whole"),
    ("cmd = 'b'\n[engine.options]\nA = [1]", 6, "engine 2, options, A: expected a single value"),
    ("cmd = '\"b'", 4, "engine 2, cmd: a quotation mark is not closed"),
    ("cmd = 'b'\noption = 3", 5, "engine 2, option: there is no such key; did you mean 'options'?"),
]


@pytest.mark.parametrize(("text", "line", "message"), ENGINE_FAULTS)
def test_faults_of_an_engine(text: str, line: int, message: str) -> None:
    with pytest.raises(TomlError) as caught:
        parse_plan(f"[[engine]]\ncmd = 'a'\n[[engine]]\n{text}\n", "t.toml")
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"t.toml, line {line}: ")


def test_what_is_no_toml() -> None:
    with pytest.raises(TomlError, match=r"t\.toml, line 2, column 5: "):
        parse_plan("a = 1\nb = = 2", "t.toml")


@pytest.mark.parametrize("engines", [None, [], [{"cmd": "a"}], "a"])
def test_two_engines_are_needed(engines: Any) -> None:
    with pytest.raises(ConfigError, match="expected at least two engines"):
        Plan.from_dict({"engine": engines})


def test_a_test_needs_just_two_engines() -> None:
    values = {"engine": [*TWO, {"cmd": "three"}], "sprt": {"elo0": 0, "elo1": 5}}
    with pytest.raises(ConfigError, match="two engines, not 3"):
        Plan.from_dict(values)
