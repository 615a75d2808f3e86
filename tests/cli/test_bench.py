"""`uhp-engine bench`: the signature, the JSON, the tables, interruption, exit codes."""

from __future__ import annotations

import json
import re

import pytest
from click.testing import CliRunner, Result

from uhp_engine import warmup
from uhp_engine.bench import report, searches, side_by_side
from uhp_engine.bench.positions import one_of_each
from uhp_engine.cli import group
from uhp_engine.search import worker


@pytest.fixture(autouse=True)
def quicker(monkeypatch: pytest.MonkeyPatch) -> None:
    warmup.load()
    monkeypatch.setattr(report, "QUICK_SIMULATIONS", 200)
    monkeypatch.setattr(report, "QUICK_THREADS_SIMULATIONS", 300)
    monkeypatch.setattr(report, "QUICK_MICRO_SECONDS", 0.001)


def bench(*words: str) -> Result:
    return CliRunner().invoke(group, ["bench", "--quick", *words], prog_name="uhp-engine")


def test_json_has_every_figure_and_the_signature_does_not_change():
    result = bench("--json", "--runs", "2")
    assert result.exit_code == 0, result.stderr
    found = json.loads(result.stdout)
    assert found["complete"] is True
    assert found["runs"] == 2
    assert found["program"].startswith("uhp_engine ")
    search = found["search"]
    assert re.fullmatch("[0-9a-f]{8}", search["signature"])
    assert search["nodes"] == sum(each["nodes"] for each in search["positions"]) > 0
    assert len(search["positions"]) == len(one_of_each())
    rates = [search["simulations_per_second"]]
    rates += [each["simulations_per_second"] for each in search["positions"]]
    rates += [each["per_second"] for each in found["micro"].values()]
    assert all(0 < rate["min"] <= rate["median"] <= rate["max"] for rate in rates)
    assert found["micro"].keys() == {
        "make_unmake",
        "generate",
        "moves_listed",
        "evaluate",
        "priors",
        "perft_bulk",
        "perft_made",
    }
    if side_by_side.is_possible():
        threads = found["threads"]
        assert threads["count"] == side_by_side.THREADS
        assert threads["simulations_each"] == 300
        assert all(
            0 < threads[key]["min"] <= threads[key]["median"] <= threads[key]["max"]
            for key in ("one_per_second", "together_per_second", "ratio")
        )
    memory = found["memory"]
    assert 0 < memory["tree_reserved"] <= memory["tree_limit"] == searches.MEMORY_MIB * 2**20
    assert memory["tree_per_simulation"] > 0
    assert memory["edges_per_node"] > 1

    again = json.loads(bench("--json").stdout)
    assert again["search"]["signature"] == search["signature"]
    assert again["search"]["nodes"] == search["nodes"]


def test_the_signature_does_not_depend_on_the_clock(monkeypatch):
    found = set()
    for seconds in (0.0001, 0.01):
        monkeypatch.setattr(worker, "SLICE_SECONDS", seconds)
        found.add(searches.signature(searches.search_all(one_of_each()[:3], 500)))
    assert len(found) == 1


def test_another_search_has_another_signature():
    positions = one_of_each()[:3]
    signatures = {
        searches.signature(searches.search_all(chosen, simulations))
        for chosen, simulations in ((positions, 200), (positions, 201), (positions[::-1], 200))
    }
    assert len(signatures) == 3


def test_tables_end_with_the_signature(tmp_path):
    file = tmp_path / "bench.json"
    result = bench("--json", str(file))
    assert result.exit_code == 0
    found = json.loads(file.read_text())
    assert result.stdout.endswith(
        f"nodes {found['search']['nodes']}\nsignature {found['search']['signature']}\n"
    )
    for words in ("simulations a second", "moves made and taken back", "resident at start"):
        assert words in result.stdout


def test_one_core_has_no_threads_to_compare(monkeypatch):
    monkeypatch.setattr(side_by_side, "is_possible", lambda: False)
    assert "threads" not in json.loads(bench("--json").stdout)


def test_two_runs_that_differ_are_an_error(monkeypatch):
    answers = iter(["11111111", "22222222"])
    monkeypatch.setattr(report, "signature", lambda found: next(answers))
    result = bench("--runs", "2")
    assert result.exit_code == 1
    assert "has the signature 22222222, the one before 11111111" in result.stderr


def test_an_interrupt_shows_what_was_measured(monkeypatch):
    def interrupted(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(report.micro, "measure", interrupted)
    result = bench("--json")
    assert result.exit_code == 130
    found = json.loads(result.stdout)
    assert found["complete"] is False
    assert found["search"]["nodes"] > 0
    assert "interrupted" in result.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--json", "/nowhere/at/all.json"], "cannot write '/nowhere/at/all.json'"),
        (["--runs", "0"], "0 is not in the range 1<=x<=99"),
    ],
)
def test_wrong_usage_is_told_at_once(words, message):
    result = bench(*words)
    assert result.exit_code == 2
    assert message in result.stderr
