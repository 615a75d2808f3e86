from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from arena_helpers import script_lines, scripted

from uhp_engine.arena import (
    Engine,
    EngineDied,
    EngineGarbage,
    EngineNotStarted,
    EngineRefused,
    EngineStalled,
    Limit,
    Option,
    Patience,
    SimpleEngine,
    TimeForm,
    open_engine,
)

pytest_plugins = ["arena_fixtures"]

SCRIPT = script_lines()[0][3:]
SHORT = Patience(start=30, answer=0.5, hang=0.5, depth=0.5)


def with_engine(
    work: Callable[[Engine], Coroutine[Any, Any, None]], fault: str = "none", **settings: Any
) -> None:
    """Run a coroutine function on a scripted engine."""

    async def main() -> None:
        async with await open_engine(scripted(fault), **settings) as engine:
            await work(engine)

    asyncio.run(main())


def test_a_conversation() -> None:
    async def work(engine: Engine) -> None:
        assert engine.name == "Scripted 1.0"
        assert engine.capabilities == ("Mosquito", "Ladybug", "Pillbug")
        assert await engine.new_game("Base") == "Base;NotStarted;White[1]"
        answer = await engine.best_move(Limit(depth=1))
        assert answer.move == SCRIPT[0]
        assert answer.lines == (SCRIPT[0],)
        assert answer.asked_seconds is None
        assert await engine.play(answer.move) == f"Base;InProgress;Black[1];{SCRIPT[0]}"
        assert await engine.undo() == "Base;NotStarted;White[1]"
        assert (await engine.options())["Style"].choices == ("Calm", "Wild")
        assert await engine.info() == "Scripted 1.0"

    with_engine(work)


def test_refusals_leave_the_engine_usable() -> None:
    async def work(engine: Engine) -> None:
        with pytest.raises(EngineRefused, match="answered 'perft 3' with 'err unknown") as caught:
            await engine.request("perft 3")
        assert (caught.value.kind, caught.value.reason) == ("err", "unknown command")
        assert await engine.ask("nonsense") is not None
        assert await engine.info() == "Scripted 1.0"

    with_engine(work)


def test_a_command_is_one_line() -> None:
    async def work(engine: Engine) -> None:
        with pytest.raises(ValueError, match="one line"):
            await engine.ask("info\nexit")

    with_engine(work)


@pytest.mark.parametrize(
    ("fault", "form"),
    [
        ("none", TimeForm.TIMESPAN),
        ("seconds-form", TimeForm.SECONDS),
        ("whole-seconds", TimeForm.WHOLE),
    ],
)
def test_the_time_form_is_found_out(fault: str, form: TimeForm) -> None:
    async def work(engine: Engine) -> None:
        await engine.new_game()
        await engine.best_move(Limit(seconds=1))
        assert engine.time_form is None  # whole seconds need no form
        answer = await engine.best_move(Limit(seconds=1.25))
        assert engine.time_form is form
        assert answer.asked_seconds == (1.0 if form is TimeForm.WHOLE else 1.25)

    with_engine(work, fault)


@pytest.mark.parametrize(("fault", "keeps"), [("none", False), ("keeps-clock", True)])
def test_whether_an_engine_keeps_a_clock_is_asked(fault: str, keeps: bool) -> None:
    async def work(engine: Engine) -> None:
        await engine.new_game()
        assert await engine.keeps_clock() is keeps
        assert engine.time_form is (TimeForm.CLOCK if keeps else None)
        answer = await engine.best_move_on_clock(12.3456, 0.5, 7)
        assert (answer.move, answer.asked_seconds) == ("wS1", 12.3456)
        answer = await engine.best_move(Limit(seconds=0.25))  # a time for the move, all the same
        assert engine.time_form is (TimeForm.CLOCK if keeps else TimeForm.TIMESPAN)

    with_engine(work, fault)


