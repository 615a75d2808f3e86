from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from uhp_engine import warmup
from uhp_engine.cli.terminal.guide import rules
from uhp_engine.cli.terminal.hints import hint_text, reasons
from uhp_engine.cli.terminal.moves import MoveList, NotAMove, choose
from uhp_engine.cli.terminal.opponent import Idea, SearchOpponent
from uhp_engine.cli.terminal.saves import SaveError, load, save
from uhp_engine.cli.terminal.session import Leave, Session, Settings
from uhp_engine.core.pieces import BUG_NAMES
from uhp_engine.game import PASS, Game, GameState, Move
from uhp_engine.notation import format_move, parse_game, parse_move

DATA = Path(__file__).parents[1] / "data"
OPENING = "Base;;;wS1;bS1 wS1-;wQ -wS1;bQ bS1-"


@pytest.fixture(autouse=True, scope="module")
def _warm() -> None:
    warmup.load()


def first_game(name: str, with_text: str = "") -> Game:
    lines = (DATA / name).read_text().splitlines()
    return parse_game(next(line for line in lines if with_text in line).split("\t")[0])


# -- choosing a move ---------------------------------------------------------------------------


def test_the_list_holds_every_legal_move_once() -> None:
    game = first_game("real_games.tsv")
    game.undo(20)
    listed = MoveList.of(game)
    assert sorted(listed.moves) == sorted(game.legal_moves())
    assert [format_move(game, move) for move in listed.moves] == list(listed.texts)


def test_narrowing() -> None:
    listed = MoveList.of(parse_game(OPENING))

    def texts(typed: str) -> set[str]:
        return {listed.texts[n - 1] for n in listed.narrowed(typed)}

    assert len(texts("")) == len(listed.moves)
    assert texts("wq") == {"wQ \\wS1", "wQ /wS1"}
    assert texts("wq \\") == {"wQ \\wS1"}
    assert {text[:3] for text in texts("wa")} == {"wA1"}
    assert texts("x") == set()
    assert set(listed.narrowed("1")) == {1, *range(10, 20)} & set(range(1, len(listed.moves) + 1))


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("wQ /wS1", "wQ /wS1"),
        ("  wq   /ws1 ", "wQ /wS1"),
        ("wQ -wS1\\", None),
        ("wq /", "wQ /wS1"),
        ("wA1 -wQ", "wA1 -wQ"),
        ("wA1 wQ-", None),
    ],
)
def test_a_move_by_its_text(typed: str, meant: str | None) -> None:
    game = parse_game(OPENING)
    if meant is None:
        with pytest.raises(NotAMove):
            choose(game, MoveList.of(game), typed)
    else:
        assert choose(game, MoveList.of(game), typed) == parse_move(game, meant)


def test_a_move_by_its_number() -> None:
    game = parse_game(OPENING)
    listed = MoveList.of(game)
    for number in (1, 7, len(listed.moves)):
        assert choose(game, listed, str(number)) == listed.moves[number - 1]
    for number in (0, len(listed.moves) + 1):
        with pytest.raises(NotAMove, match=f"there are moves 1 to {len(listed.moves)}"):
            choose(game, listed, str(number))


def test_wrong_moves_come_with_a_reason_and_an_offer() -> None:
    game = parse_game(OPENING)
    listed = MoveList.of(game)
    with pytest.raises(NotAMove, match="it would touch bQ") as caught:
        choose(game, listed, "wA1 bQ-")
    assert {listed.texts[n - 1][:3] for n in caught.value.fitting} == {"wA1"}
    with pytest.raises(NotAMove, match="2 moves begin with 'wQ'") as caught:
        choose(game, listed, "wQ")
    assert listed.labels(caught.value.fitting) == {
        listed.moves[n - 1].cell: str(n) for n in caught.value.fitting
    }
    with pytest.raises(NotAMove, match="is no piece") as caught:
        choose(game, listed, "hello")
    assert caught.value.fitting == []


# -- hints -------------------------------------------------------------------------------------


def test_reasons_name_what_a_move_does() -> None:
    win = first_game("win_in_one.tsv")
    listed = [reasons(win, move) for move in win.legal_moves()]
    assert ["it wins at once"] in listed
    game = parse_game(OPENING)
    bring = reasons(game, parse_move(game, "wA1 -wQ"))
    assert bring == ["it brings a new ant into play"]
    early = parse_game("Base;;;wS1;bS1 wS1-")
    assert "with the queen placed, your pieces may move" in reasons(
        early, parse_move(early, "wQ -wS1")
    )


def test_reasons_see_a_beetle_on_top_and_a_queen_with_less_air() -> None:
    game = parse_game(f"{OPENING};wB1 /wQ;bA1 bQ-;wB1 wQ\\;bA1 bQ\\;wB1 wS1;bA1 bQ-")
    climb = parse_move(game, "wB1 bS1")
    assert game.is_legal(climb)
    assert "wB1 sits on bS1, which cannot move any more" in reasons(game, climb)
    ant = parse_game(f"{OPENING};wA1 -wQ;bA1 bQ-")
    attack = parse_move(ant, "wA1 \\bQ")
    assert "it takes a place beside bQ: three of six are taken" in reasons(ant, attack)


