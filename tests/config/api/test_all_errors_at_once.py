"""A refused body is told all that is wrong with it, but fifty fields at most, at a cost no higher than its length."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from accounts.models import Account
from boards.input_serializers import NewBoardSerializer
from boards.models import Collection
from config.api.errors import MAX_FIELDS
from config.api.serializers import MAX_UNKNOWN_KEYS
from config.values.strict_json import parse_json
from forms.serializers import ContactForm
from tests import factories
from tests.answers import assert_error, field_errors
from tests.forms.bodies import CONTACT
from tests.linear import assert_linear

pytestmark = pytest.mark.django_db

UNKNOWN = ["unknown_field"]


def test_unknown_fields_are_reported_beside_all_else_that_is_wrong(
    member: APIClient, service: APIClient, anonymous: APIClient
) -> None:
    body = {"nickname": "Z", "role": "admin", "country": "nl", "isOrganisation": "yes", "language": "é"}
    answers = {
        "invalid": member.patch("/api/accounts/member", body),
        "form": anonymous.post("/api/forms/contact", {"name": "Zia", "url": "x"}),
        "constraint": member.patch("/api/accounts/member", {"nickname": "Z", "isOrganisation": True}),
        "deal": service.post("/api/deals", {"colour": "red"}),
        "vote": member.put(f"/api/voting/{factories.board().pk}", {"vote": "sideways", "why": "x"}),
    }
    invalid = {"role": ["read_only"], "country": ["unknown"], "isOrganisation": ["invalid"], "language": ["unknown"]}
    assert {name: field_errors(answer) for name, answer in answers.items()} == {
        "invalid": {"nickname": UNKNOWN, **invalid},
        "form": {"url": UNKNOWN} | {name: ["required"] for name in ("email", "subject", "message")},
        "constraint": {"nickname": UNKNOWN, "organisationName": ["organisation_unnamed"]},
        "deal": {"colour": UNKNOWN, "cards": ["one_of"]},
        "vote": {"why": UNKNOWN, "vote": ["invalid_choice"]},
    }
    assert Account.objects.get(pk="member").country == ""


def test_objects_inside_a_body_are_told_all_too(service: APIClient) -> None:
    odd = {"colour": "red"}
    call = {"call": "8NT", "alert": "yes", **odd}
    objects = {"auction": {"calls": [call], **odd}, "auctionSystem": {"id": "nothing", **odd}}
    body = {"boardNumber": 0, **odd, **objects, "result": {"tricks": 14, **odd}}
    assert field_errors(service.post(f"/api/deals/{factories.deal().pk}/boards", body)) == {
        "boardNumber": ["min_value"], "colour": UNKNOWN, "auction.colour": UNKNOWN,
        "auction.calls.0.colour": UNKNOWN, "auction.calls.0.alert": ["invalid"],
        "auction.calls.0.call": ["malformed_call"], "auctionSystem.colour": UNKNOWN,
        "auctionSystem.id": ["does_not_exist"], "result.colour": UNKNOWN, "result.tricks": ["max_value"],
    }  # fmt: skip


def test_all_that_is_wrong_with_a_query_is_reported_beside_repeated_parameters(anonymous: APIClient) -> None:
    response = anonymous.get("/api/boards?dealer=N&dealer=N&vulnerability=Both&theme=a b")
    assert field_errors(response) == {"dealer": ["repeated"], "vulnerability": ["invalid_choice"], "theme": ["invalid"]}


CONTROL = "\x1b[31mxyzzy\x07"


def test_the_error_of_a_choice_names_the_choices_and_repeats_nothing(admin: APIClient) -> None:
    choice = {"code": "invalid_choice", "message": "Give one of these: member, support, admin."}
    for sent in (CONTROL, "xyzzy" * 5000, 5, None, True, ["xyzzy"], {"xyzzy": 1}, ""):
        response = admin.patch("/api/accounts/admin", {"role": sent})
        assert response.json()["meta"]["fields"]["role"] == [choice] or sent is None
        assert "xyzzy" not in response.content.decode()


def test_an_error_of_a_name_that_nothing_has_repeats_nothing(
    admin: APIClient, service: APIClient, anonymous: APIClient
) -> None:
    boards = f"/api/deals/{factories.deal().pk}/boards"
    theme, vote = f"/api/themes/{factories.theme().pk}", f"/api/voting/{factories.board().pk}"
    for sent in (CONTROL, "xyzzy" * 40):
        for answer in (
            admin.patch("/api/accounts/admin", {"auctionSystem": sent}),
            admin.patch(theme, {"userId": sent}),
            admin.put(vote, {"vote": sent}),
            service.post(boards, {"dealer": sent, "vulnerability": sent, "themes": [sent]}),
            service.post(boards, {"boardNumber": 1, "userId": sent}),
            service.post("/api/deals/import", {"publish": sent, "theme": sent, "userId": sent}, format="multipart"),
            anonymous.post("/api/forms/board-report", {**CONTACT, "problem": sent}),
        ):
            assert field_errors(answer)
            assert "xyzzy" not in answer.content.decode()


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
