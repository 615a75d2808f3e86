"""Each rule's position catches an engine without that rule; perft and games catch it too."""

from __future__ import annotations

import random

import pytest
from check_helpers import examine, finding, slow
from slow_rules import BREAKS, Position

from uhp_engine import warmup
from uhp_engine.arena.check.games import choose
from uhp_engine.arena.check.positions import PERFT_POSITIONS, rule_positions
from uhp_engine.core.pieces import GAME_TYPES
from uhp_engine.game import Game
from uhp_engine.notation import format_game, format_move, format_moves, parse_game, parse_move

# What the slow engine's rules lack -> the position that must tell, and a part of what it says.
RULES = {
    "queen-first": ("White's first piece is not the queen", "lists 'wQ', which is illegal"),
    "queen-late": ("White's queen enters by the fourth turn", "wQ must be placed now"),
    "queen-no-move": ("no piece moves before its own queen is placed", "before wQ is placed"),
    "pass-always": ("a piece on top is never pinned", "lists 'pass', which is illegal"),
    "pass-never": ("a forced pass", ""),
    "draw-wins": ("one move that surrounds both queens is a draw", "WhiteWins"),
    "suicide": ("White's own move may surround White's queen", "InProgress"),
    "covered-queen": ("a covered queen can be surrounded", "InProgress"),
    "pinned-moves": ("a pinned piece stays", "wL is pinned"),
    "stack-pinned": ("a piece on top is never pinned", "leaves out 'wB1"),
    "slide-gate": ("nothing slides through a gap too narrow", "the gap is too narrow"),
    "slide-contact": ("a slide keeps touch with the hive", "lose touch"),
    "gate-up": ("stacks bar a beetle's way up", "gate of stacks"),
    "gate-down": ("stacks bar a beetle's way down", "gate of stacks"),
    "gate-level": ("stacks bar a beetle's way across", "gate of stacks"),
    "gate-ladybug": ("stacks bar a ladybug's way", "lists 'bL bB1\\\\'"),
    "gate-throw": ("stacks bar a throw", "lists 'wQ bP\\\\'"),
    "spider-short": ("a spider takes just three steps", "a spider slides just three steps"),
    "spider-back": ("a spider treads on no cell twice", "a spider slides just three steps"),
    "ant-home": ("an ant does not end where it began", "is there already"),
    "ant-short": ("an ant walks as far as it likes", "leaves out 'wA1"),
    "hop-gap": ("a grasshopper leaps over whole rows", "leaves out 'wG1"),
    "beetle-flat": ("stacks can be climbed", "leaves out 'bM wB1'"),
    "ladybug-home": ("a ladybug does not end where it began", "is there already"),
    "ladybug-short": ("a ladybug takes two steps on top", "lists 'wL"),
    "mosquito-below": ("a mosquito has the powers of top pieces alone", "lists 'bM"),
    "mosquito-alone": ("a mosquito beside a mosquito alone stays", "touches only a mosquito"),
    "mosquito-top": ("a mosquito on top is a beetle and nothing else", "lists 'wM"),
    "mosquito-pinned-top": ("a mosquito on top moves", "leaves out 'wM"),
    "mosquito-no-throw": ("a mosquito beside a pillbug throws", "leaves out 'wQ"),
    "mosquito-top-throw": ("a mosquito on top does not throw", "lists 'bL"),
    "throw-own": ("a pillbug throws either colour", "leaves out 'bM"),
    "throw-stacked": ("a stacked piece is not thrown", "lists 'wB2"),
    "throw-pinned": ("a pinned piece is not thrown", "bM is pinned"),
    "throw-last": ("the piece that moved last is not thrown", "was moved last turn"),
    "throw-held": ("a pinned pillbug throws", "leaves out"),
    "thrown-moves": ("what was thrown last turn does not move", "was moved last turn"),
    "thrown-throws": ("what was thrown last turn does not throw", "cannot throw"),
    "stun-stays": ("play goes on after a pass", "leaves out 'bB1"),
    "place-below": ("the top piece gives a stack its colour", "it would touch bB1"),
    "place-any": ("only the lowest number of a kind is placed", "comes first"),
    "twice": ("a move that comes about in two ways is listed once", "the same move"),
    "wrap": ("28 pieces in a line to the east", ""),
    "drift": ("a hive 70 cells from where it began", "exit code 1"),
}


