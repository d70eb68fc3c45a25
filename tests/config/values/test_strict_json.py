"""The strict reader and the writer of JSON."""

import json
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from config.api.errors import BadRequest
from config.api.parsers import StrictJSONParser
from config.values.strict_json import MAX_DEPTH, MAX_NUMBER, dump_json


def parse(body: bytes) -> Any:
    return StrictJSONParser().parse(BytesIO(body))


def nested(depth: int) -> list[Any]:
    return [nested(depth - 1)] if depth > 1 else []


REFUSED = {
    "empty": b"",
    "blank": b" \n",
    "half an object": b"{",
    "two values": b"{} {}",
    "a comma too many": b"[1,]",
    "single quotes": b"{'a': 1}",
    "a comment": b"{} // x",
    "a key without quotes": b"{a: 1}",
    "a BOM": b"\xef\xbb\xbf{}",
    "Latin-1": b'{"a": "\xe9"}',
    "UTF-16": '{"a": 1}'.encode("utf-16"),
    "UTF-32": '{"a": 1}'.encode("utf-32-le"),
    "a surrogate in UTF-8": b'"\xed\xa0\x80"',
    "an overlong NUL": b'"\xc0\x80"',
    "a key twice": b'{"a": 1, "a": 1}',
    "a key twice, once escaped": b'{"a": 1, "\\u0061": 2}',
    "a key twice further in": b'[{"b": {"a": 1, "a": 2}}]',
    "NUL": b'"\\u0000"',
    "NUL in a key": b'{"\\u0000": 1}',
    "NUL further in": b'{"a": [{"b": "c\\u0000d"}]}',
    "a raw control character": b'"\x01"',
    "a high surrogate alone": b'"\\ud800"',
    "a low surrogate alone": b'"\\udc00"',
    "surrogates the wrong way round": b'"\\udc00\\ud800"',
    "a surrogate in a key": b'{"\\ud800": 1}',
    "NaN": b"NaN",
    "Infinity": b"[Infinity]",
    "-Infinity": b'{"a": -Infinity}',
    "1e400": b"1e400",
    "-1e400": b"-1e400",
    "1e16": b"1e16",
    "2^53": b"9007199254740992",
    "-2^53": b"-9007199254740992",
    "10^30": b"1" + b"0" * 30,
    "5,000 digits": b"9" * 5000,
    "+1": b"+1",
    "01": b"01",
    ".5": b".5",
    "0x10": b"0x10",
    "an Arabic digit": "٥".encode(),
    "33 levels of arrays": b"[" * 33 + b"]" * 33,
    "33 levels of objects": b'{"a":' * 33 + b"1" + b"}" * 33,
    "2,000 levels": b"[" * 2000 + b"]" * 2000,
    "100,000 levels": b"[" * 100_000,
    "100,000 levels of objects": b'{"a":' * 100_000,
}


def test_the_parser_refuses(subtests: pytest.Subtests) -> None:
    for name, body in REFUSED.items():
        with subtests.test(name), pytest.raises(BadRequest):
            parse(body)


TAKEN = {
    "null": (b"null", None),
    "true": (b" true\n", True),
    "a string": ('"é ♠ 😀"'.encode(), "é ♠ 😀"),
    "a pair of surrogates": (b'"\\ud83d\\ude00"', "😀"),
    "an escaped control character": (b'"\\u0001\\t"', "\x01\t"),
    "the largest number": (str(MAX_NUMBER).encode(), MAX_NUMBER),
    "the smallest number": (str(-MAX_NUMBER).encode(), -MAX_NUMBER),
    "a fraction": (b"1.5e3", 1500.0),
    "a number too small for a float": (b"1e-400", 0.0),
    "32 levels": (b"[" * MAX_DEPTH + b"]" * MAX_DEPTH, nested(MAX_DEPTH)),
    "an empty key": (b'{"": 1}', {"": 1}),
    "the same key in two objects": (b'[{"a": 1}, {"a": 2}]', [{"a": 1}, {"a": 2}]),
}


def test_the_parser_takes() -> None:
    wrong = {name: got for name, (body, expected) in TAKEN.items() if (got := parse(body)) != expected}
    assert wrong == {}


@given(
    st.binary(max_size=200)
    | st.text(max_size=100).map(str.encode)
    | st.text('[]{}":,\\u0123d8ae-.E', max_size=60).map(str.encode)
)
@settings(deadline=None, max_examples=150)
def test_any_bytes_are_data_that_can_be_written_again_or_a_bad_request(body: bytes) -> None:
    try:
        data = parse(body)
    except BadRequest:
        return
    assert json.loads(dump_json(data)) == data


strings = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\x00"), max_size=20)
scalars = st.none() | st.booleans() | st.integers(-MAX_NUMBER, MAX_NUMBER) | st.floats(-1e15, 1e15) | strings
documents = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(strings, inner, max_size=4), max_leaves=15
)


@given(documents)
@settings(deadline=None, max_examples=60)
def test_a_document_that_was_written_is_read_back_unchanged(document: Any) -> None:
    assert parse(dump_json(document)) == document
    assert parse(json.dumps(document).encode()) == document
