"""The three public forms: their schemas, what they accept, and repeats."""

import itertools
import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.utils import timezone
from jsonschema_rs import Draft202012Validator
from rest_framework.test import APIClient

from forms.declarations import FORMS
from forms.models import Submission
from tests import factories
from tests.answers import field_errors
from tests.forms.bodies import CONTACT, board_report, bodies

pytestmark = pytest.mark.django_db


def test_the_list_has_each_form_with_a_schema_that_names_its_fields(anonymous: APIClient) -> None:
    response = anonymous.get("/api/forms")
    listed = {form["name"]: form for form in response.json()}
    unchanged = anonymous.get("/api/forms", headers={"if-none-match": response["ETag"]})
    assert (unchanged.status_code, "RateLimit" in unchanged) == (304, True)
    assert listed.keys() == FORMS.keys()
    for name, body in bodies().items():
        schema = listed[name]["schema"]
        assert set(schema["required"]) <= body.keys() <= schema["properties"].keys()
        assert schema["additionalProperties"] is False


def test_a_form_is_stored_and_answered_with_its_id(anonymous: APIClient) -> None:
    for name, body in bodies().items():
        response = anonymous.post(f"/api/forms/{name}", body)
        stored = Submission.objects.get(form=name)
        made = f"{stored.created_at:%Y-%m-%dT%H:%M:%S.%f}Z"
        assert response.json() == {"id": str(stored.pk), "form": name, "createdAt": made}
        assert (response.status_code, stored.data) == (201, body)


def test_the_route_requires_the_fields_that_the_schema_requires(anonymous: APIClient) -> None:
    error = [{"code": "required", "message": "This field is required."}]
    for form in anonymous.get("/api/forms").json():
        answer = anonymous.post(f"/api/forms/{form['name']}", {}).json()
        assert answer["meta"]["fields"] == dict.fromkeys(form["schema"]["required"], error), form["name"]
    assert not Submission.objects.exists()


def test_a_schema_stands_alone_and_has_the_texts_of_the_form(anonymous: APIClient) -> None:
    for form in anonymous.get("/api/forms").json():
        schema = form["schema"]
        assert "$ref" not in json.dumps(schema)
        assert (schema["title"], schema["description"]) == (form["title"], form["description"])
        labels = {name: field.label for name, field in FORMS[form["name"]].serializer().fields.items()}
        assert {name: declared["title"] for name, declared in schema["properties"].items()} == labels


ACCEPTED: dict[str, list[dict[str, Any]]] = {
    "contact": [{}, {"name": "N" * 150, "subject": "é", "message": "M" * 5000, "email": "a+b@sub.example.org"}],
    "organisation": [
        {}, {"website": "", "message": ""}, {"website": "http://example.org", "message": "M" * 5000},
    ],
    "board-report": [
        {}, {"email": ""}, {"email": "a@example.org"}, {"problem": "offensive"}, {"problem": "other"},
    ],
}  # fmt: skip
REFUSED: dict[str, list[dict[str, Any]]] = {
    "contact": [
        {"message": "M" * 5001}, {"name": ""}, {"name": 5}, {"subject": None}, {"email": []}, {"phone": "1"},
    ],
    "organisation": [
        {"country": "NLD"}, {"country": ""}, {"website": 5}, {"website": None}, {"isOrganisation": True},
    ],
    "board-report": [{"problem": "none"}, {"problem": ""}, {"boardId": 5}, {"boardId": ""}, {"email": None}],
}  # fmt: skip


@pytest.mark.parametrize("name", FORMS)
def test_the_schema_and_the_route_accept_and_refuse_the_same(name: str, anonymous: APIClient) -> None:
    schema = {form["name"]: form["schema"] for form in anonymous.get("/api/forms").json()}[name]
    validator, base = Draft202012Validator(schema), bodies()[name]
    with_formats = Draft202012Validator(schema, validate_formats=True)
    for change in ACCEPTED[name]:
        validator.validate(base | change)
        with_formats.validate(base | change)
        assert anonymous.post(f"/api/forms/{name}", base | change).status_code == 201
    for change in REFUSED[name]:
        assert not validator.is_valid(base | change), change
        answer = anonymous.post(f"/api/forms/{name}", base | change)
        assert field_errors(answer).keys() == change.keys()
    assert Submission.objects.count() == len(ACCEPTED[name])


