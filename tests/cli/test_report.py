from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from arena_helpers import plan_of
from browser import address, open_browser, requests
from click.testing import CliRunner, Result

import uhp_engine.analysis as analysis
from uhp_engine import warmup
from uhp_engine.arena.outcome import PlayedGame
from uhp_engine.arena.store import Store
from uhp_engine.cli.report import report

DATA = Path(__file__).parents[1] / "data"
GAMES = DATA / "games"
PLAIN = "Base;InProgress;White[2];wS1;bS1 wS1-"


@pytest.fixture(autouse=True, scope="module")
def _warm() -> None:
    warmup.load()


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(report, [str(arg) for arg in args], standalone_mode=False)


def results_file(path: Path) -> Path:
    """Write a match of three engines: `a` beats all, `b` and `c` draw."""
    lines = (DATA / "real_games.tsv").read_text().splitlines()
    of = {line.split("\t")[1]: line.split("\t")[0] for line in lines if "\tsurround\t" in line}
    with Store.create(
        str(path), plan_of("one", "two", "three"), {"Base": [("wS1", "bS1 wS1-")]}
    ) as store:
        pairs = [("a", "b"), ("b", "a"), ("c", "a"), ("b", "c")]
        for number, (white, black) in enumerate(pairs):
            result = {white: "WhiteWins", black: "BlackWins"}.get("a", "Draw")
            moves = of[result].split(";")[3:]
            store.add(
                PlayedGame(
                    number=number,
                    pair=number,
                    round=1,
                    white=white,
                    black=black,
                    game_type="Base+MLP",
                    result=result,
                    termination="surround",
                    detail="a queen is surrounded",
                    at_fault="",
                    moves=moves,
                    opening_plies=1,
                    seconds=[0.1] * (len(moves) - 1),
                    started="2026-11-30T08:00:00+00:00",
                    duration=1.0,
                )
            )
    return path


def test_games_of_several_files(tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    result = run(GAMES / "game01.sgf", GAMES / "game02.pgn", "-o", out, "--title", "My games")
    assert result.return_value == 0
    assert result.stderr == f"{out}: 2 games, 0 broken\n"
    text = out.read_text(encoding="utf-8")
    assert "<h1>My games</h1>" in text
    assert '"white":"PlayerA"' in text
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


def test_broken_games_are_named(tmp_path: Path) -> None:
    (tmp_path / "mixed.uhp").write_text(f"{PLAIN}\nBase;;;wX\n")
    result = run(tmp_path / "mixed.uhp", "-o", tmp_path / "out.html")
    assert result.return_value == 1
    assert "line 2: move 1" in result.stderr
    assert "1 games, 1 broken" in result.stderr


def test_a_tournament(tmp_path: Path) -> None:
    out = tmp_path / "cup.html"
    result = run(results_file(tmp_path / "cup.sqlite"), "-o", out)
    assert result.return_value == 0, result.output
    text = out.read_text(encoding="utf-8")
    assert "4 of " in text
    assert 'aria-label="a against b: 2.0 of 2, 2 won, 0 drawn, 0 lost; show these games"' in text
    assert "Games ended by surround 4." in text
    assert '"0.100s"' in text


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["missing.pgn", "-o", "x.html"], "does not exist"),
        ([str(GAMES)], "Missing option"),
        ([str(GAMES), "-o", "/nowhere/x.html"], "cannot write /nowhere/x.html"),
        ([str(GAMES), "-o", "x.html", "--seconds", "1"], "need --analyze"),
        (
            [str(GAMES), "-o", "x.html", "--analyze", "--seconds", "1", "--simulations", "2"],
            "exclude",
        ),
    ],
)
def test_wrong_usage(args: list[str], words: str) -> None:
    result = CliRunner().invoke(report, args)
    assert result.exit_code in (1, 2)
    assert words in result.stderr


