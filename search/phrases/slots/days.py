"""Slots of days and spans. What they mean depends on today, in UTC."""

import calendar
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Self

from search.phrases.slots.amounts import AmountReader
from search.phrases.slots.reading import Readings, Slot, Value, Words, has_at, matching, one_of, spelled

MONTHS = calendar.month_name[1:]
DAYS = calendar.day_name[:]
DAYS_OF = {"day": 1, "week": 7, "month": 30, "year": 365}
DAY_OF_MONTH = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?")


def between(first: date, last: date) -> str:
    return str(first) if first == last else f"{first}..{last}"


def of_month(year: int, month: int) -> str:
    return f"{year:04d}-{month:02d}"


class Today:
    """Days, weeks, months and years beside today, as values of the word `date`. {today} itself is the day."""

    def __init__(self, today: date) -> None:
        self.today = today

    def __str__(self) -> str:
        return str(self.today)

    @property
    def yesterday(self) -> str:
        return str(self.today - timedelta(1))

    @property
    def week(self) -> str:
        """Return the week from Monday to Sunday."""
        return self._week(0)

    @property
    def last_week(self) -> str:
        return self._week(1)

    def _week(self, weeks_ago: int) -> str:
        monday = self.today - timedelta(self.today.weekday() + 7 * weeks_ago)
        return between(monday, monday + timedelta(6))

    @property
    def month(self) -> str:
        return of_month(self.today.year, self.today.month)

    @property
    def last_month(self) -> str:
        before = self.today.replace(day=1) - timedelta(1)
        return of_month(before.year, before.month)

    @property
    def year(self) -> int:
        return self.today.year

    @property
    def last_year(self) -> int:
        return self.today.year - 1

    @property
    def past_week(self) -> str:
        return self.past(7)

    @property
    def past_month(self) -> str:
        return self.past(30)

    @property
    def past_year(self) -> str:
        return self.past(365)

    def past(self, days: int) -> str:
        """Return the last days, today included."""
        return between(self.today - timedelta(days - 1), self.today)


@dataclass(frozen=True)
class DatedValue(Value):
    """A value that means another day on each day."""

    today: date = date.min

    def on(self, today: date) -> Self:
        return replace(self, today=today)


@dataclass(frozen=True)
class Weekday(DatedValue):
    """A day of the week, from 0 for Monday."""

    number: int = 0

    @property
    def latest(self) -> date:
        """Return the latest such day before today."""
        return self.today - timedelta((self.today.weekday() - self.number - 1) % 7 + 1)


@dataclass(frozen=True)
class Month(DatedValue):
    """A month, from 1."""

    number: int = 1

    @property
    def latest(self) -> str:
        """Return the latest such month, this one included."""
        return of_month(self.today.year - (self.number > self.today.month), self.number)


@dataclass(frozen=True)
class MonthDay(DatedValue):
    """A day of a month, such as 05-31."""

    @property
    def latest(self) -> str:
        """Return the latest such day, today included."""
        return f"{self.today.year - (self.query > f'{self.today:%m-%d}'):04d}-{self.query}"


@dataclass(frozen=True)
class Span(DatedValue):
    """Some days, weeks, months or years. `unit` is the days of one of them."""

    days: int = 1
    unit: int = 1

    @property
    def past(self) -> str:
        """Return the last days, today included."""
        return Today(self.today).past(self.days)

    @property
    def ago(self) -> str:
        """Return the day so long ago, or the days around one that is as many weeks, months or years ago."""
        day, around = self.today - timedelta(self.days), timedelta(self.unit // 2)
        return between(day - around, day + around)


class DayReader:
    """Reads days with the words of a language."""

    def __init__(self, words: Mapping[str, Mapping[str, tuple[str, ...]]], amounts: AmountReader) -> None:
        months = {str(number): Month(f"{number:02d}", name, number=number) for number, name in enumerate(MONTHS, 1)}
        days = {str(number): Weekday(str(number), name, number=number - 1) for number, name in enumerate(DAYS, 1)}
        self.months = one_of(spelled(words["month"], months))
        self.clear_months = one_of(spelled(words["clear-month"], months))
        self.short_months = one_of({**spelled(words["month"], months), **spelled(words["short-month"], months)})
        self.weekdays = one_of(spelled(words["weekday"], days))
        self.units = one_of(spelled(words["unit"], {unit: unit for unit in DAYS_OF}))
        self.number_at = amounts.number_at

    def spans(self, words: Words, at: int) -> Readings:
        """Yield two weeks, 3 years."""
        if number := self.number_at(words, at):
            for end, unit in self.units(words, at + 1):
                days = number * DAYS_OF[unit]
                yield end, Span(str(days), f"{number} {unit}s", days=days, unit=DAYS_OF[unit])

    def month_days(self, words: Words, at: int) -> Readings:
        """Yield 3 May, 3rd of May, May 3."""
        if at < len(words) and (match := DAY_OF_MONTH.fullmatch(words[at][0])):
            for end, month in self.short_months(words, at + 1 + has_at(words, at + 1, ["of"])):
                yield end, write_month_day(month, int(match[1]))
        for end, month in self.short_months(words, at):
            if end < len(words) and (match := DAY_OF_MONTH.fullmatch(words[end][0])):
                yield end + 1, write_month_day(month, int(match[1]))

    def slots(self) -> Mapping[str, Slot]:
        return {
            "year": matching(r"((?:19|20)\d\d)"),
            "day": matching(r"((?:19|20)\d\d-\d\d(?:-\d\d)?)"),
            "weekday": Slot(self.weekdays, Weekday),
            "month": Slot(self.months, Month),
            "clear_month": Slot(self.clear_months, Month),
            "short_month": Slot(self.short_months, Month),
            "month_day": Slot(self.month_days, MonthDay),
            "span": Slot(self.spans, Span),
            "years": Slot(read_years),
        }


def read_years(words: Words, at: int) -> Readings:
    """Yield years from one to another: 2020-2022."""
    match = re.fullmatch(r"((?:19|20)\d\d)-((?:19|20)\d\d)", words[at][0]) if at < len(words) else None
    if match:
        yield at + 1, Value(f"{match[1]}..{match[2]}", match[0])


def write_month_day(month: Month, day: int) -> MonthDay:
    return MonthDay(f"{month.query}-{day:02d}", f"{day} {month.words}")
