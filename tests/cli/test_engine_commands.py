"""The commands around the engine: perft, warmup, doctor, flags, exit codes."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from uhp_engine.cli import COMMANDS, group
from uhp_engine.cli.doctor import program, viewer_command


def run(*arguments: str, **options) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "uhp_engine", *arguments],
        capture_output=True,
        text=True,
        timeout=180,
        input=options.pop("input", ""),
        env={**os.environ, **options},
    )


def test_help_lists_every_command_and_imports_no_numba():
    done = run("--help")
    assert done.returncode == 0
    for command in COMMANDS:
        assert f"  {command}" in done.stdout
    for flag in ("--num-threads", "--tree-memory-mib", "--repetition-draw"):
        assert flag in done.stdout


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_each_command_has_help(command):
    result = CliRunner().invoke(group, [command, "--help"], prog_name="uhp-engine")
    assert result.exit_code == 0
    assert result.output.startswith(f"Usage: uhp-engine {command}")


def test_version():
    assert run("--version").stdout == "uhp-engine, version 0.1.0\n"


def test_perft_counts_a_type_and_a_position():
    done = run("perft", "--type", "base+mlp", "--depth", "4")
    assert done.returncode == 0
    assert [line.split()[:2] for line in done.stdout.splitlines()[1:]] == [
        ["0", "1"],
        ["1", "7"],
        ["2", "294"],
        ["3", "6678"],
        ["4", "151686"],
    ]
    done = run("perft", "--position", "Base;;;wS1;bS1 wS1-;wQ -wS1;bQ bS1-", "--depth", "1")
    assert done.stdout.splitlines()[-1].split()[:2] == ["1", "22"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["perft", "--type", "Foo"], "unknown game type 'Foo'"),
        (["perft", "--position", "Base;;;wS1;bG1"], "move 2, 'bG1'"),
        (["perft", "--depth", "99"], "expected a depth from 0 to 23, not '99'"),
        (["perft", "--type", "Base", "--position", "Base"], "exclude each other"),
        (["nonsense"], "No such command 'nonsense'"),
        (["--num-threads", "0"], "--num-threads: NumThreads takes a whole number from 1 to"),
        (["--nonsense"], "No such option"),
    ],
)
def test_wrong_usage_is_two_and_a_line(arguments, message):
    done = run(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_flags_set_options():
    done = run("--num-threads", "2", "--tournament-opening", "False", input="options\nexit\n")
    assert done.returncode == 0
    assert "NumThreads;int;2;1;1;" in done.stdout
    assert "TournamentOpening;bool;False;True" in done.stdout


def test_variables_set_options():
    done = run(input="options get RandomSeed\n", UHP_ENGINE_RANDOM_SEED="42")
    assert "RandomSeed;int;42;0;0;" in done.stdout


def test_warmup_says_where_the_code_is():
    done = run("warmup")
    assert done.returncode == 0
    assert "compiled code is in" in done.stdout
    assert "preparing search" in done.stderr


def test_doctor_shows_what_to_paste():
    done = run("doctor")
    assert done.returncode in (0, 1), done.stderr  # 1 where the machine is too busy for the clock
    assert viewer_command() in done.stdout
    assert "perft 5 of Base+MLP counts 5427108" in done.stdout
    assert "numba" in done.stdout
    path, arguments = program()
    echo = subprocess.run(
        [str(path), *arguments], input="info\n", capture_output=True, text=True, timeout=60
    )
    assert echo.stdout.startswith("id uhp_engine")
