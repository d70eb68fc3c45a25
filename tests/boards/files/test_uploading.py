"""A file is uploaded, looked at and imported, by members on their pages and by staff in the admin."""

import re
from contextlib import ExitStack
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.handlers.wsgi import WSGIRequest
from django.test import Client
from django.urls import reverse
from django_tasks_db.models import DBTaskResult
from rest_framework.test import APIClient

from accounts.models import Account
from accounts.personal_data.erasure import erase
from boards.files import previews
from boards.files.options import ImportOptions
from boards.files.uploading import MAX_UPLOADS, import_upload, receive
from boards.models import Board, PublicationReview, Upload
from bridge.formats.pbn.writer import write_pbn
from bridge.seats import Seat
from config.edge.limits import exports
from tests import factories
from tests.boards.admin.pages import pbn, unsaid
from tests.boards.admin.uploading import BAD_RECORD, Uploader, uploader_of_members, uploader_of_staff, work
from tests.boards.catalogue.comparing import assert_readers_and_a_new_copy_get_what_the_boards_say
from tests.boards.files.test_import_tables import DOUBTFUL
from tests.bridge.formats.usebio_files import TABLE, document
from tests.bridge.formats.usebio_files import board as usebio_board
from tests.log_lines import Lines

pytestmark = pytest.mark.django_db

RESULTS = document(usebio_board(TABLE.replace("<LEAD>AC</LEAD>", ""))).encode()
TEXTS = {"event": "Friday pairs", "date": "2026.11.20", "site": "Deventer"}


@pytest.fixture(params=["members", "staff"])
def uploader(request: pytest.FixtureRequest, zia: Account, settings: Any) -> Uploader:
    settings.MEMBER_PUBLISHING = "open"
    return uploader_of_members(zia) if request.param == "members" else uploader_of_staff()


FOREIGN = {
    "IMG_4711.HEIC": (b"\0\0\0\x24ftypheic", "This is a picture. Send the PBN or LIN file that it was made from."),
    "results.jpg": (b"\xff\xd8\xff\xe0\0\x10JFIF", "This is a picture. "),
    "results.png": (b"\x89PNG\r\n\x1a\n", "This is a picture. "),
    "called.pbn": (b"%PDF-1.7", "This is a PDF document. "),
}


