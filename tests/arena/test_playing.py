"""Single games: hostile engines lose them, for the right reason, and leave nothing behind."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from arena_helpers import plan_of, script_lines, scripted

from uhp_engine.arena.local import rules_of
from uhp_engine.arena.outcome import PlayedGame, Termination
from uhp_engine.arena.playing import Player, play_game
from uhp_engine.arena.schedule import ScheduledGame

pytest_plugins = ["arena_fixtures"]

SCRIPT = script_lines()[0]


def play(white: str, black: str, games: int = 1, **more: Any) -> list[PlayedGame]:
    """Play some games of the first script with the same two processes."""
    plan = plan_of(white, black, **{key.replace("_", "-"): more[key] for key in more})
    game = ScheduledGame(0, 0, 1, 0, 1, "Base", tuple(SCRIPT[3:7]))

    async def main() -> list[PlayedGame]:
        players = [Player(spec, plan.patience) for spec in plan.engines]
        try:
            rules = rules_of(plan, keep_log=True)
            return [await play_game(game, players[0], players[1], rules) for _ in range(games)]
        finally:
            for player in players:
                await player.kill()

    return asyncio.run(main())


def test_a_whole_game_is_played_and_told() -> None:
    (game,) = play(scripted(), scripted())
    assert game.result == SCRIPT[1]
    assert game.moves == SCRIPT[3:]
    assert game.kind is Termination.SURROUND
    assert game.detail == "White's queen is surrounded"
    assert game.at_fault == ""
    assert (game.white_id, game.black_id) == ("Scripted 1.0", "Scripted 1.0")
    assert game.opening_plies == 4
    assert len(game.seconds) == len(game.moves) - 4
    assert PlayedGame.from_dict(game.to_dict()) == game


def test_the_log_holds_the_dialogue_of_both() -> None:
    (game,) = play(scripted(), scripted())
    assert any("White a > newgame Base" in line for line in game.log)
    assert any("Black b > bestmove time 00:00:00.5" in line for line in game.log)
    assert any("Black b < ok" in line for line in game.log)


HOSTILE = {
    "hang": Termination.STALL,
    "no-ok": Termination.STALL,
    "flood-and-hang": Termination.STALL,
    "child": Termination.STALL,
    "die": Termination.CRASH,
    "close-output": Termination.CRASH,
    "garbage": Termination.GARBAGE,
    "empty": Termination.GARBAGE,
    "binary": Termination.GARBAGE,
    "long-line": Termination.GARBAGE,
    "endless-line": Termination.GARBAGE,
    "endless-lines": Termination.GARBAGE,
    "chatter": Termination.GARBAGE,
    "illegal": Termination.ILLEGAL_MOVE,
    "illegal-pass": Termination.ILLEGAL_MOVE,
    "refuse": Termination.REFUSED,
    "refuse-play": Termination.REFUSED,
    "false-win": Termination.DISAGREES,
    "wrong-turn": Termination.DISAGREES,
    "exit-at-start": Termination.NO_START,
    "garbage-at-start": Termination.NO_START,
}


@pytest.mark.parametrize("fault", HOSTILE)
def test_a_hostile_engine_loses_for_the_right_reason(
    fault: str, marked: Callable[[], list[int]]
) -> None:
    (game,) = play(scripted(), scripted(fault))
    assert game.kind is HOSTILE[fault], game.detail
    assert (game.result, game.at_fault) == ("WhiteWins", "b")
    assert game.detail.startswith("Black ")
    assert marked() == []


def test_a_late_move_loses() -> None:
    each = {"st": 0.2, "time-margin": 100}
    (game,) = play(scripted("late", "--at", 1), scripted(), each=each, hang_limit=30)
    assert (game.kind, game.at_fault) == (Termination.TIMEOUT, "a")
    assert "loses on time" in game.detail
    assert len(game.moves) == 4


def test_white_is_charged_for_its_own_faults() -> None:
    (game,) = play(scripted("illegal"), scripted())
    assert (game.result, game.at_fault) == ("BlackWins", "a")
    assert "wQ bQ" in game.detail


def test_an_engine_that_is_silent_at_the_start_does_not_start() -> None:
    (game,) = play(scripted("silent-start"), scripted(), start_limit=0.5)
    assert (game.kind, game.at_fault, game.result) == (Termination.NO_START, "a", "BlackWins")


def test_closed_input_is_a_crash_or_stall_of_that_engine(marked: Callable[[], list[int]]) -> None:
    (game,) = play(scripted(), scripted("close-input"))
    assert game.at_fault == "b"
    assert game.kind in (Termination.CRASH, Termination.STALL)
    assert marked() == []


def test_a_crash_tells_the_exit_code() -> None:
    (game,) = play(scripted("die"), scripted())
    assert game.detail == "White ended with exit code 7"


def test_a_flood_on_standard_error_is_harmless() -> None:
    (game,) = play(scripted("flood-stderr"), scripted("flood-stderr"), hang_limit=30)
    assert game.kind is Termination.SURROUND


def test_an_engine_that_ignores_exit_is_killed(marked: Callable[[], list[int]]) -> None:
    (game,) = play(scripted("ignore-exit"), scripted())
    assert game.kind is Termination.SURROUND
    assert marked() == []


def test_a_broken_engine_is_started_anew_for_the_next_game() -> None:
    first, second = play(scripted("die", "--at", 9), scripted(), games=2)
    assert first.kind is second.kind is Termination.CRASH
    assert len(first.moves) == len(second.moves) == 4 + 2 * 8


def test_an_engine_that_keeps_its_old_game_is_restarted() -> None:
    first, second = play(scripted("stale-newgame"), scripted("die", "--at", 3), games=2)
    assert [first.at_fault, second.at_fault] == ["b", "b"]
    assert first.moves == second.moves


def test_time_is_asked_for_in_the_form_that_an_engine_understands() -> None:
    (game,) = play(scripted("seconds-form"), scripted("whole-seconds"))
    assert game.kind is Termination.SURROUND
    sent = [line.split(" > ")[1] for line in game.log if "> bestmove" in line]
    assert sent.count("bestmove seconds 0.5") == (len(game.moves) - 4 + 1) // 2 + 1  # one refused
    assert sent.count("bestmove time 00:00:01") == (len(game.moves) - 4) // 2


def test_a_time_form_that_is_set_is_not_tried_for() -> None:
    each = {"st": 2.5, "time-form": "whole", "time-margin": 60_000}
    (game,) = play(scripted("whole-seconds"), scripted(), each=each)
    sent = {line.split(" > ")[1] for line in game.log if "> bestmove" in line}
    assert sent == {"bestmove time 00:00:02"}


def test_an_engine_that_keeps_a_clock_is_told_what_it_shows() -> None:
    a = {"cmd": scripted("keeps-clock"), "name": "a", "tc": "40/60+0.5"}
    (game,) = play("", "", engine=[a, {"cmd": scripted(), "name": "b", "tc": "60+0.5"}])
    assert game.kind is Termination.SURROUND
    sent = [line.split("White a > ")[1] for line in game.log if "White a > " in line]
    clocks = [command.split()[2:] for command in sent if command.startswith("bestmove clock ")]
    assert "help bestmove" in sent
    assert [words[1:] for words in clocks[:2]] == [["0.5", "40"], ["0.5", "39"]]
    assert float(clocks[0][0]) == 60
    assert all(float(words[0]) <= 60 + 0.5 * len(clocks) for words in clocks)
    sent = [line.split("Black b > ")[1] for line in game.log if "Black b > bestmove" in line]
    assert len(sent) >= len(clocks) - 1 > 5
    assert {command.split()[1] for command in sent} == {"time"}  # it was asked, and knows none


def test_shares_where_a_time_form_is_set() -> None:
    each = {"tc": "60", "time-form": "timespan"}
    (game,) = play(scripted("keeps-clock"), scripted("keeps-clock"), each=each)
    sent = {line.split(" > ")[1].split()[1] for line in game.log if "bestmove" in line}
    assert sent == {"time"}


def test_max_moves_is_a_draw() -> None:
    (game,) = play(scripted(), scripted(), max_moves=5)
    assert (game.result, game.kind, len(game.moves)) == ("Draw", Termination.MAX_MOVES, 10)


def test_a_clock_runs_out(marked: Callable[[], list[int]]) -> None:
    slow = {"cmd": scripted("none", "--think", 0.2), "name": "a", "tc": "0.3", "time-margin": 0}
    engines = [slow, {"cmd": scripted(), "name": "b", "tc": "60"}]
    (game,) = play("", "", engine=engines, hang_limit=30)
    assert (game.kind, game.at_fault) == (Termination.TIMEOUT, "a")


def test_with_a_clock_a_move_may_take_more_than_its_share() -> None:
    slow = scripted("none", "--think", 1.5)
    (game,) = play(slow, scripted(), each={"tc": "30"}, hang_limit=0.2, max_moves=3)
    assert game.kind is Termination.MAX_MOVES
    assert game.seconds[0] > 1.4
    assert any("> bestmove time 00:00:01" in line for line in game.log)  # 30 s for 30 moves


def test_depth_is_asked_for() -> None:
    (game,) = play(scripted(), scripted(), each={"depth": 3})
    assert any(line.endswith("> bestmove depth 3") for line in game.log)
    assert game.kind is Termination.SURROUND
