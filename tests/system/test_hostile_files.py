"""The worst files for each reader cost no more than their size says, in time and in memory."""

import tracemalloc
from collections import deque
from io import BytesIO

from pytest import mark

from boards.files.previews import preview_of
from boards.models import Upload
from bridge.formats.files import read_boards
from bridge.formats.outcomes import ReadBoard
from tests.bridge.formats.hostile_files import FILES, format_of
from tests.linear import assert_linear

MAX_MEMORY_PER_BYTE = 200
"""Each byte may become a call or a code, which is an object."""

MAX_TEXT_PER_BYTE = 10
"""A commentary is kept. A remark of one byte stands in it behind the name of its card."""

GROWING = [
    *("PBN: tags of many names", "PBN: pairs of braces", "PBN: calls", "PBN: glyphs"),
    *("PBN: a card with a long note, often", "PBN: tables of a long text", "LIN: calls in a tag"),
    *("PBN: a long note of every card", "PBN: many notes of every card"),
    *("RBN: calls", "RBN: notes of a card", "links: per cent", "letters", "blank lines"),
    *("USEBIO: references", "USEBIO: attributes", "USEBIO: elements", "USEBIO: attributes that are defined"),
]
"""The files of which a reader makes much, or often the same."""

OF_RECORDS = [
    *("PBN: rows of a score table", "PBN: rows that cannot be read", "PBN: rows beside a contract", "PBN: deals"),
    *("RBN: held texts before each record", "links: tables", "USEBIO: tables of a deal", "deals alone", "BRI"),
]
"""The files with the most records for their size: a preview looks for each of them in the database."""


def read(data: bytes, name: str) -> None:
    deque(read_boards(BytesIO(data), file_format=format_of(name)), maxlen=0)


@mark.parametrize("name", FILES)
def test_twice_the_file_costs_at_most_two_and_a_half_times_the_work(name: str) -> None:
    assert_linear(FILES[name].make, lambda data: read(data, name), FILES[name].least)


@mark.django_db
@mark.parametrize("name", OF_RECORDS)
def test_twice_the_file_costs_its_preview_at_most_two_and_a_half_times_the_work(name: str) -> None:
    assert_linear(FILES[name].make, lambda data: preview_of(Upload(content=data)), FILES[name].least)


@mark.parametrize("name", GROWING)
def test_a_file_takes_memory_in_proportion_to_its_size(name: str) -> None:
    data = FILES[name].make(40_000)
    tracemalloc.start()
    read(data, name)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < MAX_MEMORY_PER_BYTE * len(data) + 2**20


@mark.parametrize("name", [name for name in FILES if name.startswith(("PBN", "RBN"))])
def test_a_commentary_is_no_longer_than_its_file_allows(name: str) -> None:
    data = FILES[name].make(20_000)
    outcomes = read_boards(BytesIO(data), file_format=format_of(name))
    length = sum(len(outcome.content.commentary) for outcome in outcomes if isinstance(outcome, ReadBoard))
    assert length <= MAX_TEXT_PER_BYTE * len(data)
