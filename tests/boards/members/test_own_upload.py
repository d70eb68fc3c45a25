"""A member uploads a file, looks at its preview and imports it."""

from contextlib import ExitStack
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.handlers.wsgi import WSGIRequest
from django.test import Client

from accounts.models import Account
from boards.files import previews
from boards.files.uploads import MAX_UPLOADS
from boards.models import Board, PublicationReview, Upload
from config.edge.limits import exports
from tests import factories
from tests.boards.admin.pages import pbn
from tests.boards.admin.uploading import BAD_RECORD, work
from tests.boards.files.test_import_tables import CARDS, ODD_LEAD
from tests.config.admin.conftest import staff_client
from tests.log_lines import Lines
from tests.members import signed_in

pytestmark = pytest.mark.django_db

LIST, UPLOAD = "/account/boards", "/account/boards/upload"


def send(client: Client, content: bytes, name: str = "evening.pbn") -> Any:
    return client.post(UPLOAD, {"file": SimpleUploadedFile(name, content)})


def preview_of(client: Client, content: bytes, **options: str) -> str:
    response = send(client, content, **options)
    assert response.status_code == 303, response.content.decode()[-2000:]
    return response["Location"]


def said(client: Client) -> list[str]:
    return [str(message) for message in client.get(LIST).context["messages"]]


def test_the_form_says_what_may_be_uploaded(zia_client: Client, zia: Account, settings: Any) -> None:
    settings.MEMBER_BOARDS = 10
    factories.board(owner=zia)
    page = zia_client.get(UPLOAD).content.decode()
    for words in ("9 more boards, of 10", "up to 16 MiB, 30 of them a day", f"{MAX_UPLOADS} files may wait"):
        assert words in page


def test_the_preview_says_what_would_happen_and_stores_no_board(zia_client: Client, zia: Account) -> None:
    known = factories.record(5, event="Friday pairs", date="2026.11.20", site="Deventer")
    factories.board(5, owner=zia, event="Friday pairs")
    file = pbn(known, factories.record(number=2, event="<script>")) + BAD_RECORD
    page = zia_client.get(preview_of(zia_client, file, name="<b>x.pbn"))
    text = page.content.decode()
    assert "<strong>1 new board.</strong>" in text and "1 board of yours is here already." in text
    assert "Boards of yours that are published stay as they are." in text
    assert "1 record will be refused." in text and "Friday pairs, 20 November 2026, Deventer: 1 record" in text
    assert text.count('class="diagram"') == 2
    assert "<script>" not in text.partition("<main")[2] and "<b>x" not in text
    assert Board.objects.count() == 1 and page["Cache-Control"] == "private, no-store"


def test_a_small_file_is_read_at_the_first_look_alone(zia_client: Client) -> None:
    url = preview_of(zia_client, pbn(factories.record(number=1, event="Friday pairs")))
    first = zia_client.get(url).content
    Upload.objects.update(content=b"")
    again = zia_client.get(url).content
    for words in (b"1 new board.", b"Friday pairs", b'class="diagram"'):
        assert words in first and words in again


@pytest.mark.parametrize("mode", ["off", "review", "open"])
@pytest.mark.parametrize("button", ["draft", "publish"])
def test_a_file_becomes_drafts_and_is_published_as_the_operator_allows(
    mode: str, button: str, zia_client: Client, settings: Any, lines: Lines, django_capture_on_commit_callbacks: Any
) -> None:
    settings.MEMBER_PUBLISHING = mode
    stayman = factories.theme("stayman")
    url = preview_of(zia_client, pbn(factories.record(number=1, event="Own"), factories.record(number=2)))
    shown = zia_client.get(url).content.decode()
    assert ('name="publish"' in shown) == (mode != "off")
    body = {button: "1", "theme": str(stayman.pk), "event": "Friday pairs", "date": "2026-11-20"}
    with django_capture_on_commit_callbacks(execute=True):
        response = zia_client.post(url, body)
    if (mode, button) == ("off", "publish"):
        assert response.status_code == 403 and not Board.objects.exists() and Upload.objects.exists()
        return
    assert (response.status_code, response["Location"]) == (303, LIST)
    boards = Board.objects.order_by("board_number")
    assert [board.event for board in boards] == ["Own", "Friday pairs"]
    assert {(board.owner_id, board.date) for board in boards} == {("zia", "2026.11.20")}
    assert set(stayman.boards.all()) == set(boards)
    published, waiting = Board.objects.published().count(), PublicationReview.objects.count()
    expected = {("open", "publish"): (2, 0), ("review", "publish"): (0, 2)}
    assert (published, waiting) == expected.get((mode, button), (0, 0))
    messages = said(zia_client)
    assert messages[0] == "evening.pbn: 2 new boards, as drafts." and len(messages) == 1 + (button == "publish")
    (line,) = (line for line in lines.of("security") if line["event"] == "boards_uploaded")
    assert (line["boards"], line["owner"], line["account"]) == (2, "zia", "zia")
    again = zia_client.post(url, body, follow=True)
    assert "This file is not here any more" in again.content.decode()
    assert Board.objects.count() == 2 and not Upload.objects.exists()


