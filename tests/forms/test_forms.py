"""What visitors send: the three forms, their schemas, and repeats."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import time_machine
from django.db import connection
from rest_framework.test import APIClient

from forms.declarations import FORMS
from forms.models import Submission
from tests import factories

CONTACT = {
    "name": "Ann",
    "email": "ann@example.org",
    "subject": "Hello",
    "message": "Is there a club in Delft?",
}
ORGANISATION = {
    "organisationName": "Bridge Club Delft",
    "country": "NL",
    "contactName": "Ann",
    "email": "ann@example.org",
}

pytestmark = pytest.mark.django_db


def report(**changes: Any) -> dict[str, Any]:
    return {"boardId": str(factories.board().pk), "problem": "wrong_cards", "message": "Two aces.", **changes}


def bodies() -> dict[str, dict[str, Any]]:
    return {"contact": CONTACT, "organisation": ORGANISATION, "board-report": report()}


def test_the_forms_are_listed_with_schemas_that_name_their_fields(anonymous: APIClient) -> None:
    listed = {form["name"]: form for form in anonymous.get("/api/forms").json()}
    assert listed.keys() == FORMS.keys()
    for name, body in bodies().items():
        schema = listed[name]["schema"]
        assert set(schema["required"]) <= body.keys() <= schema["properties"].keys()
        assert schema["additionalProperties"] is False


@pytest.mark.parametrize("name", FORMS)
def test_a_form_is_stored_and_answered_with_its_id(name: str, anonymous: APIClient) -> None:
    body = bodies()[name]
    response = anonymous.post(f"/api/forms/{name}", body)
    stored = Submission.objects.get()
    assert response.status_code == 201
    assert response.json() == {
        "id": str(stored.pk),
        "form": name,
        "createdAt": stored.created_at.strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
    }
    assert stored.data == body


@pytest.mark.parametrize("name", FORMS)
def test_what_the_schema_requires_the_route_requires(name: str, anonymous: APIClient) -> None:
    required = {form["name"]: form["schema"]["required"] for form in anonymous.get("/api/forms").json()}[name]
    fields = anonymous.post(f"/api/forms/{name}", {}).json()["meta"]["fields"]
    assert fields == {
        field: [{"code": "required", "message": "This field is required."}] for field in required
    }
    assert not Submission.objects.exists()


@pytest.mark.parametrize(
    ("change", "field", "code"),
    [
        ({"email": "nobody"}, "email", "invalid"),
        ({"message": ""}, "message", "blank"),
        ({"message": "x" * 5001}, "message", "max_length"),
        ({"name": 5}, "name", "invalid"),
        ({"name": None}, "name", "null"),
        ({"phone": "1"}, "phone", "unknown_field"),
    ],
)
def test_a_wrong_field_is_named_and_nothing_stored(
    change: dict[str, Any], field: str, code: str, anonymous: APIClient
) -> None:
    response = anonymous.post("/api/forms/contact", CONTACT | change)
    assert response.status_code == 400
    assert [error["code"] for error in response.json()["meta"]["fields"][field]] == [code]
    assert not Submission.objects.exists()


def test_a_board_that_is_not_published_cannot_be_reported(anonymous: APIClient) -> None:
    for board_id in (factories.NOBODYS_ID, str(factories.board(published=False).pk)):
        response = anonymous.post("/api/forms/board-report", report(boardId=board_id))
        assert response.json()["meta"]["fields"]["boardId"][0]["code"] == "does_not_exist"
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


def test_another_client_or_another_word_is_another_submission(anonymous: APIClient) -> None:
    anonymous.post("/api/forms/contact", CONTACT)
    anonymous.post("/api/forms/contact", CONTACT | {"name": "Bob"})
    anonymous.post("/api/forms/contact", CONTACT, REMOTE_ADDR="192.0.2.7")
    assert Submission.objects.count() == 3


def test_the_address_is_kept_only_as_a_keyed_hash(anonymous: APIClient) -> None:
    anonymous.post("/api/forms/contact", CONTACT, REMOTE_ADDR="192.0.2.7")
    stored = Submission.objects.get()
    assert len(stored.client) == 64
    assert "192.0.2.7" not in str(vars(stored))


@pytest.mark.django_db(transaction=True)
def test_twenty_equal_posts_at_once_are_one_submission() -> None:
    def post(_: int) -> str:
        try:
            return APIClient().post("/api/forms/contact", CONTACT).json()["id"]
        finally:
            connection.close()

    with ThreadPoolExecutor(20) as threads:
        ids = set(threads.map(post, range(20)))
    assert ids == {str(Submission.objects.get().pk)}
