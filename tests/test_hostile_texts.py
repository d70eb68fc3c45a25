"""The worst texts for each expression that reads what people, programs and providers send beside bridge files.

tests/system/test_hostile_files.py has the files.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from django.core.exceptions import ValidationError
from pytest import mark
from rest_framework.exceptions import ValidationError as Refusal

from accounts.models import AuctionSystem
from accounts.system_names import SystemNames
from boards.identity import stage_key_of
from config.values.redaction import clean_path, scrub
from config.values.strict_json import JsonError, parse_json
from forms.exporting import escape_formulas
from forms.fields import WebsiteField, read_board_id
from tests.linear import assert_linear

SYSTEMS = SystemNames([AuctionSystem(identifier="acol", labels={"en": "Acol"})])


def read_website(text: str) -> None:
    with suppress(ValidationError, Refusal):
        WebsiteField().run_validation(text)


def read_json(text: str) -> None:
    with suppress(JsonError):
        parse_json(text.encode())


def recognise(text: str) -> None:
    SYSTEMS.recognise(text)


READERS: dict[Callable[[str], Any], list[tuple[str, str, str]]] = {
    scrub: [
        *(("", "a", " @"), ("a@", "a", ""), ("a@", "a-", ""), ("", "a@", ""), ("", "eyJ", ""), ("", "eyJ.", "")),
        *(("", "DETAIL: ", ""), ("LINE ", "1", ": "), ("bearer", " ", ""), ("", "bearer ", "")),
    ],
    clean_path: [("", "/a", "/" + "b" * 40), ("", "/00000000-0000-0000-0000-000000000000", "/" + "b" * 40)],
    escape_formulas: [("", "\n", "a"), ("\n", "\xa0", "a"), ("", ";", "a"), ("", "\n=", ""), ("", "\n ", "a")],
    read_website: [("", "a.a", "@"), ("", "a.", "@"), ("a.a:", "1", "@"), ("http://", "a.", "")],
    read_board_id: [("", "a/", ""), ("", "a/boards/", ""), ("", "boards/", "")],
    recognise: [("", " -", ""), (" ", "-", ""), ("", " ", ""), ("", "a1", ""), ("", ";", "")],
    stage_key_of: [("", "1", ""), ("", "1 ", ""), ("", " ", "")],
    read_json: [
        *(("", "[", ""), ("[", "[],", "0]"), ("[", "\n", ""), ("", " ", "x"), ('"', "\\u00e9", '"')),
        *(("", "9", ""), ("0.", "9", ""), ("1e", "9", ""), ('{"', "a", '":0}'), ("[", '{"a":0},', "0]")),
    ],
}
"""For each reader what its texts begin with, what they repeat, and how they end."""

CASES = [(read, *text) for read, texts in READERS.items() for text in texts]


@mark.parametrize(("read", "head", "unit", "tail"), CASES)
def test_twice_the_text_costs_at_most_two_and_a_half_times_the_work(
    read: Callable[[str], Any], head: str, unit: str, tail: str
) -> None:
    assert_linear(lambda size: head + unit * (size // len(unit)) + tail, read)
