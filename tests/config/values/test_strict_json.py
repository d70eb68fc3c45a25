"""The strict reader and the writer of JSON."""

import json
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from config.api.errors import BadRequest
from config.api.negotiation import StrictJSONParser
from config.values.strict_json import MAX_DEPTH, MAX_NUMBER, dump_json


def parse(body: bytes) -> Any:
    return StrictJSONParser().parse(BytesIO(body))


def nested(depth: int) -> list[Any]:
    return [nested(depth - 1)] if depth > 1 else []


REFUSED: dict[str, tuple[bytes, ...]] = {
    "no JSON": (b"", b" \n", b"{", b"{} {}", b"[1,]", b"{'a': 1}", b"{} // x", b"{a: 1}", b'"\x01"'),
    "another charset": (
        *(b"\xef\xbb\xbf{}", b'{"a": "\xe9"}', '{"a": 1}'.encode("utf-16"), '{"a": 1}'.encode("utf-32-le")),
        *(b'"\xed\xa0\x80"', b'"\xc0\x80"'),  # a surrogate, and NUL in two bytes
    ),
    "a key twice": (b'{"a": 1, "a": 1}', b'{"a": 1, "\\u0061": 2}', b'[{"b": {"a": 1, "a": 2}}]'),
    "NUL": (b'"\\u0000"', b'{"\\u0000": 1}', b'{"a": [{"b": "c\\u0000d"}]}'),
    "half of a pair of surrogates": (b'"\\ud800"', b'"\\udc00"', b'"\\udc00\\ud800"', b'{"\\ud800": 1}'),
    "no number": (b"NaN", b"[Infinity]", b'{"a": -Infinity}', b"+1", b"01", b".5", b"0x10", "٥".encode()),
    "a number that floats do not hold": (
        *(b"1e400", b"-1e400", b"1e16", b"9007199254740992", b"-9007199254740992", b"1" + b"0" * 30, b"9" * 5000),
    ),
    "too deep": (
        *(b"[" * 33 + b"]" * 33, b'{"a":' * 33 + b"1" + b"}" * 33, b"[" * 2000 + b"]" * 2000),
        *(b"[" * 100_000, b'{"a":' * 100_000),
    ),
}


def test_the_parser_refuses(subtests: pytest.Subtests) -> None:
    for reason, bodies in REFUSED.items():
        for body in bodies:
            with subtests.test(reason, body=body[:50]), pytest.raises(BadRequest):
                parse(body)


def test_the_parser_takes() -> None:
    for body, expected in (
        *((b"null", None), (b" true\n", True), ('"é ♠ 😀"'.encode(), "é ♠ 😀"), (b'"\\ud83d\\ude00"', "😀")),
        *((b'"\\u0001\\t"', "\x01\t"), (b"1.5e3", 1500.0), (b"1e-400", 0.0), (b'{"": 1}', {"": 1})),
        *((str(number).encode(), number) for number in (MAX_NUMBER, -MAX_NUMBER)),
        (b"[" * MAX_DEPTH + b"]" * MAX_DEPTH, nested(MAX_DEPTH)),
        (b'[{"a": 1}, {"a": 2}]', [{"a": 1}, {"a": 2}]),
    ):
        assert parse(body) == expected, body


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
