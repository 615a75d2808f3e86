"""Dates as boardspace.net's players' computers wrote them, in many languages."""

from __future__ import annotations

import re
from datetime import date

# The first letters of each month's name; most European languages share many of them.
_MONTHS = (
    "jan gen ene янв sty led",
    "feb fév fev fév úno unor фев lut",
    "mar mrt mär mrz märz мар břez brez",
    "apr avr abr апр kwi dub",
    "may mai maj mei mag май мая kvě",
    "jun juin giu июн cze čer cer",
    "jul juil lug июл lip červenec",
    "aug aoû aou ago авг sie srp",
    "sep set сен wrz zář",
    "oct okt ott out окт paź paz říj",
    "nov нов ноя lis list",
    "dec déc dic dez дек gru pro",
)
_PREFIXES = sorted(
    ((prefix, month) for month, words in enumerate(_MONTHS, start=1) for prefix in words.split()),
    key=lambda pair: -len(pair[0]),  # `juil` before `jui`, `červenec` before `čer`
)
_FINNISH = ("tam", "hel", "maa", "huh", "tou", "kes", "hei", "elo", "syy", "lok", "mar", "jou")


def parse_date(text: str) -> str | None:
    """Return a date as yyyy.mm.dd, None where the text names none that is certain.

    >>> parse_date("Thu May 11 11:57:24 CEST 2023"), parse_date("3 novembre 2018")
    ('2023.05.11', '2018.11.03')
    >>> parse_date("31.10.2018"), parse_date("2018-10-31"), parse_date("last week")
    ('2018.10.31', '2018.10.31', None)
    """
    text = re.sub(r"\d{1,2}:\d{2}(?::\d{2})?", " ", text.lower())
    text = re.sub(r"(?:gmt|utc)\s*[+-]?\d*", " ", text)
    numbers = re.findall(r"\d+", text)
    years = [n for n in numbers if len(n) == 4]
    rest = [int(n) for n in numbers if len(n) <= 2]
    if len(years) != 1 or not rest:
        return None
    month = _named_month(text)
    if month is not None:
        return _checked(int(years[0]), month, rest[0])
    if len(rest) < 2:
        return None
    first, second = rest[:2]
    if numbers[0] == years[0]:  # 2018-10-31
        return _checked(int(years[0]), first, second)
    # 31.10.2018 as in most of the world, 10/31/2018 where only that makes a date.
    return _checked(int(years[0]), second, first) or _checked(int(years[0]), first, second)


def _named_month(text: str) -> int | None:
    words = re.findall(r"[^\W\d_]+", text)
    for word in words:
        if word.endswith("kuuta"):
            return next((m for m, p in enumerate(_FINNISH, 1) if word.startswith(p)), None)
    # A weekday may look like a month (French mar. is Tuesday), so the last word that fits wins.
    found = [
        month
        for word in words
        if (month := next((m for p, m in _PREFIXES if word.startswith(p)), None)) is not None
    ]
    return found[-1] if found else None


def _checked(year: int, month: int, day: int) -> str | None:
    try:
        return date(year, month, day).strftime("%Y.%m.%d")
    except ValueError:
        return None
