"""The reader of dates: a year, a month or a day, and ranges of them."""

import calendar
import re
from datetime import date, timedelta

from boards.search.language.parsing import QueryError
from boards.search.language.values import ORDER, Given, Reader, backwards, read_ends

DATE = re.compile(r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?")


def read_date(given: Given) -> tuple[date, date]:
    """Return the first and the last day of a year, a month or a day."""
    if not (match := DATE.fullmatch(given.text)):
        raise no_date(given)
    year, first_month, last_month = int(match[1]), int(match[2] or 1), int(match[2] or 12)
    try:
        last_day = int(match[3] or calendar.monthrange(year, last_month)[1])
        return date(year, first_month, int(match[3] or 1)), date(year, last_month, last_day)
    except ValueError:
        raise no_date(given) from None


def no_date(given: Given) -> QueryError:
    return given.error(f"{given.shown} is no date. Write 2026, 2026-01 or 2026-01-05.")


def read_period(given: Given) -> tuple[date | None, date | None]:
    """Return the first and the last day that the value and its operator mean. None leaves that end open."""
    low, high = read_ends(given, read_date)
    first: date | None = low[0] if low else None
    last: date | None = high[1] if high else None
    if first and last and first > last:
        raise backwards(given)
    match given.operator:
        case ">=":
            last = None
        case "<=":
            first = None
        case ">":
            first, last = days_from(last, 1, given), None
        case "<":
            first, last = None, days_from(first, -1, given)
    return first, last


def days_from(day: date | None, number: int, given: Given) -> date | None:
    try:
        return day + timedelta(days=number) if day else None
    except OverflowError:
        raise given.error(f"There is no date {given.operator}{given.shown}.") from None


DAYS = Reader(read_period, operators=ORDER)
