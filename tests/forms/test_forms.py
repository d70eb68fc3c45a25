"""The three public forms: their schemas, what they accept, among it what people have at hand, and repeats."""

import json
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
import time_machine
from django.utils import timezone
from jsonschema_rs import Draft202012Validator
from rest_framework.test import APIClient

from config.api.views import PRIVATE
from forms.declarations import FORMS
from forms.fields import read_board_id
from forms.models import Submission
from pages.forms import views
from tests import factories
from tests.answers import field_errors
from tests.conformance.document import look_up, resolve
from tests.forms.bodies import CONTACT, ORGANISATION, board_report, bodies
from tests.meetings import at_once

pytestmark = pytest.mark.django_db


def test_each_form_is_listed_with_a_schema_that_says_what_the_route_requires(anonymous: APIClient) -> None:
    response = anonymous.get("/api/forms")
    unchanged = anonymous.get("/api/forms", headers={"if-none-match": response["ETag"]})
    assert (unchanged.status_code, "RateLimit" in unchanged) == (304, True)
    assert [form["name"] for form in response.json()] == list(FORMS)
    good, error = bodies(), [{"code": "required", "message": "This field is required."}]
    for form in response.json():
        name, schema = form["name"], form["schema"]
        assert set(schema["required"]) <= good[name].keys() <= schema["properties"].keys()
        assert schema["additionalProperties"] is False and "$ref" not in json.dumps(schema)
        route = ("paths", f"/api/forms/{name}", "post", "requestBody", "content", "application/json", "schema")
        assert look_up(resolve(route))["properties"].keys() == schema["properties"].keys()
        assert (schema["title"], schema["description"]) == (form["title"], form["description"])
        labels = {field: declared.label for field, declared in FORMS[name].serializer().fields.items()}
        assert {field: declared["title"] for field, declared in schema["properties"].items()} == labels
        answer = anonymous.post(f"/api/forms/{name}", {}).json()
        assert answer["meta"]["fields"] == dict.fromkeys(schema["required"], error), name
    assert not Submission.objects.exists()


def test_a_form_is_stored_and_answered_with_its_id(anonymous: APIClient) -> None:
    for name, body in bodies().items():
        response = anonymous.post(f"/api/forms/{name}", body)
        stored = Submission.objects.get(form=name)
        made = f"{stored.created_at:%Y-%m-%dT%H:%M:%S.%f}Z"
        assert response.json() == {"id": str(stored.pk), "form": name, "createdAt": made}
        assert (response.status_code, stored.data, stored.is_suspected) == (201, body, False)


ACCEPTED: dict[str, list[dict[str, Any]]] = {
    "contact": [{}, {"name": "N" * 150, "subject": "é", "message": "M" * 5000, "email": "a+b@sub.example.org"}],
    "organisation": [{}, {"website": "", "message": ""}, {"website": "http://example.org", "message": "M" * 5000}],
    "board-report": [{}, {"email": ""}, {"email": "a@example.org"}, {"problem": "offensive"}, {"problem": "other"}],
}
REFUSED: dict[str, list[tuple[str, Any, str]]] = {
    "contact": [
        ("message", "M" * 5001, "max_length"), ("message", "", "blank"), ("name", "", "blank"),
        ("name", 5, "invalid"), ("name", None, "null"), ("subject", None, "null"), ("email", [], "invalid"),
        ("phone", "1", "unknown_field"),
    ],
    "organisation": [
        ("country", "NLD", "unknown"), ("country", "nl", "unknown"), ("country", "", "blank"),
        ("website", 5, "invalid"), ("website", None, "null"), ("isOrganisation", True, "unknown_field"),
    ],
    "board-report": [
        ("problem", "none", "invalid_choice"), ("problem", "", "invalid_choice"), ("problem", 1, "invalid_choice"),
        ("boardId", 5, "invalid"), ("boardId", "", "invalid"), ("boardId", None, "null"), ("email", None, "null"),
    ],
}  # fmt: skip
UNSEEN: dict[str, list[tuple[str, Any, str]]] = {
    "contact": [("email", email, "invalid") for email in ("a@b@c", "a@b.", "nobody")],
    "organisation": [("country", "XX", "unknown"), ("contactName", " ", "blank")],
    "board-report": [("boardId", "abc", "invalid")],
}
"""What the route refuses and no schema can."""


@pytest.mark.parametrize("name", FORMS)
def test_the_schema_and_the_route_accept_and_refuse_the_same(name: str, anonymous: APIClient) -> None:
    schema = {form["name"]: form["schema"] for form in anonymous.get("/api/forms").json()}[name]
    validator, base = Draft202012Validator(schema), bodies()[name]
    with_formats = Draft202012Validator(schema, validate_formats=True)
    for change in ACCEPTED[name]:
        validator.validate(base | change)
        with_formats.validate(base | change)
        assert anonymous.post(f"/api/forms/{name}", base | change).status_code == 201
    baits = [(views.HONEYPOT, bait, "unknown_field") for bait in ("https://spam.example", "", None)]
    for field, value, code in REFUSED[name] + baits + UNSEEN[name]:
        body = base | {field: value}
        assert validator.is_valid(body) is ((field, value, code) in UNSEEN[name]), (field, value)
        assert field_errors(anonymous.post(f"/api/forms/{name}", body)) == {field: [code]}, value
    assert Submission.objects.count() == len(ACCEPTED[name])


