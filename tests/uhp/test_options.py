"""Options and where their first values come from."""

from __future__ import annotations

import re

import pytest

from uhp_engine.uhp.options import OPTIONS, OptionError, OptionValues
from uhp_engine.uhp.settings import first_values

LINE = re.compile(
    r"\w+;(bool;(True|False);(True|False)|int;-?\d+;-?\d+;-?\d+;-?\d+|enum;\w+;\w+(;\w+)+)"
)


def test_lines_are_what_a_viewer_parses():
    values = OptionValues()
    for option in OPTIONS:
        line = values.line(option)
        assert LINE.fullmatch(line), line
        assert option.kind in ("bool", "int", "enum")
        if option.kind == "enum":
            assert option.default in option.choices
        if option.kind == "int":
            assert option.low <= int(option.default) <= option.high


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("level", "3", "Level;int;3;10;1;10"),
        ("NumThreads", "2", "NumThreads;int;2;1;1;"),
        ("numthreads", "002", "NumThreads;int;2;1;1;"),
        (
            "RepetitionDraw",
            "threefold",
            "RepetitionDraw;enum;Threefold;Off;Off;Threefold;ThreefoldWithin32",
        ),
        ("TournamentOpening", "false", "TournamentOpening;bool;False;True"),
    ],
)
def test_setting(name, text, line):
    values = OptionValues()
    assert values.line(values.set(name, text)).startswith(line)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("NoSuch", "1", "there is no option 'NoSuch'; the options are Level, NumThreads"),
        ("Level", "0", "Level takes a whole number from 1 to 10, not '0'"),
        ("Level", "11", "Level takes a whole number from 1 to 10, not '11'"),
        ("Level", "easy", "Level takes a whole number from 1 to 10, not 'easy'"),
        ("NumThreads", "0", "NumThreads takes a whole number from 1 to"),
        ("NumThreads", "x", "not 'x'"),
        ("NumThreads", "1.5", "not '1.5'"),
        ("NumThreads", "9" * 400, "takes a whole number"),
        ("TournamentOpening", "yes", "TournamentOpening takes True, False, not 'yes'"),
        (
            "RepetitionDraw",
            "On",
            "RepetitionDraw takes Off, Threefold, ThreefoldWithin32, not 'On'",
        ),
    ],
)
def test_what_an_option_does_not_take(name, text, message):
    values = OptionValues()
    before = dict(values.values)
    with pytest.raises(OptionError, match=message):
        values.set(name, text)
    assert values.values == before


def test_names_of_flags_and_variables():
    names = {option.name: (option.flag, option.variable) for option in OPTIONS}
    assert names["NumThreads"] == ("--num-threads", "UHP_ENGINE_NUM_THREADS")
    assert names["MultiPV"] == ("--multi-pv", "UHP_ENGINE_MULTI_PV")
    assert names["Level"] == ("--level", "UHP_ENGINE_LEVEL")
    assert names["TreeMemoryMiB"] == ("--tree-memory-mib", "UHP_ENGINE_TREE_MEMORY_MIB")


def test_flag_before_variable_before_file(tmp_path, monkeypatch, capsys):
    file = tmp_path / "config.toml"
    file.write_text(
        "NumThreads = 2\nRandomSeed = 5\nRepetitionDraw = 'Threefold'\nTournamentOpening = false\n"
    )
    monkeypatch.setenv("UHP_ENGINE_CONFIG", str(file))
    monkeypatch.setenv("UHP_ENGINE_RANDOM_SEED", "6")
    monkeypatch.setenv("UHP_ENGINE_REPETITION_DRAW", "ThreefoldWithin32")
    values = first_values({"RandomSeed": "7"})
    assert values.integer("NumThreads") == 2
    assert values.integer("RandomSeed") == 7
    assert values.choice("RepetitionDraw") == "ThreefoldWithin32"
    assert values.boolean("TournamentOpening") is False
    assert capsys.readouterr().err == ""


def test_bad_settings_are_noted_and_left_out(tmp_path, monkeypatch, capsys):
    file = tmp_path / "config.toml"
    file.write_text("NumThreads = 0\nColour = 'blue'\nRandomSeed = 3\n")
    monkeypatch.setenv("UHP_ENGINE_CONFIG", str(file))
    monkeypatch.setenv("UHP_ENGINE_TREE_MEMORY_MIB", "much")
    values = first_values()
    assert values.integer("NumThreads") == 1
    assert values.integer("RandomSeed") == 3
    error = capsys.readouterr().err.splitlines()
    assert len(error) == 3
    assert "NumThreads takes a whole number" in error[0]
    assert "no option 'Colour'" in error[1]
    assert "TreeMemoryMiB takes a whole number" in error[2]


def test_a_file_that_is_no_toml_is_noted(tmp_path, monkeypatch, capsys):
    file = tmp_path / "config.toml"
    file.write_text("NumThreads 2\n")
    monkeypatch.setenv("UHP_ENGINE_CONFIG", str(file))
    assert first_values().integer("NumThreads") == 1
    assert str(file) in capsys.readouterr().err


def test_a_bad_flag_is_an_error():
    with pytest.raises(OptionError, match="--num-threads: NumThreads takes a whole number"):
        first_values({"NumThreads": "none"})