def slow_copy(game: Game) -> Position:
    """The same game by the slow rules."""
    warmup.load()
    replay, position = Game(game.game_type), Position(game.game_type)
    for move in game.moves:
        position.play(position.read(format_move(replay, move)))
        replay.play(move)
    return position


def test_every_rule_is_tested() -> None:
    assert set(RULES) == set(BREAKS)


@pytest.mark.parametrize("rule", RULES)
def test_rule(rule: str) -> None:
    name, seen = RULES[rule]
    told = finding(examine(slow(rule), name, patience=30.0), name)
    assert told.status == "FAIL", told
    assert seen in told.seen


def test_positions_are_what_they_claim() -> None:
    """They load, the wrong moves are wrong, and the slow rules say the same of each."""
    warmup.load()
    positions = rule_positions()
    assert len({position.rule for position in positions}) == len(positions) > 55
    for position in positions:
        game = parse_game(position.game)
        if ";;;" not in position.game:
            assert format_game(game) == position.game
        slow_game = slow_copy(game)
        assert slow_game.state == game.state.value
        texts = [slow_game.text(move) for move in slow_game.moves()]
        assert sorted(texts) == sorted(format_moves(game, game.legal_moves())), position.rule
        if position.wrong:
            assert game.why_illegal(parse_move(game, position.wrong)), position.rule
    for text in PERFT_POSITIONS:
        assert format_game(parse_game(text)) == text


@pytest.mark.slow
@pytest.mark.parametrize("game_type", GAME_TYPES)
def test_the_slow_rules_agree_with_the_kernels(game_type: str) -> None:
    """Six random games a type, each move listed by both; what the check's games do."""
    warmup.load()
    generator = random.Random(game_type)
    for _ in range(6):
        game, position = Game(game_type), Position(game_type)
        while not game.board_state.is_over and game.ply < 70:
            theirs = {position.text(move): move for move in position.moves()}
            assert sorted(theirs) == sorted(format_moves(game, game.legal_moves()))
            move = choose(game, generator)
            position.play(theirs[format_move(game, move)])
            game.play(move)
            assert position.state == game.state.value
        assert str(position) == format_game(game)


def test_perft_names_the_first_branch_that_differs() -> None:
    told = finding(examine(slow("place-any"), "the start of Base"), "the start of Base")
    assert told.expected == "perft(1) = 4"
    assert "10; the first difference is in Base;NotStarted;White[1]" in told.seen
    deeper = finding(examine(slow("queen-no-move"), "perft", patience=60.0), "the start of Base+P")
    assert deeper.expected == "perft(3) = 2610"
    assert "the first difference is in Base+P;InProgress;White[2];" in deeper.seen


def test_without_perft_the_valid_moves_are_compared() -> None:
    report = examine(slow("perft-none", "queen-first"), "the start of Base")
    told = finding(report, "the start of Base")
    assert told.status == "FAIL"
    assert "in Base;NotStarted;White[1] the engine 5: lists 'wQ'" in told.seen


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["pinned-moves", "throw-own", "undo-last", "no-ok", "play-turn"])
def test_random_games_tell(rule: str) -> None:
    report = examine(slow(rule), "games", games=2)
    assert report.has_failed


@pytest.mark.slow
def test_random_games_are_the_same_for_a_seed() -> None:
    one, two, other = (
        [told.seen for told in examine(slow("--types=Base"), "games", games=1, seed=seed).findings]
        for seed in (5, 5, 6)
    )
    assert one == two != other