def test_reasons_hold_in_people_games_and_change_nothing() -> None:
    game = first_game("real_games.tsv")
    while game.ply > 4:
        game.undo()
        before = game.moves
        for move in game.legal_moves()[::9]:
            for reason in reasons(game, move):
                assert reason
        assert game.moves == before


def test_a_hint_in_words() -> None:
    game = parse_game(OPENING)
    best, reply = parse_move(game, "wA1 -wQ"), parse_move(game, "bA1 bQ-")
    text = hint_text(game, [Idea(best, 0.625, 0, (best, reply)), Idea(best, 1.0, 3, (best,))])
    assert text.splitlines() == [
        "1. wA1 -wQ (62 %): it brings a new ant into play",
        "     then perhaps bA1 bQ-",
        "2. wA1 -wQ (wins in 2): it brings a new ant into play",
    ]
    assert hint_text(game, [Idea(PASS, 0.0, -4, ())]) == (
        "1. pass (loses in 2): nothing else is legal"
    )


# -- the opponent ------------------------------------------------------------------------------


def test_levels_play_legal_moves_and_the_same_seed_the_same() -> None:
    game = parse_game(OPENING)
    for level in (1, 4, 10):
        move = SearchOpponent(level, 7).choose_move(game, 0.05, lambda: False)
        assert game.is_legal(move)
    moves = {SearchOpponent(1, 7).choose_move(game, 5, lambda: False) for _ in range(3)}
    assert len(moves) == 1
    assert (
        len({SearchOpponent(1, seed).choose_move(game, 5, lambda: False) for seed in range(20)}) > 2
    )


def test_a_stop_ends_the_thinking() -> None:
    game = parse_game(OPENING)
    assert game.is_legal(SearchOpponent(10, 1).choose_move(game, 600, lambda: True))
    ideas = SearchOpponent(1).ideas(game, 0.1, 3, lambda: False)
    assert len(ideas) == 3
    assert all(game.is_legal(idea.move) and 0 <= idea.score <= 1 for idea in ideas)


def test_a_win_in_one_is_taken_at_every_level_that_sees_it() -> None:
    game = first_game("win_in_one.tsv")
    move = SearchOpponent(6, 1).choose_move(game, 5, lambda: False)
    game.play(move)
    assert game.state.is_over


# -- saving ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["a.pgn", "deep/er/a.pgn"])
def test_a_saved_game_comes_back(tmp_path: Path, name: str) -> None:
    game = parse_game(OPENING)
    save(tmp_path / name, game, 1, 7, GameState.WHITE_WINS)
    saved = load(tmp_path / name)
    assert saved.game.moves == game.moves
    assert (saved.side, saved.level, saved.result) == (1, 7, GameState.WHITE_WINS)
    assert [path.suffix for path in (tmp_path / name).parent.iterdir()] == [".pgn"]


def test_a_gamestring_file_tells_no_side(tmp_path: Path) -> None:
    save(tmp_path / "a.uhp", parse_game(OPENING), 1, 7, GameState.IN_PROGRESS)
    saved = load(tmp_path / "a.uhp")
    assert (saved.game.ply, saved.side, saved.level) == (4, None, None)


def test_what_cannot_be_saved_or_loaded(tmp_path: Path) -> None:
    with pytest.raises(SaveError, match="cannot write"):
        save(Path("/proc/nothing/a.pgn"), parse_game(OPENING), 0, 1, GameState.IN_PROGRESS)
    with pytest.raises(SaveError, match="cannot read"):
        load(tmp_path / "missing.pgn")
    (tmp_path / "empty.pgn").write_text("\n")
    with pytest.raises(SaveError, match="holds no game"):
        load(tmp_path / "empty.pgn")
    (tmp_path / "bad.uhp").write_text("Base;;;wX\n")
    with pytest.raises(SaveError, match="line 1: move 1"):
        load(tmp_path / "bad.uhp")


# -- the rules ---------------------------------------------------------------------------------


def test_the_guide_tells_of_the_pieces_in_the_box() -> None:
    base, full = rules("Base"), rules("Base+MLP")
    assert "pillbug" not in base
    assert all(name in full for name in BUG_NAMES)
    assert max(map(len, full.splitlines())) <= 100
    assert rules("Base", "ANT").startswith("The ant slides")
    assert rules("Base", "a") == rules("Base", "ant")
    assert "There is no bug 'cow'" in rules("Base", "cow")


# -- a sitting ---------------------------------------------------------------------------------