@pytest.mark.parametrize(
    ("fault", "error"),
    [("hang", EngineStalled), ("die", EngineDied), ("empty", EngineGarbage)],
)
def test_failures_have_names(
    fault: str, error: type[Exception], marked: Callable[[], list[int]]
) -> None:
    async def work(engine: Engine) -> None:
        await engine.new_game()
        await engine.best_move(Limit(depth=1))
        with pytest.raises(error):
            await engine.best_move(Limit(depth=1))
        if error is not EngineGarbage:
            with pytest.raises(error):  # and stay what they are
                await engine.info()

    with_engine(work, fault, patience=SHORT if fault == "hang" else None)
    assert marked() == []


def test_standard_error_comes_with_the_error() -> None:
    async def work(engine: Engine) -> None:
        await engine.new_game()
        await engine.best_move(Limit(depth=1))
        with pytest.raises(EngineDied, match="exit code 7") as caught:
            await engine.best_move(Limit(depth=1))
        assert caught.value.stderr == "panic: out of luck"

    with_engine(work, "die")


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("/nowhere/engine", "No such file"),
        ("", "command line is empty"),
        ('"unclosed', "quotation mark is not closed"),
        (scripted("exit-at-start"), "exit code 1; its standard error ends: no licence found"),
        (scripted("garbage-at-start"), "Hello, I am an engine"),
    ],
)
def test_engines_that_do_not_start(
    command: str, text: str, marked: Callable[[], list[int]]
) -> None:
    async def main() -> None:
        with pytest.raises(EngineNotStarted, match=text):
            await open_engine(command)

    asyncio.run(main())
    assert marked() == []


def test_a_refused_option_is_no_start() -> None:
    async def main() -> None:
        with pytest.raises(EngineNotStarted, match="options set Bad 3"):
            await open_engine(scripted(), options={"Style": "Wild", "Bad": 3})

    asyncio.run(main())


def test_an_option_that_takes_another_value_is_no_start() -> None:
    async def main() -> None:
        with pytest.raises(EngineNotStarted, match="'options set Style Odd' with 'Style;enum;Calm"):
            await open_engine(scripted(), options={"Style": "Odd"})

    asyncio.run(main())


def test_options_of_every_kind() -> None:
    assert Option.parse("A;bool;True;False") == Option("A", "bool", "True", "False")
    assert Option.parse("A;int;3;2;1;9").minimum == "1"
    assert Option.parse("A;double;3.5;2.5").maximum is None
    assert Option.parse("A;enum;x;y;x;y;z").choices == ("x", "y", "z")
    for wrong in ("A", ";bool;True;True", "A;text;x;x", "A;int;3;2;1"):
        with pytest.raises(ValueError, match="expected"):
            Option.parse(wrong)


def test_the_log_sees_both_directions_and_standard_error() -> None:
    lines: list[tuple[str, str]] = []

    async def work(engine: Engine) -> None:
        await engine.new_game()
        await engine.best_move(Limit(depth=1))
        with pytest.raises(EngineDied):
            await engine.best_move(Limit(depth=1))

    with_engine(work, "die", log=lambda direction, line: lines.append((direction, line)))
    assert ("<", "id Scripted 1.0") in lines
    assert (">", "newgame Base") in lines
    assert ("!", "panic: out of luck") in lines


def test_the_blocking_client(marked: Callable[[], list[int]]) -> None:
    with SimpleEngine(scripted(), options={"Style": "Wild"}) as engine:
        assert engine.name == engine.info() == "Scripted 1.0"
        engine.new_game()
        move = engine.best_move(Limit(seconds=1.5)).move
        assert engine.play(move).endswith(move)
        assert engine.undo() == "Base;NotStarted;White[1]"
        assert "Style" in engine.options()
        with pytest.raises(EngineRefused):
            engine.request("nonsense")
    engine.close()
    assert marked() == []
    with pytest.raises(EngineNotStarted):
        SimpleEngine("/nowhere/engine")


def test_our_own_engine() -> None:
    with SimpleEngine([__import__("sys").executable, "-m", "uhp_engine"]) as engine:
        assert engine.name.startswith("uhp_engine")
        assert engine.new_game("Base+MLP") == "Base+MLP;NotStarted;White[1]"
        assert engine.best_move(Limit(seconds=0.2)).move in engine.valid_moves()
