from __future__ import annotations

import csv
import io
import json

from arena_helpers import plan_of
from test_store import played

from uhp_engine.arena.export import export_csv, export_pgn, gamestring
from uhp_engine.arena.report import format_summary, summary
from uhp_engine.arena.tally import Tally
from uhp_engine.notation.pgn import read_pgn

pytest_plugins = ["arena_fixtures"]


def tally_of(results: str) -> Tally:
    """Count games from letters: W, D, L, a's result in each; a is White in even ones."""
    tally = Tally(["a", "b"])
    for number, letter in enumerate(results):
        as_white, as_black = {"W": ("WhiteWins", "BlackWins"), "L": ("BlackWins", "WhiteWins")}.get(
            letter, ("Draw", "Draw")
        )
        tally.add(played(number, as_white if number % 2 == 0 else as_black))
    return tally


def test_pairs_are_counted_by_their_points() -> None:
    tally = tally_of("LL LD DL DD WL LW WD DW DW WW".replace(" ", ""))
    score = tally.score("a", "b", paired=True)
    assert score.counts == (1, 2, 3, 3, 1)
    assert score.won_and_lost == 2
    assert (score.wins, score.draws, score.losses) == (7, 7, 6)
    assert tally.results == {("a", "b"): (7, 7, 6)}


def test_half_a_pair_counts_in_the_totals_only() -> None:
    score = tally_of("WWD").score("a", "b", paired=True)
    assert score.counts == (0, 0, 0, 0, 1)
    assert (score.games, score.points) == (3, 2.5)


def test_unpaired_games_are_counted_singly() -> None:
    assert tally_of("WDL").score("a", "b", paired=False).counts == (1, 1, 1)


def test_failures_are_counted_by_name() -> None:
    tally = Tally(["a", "b"])
    tally.add(played(0, "BlackWins", termination="crash", at_fault="a"))
    tally.add(played(1, "WhiteWins", termination="crash", at_fault="a"))
    tally.add(played(2, "WhiteWins", termination="illegal move", at_fault="b"))
    assert tally.failures == {("a", "crash"): 2, ("b", "illegal move"): 1}
    text = format_summary(plan_of("x", "y"), tally)
    assert "a failed: crash 2" in text
    assert "b failed: illegal move 1" in text


def test_the_summary_can_be_written_as_json() -> None:
    plan = plan_of("x", "y", sprt={"elo0": 0, "elo1": 10})
    values = json.loads(json.dumps(summary(plan, tally_of("WWWD"), 8), allow_nan=False))
    (encounter,) = values["encounters"]
    assert (encounter["first"], encounter["wins"], encounter["draws"]) == ("a", 3, 1)
    assert encounter["pentanomial"] == [0, 0, 0, 1, 1]
    assert encounter["sprt"]["status"] == "continue"
    assert values["games_planned"] == 8
    assert {rating["name"] for rating in values["ratings"]} == {"a", "b"}


def test_many_engines_get_ratings_and_a_crosstable() -> None:
    tally = Tally(["a", "b", "c"])
    for number in range(4):
        tally.add(played(number, "WhiteWins", white="a", black="b"))
        tally.add(played(10 + number, "Draw", white="b", black="c"))
    text = format_summary(plan_of("x", "y", "z"), tally)
    assert "Rank  Engine" in text
    assert "1 a" in text
    assert "4/4" in text
    assert "2/4" in text


def test_no_game_yet() -> None:
    assert format_summary(plan_of("x", "y"), Tally(["a", "b"])) == "No game is finished yet."


def test_pgn_holds_the_game_and_can_be_read_back() -> None:
    games = [played(0), played(1, "Draw")]
    for chess, word in ((False, "WhiteWins"), (True, "1-0")):
        stream = io.StringIO()
        assert export_pgn(games, plan_of("x", "y", event="Cup"), stream, chess_results=chess) == 2
        text = stream.getvalue()
        assert f'[Result "{word}"]' in text
        first, second = read_pgn(text.splitlines())
        assert first.tags["White"] == second.tags["Black"] == "a"
        assert first.tags["Event"] == "Cup"
        assert first.tags["Date"] == "2026.11.30"
        assert first.moves == games[0].moves
        assert (first.result.value, second.result.value) == ("WhiteWins", "Draw")
        assert "it's \u201eover\u201c" in first.comments[2]


def test_csv_has_one_line_a_game() -> None:
    stream = io.StringIO()
    assert export_csv([played(0), played(1, "Draw")], stream) == 2
    rows = list(csv.DictReader(io.StringIO(stream.getvalue())))
    assert rows[0]["number"] == "1"
    assert rows[0]["gamestring"] == "Base;WhiteWins;White[2];wS1;bS1 wS1-"
    assert (rows[1]["white_seconds"], rows[1]["black_seconds"]) == ("0.25", "1.5")
    assert gamestring(played(1, "Draw")).startswith("Base;Draw;")
