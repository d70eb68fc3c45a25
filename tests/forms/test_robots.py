"""A robot on a page gets the answer that a person gets, and what it sent is stored apart."""

from typing import Any

import pytest
import time_machine
from django.test import Client
from rest_framework.test import APIClient

from forms import robots
from forms.declarations import FORMS
from forms.models import Submission
from tests.answers import field_errors
from tests.config.admin.conftest import staff_client, submission
from tests.forms.bodies import CONTACT, bodies, page_token
from tests.undone import undone

pytestmark = pytest.mark.django_db


def test_json_with_the_honeypot_is_refused_like_any_unknown_field_and_other_json_is_a_persons(
    anonymous: APIClient,
) -> None:
    for name, body in bodies().items():
        for bait in ("https://spam.example", "", None):
            response = anonymous.post(f"/api/forms/{name}", {**body, robots.HONEYPOT: bait})
            assert field_errors(response) == {robots.HONEYPOT: ["unknown_field"]}, (name, bait)
    assert not Submission.objects.exists()
    assert anonymous.post("/api/forms/contact", CONTACT).status_code == 201
    assert not Submission.objects.get().is_suspected
    schemas = [form["schema"] for form in anonymous.get("/api/forms").json()]
    documented = anonymous.get("/api/openapi.json").json()["components"]["schemas"]
    schemas += [schema for name, schema in documented.items() if name.endswith("FormRequest")]
    assert [robots.HONEYPOT in schema["properties"] for schema in schemas] == [False] * 2 * len(FORMS)


# --- On pages ------------------------------------------------------------------------------------------------


def send(seconds: float = 60, **changes: str) -> Any:
    return Client().post("/forms/contact", {**CONTACT, **page_token("contact", seconds), **changes})


def test_a_robot_on_a_page_is_led_to_the_same_thank_you_page() -> None:
    for sent, suspected in (
        ({}, False), ({"url": "https://spam.example"}, True), ({"seconds": 2.9}, True), ({"seconds": 3.1}, False),
        ({"seconds": 86_000}, False),
    ):  # fmt: skip
        with undone(), time_machine.travel("2026-11-21T10:00:00Z", tick=False):
            response = send(**sent)
            assert (response.status_code, response["Location"]) == (303, "/forms/contact/thanks")
            assert Submission.objects.get().is_suspected is suspected, sent


def test_a_person_who_sends_the_same_as_a_robot_is_not_a_repeat() -> None:
    for trap in ({robots.HONEYPOT: "x"}, {}, {robots.HONEYPOT: "x"}, {}):
        assert send(**trap).status_code == 303
    assert sorted(Submission.objects.values_list("is_suspected", flat=True)) == [False, True]


def test_a_form_with_a_bad_page_token_or_that_of_another_comes_back_with_what_was_typed() -> None:
    for token in (
        "", "x", "contact:1", "contact:1795245201.134:5SFSwO-HUkViyLZ4rBcS8176wLqy4dos2769OYuIuz4",
        robots.signer.sign("contact:1"), "é\x00", ":" * 5000, page_token("organisation")[robots.PAGE_TOKEN],
    ):  # fmt: skip
        shown = Client().post("/forms/contact", {**CONTACT, robots.PAGE_TOKEN: token})
        assert shown.status_code == 400, token
        assert "open for too long" in shown.content.decode(), token
        assert CONTACT["message"] in shown.content.decode(), token
    assert not Submission.objects.exists()


def test_a_page_token_is_good_for_a_day() -> None:
    with time_machine.travel("2026-11-21T10:00:00Z", tick=False) as clock:
        sent = {**CONTACT, robots.PAGE_TOKEN: robots.make_page_token("contact")}
        clock.shift(robots.MAX_AGE.total_seconds() + 1)
        assert Client().post("/forms/contact", sent).status_code == 400
        clock.shift(-1)
        assert Client().post("/forms/contact", sent).status_code == 303


def test_a_form_that_came_back_may_be_sent_again_at_once_and_one_with_a_mistake_keeps_its_page_token() -> None:
    token = page_token("contact")
    mistaken = Client().post("/forms/contact", {**CONTACT, **token, "email": "nobody"})
    assert mistaken.context["page_token"] == token[robots.PAGE_TOKEN]
    shown = Client().post("/forms/contact", {**CONTACT, robots.PAGE_TOKEN: "too old"})
    again = Client().post("/forms/contact", {**CONTACT, robots.PAGE_TOKEN: shown.context["page_token"]})
    assert again.status_code == 303
    assert not Submission.objects.get().is_suspected


# --- In the admin --------------------------------------------------------------------------------------------


def test_staff_see_robots_when_they_choose_them() -> None:
    submission(data={**CONTACT, "name": "Person"})
    submission(data={**CONTACT, "name": "Robot"}, is_suspected=True)
    client = staff_client("admin")
    for chosen, seen in (({}, {"Person"}), ({"sentBy": "robots"}, {"Robot"}), ({"sentBy": "all"}, {"Person", "Robot"})):
        shown = client.get("/admin/forms/submission/", chosen)
        assert {row.data["name"] for row in shown.context["cl"].queryset} == seen, chosen
        assert "People" in shown.content.decode()
