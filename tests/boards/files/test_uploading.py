"""A file is uploaded, looked at and imported, by members on their pages and by staff in the admin."""

import re
import sys
from contextlib import ExitStack
from dataclasses import replace
from io import BytesIO
from itertools import product
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.handlers.wsgi import WSGIRequest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from rest_framework.test import APIClient

from accounts.models import Account
from accounts.personal_data.erasure import erase
from boards.files import previews
from boards.files.options import ImportOptions
from boards.files.uploading import import_upload, receive
from boards.models import Board, Upload
from bridge.formats.pbn.writer import write_pbn
from tests import factories
from tests.boards.admin.pages import pbn, unsaid
from tests.boards.admin.uploading import BAD_RECORD, Uploader, uploader_of_members, uploader_of_staff, work
from tests.boards.catalogue.comparing import assert_readers_and_a_new_copy_get_what_the_boards_say
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
        f"1 board of {uploader.whose} is stored already.",
        "1 record will be refused.",
    )
    assert not unsaid(page, "Preview of &lt;b&gt;x.pbn", *numbers, "&lt;script&gt;alert(1)")
    assert re.search(r"<strong>Board 13, line \d+</strong>, refused: East&#x27;s hand", page)
    assert not unsaid(page, "Friday pairs, 20 November 2026, Deventer: 1 record", "Without an event: 1 record")
    assert "<script>alert" not in page and "<b>x" not in page
    assert page.count('<div class="diagram') == 3
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
    assert "This file is gone" in again.content.decode()
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

    real = previews.preview_of

    def read_what_is_gone(upload: Upload, *more: Any) -> dict[str, Any]:
        Upload.objects.all().delete()
        return real(upload, *more)

    monkeypatch.setattr(previews, "preview_of", read_what_is_gone)
    assert uploader.client.get(url)["Location"] == uploader.home


def test_a_small_file_is_read_once_whoever_looks_meanwhile(uploader: Uploader, monkeypatch: pytest.MonkeyPatch) -> None:
    url = uploader.preview_of(pbn(factories.record()))
    seen: list[str] = []

    def look_beside(*of: object) -> None:
        seen.append(uploader.text_of(url))

    monkeypatch.setattr(previews, "check_size", look_beside)
    assert all("1 new board" in uploader.text_of(url) for _ in range(3))
    (beside,) = seen
    assert not unsaid(beside, "Reading evening.pbn", "Reading has begun.", '<meta http-equiv="refresh" content="3">')
    DBTaskResult.objects.update(run_after=timezone.now())
    work()
    assert len(seen) == 1, "it is read when the worker comes to it"


def test_a_small_file_of_many_records_or_boards_is_left_to_the_worker(
    uploader: Uploader, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int | None] = []
    real = previews.dry_run_import

    def count(file: BytesIO, options: ImportOptions, **more: Any) -> previews.DryRunReport:
        read.append(options.max_records)
        return real(file, options, **more)

    monkeypatch.setattr(previews, "dry_run_import", count)
    monkeypatch.setattr(previews, "MAX_RECORDS", 2)
    for most, shown in ((10, "3 new boards"), (2, "The file has more than 2 boards.")):
        monkeypatch.setattr(previews, "MAX_BOARDS", most)
        read.clear()
        url = uploader.preview_of(pbn(*(factories.record(number=number) for number in (1, 2, 3))))
        pages = [uploader.client.get(url).content.decode() for _ in range(6)]
        assert all("Reading evening.pbn" in page for page in pages) and read == [2]
        work()
        pages = [uploader.client.get(url).content.decode() for _ in range(6)]
        assert all(shown in page for page in pages) and read == [2, None]
        uploader.client.post(url, {"draft": "1"} if most == 2 and uploader.whose == "yours" else {"cancel": "1"})
        assert read == [2, None], "what is refused is not read again"


def test_a_small_file_whose_reading_broke_off_is_read_by_the_worker(
    uploader: Uploader, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = uploader.preview_of(pbn(factories.record()))
    with monkeypatch.context() as patch:
        patch.setattr(previews, "render_html", sys.exit)  # as if the process was killed
        with pytest.raises(SystemExit):
            uploader.client.get(url)
    work()
    assert "Reading evening.pbn" in uploader.text_of(url), "not before a request has had time to read it"
    DBTaskResult.objects.update(run_after=timezone.now())
    work()
    assert "1 new board" in uploader.text_of(url)


def test_the_worker_says_of_a_large_file_what_a_request_says_of_a_small_one(
    uploader: Uploader, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = pbn(factories.record(number=1, event="Friday pairs"), factories.record(number=2)) + BAD_RECORD
    small = uploader.preview_of(file)
    monkeypatch.setattr(previews, "MAX_SMALL", len(file) - 1)
    large = uploader.preview_of(file)
    waiting = uploader.text_of(large)
    again = '<meta http-equiv="refresh" content="3">', '<a href="">Look again</a>'
    assert not unsaid(waiting, "Reading evening.pbn", "Reading has not begun yet", *again)
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
