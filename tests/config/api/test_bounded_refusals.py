"""A refusal of a body costs no more than its length, and names no more than fifty fields."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from boards.input_serializers import NewBoardSerializer
from boards.models import Collection
from config.api.handlers import MAX_FIELDS
from config.api.serializers import MAX_UNKNOWN_KEYS
from config.values.strict_json import parse_json
from forms.declarations import ContactForm
from tests import factories
from tests.answers import assert_error, field_errors
from tests.linear import assert_linear

pytestmark = pytest.mark.django_db

BODIES: dict[str, Callable[[int], Any]] = {
    "keys": lambda length: {f"{number:x}": 1 for number in range(length // 10)},
    "calls": lambda length: {"auction": {"calls": [{"call": "8NT"}] * (length // 20)}},
    "play": lambda length: {"play": ["H1"] * (length // 6)},
    "themes": lambda length: {"themes": ["nothing"] * (length // 12)},
}


def test_a_refusal_costs_as_much_as_the_body_is_long(subtests: pytest.Subtests) -> None:
    def refuse(body: bytes) -> None:
        serializer = NewBoardSerializer(data=parse_json(body), context={"layout": factories.layout(1)})
        assert not serializer.is_valid()

    def written(kind: str, length: int) -> bytes:
        return json.dumps(BODIES[kind](length)).encode()

    for kind in BODIES:
        with subtests.test(kind):
            assert_linear(partial(written, kind), refuse, least=32_000)


def test_far_too_many_keys_are_counted_and_not_named(anonymous: APIClient) -> None:
    fields = len(ContactForm().fields)
    few = field_errors(anonymous.post("/api/forms/contact", dict.fromkeys(map(str, range(fields + 20)), 1)))
    assert few["0"] == ["unknown_field"]
    many = dict.fromkeys(map(str, range(fields + MAX_UNKNOWN_KEYS + 1)), 1)
    assert field_errors(anonymous.post("/api/forms/contact", many)) == {"nonFieldErrors": ["too_many_keys"]}


def test_a_list_that_is_too_long_is_refused_before_its_items(member: APIClient, service: APIClient) -> None:
    body = {"title": "Lesson", "boards": [{"boardId": "x"}] * 301}
    assert field_errors(member.post("/api/collections", body)) == {"boards": ["max_length"]}
    assert not Collection.objects.exists()
    path = f"/api/deals/{factories.deal().pk}/boards"
    for name, items in {"themes": ["nothing"] * 51, "play": ["H1"] * 53}.items():
        with CaptureQueriesContext(connection) as queries:
            assert field_errors(service.post(path, {name: items})) == {name: ["max_length"]}
        assert not any("themes_theme" in query["sql"] for query in queries), name


def test_an_answer_names_fifty_fields_and_says_how_many_more(member: APIClient) -> None:
    body = {"title": "Lesson", "boards": [{"boardId": "x", "colour": "red"}] * 100}
    meta = assert_error(member.post("/api/collections", body), 400, "validation_error")["meta"]
    assert len(meta["fields"]) == MAX_FIELDS == 50
    assert meta["omitted"] == 150
    assert "boards.0.colour" in meta["fields"]
