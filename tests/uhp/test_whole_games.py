"""Whole games against the process, as a person plays them."""

from __future__ import annotations

import random
import time

import pytest

from uhp_engine.game import Game
from uhp_engine.notation import format_moves, parse_game

STALL_SECONDS = 0.02


@pytest.mark.parametrize("game_type", ["Base", "Base+MLP"])
def test_a_person_plays_a_game_to_its_end(engine, game_type):
    """Human moves and engine moves, undo, wrong input; the person plays at random, and loses."""
    choice = random.Random(game_type)
    text = engine.ask(f"newgame {game_type}")
    assert text == f"{game_type};NotStarted;White[1]"
    plies = 0
    while True:
        game = parse_game(text)
        if game.state.is_over:
            break
        legal = engine.ask("validmoves").split(";")
        assert sorted(legal) == sorted(format_moves(game, game.legal_moves()))
        if plies % 2 == 0:
            if plies % 6 == 0:
                assert engine.ask("play wX9 nowhere").startswith("invalidmove")
                assert engine.ask("ply wS1").startswith("err")
            text = engine.ask(f"play {choice.choice(legal)}")
            if plies % 8 == 2:  # on second thoughts
                engine.ask("undo")
                text = engine.ask(f"play {choice.choice(legal)}")
        else:
            best = engine.ask("bestmove time 00:00:00.1")
            assert best in legal
            text = engine.ask("pass" if best == "pass" else f"play {best}")
            if plies == 5:
                engine.ask("undo 2")
                engine.ask(f"play {choice.choice(engine.ask('validmoves').split(';'))}")
                text = engine.ask(f"play {engine.ask('bestmove depth 1')}")
        plies += 1
        assert plies < 300
    assert game.state.value == "BlackWins"
    assert engine.ask("bestmove").startswith("err the game is over")
    assert engine.close() == 0


@pytest.mark.slow
def test_the_engine_against_itself(engine):
    """Ten games at 0.05 s a move: legal moves only, time kept, memory steady.

    scripts/selfplay.py plays a hundred and reports; here a late answer is looked at, not failed,
    where the machine itself was away.
    """
    late = []
    for number in range(10):
        game = Game("Base+MLP" if number % 2 else "Base")
        engine.ask(f"options set RandomSeed {number}")
        text = engine.ask(f"newgame {game.game_type}")
        while not parse_game(text).state.is_over and parse_game(text).ply < 120:
            started = time.perf_counter()
            best = engine.ask("bestmove time 00:00:00.05")
            spent = time.perf_counter() - started
            if spent > 0.05 + STALL_SECONDS:
                late.append(spent)
            answer = engine.ask(f"play {best}")
            assert not answer.startswith(("err", "invalidmove")), best
            text = answer
    print(f"answers more than {STALL_SECONDS} s late: {late}")
