"""A file is uploaded, looked at and imported, by members at their door and by staff in the admin."""

import re
from contextlib import ExitStack
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from django.core.handlers.wsgi import WSGIRequest
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from accounts.models import Account
from accounts.personal_data.erasure import erase
from boards.files import previews
from boards.files.uploading import receive
from boards.files.uploads import taken
from boards.models import Board, Upload
from tests import factories
from tests.boards.admin.pages import pbn, unsaid
from tests.boards.admin.uploading import BAD_RECORD, Door, door_of_members, door_of_staff, work
from tests.log_lines import Lines

pytestmark = pytest.mark.django_db

TEXTS = {"event": "Friday pairs", "date": "2026.11.20", "site": "Deventer"}


@pytest.fixture(params=["members", "staff"])
def door(request: pytest.FixtureRequest, zia: Account, settings: Any) -> Door:
    settings.MEMBER_PUBLISHING = "open"
    return door_of_members(zia) if request.param == "members" else door_of_staff()


def test_the_preview_says_what_would_happen_and_stores_no_board(door: Door, zia: Account) -> None:
    factories.board(5, owner=zia, **TEXTS)
    new = factories.record(number=2), factories.record(number=3, event="<script>alert(1)</script>")
    page = door.text_of(door.preview_of(pbn(factories.record(5, **TEXTS), *new) + BAD_RECORD, name="<b>x.pbn"))
    numbers = "<strong>2 new boards.</strong>", f"1 board of {door.whose} is here already.", "1 record will be refused."
    assert not unsaid(page, "Preview of &lt;b&gt;x.pbn", *numbers, "<td>13</td><td>4</td>", "&lt;script&gt;alert(1)")
    assert not unsaid(page, "Friday pairs, 20 November 2026, Deventer: 1 record", "Without an event: 1 record")
    assert "<script>alert" not in page and "<b>x" not in page
    assert page.count('class="diagram"') == 3
    assert Board.objects.count() == 1


@pytest.mark.parametrize("button", ["publish", "draft"])
def test_a_file_is_imported_once_with_what_was_chosen(
    button: str, door: Door, lines: Lines, django_capture_on_commit_callbacks: Any
) -> None:
    stayman = factories.theme("stayman")
    url = door.preview_of(pbn(factories.record(number=1, event="Own"), factories.record(number=2)))
    body = {button: "1", "theme": str(stayman.pk), "event": "Friday pairs", "date": "2026-11-20"}
    with django_capture_on_commit_callbacks(execute=True):
        response = door.client.post(url, body)
    assert (response.status_code, response["Location"]) == (door.found, door.home)
    boards = Board.objects.order_by("board_number")
    stored = [(board.event, board.owner_id, board.date, [*board.themes.all()]) for board in boards]
    assert stored == [(event, "zia", "2026.11.20", [stayman]) for event in ("Own", "Friday pairs")]
    assert Board.objects.published().count() == (2 if button == "publish" else 0)
    assert door.messages()[0].startswith("evening.pbn: 2 new boards, ")
    (line,) = (line for line in lines.of("security") if line["event"] == "boards_uploaded")
    assert (line["boards"], line["owner"]) == (2, "zia")
    again = door.client.post(url, body, follow=True)
    assert "This file is not here any more" in again.content.decode()
    assert Board.objects.count() == 2 and not Upload.objects.exists()


def test_a_wrong_field_shows_the_preview_again_and_imports_nothing(door: Door) -> None:
    url = door.preview_of(pbn(factories.record()))
    response = door.client.post(url, {"draft": "1", "event": "x" * 201, "date": "yesterday"})
    page = response.content.decode()
    assert response.status_code == door.wrong and "Preview of" in page
    assert page.count('class="errorlist"') == 2 or page.count('<p class="error"') == 2
    assert not Board.objects.exists() and Upload.objects.count() == 1


def test_a_cancelled_file_is_forgotten(door: Door) -> None:
    assert door.client.post(door.preview_of(pbn(factories.record())), {"cancel": "1"})["Location"] == door.home
    assert not Upload.objects.exists() and not Board.objects.exists()