class Script:
    """A reader whose lines were written before."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines

    def read(self, prompt: str, listed: MoveList | None, status: str) -> str:
        if not self.lines:
            raise EOFError
        line = self.lines.pop(0)
        if line == "^C":
            raise KeyboardInterrupt
        return line


class First:
    """An opponent that plays the first move of the list."""

    def choose_move(self, game: Game, seconds: float, stopped: Callable[[], bool]) -> Move:
        return MoveList.of(game).moves[0]

    def ideas(
        self, game: Game, seconds: float, count: int, stopped: Callable[[], bool]
    ) -> list[Idea]:
        move = MoveList.of(game).moves[0]
        return [Idea(move, 0.5, 0, (move,))]


def sit(
    lines: list[str], path: Path | None, start: str = "", side: int = 0
) -> tuple[Session, list[str], type[BaseException]]:
    said: list[str] = []
    settings = Settings("Base", side, 4, 1.0, path)
    session = Session(
        settings, lambda level: First(), Script(lines), lambda game, labels: "(board)", said.append
    )
    if start:
        session.game = parse_game(start)
    with pytest.raises((EOFError, KeyboardInterrupt, Leave)) as caught:
        session.run()
    return session, said, caught.type


def test_moves_are_played_and_answered_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "play.pgn"
    session, said, end = sit(["wS1", "1"], path)
    assert end is EOFError
    assert session.game.ply == 4
    assert "You play wS1." in said
    assert sum(line.startswith("The engine plays b") for line in said) == 2
    assert load(path).game.moves == session.game.moves


def test_an_interrupt_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "play.pgn"
    session, _, end = sit(["wS1", "^C"], path)
    assert end is KeyboardInterrupt
    assert load(path).game.moves == session.game.moves


def test_quit_leaves(tmp_path: Path) -> None:
    for word in ("quit", "q", "exit"):
        assert sit([word], None)[2] is Leave


@pytest.mark.parametrize("side", [0, 1])
def test_undo_goes_back_to_the_players_turn(side: int) -> None:
    session, _, _ = sit(["1", "1", "undo"], None, side=side)
    assert session.game.ply == (2 if side == 0 else 3)
    session, said, _ = sit(["undo"], None, side=side)
    assert "There is no move of yours to take back." in said
    assert session.game.ply == side


def test_resigning_and_thinking_better_of_it(tmp_path: Path) -> None:
    path = tmp_path / "play.pgn"
    session, said, _ = sit(["wS1", "resign"], path)
    assert session.result is GameState.BLACK_WINS
    assert load(path).result is GameState.BLACK_WINS
    assert any("you lose (BlackWins)" in line for line in said)
    session, said, _ = sit(["wS1", "resign", "resign", "wQ -wS1", "undo"], path)
    assert session.result is GameState.IN_PROGRESS
    assert "The game is over." in said
    assert load(path).result is GameState.IN_PROGRESS


def test_a_win_is_said_and_can_be_undone() -> None:
    game = first_game("win_in_one.tsv")
    winning = next(m for m in game.legal_moves() if reasons(game, m) == ["it wins at once"])
    start = (DATA / "win_in_one.tsv").read_text().split("\t")[0]
    session, said, _ = sit([format_move(game, winning), "undo"], None, start, game.side)
    assert any("Game over: you win" in line for line in said)
    assert session.game.ply == game.ply


def test_a_forced_pass_takes_an_enter_from_the_player_alone() -> None:
    line = next(t for t in (DATA / "real_games.tsv").read_text().splitlines() if ";pass;" in t)
    game = parse_game(line.split("\t")[0])
    at = game.moves.index(PASS)
    start = ";".join(line.split("\t")[0].split(";")[: 3 + at])
    session, said, _ = sit([""], None, start, at % 2)
    assert session.game.moves[at] == PASS
    assert "You have no move but to pass: press Enter." in said
    session, said, _ = sit([], None, start, 1 - at % 2)
    assert session.game.moves[at] == PASS
    assert "The engine has no move but to pass." in said


def test_commands_that_say_something(tmp_path: Path) -> None:
    lines = ["?", "rules ant", "list", "list wq", "list zz", "hint", "level", "level 11", "level 9"]
    session, said, _ = sit([*lines, "board", "new base+p", "new chess", "save", "load"], None)
    text = "\n".join(said)
    for words in (
        "take back your last move",
        "The ant slides",
        "No legal move begins with 'zz'",
        "(50 %)",
        "The level is 4",
        "at level 9",
        "unknown game type",
        "save needs a file's name",
        "load needs a file's name",
    ):
        assert words in text
    assert session.game.game_type == "Base+P"


def test_save_and_load(tmp_path: Path) -> None:
    path = tmp_path / "mine.pgn"
    session, said, _ = sit(["wS1", f"save {path}", "new", f"load {path}"], None)
    assert session.game.ply == 2
    assert f"Saved as {path}." in said
    session, said, _ = sit(["wS1", "load /nowhere.pgn"], None)
    assert session.game.ply == 2
    assert any("The game goes on as it was" in line for line in said)
    _, said, _ = sit(["save /proc/x/y.pgn"], None)
    assert any(line.startswith("cannot write /proc/x/y.pgn") for line in said)


def test_a_game_that_cannot_be_kept_is_said_once() -> None:
    _, said, _ = sit(["1", "1"], Path("/proc/nothing/play.pgn"))
    assert sum("the game is not kept" in line for line in said) == 1


def test_after_the_end_only_some_commands_make_sense(tmp_path: Path) -> None:
    _, said, _ = sit(["resign", "wS1", "hint", "new"], None)
    assert "The game is over. Type new, undo, save FILE, load FILE or quit." in said
