"""Option Level through a real process."""

from __future__ import annotations

LINE = "Base+MLP;;;wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wA1 -wQ;bA1 bQ-;wA1 bA1-;bG1 bS1/"


def test_the_level_is_set_and_a_wrong_one_refused(engine):
    assert engine.ask("options get Level") == "Level;int;10;10;1;10"
    assert engine.ask("options set Level 3") == "Level;int;3;10;1;10"
    for value in ("0", "11", "weak", "3.5"):
        answer = engine.ask(f"options set level {value}")
        assert answer == f"err Level takes a whole number from 1 to 10, not '{value}'"
    assert engine.ask("options get level") == "Level;int;3;10;1;10"


def test_the_level_changes_between_moves_and_back(engine):
    engine.send(f"newgame {LINE}")
    engine.ask("options set RandomSeed 7")
    full = engine.ask("bestmove depth 2")
    played = {}
    for level in (1, 2, 5, 9):
        engine.ask(f"options set Level {level}")
        # The same whatever the limit: this is far more than the level uses.
        for limit in ("time 00:10:00", "depth 12", "seconds 600"):
            played.setdefault(level, set()).add(engine.ask(f"bestmove {limit}"))
        legal = engine.ask("validmoves").split(";")
        assert played[level] <= set(legal)
        assert len(played[level]) == 1
        assert engine.send("pv")[0] in played[level]
    engine.ask("options set Level 10")
    assert engine.ask("bestmove depth 2") == full


def test_other_seeds_play_otherwise(engine):
    engine.send(f"newgame {LINE}")
    engine.ask("options set Level 1")
    moves = set()
    for seed in range(12):
        engine.ask(f"options set RandomSeed {seed}")
        moves.add(engine.ask("bestmove"))
    assert len(moves) >= 3


def test_a_level_reports_and_answers_alike(engine):
    """The last report before the answer names the move that is answered."""
    engine.send(f"newgame {LINE}")
    engine.ask("options set Level 1")
    engine.ask("options set ReportIntermediateBestMoves True")
    for seed in range(6):
        engine.ask(f"options set RandomSeed {seed}")
        *reports, move = engine.send("bestmove time 00:00:05")
        assert reports[-1].split(";")[0] == move