def test_a_database_that_is_none_of_ours(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite"
    path.write_bytes(b"SQLite format 3\0" + bytes(100))
    result = CliRunner().invoke(report, [str(path), "-o", str(tmp_path / "out.html")])
    assert result.exit_code == 1
    assert "x.sqlite" in result.stderr
    (tmp_path / "empty.pgn").write_text("")
    result = CliRunner().invoke(
        report, [str(tmp_path / "empty.pgn"), "-o", str(tmp_path / "o.html")]
    )
    assert "nothing to report" in result.stderr


def test_without_the_extra_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    result = CliRunner().invoke(report, [str(GAMES), "-o", str(tmp_path / "x.html")])
    assert result.exit_code == 1
    assert "uhp-engine[report]" in result.stderr


def test_an_interrupted_analysis_is_kept_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "r.html"
    args = (GAMES / "game05.pgn", "-o", out, "--analyze", "--simulations", "50")
    look, asked = analysis.view_position, []

    def interrupted(*given: Any) -> Any:
        asked.append(1)
        if len(asked) == 5:
            raise KeyboardInterrupt
        return look(*given)

    monkeypatch.setattr(analysis, "view_position", interrupted)
    result = run(*args)
    assert result.return_value == 130
    assert "goes on with the analysis" in result.stderr
    assert '"views"' not in out.read_text(encoding="utf-8")
    assert (tmp_path / "r.html.analysis").exists()
    asked.clear()
    asked.extend([0] * 10)
    assert run(*args).return_value == 0
    assert len(asked) == 10 + 26 - 4
    assert not (tmp_path / "r.html.analysis").exists()
    first = out.read_text(encoding="utf-8")
    assert '"views"' in first
    monkeypatch.undo()
    run(*args)
    assert out.read_text(encoding="utf-8") == first


# -- in a browser ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def driver() -> Iterator[Any]:
    with open_browser() as driver:
        yield driver


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    out = folder / "report.html"
    run(
        results_file(folder / "cup.sqlite"),
        GAMES / "game05.pgn",
        "-o",
        out,
        "--analyze",
        "--simulations",
        "30",
        "-q",
    )
    assert out.exists()
    return out


@pytest.fixture
def opened(driver: Any, page: Path) -> Iterator[Any]:
    driver.get_log("browser")
    requests(driver)
    driver.set_window_size(1200, 1000)
    driver.get(address(page))
    yield driver
    assert driver.get_log("browser") == []
    assert requests(driver) == [address(page)]


def keys(driver: Any, *names: str) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    for name in names:
        ActionChains(driver).send_keys(getattr(Keys, name, name)).perform()


def by_id(driver: Any, name: str) -> Any:
    return driver.find_element("id", name)


def tiles(driver: Any) -> list[str]:
    script = (
        "return [...document.querySelectorAll('#board use')]"
        ".map(use => use.parentNode.querySelector('title').textContent)"
    )
    return list(driver.execute_script(script))


def status(driver: Any) -> str:
    return str(by_id(driver, "status").text)


@pytest.mark.slow
def test_stepping_by_key(opened: Any) -> None:
    by_id(opened, "show-best").click()
    assert tiles(opened) == []
    assert status(opened).startswith("Start: a has White, b has Black")
    keys(opened, "ARROW_RIGHT", "ARROW_RIGHT", "ARROW_RIGHT")
    assert len(tiles(opened)) == 3
    assert status(opened).startswith("Move 3, White: ")
    keys(opened, "ARROW_LEFT")
    assert len(tiles(opened)) == 2
    keys(opened, "PAGE_DOWN")
    assert status(opened).startswith("Move 12, Black: ")
    keys(opened, "END")
    assert "Result 1-0" in status(opened)
    keys(opened, "ARROW_RIGHT")
    assert "Result 1-0" in status(opened)
    keys(opened, "HOME")
    assert tiles(opened) == []
    keys(opened, "n")
    assert status(opened).startswith("Start: b has White, a has Black")
    keys(opened, "p")
    assert status(opened).startswith("Start: a has White, b has Black")


@pytest.mark.slow
def test_stepping_by_click(opened: Any) -> None:
    by_id(opened, "forward").click()
    by_id(opened, "forward").click()
    by_id(opened, "back").click()
    assert status(opened).startswith("Move 1, White: ")
    assert (
        by_id(opened, "moves").find_element("css selector", "[aria-current]").text.startswith("1. ")
    )
    by_id(opened, "last").click()
    assert not by_id(opened, "forward").is_enabled()
    by_id(opened, "first").click()
    assert not by_id(opened, "back").is_enabled()
    by_id(opened, "moves").find_elements("css selector", "button")[7].click()
    assert status(opened).startswith("Move 7, White: ")
    text = by_id(opened, "gamestring").get_attribute("value")
    assert text.startswith("Base+MLP;InProgress;Black[4];")
    assert text.count(";") == 2 + 7
    by_id(opened, "graph").click()
    assert 20 <= int(by_id(opened, "ply").get_attribute("value")) <= 60


@pytest.mark.slow
def test_every_position_of_a_game_is_drawn_as_the_rules_have_it(opened: Any) -> None:
    from uhp_engine.core.pieces import PIECE_NAMES
    from uhp_engine.notation import parse_game

    by_id(opened, "show-best").click()
    by_id(opened, "last").click()
    while True:
        game = parse_game(by_id(opened, "gamestring").get_attribute("value"))
        assert sorted(tiles(opened)) == sorted(PIECE_NAMES[p.piece] for p in game.placed())
        label = by_id(opened, "board").get_attribute("aria-label")
        high = {
            " on ".join(PIECE_NAMES[p] for p in reversed(s))
            for s in map(game.stack, {game.cell_of(p.piece) for p in game.placed()})
            if len(s) > 1
        }
        assert all(stack in label for stack in high)
        if game.ply < 7:
            break
        keys(opened, *["ARROW_LEFT"] * 7)


@pytest.mark.slow
def test_games_are_found_by_words_and_by_the_crosstable(opened: Any) -> None:
    def count() -> int:
        return len(by_id(opened, "game").find_elements("css selector", "option:not([disabled])"))

    assert count() == 5
    by_id(opened, "filter").send_keys("PlayerA 25")
    assert count() == 1
    assert "PlayerA – PlayerB" in by_id(opened, "headline").text
    by_id(opened, "filter").send_keys(" nothing like it")
    assert count() == 0
    opened.find_element("css selector", '[data-first="b"][data-second="a"]').click()
    assert count() == 2
    assert by_id(opened, "headline").text.startswith(("a – b", "b – a"))


@pytest.mark.slow
def test_the_engines_view_is_shown(opened: Any) -> None:
    assert by_id(opened, "analysis").is_displayed()
    assert "White's expected score" in by_id(opened, "graph-words").text
    points = opened.find_element("css selector", "#graph .curve").get_attribute("points").split()
    moves = by_id(opened, "moves").find_elements("css selector", "button")
    assert len(points) == len(moves)
    turns = by_id(opened, "turning").find_elements("css selector", "button")
    assert turns
    turns[0].click()
    assert status(opened).split(",")[0] == f"Move {turns[0].text.split('.')[0]}"
    assert "the engine would play" in status(opened)


@pytest.mark.slow
def test_on_a_phone_nothing_sticks_out(opened: Any) -> None:
    opened.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": 360, "height": 740, "deviceScaleFactor": 2, "mobile": True},
    )
    opened.refresh()
    time.sleep(0.2)
    width = opened.execute_script("return document.documentElement.scrollWidth")
    small = opened.execute_script(
        "return [...document.querySelectorAll('button, select, input')].filter(e => e.offsetParent"
        " && e.type != 'checkbox' && e.getBoundingClientRect().height < 24).length"
    )
    opened.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert width <= 360
    assert small == 0
    requests(opened)
    opened.get(opened.current_url)


@pytest.mark.slow
def test_every_control_has_a_name_and_can_be_reached_by_tab(opened: Any) -> None:
    script = """
      const named = e => e.getAttribute('aria-label') || e.textContent.trim()
        || (e.labels && e.labels.length);
      const all = document.querySelectorAll('button, select, input, textarea');
      return [...all].filter(e => !named(e)).map(e => e.id);
    """
    assert opened.execute_script(script) == []
    reached = set()
    for _ in range(60):
        keys(opened, "TAB")
        reached.add(opened.execute_script("return document.activeElement.id"))
    assert {"filter", "game", "forward", "ply", "show-best"} <= reached
