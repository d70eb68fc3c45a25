"""The forms as pages, as a visitor without JavaScript sees and sends them, and as a robot does."""

import re
from typing import Any

import pytest
import time_machine
from django.test import Client

from boards.models import Board
from forms.declarations import FORMS
from forms.models import Submission
from forms.views import json_schema
from pages.forms import views
from tests import factories
from tests.config.admin.conftest import staff_client, submission
from tests.forms.bodies import CONTACT, board_report, bodies, page_token
from tests.pages.documents import Document
from tests.undone import undone

pytestmark = pytest.mark.django_db


def controls(response: Any) -> dict[str, dict[str, str]]:
    """Return the form's controls by name, each with its tag and its attributes. The search of the band is another."""
    found = [
        (attributes, tag) for tag in ("input", "select", "textarea") for attributes, _ in Document(response).all(tag)
    ]
    return {attributes["name"]: {"tag": tag, **attributes} for attributes, tag in found if attributes["name"] != "q"}


@pytest.fixture
def client() -> Client:
    """Return a client that checks CSRF as for a browser, and answers a crash instead of raising it."""
    return Client(enforce_csrf_checks=True, raise_request_exception=False)


def send(client: Client, form: str = "contact", /, **changes: str) -> Any:
    token = controls(client.get(f"/forms/{form}"))["csrfmiddlewaretoken"]["value"]
    body = {**bodies()[form], **page_token(form), "csrfmiddlewaretoken": token, **changes}
    return client.post(f"/forms/{form}", body)


def test_the_index_links_to_each_form(client: Client) -> None:
    response = client.get("/forms")
    html = response.content.decode()
    for form in FORMS.values():
        assert f'<a href="/forms/{form.name}">{form.title}</a>' in html and form.description in html
    assert (response["Cache-Control"], response["Vary"]) == ("public, max-age=0, must-revalidate", "Accept-Language")


@pytest.mark.parametrize("name", FORMS)
def test_a_page_has_a_control_for_each_property_of_the_schema(name: str, client: Client) -> None:
    shown, schema = controls(client.get(f"/forms/{name}")), json_schema(FORMS[name])
    assert shown.keys() == schema["properties"].keys() | {"csrfmiddlewaretoken", "opened", "url"}
    for field, declared in schema["properties"].items():
        control = shown[field]
        assert ("required" in control) is (field in schema["required"])
        assert control.get("autocomplete") or control["type"] == "checkbox"
        if control["tag"] != "select" and (max_length := declared.get("maxLength")):
            assert control["maxlength"] == str(max_length)


def test_the_honeypot_is_hidden_from_people(client: Client) -> None:
    html = client.get("/forms/contact").content.decode()
    honeypot = controls(client.get("/forms/contact"))["url"]
    assert (honeypot["tabindex"], honeypot["autocomplete"], honeypot["type"]) == ("-1", "off", "text")
    assert re.search(r'class="extra" aria-hidden="true">\s*<label for="url">', html)


@pytest.mark.parametrize("name", FORMS)
def test_a_valid_form_leads_to_its_thank_you_page(name: str, client: Client) -> None:
    body = bodies()[name]
    response = send(client, name, **body)
    board = f"?board={body['boardId']}" if "boardId" in body else ""
    assert (response.status_code, response["Location"]) == (303, f"/forms/{name}/thanks{board}")
    stored = Submission.objects.get()
    assert (stored.form, stored.data, stored.is_suspected) == (name, body, False)
    assert FORMS[name].thanks in client.get(response["Location"]).content.decode()


def test_an_empty_form_comes_back_with_two_messages_for_each_required_field(client: Client) -> None:
    for name in FORMS:
        response = send(client, name, **dict.fromkeys(bodies()[name], " "))
        html, shown = response.content.decode(), controls(response)
        assert response.status_code == 400
        for field in json_schema(FORMS[name])["required"]:
            label = str(FORMS[name].serializer().fields[field].label)
            assert f'<a href="#{field}">Fill in “{label}”.</a>' in html and f'id="{field}-error"' in html
            assert shown[field]["aria-invalid"] == "true"
            assert f"{field}-error" in shown[field]["aria-describedby"].split()
        assert "<title>Error: " in html and re.search(r'role="alert" tabindex="-1" autofocus', html)
    assert not Submission.objects.exists()


