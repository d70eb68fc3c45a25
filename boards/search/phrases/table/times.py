"""Phrases about when a board was played. They depend on today, in UTC."""

import calendar
from collections.abc import Callable
from datetime import date, timedelta
from functools import partial

from boards.search.phrases.patterns import Phrase, Scope, Values

board = partial(Phrase, Scope.BOARD)

MONTHS = [name.lower() for name in calendar.month_name if name]
ENGLISH_WORDS = ("may",)
"""Months that are other words, too: they need "in" before them, or a year behind."""
DAYS = [name.lower() for name in calendar.day_name]


def either_of(month: str) -> str:
    """Return the pattern of a month's name, in full or as three letters."""
    return f"({month}|{month[:3]})" if len(month) > 3 else month


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


DAYS_OF = {"day": 1, "week": 7, "month": 30, "year": 365}


def last(unit: str) -> Callable[[Values, date], str]:
    return lambda values, today: last_days(int(values["count"].query) * DAYS_OF[unit])(values, today)


def ago(unit: str) -> Callable[[Values, date], str]:
    """Return the query of a day some days ago, or of the days around one that is as many weeks, months or years ago."""
    around = DAYS_OF[unit] // 2

    def write(values: Values, today: date) -> str:
        day = today - timedelta(int(values["count"].query) * DAYS_OF[unit])
        return between(day - timedelta(around), day + timedelta(around))

    return write


def at_day(word: str, weekday: int) -> Callable[[Values, date], str]:
    """Return the query of a number, of a board, a table or a pair, on the latest such day."""
    return lambda values, today: f"{word}={values['number']} {latest(weekday)(values, today)}"


def open_ended(query: Callable[[Values, date], str]) -> Callable[[Values, date], str]:
    """Return the query of a day or a month, and all that came after."""
    return lambda values, today: query(values, today).replace("=", ">=", 1)


def latest(weekday: int) -> Callable[[Values, date], str]:
    """Return the query of the latest such day before today."""
    return lambda values, today: days_ago((today.weekday() - weekday - 1) % 7 + 1)(values, today)


def month(number: int) -> Callable[[Values, date], str]:
    """Return the query of the latest such month, this one included."""
    return lambda values, today: of_month(today.year - (number > today.month), number)


def month_of_year_ago(number: int, years: int) -> Callable[[Values, date], str]:
    return lambda values, today: of_month(today.year - years, number)


def month_of_year(number: int) -> Callable[[Values, date], str]:
    return lambda values, today: of_month(int(values["year"].query), number)


def on_day(number: int) -> Callable[[Values, date], str]:
    """Return the query of a day of a month, the latest where no year is said."""

    def write(values: Values, today: date) -> str:
        day = int(values["date"].query)
        said = int(values["year"].query) if "year" in values else 0
        return f"date={said or today.year - ((number, day) > (today.month, today.day)):04d}-{number:02d}-{day:02d}"

    return write


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
        "(recent|recently|lately|past month|(new|newest|latest) (board|hand|deal|result))",
        last_days(30),
        "played in the last thirty days",
        "recently",
    ),
    board("past week", last_days(7), "played in the last seven days", "past week"),
    board("past year", last_days(365), "played in the last 365 days", "past year"),
    *(
        board(f"(last|past) {{count}} {unit}", last(unit), f"played in the last {{count}} {unit}s", f"last two {unit}s")
        for unit in DAYS_OF
    ),
    *(
        board(f"{{count}} {unit} ago", ago(unit), f"played {{count}} {unit}s ago", f"two {unit}s ago")
        for unit in DAYS_OF
    ),
    board("since yesterday", open_ended(days_ago(1)), "played yesterday or today", "since yesterday"),
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
            f"{kind} {{number}} [last] {day}; [last] {day} {kind} {{number}}",
            at_day(kind, number),
            f"{kind} {{number}}, played last {day.capitalize()}",
            f"{kind} 7 {day}",
        )
        for kind in ("board", "table", "pair")
        for number, day in enumerate(DAYS)
    ),
    *(
        board(
            f"since [last] {day}",
            open_ended(latest(number)),
            f"played last {day.capitalize()} or later",
            f"since {day.capitalize()}",
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
            f"since {name}",
            open_ended(month(number)),
            f"played in {name.capitalize()} or later",
            f"since {name.capitalize()}",
        )
        for number, name in enumerate(MONTHS, start=1)
    ),
    *(
        board(
            f"[on] [the] {{date}} [of] {either_of(name)} [{{year}}]; [on] {either_of(name)} {{date}} [{{year}}]",
            on_day(number),
            f"played on {{date}} {name.capitalize()}",
            f"3 {name.capitalize()}",
        )
        for number, name in enumerate(MONTHS, start=1)
    ),
    *(
        board(
            f"[in] {either_of(name)} {{year}}",
            month_of_year(number),
            f"played in {name.capitalize()} {{year}}",
            f"in {name.capitalize()} 2026",
        )
        for number, name in enumerate(MONTHS, start=1)
    ),
    *(
        board(
            f"[in] {name} [of] {which} year",
            month_of_year_ago(number, years),
            f"played in {name.capitalize()} of {which} year",
            f"{name.capitalize()} {which} year",
        )
        for number, name in enumerate(MONTHS, start=1)
        for years, which in enumerate(("this", "last"))
    ),
    board("[(in|from|year)] {year}", "date={year}", "played in {year}", "in 2025"),
    board(
        "{years}; [(between|from)] {year} (and|to) {year2}",
        lambda values, today: (
            f"date={values['years'].query.replace('-', '..')}"
            if "years" in values
            else "date={year}..{year2}".format(**values)
        ),
        "played in these years",
        "from 2020 to 2022",
    ),
    board("(since|after) {year}", "date>={year}", "played in {year} or later", "since 2024"),
    board("(before) {year}", "date<{year}", "played before {year}", "before 2020"),
    board("[(on|played on)] {day}", "date={day}", "played in {day}", "2026-11-20"),
)
