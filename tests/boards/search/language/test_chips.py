"""The parts of a query, as a page shows them one by one."""

import pytest

from boards.search.language.errors import QueryError
from boards.search.language.queries import split_query

SPLIT = {
    "": [],
    "vul=ns": ["vul=ns"],
    " vul=ns   -is:makeable ": ["vul=ns", "-is:makeable"],
    "any(spades>=5 hcp=15) contract=4S,4H": ["any(spades>=5 hcp=15)", "contract=4S,4H"],
    "(vul=ns OR vul=all) level=1": ["(vul=ns OR vul=all)", "level=1"],
    "vul=ns level=1 OR level=2": ["vul=ns level=1 OR level=2"],
    '-(vul=ns level=1)theme="a b"': ["-(vul=ns level=1)", 'theme="a b"'],
    'nonsense "in quotes"': ["nonsense", '"in quotes"'],
}


def test_a_query_is_split_where_spaces_join_it():
    for text, parts in SPLIT.items():
        chips = split_query(text)
        assert [chip.text for chip in chips] == [text[chip.start : chip.end] for chip in chips] == parts, text
        for index, chip in enumerate(chips):
            assert chip.rest == " ".join(parts[:index] + parts[index + 1 :])


def test_what_is_no_query_has_no_chips():
    with pytest.raises(QueryError, match="never closed"):
        split_query("level=1 (vul=ns")