def test_a_file_that_goes_while_it_is_read_leads_back_to_the_list(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    url = door.preview_of(pbn(factories.record()))

    def read_what_is_gone(upload: Upload) -> dict[str, Any]:
        Upload.objects.all().delete()
        return previews.preview_of(upload)

    monkeypatch.setattr("boards.files.uploading.preview_of", read_what_is_gone)
    assert door.client.get(url)["Location"] == door.home


def test_the_worker_says_of_a_large_file_what_a_request_says_of_a_small_one(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = pbn(factories.record(number=1, event="Friday pairs"), factories.record(number=2)) + BAD_RECORD
    small = door.preview_of(file)
    monkeypatch.setattr(previews, "MAX_SMALL", len(file) - 1)
    large = door.preview_of(file)
    waiting = door.text_of(large)
    again = '<meta http-equiv="refresh" content="3">', '<a href="">Look again</a>'
    assert not unsaid(waiting, "Reading evening.pbn", "It has not begun yet", *again)
    assert "new board" not in waiting and 'name="draft"' not in waiting
    work()
    own = re.compile(r'(?<=csrfmiddlewaretoken" value=")[^"]+|(?<=upload/)[\w-]{36}')
    assert own.sub("", door.text_of(large)) == own.sub("", door.text_of(small))
    assert "<strong>2 new boards.</strong>" in door.text_of(large)
    assert door.client.post(large, {"draft": "1"}).status_code == door.found
    assert (Board.objects.count(), Upload.objects.count()) == (2, 1)


def test_a_file_of_more_boards_than_one_import_takes_leads_on(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(previews, "MAX_BOARDS", 1)
    files = pbn(factories.record(), factories.record()), pbn(*[factories.record()] * 2)
    # Read by the request, and by the worker.
    for max_small, file in product((previews.MAX_SMALL, 0), files):
        monkeypatch.setattr(previews, "MAX_SMALL", max_small)
        url = door.preview_of(file)
        work()
        answers = [door.client.get(url)]
        if door.whose == "yours":  # The boards of a member's file are counted first.
            answers.append(door.client.post(url, {"draft": "1"}))
        for answer in answers:
            page = answer.content.decode()
            assert answer.status_code == 413 and 'name="draft"' not in page
            assert "The file has more than 1 board. Split it into smaller files." in page
        assert not Board.objects.exists()
        assert door.client.post(url, {"cancel": "1"})["Location"] == door.home
        assert not Upload.objects.exists()


def test_the_file_of_somebody_else_or_for_somebody_else_is_not_there(zia: Account) -> None:
    members, staff = door_of_members(zia), door_of_staff()
    same_person = door_of_members(Account.objects.get(pk="the-admin"))
    pairs = (door_of_members(factories.account()), members), (members, staff), (staff, same_person)
    for door, other in pairs:
        door.preview_of(pbn(factories.record(event="Secret")))
        url = reverse(other.preview, args=[Upload.objects.latest("created_at").pk])
        for answer in (other.client.get(url), *(other.client.post(url, {do: "1"}) for do in ("draft", "cancel"))):
            assert (answer.status_code, answer["Location"]) == (other.found, other.home)
    assert Upload.objects.count() == len(pairs) and not Board.objects.exists()


def test_a_body_has_its_limit_and_no_stranger_has_one_parsed(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    assert door.send(b"x" * 300_000).status_code == door.found
    assert door.send(b"x" * (16 * 2**20)).status_code == 413
    monkeypatch.setattr(WSGIRequest, "parse_file_upload", lambda *of: pytest.fail("It was parsed."))
    response = replace(door, client=Client(enforce_csrf_checks=True)).send(b"x" * 300_000)
    assert (response.status_code, response["Location"].partition("?")[0]) == (door.found, door.login)
    assert Upload.objects.count() == 1


def test_an_upload_needs_a_token_of_this_site(door: Door) -> None:
    door.client.handler.enforce_csrf_checks = True
    assert door.send(b"x").status_code == 403 and not Upload.objects.exists()
    token = door.text_of(door.upload).partition('name="csrfmiddlewaretoken" value="')[2].partition('"')[0]
    assert door.send(b"x", csrfmiddlewaretoken=token).status_code == door.found


def test_a_few_files_are_imported_at_once_and_hold_up_no_program(door: Door, service: APIClient, lines: Lines) -> None:
    file = pbn(factories.record())
    url = door.preview_of(file)
    with ExitStack() as running:
        for _ in range(door.places):
            running.enter_context(door.permit())
        assert door.client.get(url).status_code == 200
        assert door.client.post(url, {"draft": "1"}).status_code == 503
        assert {line["level"] for line in lines.of("config.api.handlers")} == {"info"}
        assert Upload.objects.exists() and not Board.objects.exists()
        answer = service.post("/api/deals/import", file, content_type="application/x-pbn")
        assert answer.status_code == 200
    assert door.client.post(url, {"draft": "1"}).status_code == door.found


@pytest.mark.parametrize("is_erased", [False, True])
def test_a_file_comes_back_when_its_import_fails_but_not_after_an_erasure(is_erased: bool, zia: Account) -> None:
    upload = receive(uploader=zia, owner=zia, name="evening.pbn", content=b"x")

    def fail() -> None:
        with taken(uploader=zia, upload_id=upload.pk):
            assert not Upload.objects.exists()
            if is_erased:
                erase(account_id="zia", by=None)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert Upload.objects.exists() is not is_erased
