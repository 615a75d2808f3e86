from __future__ import annotations

from pathlib import Path

import pytest

from uhp_engine import warmup
from uhp_engine.analysis import AnalysisFile, View, judgement, losses, view_game, view_position
from uhp_engine.game import PASS, Game, Move
from uhp_engine.notation import parse_game
from uhp_engine.search.limits import Limits
from uhp_engine.search.searcher import Searcher

DATA = Path(__file__).parent / "data"
LIMITS = Limits(simulations=200, fresh=True)


@pytest.fixture(autouse=True, scope="module")
def _warm() -> None:
    warmup.load()


def games(name: str, step: int = 1, count: int = 1) -> list[Game]:
    lines = (DATA / name).read_text().splitlines()[::step][:count]
    return [parse_game(line.split("\t")[0]) for line in lines]


def test_a_win_in_one_is_seen_and_belongs_to_the_side_to_move() -> None:
    for game in games("win_in_one.tsv", 100, 5):
        view = view_position(game, Searcher(), LIMITS)
        assert view.proof == 1
        assert view.score == (1.0 if game.side == 0 else 0.0)
        assert view.best is not None
        game.play(view.best)
        assert game.state.is_over
        end = view_position(game, Searcher(), LIMITS)
        assert (end.score, end.best) == (view.score, None)


def test_views_of_a_whole_game_and_what_moves_cost() -> None:
    game = games("real_games.tsv")[0]
    seen: list[int] = []
    views = view_game(game, Searcher(), LIMITS, on_view=lambda ply, _: seen.append(ply))
    assert seen == list(range(game.ply + 1))
    assert len(views) == game.ply + 1
    assert views[-1].score == 0.0  # Black won
    assert all(0 <= view.score <= 1 for view in views)
    costs = losses(views)
    assert len(costs) == game.ply
    assert all(0 <= cost <= 1 for cost in costs)
    assert sum(costs[::2]) > sum(costs[1::2])  # White lost


def test_the_same_budget_gives_the_same_views() -> None:
    game = games("real_games.tsv")[0]
    game.undo(game.ply - 10)
    first, second = (view_game(game, Searcher(), LIMITS) for _ in range(2))
    assert first == second


def test_a_forced_pass_is_looked_through() -> None:
    line = next(t for t in (DATA / "real_games.tsv").read_text().splitlines() if ";pass;" in t)
    game = parse_game(line.split("\t")[0])
    game.undo(game.ply - game.moves.index(PASS))
    view = view_position(game, Searcher(), LIMITS)
    assert view.best == PASS
    assert len(view.line) > 1


def test_judgements() -> None:
    assert [judgement(loss) for loss in (0.0, 0.1, 0.2, 0.5)] == ["", "?!", "?", "??"]


def test_losses_by_side() -> None:
    views = [View(score, 0, None, ()) for score in (0.5, 0.4, 0.7, 0.7)]
    assert losses(views) == pytest.approx([0.1, 0.3, 0.0])


def test_an_analysis_goes_on_where_it_was(tmp_path: Path) -> None:
    path = tmp_path / "x.analysis"
    game = games("real_games.tsv")[0]
    game.undo(game.ply - 3)
    saved = AnalysisFile(path, LIMITS, "1")
    views = view_game(game, Searcher(), LIMITS, on_view=lambda p, v: saved.add(game, p, v))
    again = AnalysisFile(path, LIMITS, "1")
    assert again.known(game) == views
    assert again.known(Game("Base")) == []
    assert AnalysisFile(path, Limits(simulations=9), "1").known(game) == []
    assert AnalysisFile(path, LIMITS, "2").known(game) == []
    text = path.read_text().splitlines()
    path.write_text("\n".join([*text[:2], text[2][:20]]))  # killed while writing
    partly = AnalysisFile(path, LIMITS, "1").known(game)
    assert partly == views[:2]
    asked: list[int] = []
    assert (
        view_game(game, Searcher(), LIMITS, known=partly, on_view=lambda p, _: asked.append(p))
        == views
    )
    assert asked == [2, 3]
    again.remove()
    assert not path.exists()


def test_views_survive_json() -> None:
    view = View(0.25, 3, Move(2, 5), (Move(2, 5), PASS))
    assert View.from_json(view.to_json()) == view
