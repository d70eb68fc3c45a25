"""A robot is answered like a person, and what it sent is kept apart."""

from typing import Any

import pytest
import time_machine
from django.test import Client
from rest_framework.test import APIClient

from forms import robots
from forms.declarations import FORMS
from forms.models import Submission
from tests import factories
from tests.forms.bodies import CONTACT, bodies, opened

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("bait", ["https://spam.example", " ", 5, ["x"], True], ids=repr)
def test_who_fills_in_the_trap_gets_the_same_answer_and_is_kept_apart(
    name: str, bait: Any, anonymous: APIClient
) -> None:
    response = anonymous.post(f"/api/forms/{name}", {**bodies()[name], robots.TRAP: bait})
    stored = Submission.objects.get()
    assert (response.status_code, response.json().keys()) == (201, {"id", "form", "createdAt"})
    assert stored.is_suspected and str(stored.pk) == response.json()["id"]
    assert robots.TRAP not in stored.data


@pytest.mark.parametrize("nothing", ["", None], ids=repr)
def test_an_empty_trap_is_a_person(nothing: Any, anonymous: APIClient) -> None:
    assert anonymous.post("/api/forms/contact", {**CONTACT, robots.TRAP: nothing}).status_code == 201
    assert not Submission.objects.get().is_suspected


def test_a_robot_that_is_wrong_is_told_so_like_a_person(anonymous: APIClient) -> None:
    wrong = {**CONTACT, "email": "nobody"}
    told = [
        anonymous.post("/api/forms/contact", body).json() for body in (wrong, {**wrong, robots.TRAP: "x"})
    ]
    assert [answer["meta"]["fields"] for answer in told] == [told[0]["meta"]["fields"]] * 2
    assert not Submission.objects.exists()


def test_the_trap_is_in_no_schema(anonymous: APIClient) -> None:
    for form in anonymous.get("/api/forms").json():
        assert robots.TRAP not in form["schema"]["properties"]
    schemas = anonymous.get("/api/openapi.json").json()["components"]["schemas"]
    bodies = [schemas[name] for name in schemas if name.endswith("FormRequest")]
    assert len(bodies) == len(FORMS)
    assert not any(robots.TRAP in body["properties"] for body in bodies)


def test_what_a_person_sends_after_a_robot_said_the_same_is_not_lost(anonymous: APIClient) -> None:
    for body in ({**CONTACT, robots.TRAP: "x"}, CONTACT, {**CONTACT, robots.TRAP: "x"}, CONTACT):
        anonymous.post("/api/forms/contact", body)
    assert sorted(Submission.objects.values_list("is_suspected", flat=True)) == [False, True]


# --- On pages ------------------------------------------------------------------------------------------------


def send(seconds: float = 60, **changes: str) -> Any:
    return Client().post("/forms/contact", {**CONTACT, **opened("contact", seconds), **changes})


@pytest.mark.parametrize(
    ("sent", "suspected"),
    [
        ({}, False),
        ({"url": "https://spam.example"}, True),
        ({"seconds": 2.9}, True),
        ({"seconds": 3.1}, False),
        ({"seconds": 86_000}, False),
    ],
    ids=str,
)
def test_a_page_filled_in_by_a_robot_leads_to_the_same_thanks(sent: dict[str, Any], suspected: bool) -> None:
    response = send(**sent)
    assert (response.status_code, response["Location"]) == (303, "/forms/contact/thanks")
    assert Submission.objects.get().is_suspected is suspected


@pytest.mark.parametrize(
    "stamp",
    [
        "",
        "x",
        "contact:1",
        "contact:1795245201.134:5SFSwO-HUkViyLZ4rBcS8176wLqy4dos2769OYuIuz4",
        robots.signer.sign("contact:1"),
        "é\x00",
        ":" * 5000,
    ],
    ids=["none", "no stamp", "unsigned", "forged", "of 1970", "NUL", "colons"],
)
def test_without_a_good_stamp_the_form_comes_back_with_what_was_typed(stamp: str) -> None:
    shown = Client().post("/forms/contact", {**CONTACT, robots.STAMP: stamp})
    assert shown.status_code == 400
    assert "open for too long" in shown.content.decode()
    assert CONTACT["message"] in shown.content.decode()
    assert not Submission.objects.exists()


def test_a_stamp_of_another_form_is_none() -> None:
    stamp = opened("organisation")[robots.STAMP]
    assert Client().post("/forms/contact", {**CONTACT, robots.STAMP: stamp}).status_code == 400
    assert not Submission.objects.exists()


def test_a_stamp_is_good_for_a_day() -> None:
    with time_machine.travel("2026-11-21T10:00:00Z", tick=False) as clock:
        sent = {**CONTACT, robots.STAMP: robots.stamp("contact")}
        clock.shift(robots.LONGEST.total_seconds() + 1)
        assert Client().post("/forms/contact", sent).status_code == 400
        clock.shift(-1)
        assert Client().post("/forms/contact", sent).status_code == 303


def test_a_form_that_came_back_may_be_sent_again_at_once() -> None:
    client = Client()
    shown = client.post("/forms/contact", {**CONTACT, robots.STAMP: "too old"})
    again = client.post("/forms/contact", {**CONTACT, robots.STAMP: shown.context["stamp"]})
    assert again.status_code == 303
    assert not Submission.objects.get().is_suspected


def test_a_mistake_does_not_start_the_time_anew() -> None:
    sent = {**CONTACT, **opened("contact")}
    shown = Client().post("/forms/contact", {**sent, "email": "nobody"})
    assert shown.context["stamp"] == sent[robots.STAMP]


# --- In the admin --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("chosen", "seen"), [("", {"Person"}), ("robots", {"Robot"}), ("all", {"Person", "Robot"})]
)
def test_staff_see_robots_when_they_ask_for_them(chosen: str, seen: set[str], anonymous: APIClient) -> None:
    anonymous.post("/api/forms/contact", {**CONTACT, "name": "Person"})
    anonymous.post("/api/forms/contact", {**CONTACT, "name": "Robot", robots.TRAP: "x"})
    client = Client()
    client.force_login(factories.account("boss", role="admin"))
    shown = client.get("/admin/forms/submission/", {"sentBy": chosen} if chosen else {})
    assert {row.data["name"] for row in shown.context["cl"].queryset} == seen
    assert "People" in shown.content.decode()
