"""What makes an event: a slug that is the same for ever, and the order of its boards."""

import re
from uuid import UUID

from hypothesis import example, given, settings
from hypothesis import strategies as st

from boards.events.identity import MAX_POSITION_LENGTH, MAX_SLUG_LENGTH, position_of, slug_of
from config.values.identifiers import SLUG_PATTERN

TEXTS = st.text(max_size=200)
DEAL = UUID(int=7)

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
    _, date, site = FRIDAY
    others = (("Friday pair", date, site), ("Friday pairs", "2026.11.21", site), ("Friday pairs", date, ""))
    moved = (("Friday pairs", "", date + site), (site, date, "Friday pairs"))
    assert len({slug_of(*event) for event in (FRIDAY, *others, *moved)}) == 6
    one = slug_of("Coupe d'\u00e9t\u00e9", "2026.07.01", "Lyon")
    assert one == slug_of(" coupe  D'e\u0301te\u0301 ", "2026.07.01", "LYON")


def test_deals_are_sorted_by_stage_then_number_and_those_without_a_number_come_last() -> None:
    order = [("", 1), ("", 2), ("", 10), ("", 99_999), ("", None), ("Round 2", 1), ("Round 10", 1)]
    positions = [position_of(stage, number, DEAL) for stage, number in order]
    assert sorted(set(positions)) == positions
    assert position_of("Final", 3, DEAL) == position_of("FINAL", 3, DEAL) != position_of("Final", 3, UUID(int=8))


@settings(max_examples=50, deadline=None)
@given(TEXTS, TEXTS, TEXTS, st.none() | st.integers(1, 99_999))
@example("a long name " * 16, "2026.11.20", "1 " * 100, 99_999)
def test_slugs_are_valid_and_they_and_places_are_bounded(name: str, date: str, text: str, number: int | None) -> None:
    slug = slug_of(name, date, text)
    assert len(slug) <= MAX_SLUG_LENGTH
    assert not slug or re.fullmatch(SLUG_PATTERN, slug)
    assert len(position_of(text, number, DEAL)) <= MAX_POSITION_LENGTH
