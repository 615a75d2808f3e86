"""Checks of an engine's options."""

from __future__ import annotations

import re

from ..client import Option
from .exam import Exam, is_error, shown
from .findings import Check, Deviation, Opinion, Skipped


async def _all(exam: Exam) -> dict[str, Option]:
    options = await exam.options()
    if not options:
        raise Skipped("the engine has no options")
    return options


async def _form(exam: Exam) -> str:
    """Each line as MzingaViewer, which builds a dialog out of them, can read it."""
    options = await exam.options()
    for option in options.values():
        problem = _problem(option)
        if problem:
            raise Deviation(f"an option that can be read: {problem}", str(option))
    return ", ".join(options) or "none"


def _problem(option: Option) -> str:
    values = (option.value, option.default)
    if not re.fullmatch(r"\S+", option.key):
        return "no blanks in its name"
    if option.kind == "bool" and not set(values) <= {"True", "False"}:
        return "True or False"
    if option.kind == "enum" and not set(values) <= set(option.choices):
        return "value and default among the choices"
    if option.kind in ("int", "double"):
        bounds = (option.minimum, option.maximum)
        if None in bounds:
            return "a least and a greatest value"
        try:
            low, high = (float(bound) for bound in bounds if bound is not None)
            numbers = [float(value) for value in values]
        except ValueError:
            return "numbers"
        if not all(low <= number <= high for number in numbers):
            return "value and default within its limits"
        if option.kind == "int" and any(number % 1 for number in (*numbers, low, high)):
            return "whole numbers"
    return ""


async def _get(exam: Exam) -> None:
    for key, option in (await _all(exam)).items():
        await _expect(exam, f"options get {key}", option)


async def _expect(exam: Exam, command: str, option: Option) -> None:
    """See that a command is answered with an option's line."""
    lines = await exam.ask(command)
    try:
        same = len(lines) == 1 and Option.parse(lines[0]) == option
    except ValueError:
        same = False
    if not same:
        raise Deviation(
            f"the line of {option.key}, now {option.value}, for {command!r}", shown(lines)
        )


async def _set(exam: Exam) -> str:
    """Set each option to another value, and back."""
    tried = []
    for key, option in (await _all(exam)).items():
        other = _other_value(option)
        if other is None:
            continue
        for value in (other, option.value):
            changed = Option(
                key,
                option.kind,
                value,
                option.default,
                option.minimum,
                option.maximum,
                option.choices,
            )
            await _expect(exam, f"options set {key} {value}", changed)
            await _expect(exam, f"options get {key}", changed)
        tried.append(key)
    return ", ".join(tried)


def _other_value(option: Option) -> str | None:
    """Return another value that the option may take, None where there is none."""
    if option.kind == "bool":
        return "False" if option.value == "True" else "True"
    if option.kind == "enum":
        return next((choice for choice in option.choices if choice != option.value), None)
    if option.kind == "double":
        return None  # how many digits come back is the engine's own affair
    assert option.minimum is not None
    assert option.maximum is not None
    for number in (int(option.value) + 1, int(option.value) - 1):
        if int(option.minimum) <= number <= int(option.maximum):
            return str(number)
    return None


async def _unknown(exam: Exam) -> None:
    for command in ("options get NoSuchOption", "options set NoSuchOption 1"):
        await exam.refused(command)


async def _bad_value(exam: Exam) -> None:
    """Mzinga keeps the old value or takes the nearest, others refuse: just not another one."""
    for key, option in (await _all(exam)).items():
        lines = await exam.ask(f"options set {key} no-such-value")
        if not any(is_error(line) for line in lines):
            now = (await exam.options())[key]
            if now != option:
                raise Deviation(f"{key} as it was after a bad value", now.value)
            raise Opinion("a bad value refused", shown(lines))


def checks() -> list[Check]:
    """Return the checks of this module."""
    return [
        Check("options", "each line can be read", _form),
        Check("options", "'options get' prints one line", _get),
        Check("options", "'options set' changes and prints it", _set),
        Check("options", "an unknown option is refused", _unknown),
        Check("options", "a bad value", _bad_value),
    ]