def test_a_mistake_loses_nothing_that_was_typed_or_chosen(client: Client) -> None:
    typed = {"name": '<b>"Ann"', "email": "nobody", "subject": "é &amp;"}
    response = send(client, **typed, message="\nTwo\nlines </textarea>")
    html, shown = response.content.decode(), controls(response)
    assert {name: shown[name]["value"] for name in typed} == typed
    assert ">\n\nTwo\nlines &lt;/textarea&gt;</textarea>" in html
    assert '<a href="#email">Your e-mail address: Enter a valid email address.</a>' in html
    for form, wrong, chosen in (
        ("board-report", {"problem": "offensive", "message": ""}, '<option value="offensive" selected>'),
        ("organisation", {"country": "NL", "email": ""}, '<option value="NL" selected>Netherlands'),
    ):
        assert chosen in send(client, form, **wrong).content.decode()


def test_a_line_break_is_one_character_and_unknown_fields_are_ignored(client: Client) -> None:
    lines = "x" * 2499 + "\r\n" + "x" * 2500
    assert send(client, message=lines, phone="1", isOrganisation="on").status_code == 303
    assert Submission.objects.get().data == {**CONTACT, "message": lines.replace("\r\n", "\n")}


def test_a_page_and_the_api_recognise_each_others_repeats(client: Client) -> None:
    send(client)
    client.post("/api/forms/contact", CONTACT, content_type="application/json")
    assert Submission.objects.count() == 1


def test_the_page_marks_a_wrong_field_and_nothing_is_stored(client: Client) -> None:
    for name, field, value in (
        ("contact", "message", "x" * 5001), ("contact", "name", "a\x00b"), ("organisation", "country", "XX"),
        ("organisation", "website", "javascript:alert(1)"), ("board-report", "boardId", factories.NOBODYS_ID),
    ):  # fmt: skip
        response = send(client, name, **{field: value})
        assert response.status_code == 400
        assert [each for each, control in controls(response).items() if "aria-invalid" in control] == [field]
        assert not Submission.objects.exists(), (name, field)


# --- The board of a report -----------------------------------------------------------------------------------


def test_a_report_shows_the_board_that_its_link_names_and_leads_back_to_it(client: Client) -> None:
    board = factories.board(number=7)
    shown = client.get("/forms/board-report", {"board": str(board.pk)})
    assert f'<a href="/boards/{board.pk}">Board 7</a>' in shown.content.decode()
    control = controls(shown)["boardId"]
    assert (control["type"], control["value"]) == ("hidden", str(board.pk))
    sent = send(client, "board-report", boardId=f"https://boards.example/boards/{board.pk}?show=south")
    thanks = client.get(sent["Location"]).content.decode()
    assert f'<a href="/boards/{board.pk}">Back to Board 7</a>' in thanks


def test_a_link_to_no_published_board_names_none_on_the_report_and_the_thank_you_page(client: Client) -> None:
    draft = factories.board(published=False, number=7)
    for board in (
        "", "abc", factories.NOBODYS_ID, "é\x00", "x" * 5000, draft.pk, "https://evil.example/", "//evil.example"
    ):  # fmt: skip
        shown = client.get("/forms/board-report", {"board": board})
        assert (shown.status_code, controls(shown)["boardId"]["type"]) == (200, "text"), board
        assert "Board 7" not in shown.content.decode()
        thanks = client.get("/forms/board-report/thanks", {"board": board})
        assert thanks.status_code == 200, board
        assert "Back to" not in thanks.content.decode() and "evil" not in thanks.content.decode(), board


def test_a_report_says_what_to_give_where_it_has_no_address_or_that_of_no_published_board(client: Client) -> None:
    unpublished = board_report()
    Board.objects.update(published_at=None)
    for body, said in (
        ({"boardId": "Board 7"}, "Board: Give the address of a board&#x27;s page, or the id at its end."),
        (unpublished, '<a href="#boardId">Board: There is no published board with this address or id.</a>'),
    ):
        response = send(client, "board-report", **body)
        assert response.status_code == 400 and said in response.content.decode(), body
        assert not Submission.objects.exists()


# --- What every answer must be -------------------------------------------------------------------------------


def test_no_cache_may_keep_a_form_page_or_the_answer_to_a_mistake_and_none_has_a_script(client: Client) -> None:
    pages = {path: client.get(f"/forms/{path}") for path in ("contact", "contact/thanks", "board-report?board=x")}
    for path, response in {**pages, "a mistake": send(client, email="")}.items():
        assert response["Cache-Control"] == "private, no-store", path
        assert response["Vary"].split(", ") == ["Accept-Language", "Cookie"][: 1 + ("thanks" not in path)], path
        assert "unsafe" not in response["Content-Security-Policy"], path
        assert not re.search(r"<script|<style| style=| on\w+=|javascript:", response.content.decode()), path