def test_the_same_content_of_the_same_client_within_ten_minutes_is_one_submission(anonymous: APIClient) -> None:
    def sent(content: dict[str, Any] = CONTACT, **more: str) -> str:
        answer = anonymous.post("/api/forms/contact", content, **more)
        assert answer.status_code == 201
        return str(answer.json()["id"])

    with time_machine.travel("2026-11-21T10:00:00Z", tick=False) as clock:
        first = sent()
        clock.shift(599)
        assert sent() == sent(dict(reversed(CONTACT.items()))) == first
        assert len({first, sent(CONTACT | {"name": "Bob"}), sent(REMOTE_ADDR="192.0.2.7")}) == 3
        clock.shift(2)
        assert sent() != first
    assert Submission.objects.count() == 4


def test_only_a_hash_of_the_address_with_the_secret_key_is_stored(anonymous: APIClient, settings: Any) -> None:
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

    def post() -> str:
        return APIClient().post("/api/forms/contact", CONTACT).json()["id"]

    assert set(at_once([post] * 8)) == {str(Submission.objects.latest("created_at").pk)}
    assert Submission.objects.count() == 1 + aged


ID = "51e8f8e0-f7ba-48ac-abed-925c795f1590"
BOARDS = [
    ID, ID.upper(), f"  {ID}\n", f"https://boards.example/boards/{ID}", f"boards.example/boards/{ID}",
    f"http://localhost:8000/boards/{ID}/", f"/boards/{ID}", f"boards/{ID}",
    f"https://boards.example/boards/{ID}?show=south&next=/boards/{uuid4()}",
    f"https://boards.example/boards/{ID}#play", f"https://boards.example/boards/{ID}.txt",
    f"https://boards.example/api/boards/{ID}.pbn", f"https://boards.example/club/boards/{ID}/hand-viewer",
]  # fmt: skip
NO_BOARDS = [
    "", "Board 7", ID[:-1], f"{ID}0", f"x{ID}", f"https://boards.example/themes/{ID}",
    f"https://boards.example/?next=/boards/{ID}", f"https://boards.example/boards/{ID}0",
    f"https://boards.example/boards/{ID} and more", f"https://boards.example/snowboards/{ID}",
    "/" * 100_000, "boards/" * 20_000,
]  # fmt: skip


def test_an_address_of_a_board_is_read_as_its_id_and_anything_else_is_no_board() -> None:
    assert {text: read_board_id(text) for text in BOARDS} == dict.fromkeys(BOARDS, UUID(ID))
    assert {text: read_board_id(text) for text in NO_BOARDS} == dict.fromkeys(NO_BOARDS)


def test_shared_caches_may_store_the_list_of_forms_and_nothing_that_is_sent(anonymous: APIClient) -> None:
    assert anonymous.get("/api/forms")["Cache-Control"].startswith("public")
    for answer in (anonymous.post("/api/forms/contact", CONTACT), anonymous.options("/api/forms/contact")):
        assert answer["Cache-Control"] == PRIVATE, answer.status_code


def test_a_report_by_address_stores_the_id_and_repeats_a_report_by_id(anonymous: APIClient) -> None:
    by_id = board_report()
    address = f"https://boards.example/boards/{by_id['boardId']}?show=south"
    answers = [
        anonymous.post("/api/forms/board-report", {**by_id, "boardId": it}) for it in (address, by_id["boardId"])
    ]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].json() == answers[1].json()
    assert Submission.objects.get().data == by_id


def test_a_board_that_is_not_published_cannot_be_reported(anonymous: APIClient) -> None:
    draft = factories.board(published=False)
    for named in (draft.pk, factories.NOBODYS_ID, f"/boards/{draft.pk}", f"/boards/{factories.NOBODYS_ID}"):
        refused = anonymous.post("/api/forms/board-report", board_report(boardId=str(named)))
        assert field_errors(refused) == {"boardId": ["does_not_exist"]}, named
    assert not Submission.objects.exists()


def test_a_website_needs_no_scheme_and_what_is_none_is_refused(anonymous: APIClient) -> None:
    def send(website: str) -> Any:
        return anonymous.post("/api/forms/organisation", {**ORGANISATION, "website": website})

    for typed in (
        "javascript:alert(1)//club.nl", "javascript:alert(1)", "mailto:ann@club.nl", "data:text/html,club.nl",
        "ftp://club.nl", "//club.nl", "ann@club.nl", "club .nl", "club", 'club.nl/"onload=x', "club.nl/<b>",
        "é" * 70 + ".nl", "w" * 490 + ".nl",
    ):  # fmt: skip
        assert field_errors(send(typed)).keys() == {"website"}, typed
    assert not Submission.objects.exists()
    for typed, stored in (
        ("www.club.nl", "https://www.club.nl"), (" club.nl/bridge?x=1#top ", "https://club.nl/bridge?x=1#top"),
        ("club.nl:8080", "https://club.nl:8080"), ("http://club.nl", "http://club.nl"),
        ("HTTPS://club.nl", "HTTPS://club.nl"),
        ("www.bücher.example/café", "https://www.xn--bcher-kva.example/caf%C3%A9"),
    ):  # fmt: skip
        sent = send(typed).json()["id"]
        assert Submission.objects.get(pk=sent).data["website"] == stored, typed
