"""Phrases about when a board was played. They depend on today, in UTC."""

import calendar
from collections.abc import Callable
from datetime import date, timedelta
from functools import partial

from boards.search.phrases.patterns import Phrase, Scope, Values

board = partial(Phrase, Scope.BOARD)

MONTHS = [name.lower() for name in calendar.month_name if name]
ENGLISH_WORDS = ("march", "may")
"""Months that are other words, too: they need "in" before them, or a year behind."""
DAYS = [name.lower() for name in calendar.day_name]


def between(first: date, last: date) -> str:
    return f"date={first}" if first == last else f"date={first}..{last}"


def of_month(year: int, month: int) -> str:
    return f"date={year:04d}-{month:02d}"


def days_ago(number: int) -> Callable[[Values, date], str]:
    return lambda values, today: between(today - timedelta(number), today - timedelta(number))


def last_days(number: int) -> Callable[[Values, date], str]:
    return lambda values, today: between(today - timedelta(number - 1), today)


def week(weeks_ago: int) -> Callable[[Values, date], str]:
    """Return the query of a week from Monday to Sunday."""

    def write(values: Values, today: date) -> str:
        monday = today - timedelta(today.weekday() + 7 * weeks_ago)
        return between(monday, monday + timedelta(6))

    return write


def this_month(values: Values, today: date) -> str:
    return of_month(today.year, today.month)


def last_month(values: Values, today: date) -> str:
    before = today.replace(day=1) - timedelta(1)
    return of_month(before.year, before.month)


def year(years_ago: int) -> Callable[[Values, date], str]:
    return lambda values, today: f"date={today.year - years_ago}"


def latest(weekday: int) -> Callable[[Values, date], str]:
    """Return the query of the latest such day before today."""
    return lambda values, today: days_ago((today.weekday() - weekday - 1) % 7 + 1)(values, today)


def month(number: int) -> Callable[[Values, date], str]:
    """Return the query of the latest such month, this one included."""
    return lambda values, today: of_month(today.year - (number > today.month), number)


def month_of_year(number: int) -> Callable[[Values, date], str]:
    return lambda values, today: of_month(int(values["year"].query), number)


PHRASES = (
    board("(today|tonight|this evening|heute|vandaag)", days_ago(0), "played today", "today"),
    board(
        "(yesterday|last night|last evening|hier|gestern|gisteren|ayer|ieri)",
        days_ago(1),
        "played yesterday",
        "yesterday",
    ),
    board("(this week|diese woche|cette semaine)", week(0), "played this week", "this week"),
    board("(last week|letzte woche|semaine derniere)", week(1), "played last week", "last week"),
    board("(this month|dieser monat|diesen monat|ce mois)", this_month, "played this month", "this month"),
    board("(last month|letzten monat|mois dernier)", last_month, "played last month", "last month"),
    board("(this year|dieses jahr|cette annee)", year(0), "played this year", "this year"),
    board("(last year|letztes jahr)", year(1), "played last year", "last year"),
    board(
        "(recent|recently|lately|last (thirty|30) day|past month)",
        last_days(30),
        "played in the last thirty days",
        "recently",
    ),
    board("(last (seven|7) day|past week)", last_days(7), "played in the last seven days", "last seven days"),
    *(
        board(
            f"(last|on) {day}; last {day} (night|evening)",
            latest(number),
            f"played last {day.capitalize()}",
            f"last {day.capitalize()}",
        )
        for number, day in enumerate(DAYS)
    ),
    *(
        board(
            f"{'(in|last)' if name in ENGLISH_WORDS else '[(in|last)]'} {name}",
            month(number),
            f"played in {name.capitalize()}",
            f"in {name.capitalize()}",
        )
        for number, name in enumerate(MONTHS, start=1)
    ),
    *(
        board(
            f"[in] {name} {{year}}",
            month_of_year(number),
            f"played in {name.capitalize()} {{year}}",
            f"in {name.capitalize()} 2026",
        )
        for number, name in enumerate(MONTHS, start=1)
    ),
    board("[(in|from|year)] {year}", "date={year}", "played in {year}", "in 2025"),
    board("(since|after) {year}", "date>={year}", "played in {year} or later", "since 2024"),
    board("(before) {year}", "date<{year}", "played before {year}", "before 2020"),
    board("[(on|played on)] {day}", "date={day}", "played in {day}", "2026-11-20"),
)
