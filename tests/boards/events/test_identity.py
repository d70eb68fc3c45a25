"""What makes an event: a slug that is the same for ever, the order of its boards, and the days of a period."""

import re
from calendar import monthrange
from datetime import date, timedelta

from hypothesis import example, given, settings
from hypothesis import strategies as st

from boards.identity import (
    MAX_SLUG_LENGTH,
    MAX_STAGE_LENGTH,
    slug_of,
    stage_key_of,
    whole_stage,
)
from bridge.dates import days_between, write
from config.values.identifiers import SLUG_PATTERN
from search.subject import read_days

TEXTS = st.text(max_size=200)

FRIDAY = ("Friday pairs", "2026.11.20", "The club")
SLUGS = {
    FRIDAY: "friday-pairs-2026-11-20-83e41307fe",
    ("Friday pairs", "2026.11.??", ""): "friday-pairs-2026-11-badf146e21",
    ("Friday pairs", "", ""): "friday-pairs-08c4c83239",
    ("Чемпионат", "2026.??.??", ""): "event-2026-487381053d",
    ("", "2026.11.20", "The club"): "",
    (" \t", "2026.11.20", "The club"): "",
}


def test_a_slug_never_changes() -> None:
    assert {event: slug_of(*event) for event in SLUGS} == SLUGS


def test_another_name_date_or_site_is_another_event_and_another_case_blank_or_encoding_is_none() -> None:
    name, day, site = FRIDAY
    others = (("Friday pair", day, site), (name, "2026.11.21", site), (name, day, ""))
    moved = ((name, "", day + site), (site, day, name))
    assert len({slug_of(*event) for event in (FRIDAY, *others, *moved)}) == 6
    one = slug_of("Coupe d'\u00e9t\u00e9", "2026.07.01", "Lyon")
    assert one == slug_of(" coupe  D'e\u0301te\u0301 ", "2026.07.01", "LYON")


def test_stages_are_sorted_by_their_numbers_and_compared_without_case() -> None:
    keys = [stage_key_of(stage) for stage in ("", "Final", "Final, Segment 2", "Round 2", "Round 2 A", "ROUND 10")]
    assert sorted(set(keys)) == keys
    assert stage_key_of("Final") == stage_key_of("FINAL ")


@settings(max_examples=50, deadline=None)
@given(TEXTS, TEXTS, TEXTS)
@example("a long name " * 16, "2026.11.20", "1 " * 100)
def test_slugs_are_valid_and_they_and_keys_of_stages_are_bounded(name: str, day: str, text: str) -> None:
    slug = slug_of(name, day, text)
    assert len(slug) <= MAX_SLUG_LENGTH
    assert not slug or re.fullmatch(SLUG_PATTERN, slug)
    assert len(stage_key_of(text)) <= MAX_STAGE_LENGTH


DAYS = st.dates(min_value=date(1, 1, 1), max_value=date(9999, 12, 31))
NEAR_DAYS = st.dates(min_value=date(2026, 1, 1), max_value=date(2027, 3, 31))
DISTANCES = st.none() | st.sampled_from((0, 1, -1, 31, -31)) | st.integers(-450, 450)
"""How many days lie between one that was played on and the end of a period, which may have none."""


@settings(max_examples=100, deadline=None)
@given(played=NEAR_DAYS, known=st.integers(1, 3), to_first=DISTANCES, to_last=DISTANCES)
def test_a_date_lies_in_the_days_that_have_all_days_that_it_may_be(
    played: date, known: int, to_first: int | None, to_last: int | None
) -> None:
    first, last = (None if days is None else played + timedelta(days=days) for days in (to_first, to_last))
    text = ".".join([*write(played).split(".")[:known], *["??"] * (3 - known)])
    first_month, last_month = (played.month, played.month) if known > 1 else (1, 12)
    begin = played.replace(month=first_month, day=played.day if known > 2 else 1)
    last_day = played.day if known > 2 else monthrange(played.year, last_month)[1]
    end = played.replace(month=last_month, day=last_day)
    assert holds(text, first, last) is ((first is None or begin >= first) and (last is None or end <= last))


def holds(text: str, first: date | None, last: date | None) -> bool:
    days, (played_from, played_to) = days_between(first, last), read_days(text)
    return played_from is not None and played_to is not None and days.first <= played_from and played_to <= days.last


@settings(max_examples=20, deadline=None)
@given(day=DAYS)
def test_a_day_of_any_year_lies_in_itself_and_what_is_no_day_lies_in_none(day: date) -> None:
    assert holds(write(day), day, day)
    for text in (
        "",
        "?",
        "????.??.??",
        "20.11.2026",
        "2026-11-20",
        "2026.11.2",
        "2026.11.200",
        "~",
        "2026.23.03",
        "2015.02.30",
    ):
        assert not holds(text, None, day) and not holds(text, day, None), text


def test_a_stage_is_whole_without_the_part_of_its_matches() -> None:
    for part in (
        *("Final, Segment 2", "Final Segment 2 of 4", "Final 1st half", "Final - second Half", "FINAL (set 3)"),
        *("Final: stanza 1/4", "Final/Quarter 4", "final, last segment"),
    ):
        assert whole_stage(part).casefold() == "final", part
        assert whole_stage(stage_key_of(part)) == "final", part
    assert whole_stage("Segment 4 of 8") == ""
    for stage in ("Quarter-final", "Quarterfinal 2", "Round 2", "Half-time", "Set game", "Session 1, Section A", ""):
        assert whole_stage(stage) == stage, stage
