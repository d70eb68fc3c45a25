"""The dates of boards, in PBN's notation: 2026.11.20, or 2026.11.?? where the day is not known (PBN 2.1 §3.4.3).

bridge.formats.dates reads the many ways in which files write them.
"""

import re
from datetime import date, timedelta
from typing import NamedTuple

_PARTS = re.compile(r"[0-9]{4}\.([0-9]{2}\.([0-9]{2}|\?\?)|\?\?\.\?\?)")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)


def known_parts(text: str) -> list[str]:
    """Return the year, the month and the day as texts, as far as they are known; none of 2026.23.03 or 2015.02.30."""
    if not _PARTS.fullmatch(text):
        return []
    known = [part for part in text.split(".") if part != "??"]
    try:
        date(*map(int, [*known, "1", "1"][:3]))
    except ValueError:
        return []
    return known


def sort_key(text: str) -> str:
    """Return a text by which dates are sorted. A date with unknown parts sorts before the days that it may be."""
    return text.replace("?", "0") if known_parts(text) else ""


def in_words(text: str) -> str:
    """Write a date as in "20 November 2026", "November 2026" or "2026". Leave another text as it is, "" if unknown."""
    year, month, day = [*known_parts(text), "", "", ""][:3]
    if not year:
        return "" if not text.strip("?. ") else text
    name = _MONTHS[int(month) - 1] if month else ""
    return " ".join(filter(None, (day.lstrip("0"), name, year)))


def write(day: date) -> str:
    """Write a day in PBN's notation."""
    return day.isoformat().replace("-", ".")


LAST = 99
"""The number of an unknown month or day where the last one is meant. No real one is greater."""


class Days(NamedTuple):
    """The days from `first` to `last`, as numbers of `write_day`."""

    first: int
    last: int


def days_between(first: date | None, last: date | None) -> Days:
    """Return the days from one to another. None leaves that end open.

    A board of which only the month or the year is known was certainly played in them when all of it lies in them. So
    the last day of a month or of a year ends with what is not known of it.
    """
    lowest = write_day(first.year, first.month, first.day) if first else 0
    return Days(lowest, _last_day(last))


def _last_day(last: date | None) -> int:
    if last is None or last == date.max:
        return write_day(9999, LAST, LAST)
    following = last + timedelta(days=1)
    if following.year > last.year:
        return write_day(last.year, LAST, LAST)
    return write_day(last.year, last.month, LAST if following.month > last.month else last.day)


def write_day(year: int, month: int, day: int) -> int:
    """Write a day as in 20261120."""
    return (year * 100 + month) * 100 + day