def test_what_its_reader_doubts_stays_a_draft(zia_client: Client, settings: Any) -> None:
    settings.MEMBER_PUBLISHING = "open"
    odd_lead = ODD_LEAD.format(CARDS) + '[Play "E"]\nSA\n*\n'
    zia_client.post(preview_of(zia_client, pbn(factories.record(number=1)) + odd_lead.encode()), {"publish": "1"})
    assert list(Board.objects.published().values_list("board_number", flat=True)) == [1]
    assert Board.objects.count() == 2


def test_the_same_file_twice_brings_the_same_boards(zia_client: Client) -> None:
    file = pbn(factories.record(number=1))
    for _ in range(2):
        zia_client.post(preview_of(zia_client, file), {"publish": "1"})
    assert (Board.objects.count(), PublicationReview.objects.count()) == (1, 1)


def test_a_file_with_too_many_boards_is_told_so_and_imports_nothing(
    zia_client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MEMBER_BOARDS = 3
    monkeypatch.setattr("boards.files.importing.BATCH_SIZE", 2)
    file = pbn(*(factories.record(number=number) for number in (1, 2, 3, 4)))
    # Read by the request, by the worker, and not yet by the worker.
    for max_small, is_read in ((previews.MAX_SMALL, True), (0, True), (0, False)):
        monkeypatch.setattr(previews, "MAX_SMALL", max_small)
        url = preview_of(zia_client, file)
        if is_read:
            work()
            page = zia_client.get(url).content.decode()
            assert "You may add 3 more boards, and this file has 4 new ones." in page
            assert 'name="draft"' not in page
        response = zia_client.post(url, {"draft": "1"})
        assert response.status_code == 400 and "You may have 3 boards," in response.content.decode()
        assert not Board.objects.exists() and Upload.objects.exists()


def test_an_import_that_the_limit_stops_midway_says_how_many_boards_are_stored(
    zia_client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MEMBER_BOARDS = 3
    monkeypatch.setattr("boards.files.importing.BATCH_SIZE", 2)
    # As when other boards come in just after the check.
    monkeypatch.setattr("boards.files.uploading.check_room", lambda *of: None)
    url = preview_of(zia_client, pbn(*(factories.record(number=number) for number in (1, 2, 3, 4))))
    response = zia_client.post(url, {"draft": "1"})
    assert response.status_code == 400
    assert "2 new boards came in before the import stopped." in response.content.decode()
    assert Board.objects.count() == 2 and Upload.objects.exists()


def test_boards_that_came_in_since_the_preview_do_not_count_as_new(
    zia_client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MEMBER_BOARDS = 2
    monkeypatch.setattr(previews, "MAX_SMALL", 0)
    file = pbn(factories.record(number=1), factories.record(number=2))
    tabs = [preview_of(zia_client, file) for _ in range(2)]
    work()
    assert [zia_client.post(url, {"draft": "1"}).status_code for url in tabs] == [303, 303]
    assert Board.objects.count() == 2 and not Upload.objects.exists()


def test_a_wrong_field_shows_the_preview_again_and_imports_nothing(zia_client: Client) -> None:
    url = preview_of(zia_client, pbn(factories.record(number=1)))
    response = zia_client.post(url, {"draft": "1", "event": "x" * 201, "date": "yesterday"})
    page = response.content.decode()
    assert response.status_code == 400 and page.count('<p class="error"') == 2
    assert 'href="#id_event"' in page and 'aria-describedby="id_event_helptext id_event_error"' in page
    assert not Board.objects.exists() and Upload.objects.count() == 1


def test_the_worker_reads_a_large_file(zia_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boards.files.previews.MAX_SMALL", 0)
    url = preview_of(zia_client, pbn(factories.record(number=1)))
    reading = zia_client.get(url).content.decode()
    assert '<meta http-equiv="refresh" content="3">' in reading and "It has not begun yet." in reading
    work()
    assert "<strong>1 new board.</strong>" in zia_client.get(url).content.decode()


def test_a_file_that_is_too_large_for_one_import_leads_on(zia_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(previews, "MAX_BOARDS", 1)
    file = pbn(factories.record(number=1), factories.record(number=2))
    # Read by the request, and by the worker.
    for max_small in (previews.MAX_SMALL, 0):
        monkeypatch.setattr(previews, "MAX_SMALL", max_small)
        url = preview_of(zia_client, file)
        work()
        for answer in (zia_client.get(url), zia_client.post(url, {"draft": "1"})):
            page = answer.content.decode()
            assert answer.status_code == 413 and "Preview of evening.pbn" in page
            assert "The file has more than 1 board. Split it into smaller files." in page
            assert 'name="cancel"' in page and f'href="{UPLOAD}">Choose another file' in page
            assert 'name="draft"' not in page and "manage.py" not in page
            assert answer["Cache-Control"] == "private, no-store"
        assert not Board.objects.exists()
        assert zia_client.post(url, {"cancel": "1"})["Location"] == LIST
        assert not Upload.objects.exists()


def test_cancelling_forgets_the_file(zia_client: Client) -> None:
    assert zia_client.post(preview_of(zia_client, pbn(factories.record())), {"cancel": "1"})["Location"] == LIST
    assert not Upload.objects.exists() and not Board.objects.exists()


def test_the_file_of_somebody_else_is_not_there(zia_client: Client, zia: Account) -> None:
    other = signed_in(factories.account("other"))
    url = preview_of(other, pbn(factories.record(event="Secret")))
    for answer in (zia_client.get(url), zia_client.post(url, {"draft": "1"}), zia_client.post(url, {"cancel": "1"})):
        assert (answer.status_code, answer["Location"]) == (303, LIST)
    assert "Secret" not in zia_client.get(url, follow=True).content.decode()
    assert Upload.objects.count() == 1 and not Board.objects.exists()


def test_what_staff_upload_for_others_is_not_imported_through_this_door(db: None) -> None:
    boss = staff_client("admin")
    factories.account("yan")
    file = SimpleUploadedFile("evening.pbn", pbn(factories.record()))
    boss.post("/admin/boards/board/upload/", {"file": file, "owner": "yan"})
    upload = Upload.objects.get()
    zia_client = signed_in(upload.uploader)
    assert zia_client.post(f"{UPLOAD}/{upload.pk}", {"draft": "1"})["Location"] == LIST
    assert Upload.objects.exists() and not Board.objects.exists()


def test_an_account_uploads_so_many_files_an_hour(zia_client: Client, settings: Any) -> None:
    settings.MEMBER_UPLOAD_RATE = "2/h"
    for _ in range(2):
        preview_of(zia_client, b"x")
    refused = send(zia_client, b"x")
    assert refused.status_code == 429 and int(refused["Retry-After"]) > 0
    assert "You have uploaded 2 files" in refused.content.decode()
    assert Upload.objects.count() == 2
    assert send(signed_in(factories.account()), b"x").status_code == 303


def test_a_body_has_its_limit_and_no_stranger_has_one_parsed(
    zia_client: Client, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert send(zia_client, b"x" * 300_000).status_code == 303
    assert send(zia_client, b"x" * (16 * 2**20)).status_code == 413
    monkeypatch.setattr(WSGIRequest, "parse_file_upload", lambda *of: pytest.fail("It was parsed."))
    assert send(client, b"x" * 300_000).status_code == 303
    assert Upload.objects.count() == 1


def test_an_upload_needs_a_token_of_this_site(zia: Account) -> None:
    strict = signed_in(zia, enforce_csrf_checks=True)
    assert send(strict, b"x").status_code == 403
    page = strict.get(UPLOAD).content.decode()
    token = page.partition('name="csrfmiddlewaretoken" value="')[2].partition('"')[0]
    file = SimpleUploadedFile("evening.pbn", b"x")
    assert strict.post(UPLOAD, {"file": file, "csrfmiddlewaretoken": token}).status_code == 303


def test_an_upload_without_a_file_shows_what_is_wrong(zia_client: Client) -> None:
    response = zia_client.post(UPLOAD, {})
    assert response.status_code == 400 and 'href="#id_file"' in response.content.decode()


def test_members_never_take_all_places_of_imports_from_staff(zia_client: Client) -> None:
    url = preview_of(zia_client, pbn(factories.record()))
    with ExitStack() as running:
        for _ in range(exports.MAX_OF_MEMBERS):
            running.enter_context(exports.member_permit())
        refused = zia_client.post(url, {"draft": "1"})
        assert refused.status_code == 503 and Upload.objects.exists() and not Board.objects.exists()
        with exports.staff_permit():
            pass
    assert zia_client.post(url, {"draft": "1"}).status_code == 303
