"""PBN's dates, in words and in order. tests/boards/events/test_identity.py has periods."""

from bridge.dates import in_words, sort_key

WORDS = {
    "2026.11.20": "20 November 2026",
    "2026.03.01": "1 March 2026",
    "2026.11.??": "November 2026",
    "2026.??.??": "2026",
    **dict.fromkeys(("????.??.??", "?", ""), ""),
    **{text: text for text in ("2026.13.01", "2015.02.30", "20.11.2026", "last Friday")},
}


def test_a_date_is_written_in_words_as_far_as_it_is_known() -> None:
    assert {text: in_words(text) for text in WORDS} == WORDS


def test_days_are_sorted_and_unknown_parts_stand_first() -> None:
    texts = ["", "1999.12.31", "2026.??.??", "2026.11.??", "2026.11.01", "2026.11.20", "2026.12.??"]
    assert sorted(set(texts), key=sort_key) == texts
    assert {sort_key(text) for text in ("????.??.??", "20.11.2026", "2026.23.03", "2015.02.30", "0000.??.??")} == {""}