def test_another_method_is_a_405_and_a_form_that_is_not_declared_a_404_as_a_page(client: Client) -> None:
    for path, allowed in (("/forms", "GET, HEAD, OPTIONS"), ("/forms/contact", "GET, POST, HEAD, OPTIONS")):
        response = Client().put(path)
        assert (response.status_code, response["Allow"]) == (405, allowed)
        assert "This page does not take this kind of request" in response.content.decode()
    for path in ("/forms/nothing", "/forms/contact/nothing", "/forms/nothing/thanks"):
        response = client.get(path)
        assert (response.status_code, response["Content-Type"]) == (404, "text/html; charset=utf-8")


def test_a_body_that_no_browser_sends_is_a_400() -> None:
    browser = Client(raise_request_exception=False)
    for kind, body in (
        ("application/json", b'{"name": "Ann"}'), ("multipart/form-data", b"nothing"),
        ("multipart/form-data; boundary=x", b"--x\r\nbroken"),
        ("application/x-www-form-urlencoded", b"name=%ff%fe&email=%00&message=%ED%A0%80"),
        ("application/x-www-form-urlencoded", b"&" * 5000), ("text/plain", b"\x00"),
    ):  # fmt: skip
        response = browser.generic("POST", "/forms/contact", body, content_type=kind)
        assert (response.status_code, response["Content-Type"]) == (400, "text/html; charset=utf-8"), (kind, body)
    assert not Submission.objects.exists()


# --- Robots --------------------------------------------------------------------------------------------------


def send_after(seconds: float = 60, **changes: str) -> Any:
    return Client().post("/forms/contact", {**CONTACT, **page_token("contact", seconds), **changes})


def test_a_robot_on_a_page_is_led_to_the_same_thank_you_page() -> None:
    for sent, suspected in (
        ({}, False), ({"url": "https://spam.example"}, True), ({"seconds": 2.9}, True), ({"seconds": 3.1}, False),
        ({"seconds": 86_000}, False),
    ):  # fmt: skip
        with undone(), time_machine.travel("2026-11-21T10:00:00Z", tick=False):
            response = send_after(**sent)
            assert (response.status_code, response["Location"]) == (303, "/forms/contact/thanks")
            assert Submission.objects.get().is_suspected is suspected, sent


def test_a_person_who_sends_the_same_as_a_robot_is_not_a_repeat() -> None:
    for trap in ({views.HONEYPOT: "x"}, {}, {views.HONEYPOT: "x"}, {}):
        assert send_after(**trap).status_code == 303
    assert sorted(Submission.objects.values_list("is_suspected", flat=True)) == [False, True]


def test_a_form_with_a_bad_page_token_or_that_of_another_comes_back_with_what_was_typed() -> None:
    for token in (
        "", "x", "contact:1", "contact:1795245201.134:5SFSwO-HUkViyLZ4rBcS8176wLqy4dos2769OYuIuz4",
        views.signer.sign("contact:1"), "é\x00", ":" * 5000, page_token("organisation")[views.PAGE_TOKEN],
    ):  # fmt: skip
        shown = Client().post("/forms/contact", {**CONTACT, views.PAGE_TOKEN: token})
        assert shown.status_code == 400, token
        assert "open for too long" in shown.content.decode(), token
        assert CONTACT["message"] in shown.content.decode(), token
    assert not Submission.objects.exists()


def test_a_page_token_is_good_for_a_day() -> None:
    with time_machine.travel("2026-11-21T10:00:00Z", tick=False) as clock:
        sent = {**CONTACT, views.PAGE_TOKEN: views.make_page_token("contact")}
        clock.shift(views.MAX_AGE.total_seconds() + 1)
        assert Client().post("/forms/contact", sent).status_code == 400
        clock.shift(-1)
        assert Client().post("/forms/contact", sent).status_code == 303


def test_a_form_that_came_back_may_be_sent_again_at_once_and_one_with_a_mistake_keeps_its_page_token() -> None:
    token = page_token("contact")
    mistaken = Client().post("/forms/contact", {**CONTACT, **token, "email": "nobody"})
    assert mistaken.context["page_token"] == token[views.PAGE_TOKEN]
    shown = Client().post("/forms/contact", {**CONTACT, views.PAGE_TOKEN: "too old"})
    again = Client().post("/forms/contact", {**CONTACT, views.PAGE_TOKEN: shown.context["page_token"]})
    assert again.status_code == 303
    assert not Submission.objects.get().is_suspected


def test_staff_see_robots_when_they_choose_them() -> None:
    submission(data={**CONTACT, "name": "Person"})
    submission(data={**CONTACT, "name": "Robot"}, is_suspected=True)
    client = staff_client("admin")
    for chosen, seen in (({}, {"Person"}), ({"sentBy": "robots"}, {"Robot"}), ({"sentBy": "all"}, {"Person", "Robot"})):
        shown = client.get("/admin/forms/submission/", chosen)
        assert {row.data["name"] for row in shown.context["cl"].queryset} == seen, chosen
        assert "People" in shown.content.decode()