def test_a_body_that_is_no_object_is_refused(anonymous: APIClient) -> None:
    for body, name in itertools.product(("", "text", [], [CONTACT], 5, True, None), FORMS):
        sent = json.dumps(body)
        answer = anonymous.generic("POST", f"/api/forms/{name}", sent, content_type="application/json")
        assert field_errors(answer).keys() == {"nonFieldErrors"}, (name, body)
    assert not Submission.objects.exists()


WRONG: dict[str, list[tuple[str, Any, str]]] = {
    "contact": [
        ("email", "a@b@c", "invalid"), ("email", "a@b.", "invalid"), ("email", "nobody", "invalid"),
        ("message", "", "blank"), ("message", "x" * 5001, "max_length"), ("name", 5, "invalid"),
        ("name", None, "null"), ("phone", "1", "unknown_field"),
    ],
    "organisation": [
        ("country", "nl", "unknown"), ("country", "XX", "unknown"), ("contactName", " ", "blank"),
        *(("website", url, "invalid") for url in ("javascript:alert(1)", "mailto:ann@example.org", "club")),
    ],
    "board-report": [
        ("boardId", "abc", "invalid"), ("boardId", None, "null"), ("problem", 1, "invalid_choice"),
    ],
}  # fmt: skip


def test_the_answer_names_a_wrong_field_even_where_no_schema_can_say_so_and_nothing_is_stored(
    anonymous: APIClient,
) -> None:
    good = bodies()
    for name, changes in WRONG.items():
        for field, value, code in changes:
            response = anonymous.post(f"/api/forms/{name}", {**good[name], field: value})
            assert field_errors(response) == {field: [code]}, (name, value)
    assert not Submission.objects.exists()


def test_a_board_that_is_not_published_cannot_be_reported(anonymous: APIClient) -> None:
    for board_id in (factories.NOBODYS_ID, str(factories.board(published=False).pk)):
        response = anonymous.post("/api/forms/board-report", board_report(boardId=board_id))
        assert field_errors(response) == {"boardId": ["does_not_exist"]}
    assert not Submission.objects.exists()


def test_the_same_content_within_ten_minutes_is_one_submission(anonymous: APIClient) -> None:
    with time_machine.travel("2026-11-21T10:00:00Z", tick=False) as clock:
        first = anonymous.post("/api/forms/contact", CONTACT)
        clock.shift(599)
        again = anonymous.post("/api/forms/contact", CONTACT)
        assert (again.status_code, again.json()) == (201, first.json())
        clock.shift(2)
        later = anonymous.post("/api/forms/contact", CONTACT)
        assert later.json()["id"] != first.json()["id"]
    assert Submission.objects.count() == 2


def test_another_client_or_other_content_is_another_submission_and_the_order_of_fields_makes_none(
    anonymous: APIClient,
) -> None:
    first = anonymous.post("/api/forms/contact", CONTACT)
    again = anonymous.post("/api/forms/contact", dict(reversed(CONTACT.items())))
    assert again.json() == first.json()
    anonymous.post("/api/forms/contact", CONTACT | {"name": "Bob"})
    anonymous.post("/api/forms/contact", CONTACT, REMOTE_ADDR="192.0.2.7")
    assert Submission.objects.count() == 3


def test_only_a_hash_of_the_address_that_depends_on_the_secret_key_is_stored(
    anonymous: APIClient, settings: Any
) -> None:
    for key in ("one secret key", "another secret key"):
        settings.SECRET_KEY = key
        anonymous.post("/api/forms/contact", CONTACT, REMOTE_ADDR="192.0.2.7")
    assert Submission.objects.values("client").distinct().count() == 2
    for stored in Submission.objects.all():
        assert len(stored.client) == 64
        assert "192.0.2.7" not in str(vars(stored))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("aged", [False, True], ids=["without an earlier one", "after an earlier one has aged"])
def test_equal_posts_at_once_are_one_submission(aged: bool) -> None:
    if aged:
        APIClient().post("/api/forms/contact", CONTACT)
        Submission.objects.update(created_at=timezone.now() - timedelta(minutes=11))

    def post(_: int) -> str:
        try:
            return APIClient().post("/api/forms/contact", CONTACT).json()["id"]
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as threads:
        ids = set(threads.map(post, range(8)))
    assert ids == {str(Submission.objects.latest("created_at").pk)}
    assert Submission.objects.count() == 1 + aged
