"""What is said and allowed of uploads on the pages of members alone."""

from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import pytest

from accounts.models import Account
from boards.files import previews
from boards.files.uploading import MAX_UPLOADS
from boards.models import Board, EventRanking, PublicationReview, Upload
from bridge.seats import Seat
from config.edge.limits import exports
from tests import factories
from tests.boards.admin.pages import pbn, unsaid
from tests.boards.admin.uploading import Uploader, uploader_of_members, uploader_of_staff, work
from tests.boards.events.test_file_rankings import evening
from tests.boards.files.test_import_tables import DOUBTFUL

pytestmark = pytest.mark.django_db


@pytest.fixture
def own(zia: Account) -> Uploader:
    return uploader_of_members(zia)


def file_of(count: int) -> bytes:
    return pbn(*(factories.record(number=number) for number in range(1, count + 1)))


def test_the_form_says_what_may_be_uploaded_and_what_is_missing(own: Uploader, zia: Account, settings: Any) -> None:
    settings.MEMBER_BOARDS = 10
    factories.board(owner=zia)
    limits = "9 more boards, of 10", "up to 16 MiB, 30 of them a day", f"{MAX_UPLOADS} files can wait"
    assert not unsaid(own.text_of(own.upload), *limits)
    response = own.client.post(own.upload, {})
    assert response.status_code == 400 and 'href="#id_file"' in response.content.decode()


def test_the_preview_is_a_private_page_that_leads_on_from_what_is_wrong(
    own: Uploader, zia: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    factories.board(5, owner=zia)
    url = own.preview_of(pbn(factories.record(5)))
    shown = own.client.get(url)
    assert "Boards of yours that are published stay unchanged." in shown.content.decode()
    odd = pbn(replace(factories.record(number=1), dealer=Seat.WEST))
    warning = "does not match the board number"
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
        assert not unsaid(own.text_of(url), "1 new board.", "Friday pairs", 'class="diagram')
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


def test_the_message_tells_what_is_published_and_what_stays_a_draft(own: Uploader, settings: Any) -> None:
    settings.MEMBER_PUBLISHING = "open"
    own.client.post(own.preview_of(file_of(1) + DOUBTFUL), {"publish": "1"})
    (message,) = own.messages()
    assert "published" in message and "Drafts to check before they are published: 1." in message
    assert (Board.objects.published().count(), Board.objects.drafts().count()) == (1, 1)


def test_a_ranking_comes_in_with_boards_that_are_published_at_once(own: Uploader, settings: Any) -> None:
    left_out = "It contains 1 ranking, left out: a ranking is only imported with boards that are published at once."
    for settings.MEMBER_PUBLISHING, button, stored in (
        *(("review", "draft", 0), ("review", "publish", 0)),
        *(("open", "draft", 0), ("open", "publish", 1)),
    ):
        own.client.post(own.preview_of(evening("1 1 20 50")), {button: "1"})
        said = own.messages()[0]
        assert EventRanking.objects.count() == stored
        assert left_out in said if not stored else "published. Already stored: 2. It contains 1 ranking." in said, said


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
            assert "You may add 3 more boards, but this file has 4 new ones." in page
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
    assert "Imported before it stopped: 2 new boards." in response.content.decode()
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