def test_a_picture_or_a_document_is_refused_at_the_form_and_nothing_is_stored(
    uploader: Uploader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(previews, "MAX_SMALL", 0)  # else nothing would be queued
    for name, (content, sentence) in FOREIGN.items():
        for files in (
            {"file": (content, name)},
            {"file": (pbn(factories.record()), "a.pbn"), "second": (content, name)},
        ):
            sent = {field: SimpleUploadedFile(called, data) for field, (data, called) in files.items()}
            page = uploader.client.post(uploader.upload, {**sent, "owner": "zia"})
            assert (page.status_code, sentence in page.content.decode()) == (uploader.wrong, True), (name, [*files])
    assert not Upload.objects.exists() and not DBTaskResult.objects.exists()


def test_the_preview_says_what_would_happen_and_stores_no_board(uploader: Uploader, zia: Account) -> None:
    factories.board(5, owner=zia, **TEXTS)
    new = factories.record(number=2), factories.record(number=3, event="<script>alert(1)</script>")
    page = uploader.text_of(uploader.preview_of(pbn(factories.record(5, **TEXTS), *new) + BAD_RECORD, name="<b>x.pbn"))
    numbers = (
        "<strong>2 new boards, 1 the same.</strong>",
        f"1 board of {uploader.whose} is here already.",
        "1 record will be refused.",
    )
    assert not unsaid(page, "Preview of &lt;b&gt;x.pbn", *numbers, "&lt;script&gt;alert(1)")
    assert re.search(r"<strong>Board 13, line \d+</strong>, refused: East&#x27;s hand", page)
    assert not unsaid(page, "Friday pairs, 20 November 2026, Deventer: 1 record", "Without an event: 1 record")
    assert "<script>alert" not in page and "<b>x" not in page
    assert page.count('class="diagram"') == 3
    assert Board.objects.count() == 1


def test_the_preview_proposes_the_theme_that_the_whole_file_names_and_lists_several(uploader: Uploader) -> None:
    drury, _ = factories.theme("reverse_drury"), factories.theme("two", labels={"en": "Two over one"})
    tags = '[Category "Bidding"]\n[SkillPath "bidding/{}"]\n[Difficulty "Easy"]\n'
    lesson, other = (
        tags.format(name).encode() + write_pbn(factories.record(number)).encode()
        for number, name in enumerate(("Reverse_Drury", "two-over-one"), start=2)
    )
    page = uploader.text_of(uploader.preview_of(lesson))
    assert f'<option value="{drury.pk}" selected>' in page and "Theme reverse_drury: 1 record<" in page
    for several in (lesson + other, lesson + write_pbn(factories.record(4)).encode()):
        page = uploader.text_of(uploader.preview_of(several))
        assert f'<option value="{drury.pk}">' in page and "Theme reverse_drury: 1 record<" in page
    assert "left out" not in page, "Easy is a difficulty"


@pytest.mark.parametrize("button", ["publish", "draft"])
def test_a_file_is_imported_once_with_what_was_chosen(
    button: str, uploader: Uploader, lines: Lines, django_capture_on_commit_callbacks: Any
) -> None:
    stayman = factories.theme("stayman")
    url = uploader.preview_of(pbn(factories.record(number=1, event="Own"), factories.record(number=2)))
    body = {button: "1", "theme": str(stayman.pk), "event": "Friday pairs", "date": "2026-11-20"}
    with django_capture_on_commit_callbacks(execute=True):
        response = uploader.client.post(url, body)
    assert (response.status_code, response["Location"]) == (uploader.found, uploader.home)
    boards = Board.objects.order_by("board_number")
    stored = [(board.event, board.owner_id, board.date, [*board.themes.all()]) for board in boards]
    assert stored == [(event, "zia", "2026.11.20", [stayman]) for event in ("Own", "Friday pairs")]
    assert Board.objects.published().count() == (2 if button == "publish" else 0)
    assert_readers_and_a_new_copy_get_what_the_boards_say()
    assert uploader.messages()[0].startswith("evening.pbn: 2 new boards, ")
    (line,) = (line for line in lines.of("security") if line["event"] == "boards_uploaded")
    assert (line["boards"], line["owner"]) == (2, "zia")
    again = uploader.client.post(url, body, follow=True)
    assert "This file is not here any more" in again.content.decode()
    assert Board.objects.count() == 2 and not Upload.objects.exists()


def test_two_files_of_one_form_are_joined_and_imported_together(uploader: Uploader) -> None:
    deals, results = (SimpleUploadedFile("evening", content) for content in (pbn(factories.record(2, 7)), RESULTS))
    response = uploader.client.post(uploader.upload, {"file": deals, "second": results, "owner": "zia"})
    assert response.status_code == uploader.found
    work()
    assert not unsaid(uploader.text_of(response["Location"]), "Preview of evening + evening", "1 new board")
    imported = uploader.client.post(response["Location"], {"draft": "1"})
    (board,) = Board.objects.select_related("deal")
    evening = f"?evening={board.event_slug}" if uploader.home.startswith("/account") else ""
    assert imported["Location"] == f"{uploader.home}{evening}", "members see what came of their evening"
    assert (board.deal.cards, board.contract, board.event) == (factories.layout(2).cards, "2SX", "Monday pairs")


def test_a_wrong_field_shows_the_preview_again_and_imports_nothing(uploader: Uploader) -> None:
    url = uploader.preview_of(pbn(factories.record()))
    response = uploader.client.post(url, {"draft": "1", "event": "x" * 201, "date": "yesterday"})
    page = response.content.decode()
    assert response.status_code == uploader.wrong and "Preview of" in page
    assert page.count('class="errorlist"') == 2 or page.count('<p class="error"') == 2
    assert not Board.objects.exists() and Upload.objects.count() == 1


def test_a_cancelled_file_is_forgotten(uploader: Uploader) -> None:
    assert (
        uploader.client.post(uploader.preview_of(pbn(factories.record())), {"cancel": "1"})["Location"] == uploader.home
    )
    assert not Upload.objects.exists() and not Board.objects.exists()


def test_a_file_that_goes_while_it_is_read_leads_back_to_the_list(
    uploader: Uploader, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = uploader.preview_of(pbn(factories.record()))

    def read_what_is_gone(upload: Upload) -> dict[str, Any]:
        Upload.objects.all().delete()
        return previews.preview_of(upload)

    monkeypatch.setattr("boards.files.uploading.preview_of", read_what_is_gone)
    assert uploader.client.get(url)["Location"] == uploader.home


def test_the_worker_says_of_a_large_file_what_a_request_says_of_a_small_one(
    uploader: Uploader, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = pbn(factories.record(number=1, event="Friday pairs"), factories.record(number=2)) + BAD_RECORD
    small = uploader.preview_of(file)
    monkeypatch.setattr(previews, "MAX_SMALL", len(file) - 1)
    large = uploader.preview_of(file)
    waiting = uploader.text_of(large)
    again = '<meta http-equiv="refresh" content="3">', '<a href="">Look again</a>'
    assert not unsaid(waiting, "Reading evening.pbn", "It has not begun yet", *again)
    assert "new board" not in waiting and 'name="draft"' not in waiting
    work()
    own = re.compile(r'(?<=csrfmiddlewaretoken" value=")[^"]+|(?<=upload/)[\w-]{36}')
    assert own.sub("", uploader.text_of(large)) == own.sub("", uploader.text_of(small))
    assert "<strong>2 new boards.</strong>" in uploader.text_of(large)
    assert uploader.client.post(large, {"draft": "1"}).status_code == uploader.found
    assert (Board.objects.count(), Upload.objects.count()) == (2, 1)


def test_a_file_of_more_boards_than_one_import_takes_leads_on(
    uploader: Uploader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(previews, "MAX_BOARDS", 1)
    files = pbn(factories.record(), factories.record()), pbn(*[factories.record()] * 2)
    # Read by the request, and by the worker.
    for max_small, file in product((previews.MAX_SMALL, 0), files):
        monkeypatch.setattr(previews, "MAX_SMALL", max_small)
        url = uploader.preview_of(file)
        work()
        answers = [uploader.client.get(url)]
        if uploader.whose == "yours":  # The boards of a member's file are counted first.
            answers.append(uploader.client.post(url, {"draft": "1"}))
        for answer in answers:
            page = answer.content.decode()
            assert answer.status_code == 413 and 'name="draft"' not in page
            assert "The file has more than 1 board. Split it into smaller files." in page
        assert not Board.objects.exists()
        assert uploader.client.post(url, {"cancel": "1"})["Location"] == uploader.home
        assert not Upload.objects.exists()


def test_the_file_of_somebody_else_or_for_somebody_else_is_not_there(zia: Account) -> None:
    members, staff = uploader_of_members(zia), uploader_of_staff()
    same_person = uploader_of_members(Account.objects.get(pk="the-admin"))
    pairs = (uploader_of_members(factories.account()), members), (members, staff), (staff, same_person)
    for uploader, other in pairs:
        uploader.preview_of(pbn(factories.record(event="Secret")))
        url = reverse(other.preview, args=[Upload.objects.latest("created_at").pk])
        for answer in (other.client.get(url), *(other.client.post(url, {do: "1"}) for do in ("draft", "cancel"))):
            assert (answer.status_code, answer["Location"]) == (other.found, other.home)
    assert Upload.objects.count() == len(pairs) and not Board.objects.exists()


def test_a_body_has_its_limit_and_no_stranger_has_one_parsed(
    uploader: Uploader, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert uploader.send(b"x" * 300_000).status_code == uploader.found
    assert uploader.send(b"x" * (16 * 2**20)).status_code == 413
    monkeypatch.setattr(WSGIRequest, "parse_file_upload", lambda *of: pytest.fail("It was parsed."))
    response = replace(uploader, client=Client(enforce_csrf_checks=True)).send(b"x" * 300_000)
    assert (response.status_code, response["Location"].partition("?")[0]) == (uploader.found, uploader.login)
    assert Upload.objects.count() == 1


def test_an_upload_needs_a_token_of_this_site(uploader: Uploader) -> None:
    uploader.client.handler.enforce_csrf_checks = True
    assert uploader.send(b"x").status_code == 403 and not Upload.objects.exists()
    token = uploader.text_of(uploader.upload).partition('name="csrfmiddlewaretoken" value="')[2].partition('"')[0]
    assert uploader.send(b"x", csrfmiddlewaretoken=token).status_code == uploader.found


def test_a_few_files_are_imported_at_once_and_hold_up_no_program(
    uploader: Uploader, service: APIClient, lines: Lines
) -> None:
    file = pbn(factories.record())
    url = uploader.preview_of(file)
    with ExitStack() as running:
        for _ in range(uploader.places):
            running.enter_context(uploader.permit())
        assert uploader.client.get(url).status_code == 200
        assert uploader.client.post(url, {"draft": "1"}).status_code == 503
        assert {line["level"] for line in lines.of("config.api.errors")} == {"info"}
        assert Upload.objects.exists() and not Board.objects.exists()
        answer = service.post("/api/deals/import", file, content_type="application/x-pbn")
        assert answer.status_code == 200
    assert uploader.client.post(url, {"draft": "1"}).status_code == uploader.found


@pytest.mark.parametrize("is_erased", [False, True])
def test_a_file_comes_back_when_its_import_fails_but_not_after_an_erasure(
    is_erased: bool, zia: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload = receive(uploader=zia, owner=zia, name="evening.pbn", content=b"x")

    def fail(*given: object, **options: object) -> None:
        assert not Upload.objects.exists()
        if is_erased:
            erase(account_id="zia", by=None)
        raise RuntimeError

    monkeypatch.setattr("boards.files.uploading.import_boards", fail)
    with pytest.raises(RuntimeError):
        import_upload(uploader=zia, upload_id=upload.pk, options=ImportOptions())
    assert Upload.objects.exists() is not is_erased


# --- What is said and allowed on the members' pages alone ------------------------------------------------------


@pytest.fixture
def own(zia: Account) -> Uploader:
    return uploader_of_members(zia)


def file_of(count: int) -> bytes:
    return pbn(*(factories.record(number=number) for number in range(1, count + 1)))


def test_the_form_says_what_may_be_uploaded_and_what_is_missing(own: Uploader, zia: Account, settings: Any) -> None:
    settings.MEMBER_BOARDS = 10
    factories.board(owner=zia)
    limits = "9 more boards, of 10", "up to 16 MiB, 30 of them a day", f"{MAX_UPLOADS} files may wait"
    assert not unsaid(own.text_of(own.upload), *limits)
    response = own.client.post(own.upload, {})
    assert response.status_code == 400 and 'href="#id_file"' in response.content.decode()


def test_the_preview_is_a_private_page_that_leads_on_from_what_is_wrong(
    own: Uploader, zia: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    factories.board(5, owner=zia)
    url = own.preview_of(pbn(factories.record(5)))
    shown = own.client.get(url)
    assert "Boards of yours that are published stay as they are." in shown.content.decode()
    odd = pbn(replace(factories.record(number=1), dealer=Seat.WEST))
    warning = "not that of the board number"
    assert warning in own.text_of(own.preview_of(odd))
    assert warning not in own.text_of(own.preview_of(odd, renumbered="on"))
    wrong = own.client.post(url, {"draft": "1", "event": "x" * 201}).content.decode()
    assert 'href="#id_event"' in wrong and 'aria-describedby="id_event_helptext id_event_error"' in wrong
    monkeypatch.setattr(previews, "MAX_BOARDS", 1)
    refused = own.client.get(own.preview_of(file_of(2)))
    page = refused.content.decode()
    assert 'name="cancel"' in page and f'href="{own.upload}">Choose another file' in page and "manage.py" not in page
    assert shown["Cache-Control"] == refused["Cache-Control"] == "private, no-store"


def test_a_small_file_is_read_at_the_first_look_alone(own: Uploader) -> None:
    url = own.preview_of(pbn(factories.record(number=1, event="Friday pairs")))
    for _ in range(2):
        assert not unsaid(own.text_of(url), "1 new board.", "Friday pairs", 'class="diagram"')
        Upload.objects.update(content=b"")


def test_the_boards_of_a_file_are_drafts_that_wait_for_staff_only_where_that_was_pressed_and_is_allowed(
    own: Uploader, settings: Any
) -> None:
    url = own.preview_of(file_of(2))
    settings.MEMBER_PUBLISHING = "off"
    assert 'name="publish"' not in own.text_of(url)
    assert own.client.post(url, {"publish": "1"}).status_code == 403
    assert not Board.objects.exists() and Upload.objects.exists()
    settings.MEMBER_PUBLISHING = "review"
    assert 'name="publish"' in own.text_of(url)
    # The file is sent twice, and brings its boards once.
    for button, waiting in (("draft", 0), ("publish", 2)):
        own.client.post(own.preview_of(Upload.objects.get().content), {button: "1"})
        assert len(own.messages()) == 1 + (button == "publish")
        assert (Board.objects.drafts().count(), PublicationReview.objects.count()) == (2, waiting)


def test_what_its_reader_doubts_stays_a_draft(own: Uploader, settings: Any) -> None:
    settings.MEMBER_PUBLISHING = "open"
    own.client.post(own.preview_of(file_of(1) + DOUBTFUL), {"publish": "1"})
    assert [board.board_number for board in Board.objects.published()] == [1] and Board.objects.count() == 2


def test_a_file_with_too_many_boards_is_told_so_and_imports_nothing(
    own: Uploader, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MEMBER_BOARDS = 3
    monkeypatch.setattr("boards.files.reports.BATCH_SIZE", 2)
    # Read by the request, by the worker, and not yet by the worker.
    for max_small, is_read in ((previews.MAX_SMALL, True), (0, True), (0, False)):
        monkeypatch.setattr(previews, "MAX_SMALL", max_small)
        url = own.preview_of(file_of(4))
        if is_read:
            work()
            page = own.text_of(url)
            assert "You may add 3 more boards, and this file has 4 new ones." in page
            assert 'name="draft"' not in page
        response = own.client.post(url, {"draft": "1"})
        assert response.status_code == 400 and "You may have 3 boards," in response.content.decode()
        assert not Board.objects.exists() and Upload.objects.exists()


def test_an_import_that_the_limit_stops_midway_says_how_many_boards_are_stored(
    own: Uploader, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MEMBER_BOARDS = 3
    monkeypatch.setattr("boards.files.reports.BATCH_SIZE", 2)
    # As when other boards come in just after the check.
    monkeypatch.setattr("boards.files.uploading.check_room", lambda *of: None)
    response = own.client.post(own.preview_of(file_of(4)), {"draft": "1"})
    assert response.status_code == 400
    assert "2 new boards came in before the import stopped." in response.content.decode()
    assert Board.objects.count() == 2 and Upload.objects.exists()


def test_boards_that_came_in_since_the_preview_do_not_count_as_new(
    own: Uploader, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MEMBER_BOARDS = 2
    monkeypatch.setattr(previews, "MAX_SMALL", 0)
    file = file_of(2)
    tabs = [own.preview_of(file) for _ in range(2)]
    work()
    assert [own.client.post(url, {"draft": "1"}).status_code for url in tabs] == [303, 303]
    assert Board.objects.count() == 2 and not Upload.objects.exists()


def test_an_account_uploads_so_many_files_an_hour(own: Uploader, settings: Any) -> None:
    settings.MEMBER_UPLOAD_RATE = "2/h"
    for _ in range(2):
        own.preview_of(b"x")
    refused = own.send(b"x")
    assert refused.status_code == 429 and int(refused["Retry-After"]) > 0
    assert "You have uploaded 2 files" in refused.content.decode()
    assert Upload.objects.count() == 2
    assert uploader_of_members(factories.account()).send(b"x").status_code == 303


def test_members_never_take_all_places_of_imports_from_staff() -> None:
    with ExitStack() as running:
        for _ in range(exports.MAX_OF_MEMBERS):
            running.enter_context(exports.member_permit())
        staff = uploader_of_staff()
        assert staff.client.post(staff.preview_of(file_of(1), owner="system"), {"draft": "1"}).status_code == 302
