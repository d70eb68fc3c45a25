"""PBN's dates: words, order, and the days on which a board was certainly played."""

from calendar import monthrange
from datetime import date, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from boards.events.dates import days_between, in_words, sort_key, write
from boards.search.facts import read_days

DAYS = st.dates(min_value=date(1, 1, 1), max_value=date(9999, 12, 31))
NEAR_DAYS = st.dates(min_value=date(2026, 1, 1), max_value=date(2027, 3, 31))


WORDS = {
    "2026.11.20": "20 November 2026",
    "2026.03.01": "1 March 2026",
    "2026.11.??": "November 2026",
    "2026.??.??": "2026",
    "????.??.??": "",
    "?": "",
    "": "",
    "2026.13.01": "2026.13.01",
    "20.11.2026": "20.11.2026",
    "last Friday": "last Friday",
}


def test_a_date_is_written_in_words_as_far_as_it_is_known() -> None:
    assert {text: in_words(text) for text in WORDS} == WORDS


def test_days_are_sorted_and_unknown_parts_stand_first() -> None:
    texts = ["", "1999.12.31", "2026.??.??", "2026.11.??", "2026.11.01", "2026.11.20", "2026.12.??"]
    assert sorted(set(texts), key=sort_key) == texts
    assert sort_key("????.??.??") == sort_key("20.11.2026") == ""


def may_be(text: str) -> tuple[date, date]:
    """Return the first and the last day that a date may be."""
    year, month, day = (0 if part == "??" else int(part) for part in text.split("."))
    if not month:
        return date(year, 1, 1), date(year, 12, 31)
    if not day:
        return date(year, month, 1), date(year, month, monthrange(year, month)[1])
    return date(year, month, day), date(year, month, day)


@settings(max_examples=60, deadline=None)
@given(played=NEAR_DAYS, known=st.integers(1, 3), first=st.none() | NEAR_DAYS, last=st.none() | NEAR_DAYS)
def test_a_date_lies_in_the_days_that_have_all_days_that_it_may_be(
    played: date, known: int, first: date | None, last: date | None
) -> None:
    parts = write(played).split(".")
    text = ".".join([*parts[:known], *["??"] * (3 - known)])
    begin, end = may_be(text)
    expected = (first is None or begin >= first) and (last is None or end <= last)
    assert holds(text, first, last) is expected


def holds(text: str, first: date | None, last: date | None) -> bool:
    days, (played_from, played_to) = days_between(first, last), read_days(text)
    return played_from is not None and played_to is not None and days.first <= played_from and played_to <= days.last


@settings(max_examples=20, deadline=None)
@given(first=DAYS, last=DAYS)
def test_an_unknown_year_and_another_text_lie_in_no_days(first: date, last: date) -> None:
    for text in ("", "?", "????.??.??", "20.11.2026", "2026-11-20", "2026.11.2", "2026.11.200", "~"):
        assert not holds(text, None, last) and not holds(text, first, None)


@settings(max_examples=50, deadline=None)
@given(day=DAYS)
def test_a_day_lies_in_itself_and_in_no_other(day: date) -> None:
    assert holds(write(day), day, day)
    if day > date.min:
        assert not holds(write(day), None, day - timedelta(days=1))
    if day < date.max:
        assert not holds(write(day), day + timedelta(days=1), None)
