"""What is said and allowed in the admin alone, where staff upload files for somebody or for the service."""

import json
import re
import sys
from dataclasses import replace
from datetime import timedelta
from io import StringIO
from typing import Any, BinaryIO

import pytest
from django.contrib.admin.models import LogEntry
from django.core.management import call_command
from django.db import OperationalError
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from accounts.models import Account
from accounts.personal_data.erasure import erase
from accounts.personal_data.export import export
from boards.files import previews, uploading
from boards.files.importing import import_boards
from boards.files.options import ImportOptions
from boards.files.uploading import MAX_UPLOADS
from boards.models import Board, Upload
from tests import factories
from tests.boards.admin.pages import LIST, UPLOAD, pbn
from tests.boards.admin.uploading import Uploader, uploader_of_staff, work
from tests.config.admin.conftest import staff_client

pytestmark = pytest.mark.django_db


@pytest.fixture
def uploader(db: None) -> Uploader:
    factories.account("zia")
    return uploader_of_staff()


def test_a_file_without_a_board_has_no_button_to_import(uploader: Uploader) -> None:
    page = uploader.text_of(uploader.preview_of(b"Dear all,", name="letter.txt"))
    assert "0 new boards" in page and "text without a board" in page
    assert "Choose another file" in page and 'value="Import' not in page


def test_a_finished_import_links_to_its_events_their_boards_and_hand_records(uploader: Uploader) -> None:
    names = ("A & B", "A & B", "", "Friday pairs")
    file = pbn(*(factories.record(number=number, event=name) for number, name in enumerate(names, 1)))
    uploader.client.post(uploader.preview_of(file), {"publish": "1", "date": "2026-11-20"})
    page = uploader.client.get(LIST)
    (message,) = map(str, page.context["messages"])
    assert message.startswith("evening.pbn: 4 new boards, published.<br>")
    assert "A &amp; B, 20 November 2026</a>: <a" in message and "Without an event" in message
    assert message.removeprefix("evening") in page.content.decode()
    links = re.findall(r'<a href="([^"]+)">([^<]+)</a>', message)
    assert [text for _, text in links].count("hand records") == 3
    shown = [uploader.text_of(path) for path, text in links if text == "boards"]
    assert [page.count('class="card deal-card"') for page in shown] == [2, 1, 4]
    assert all(uploader.text_of(path) for path, _ in links)
    uploader.client.post(uploader.preview_of(pbn(factories.record(number=9, event="A & B"))), {"draft": "1"})
    (message,) = uploader.messages()
    assert message.endswith(f'as drafts.<br><a href="{LIST}?published=no">Drafts</a>')


def test_an_import_has_an_entry_in_the_log_of_the_admin(uploader: Uploader) -> None:
    uploader.client.post(uploader.preview_of(pbn(factories.record()), owner="system"), {"publish": "1"})
    entry = LogEntry.objects.get()
    assert (entry.object_repr, entry.user_id) == ("evening.pbn: 1 new board", "the-admin")
    assert "evening.pbn" in uploader.text_of("/admin/")
    assert Board.objects.get().owner_id == "system"


def test_a_file_whose_import_breaks_off_is_kept_for_another_try(
    uploader: Uploader, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail_halfway(file: BinaryIO, options: ImportOptions, **others: Any) -> None:
        """Import the boards as drafts, then lose the database."""
        import_boards(file, replace(options, publish=False), **others)
        raise OperationalError("The server is gone.")

    preview = uploader.preview_of(pbn(*(factories.record(number=number) for number in (1, 2, 3))))
    with monkeypatch.context() as patch:
        patch.setattr(uploading, "import_boards", fail_halfway)
        assert uploader.client.post(preview, {"publish": "1"}).status_code == 503
    assert Board.objects.drafts().count() == 3
    assert uploader.client.post(preview, {"publish": "1"}).status_code == 302
    assert Board.objects.published().count() == 3 and not Upload.objects.exists()


def test_an_owner_who_is_switched_off_meanwhile_gets_no_boards(uploader: Uploader) -> None:
    url = uploader.preview_of(pbn(factories.record()))
    Account.objects.filter(pk="zia").update(is_active=False)
    assert uploader.client.post(url, {"publish": "1"}).status_code == 400
    assert not Board.objects.exists()
    assert uploader.send(b"x").status_code == 200  # The form says that there is no such choice.


def test_an_account_has_a_few_files_and_old_ones_go(uploader: Uploader) -> None:
    first = uploader.preview_of(pbn(factories.record()))
    for _ in range(MAX_UPLOADS):
        uploader.preview_of(b"x")
    assert Upload.objects.count() == MAX_UPLOADS
    assert uploader.client.get(first)["Location"] == LIST
    Upload.objects.update(created_at=timezone.now() - timedelta(days=uploading.RETENTION_DAYS, minutes=1))
    output = StringIO()
    call_command("prune", stdout=output)
    assert f"{MAX_UPLOADS} uploaded files" in output.getvalue()
    assert not Upload.objects.exists()


@pytest.mark.usefixtures("reference_data")
def test_support_uploads_too_and_sees_no_file_of_another(uploader: Uploader) -> None:
    helper = staff_client("support")
    url = uploader.preview_of(pbn(factories.record(number=1)))
    assert helper.get(url)["Location"] == helper.post(url, {"publish": "1"})["Location"] == LIST
    assert not Board.objects.exists()
    own = replace(uploader, client=helper).preview_of(pbn(factories.record(number=2)))
    helper.post(own, {"publish": "1"})
    assert Board.objects.published().count() == 1
    assert "Upload a file" in helper.get(LIST).content.decode()


def test_who_may_not_add_boards_uploads_none(uploader: Uploader) -> None:
    url = uploader.preview_of(pbn(factories.record()))
    helper = staff_client("support")  # without the rights of the group
    for path in (UPLOAD, url):
        assert helper.get(path).status_code == helper.post(path, {"publish": "1"}).status_code == 403


def test_erasing_a_person_deletes_their_files_and_an_export_has_none(uploader: Uploader) -> None:
    uploader.preview_of(b"the file itself")
    assert b'"name":"evening.pbn"' in b"".join(export(Account.objects.get(pk="zia")))
    assert erase(account_id="zia", by=None)["uploads"] == 1
    assert not Upload.objects.exists()


@pytest.fixture
def all_files_are_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(previews, "MAX_SMALL", 0)


@pytest.mark.usefixtures("all_files_are_large")
def test_a_dead_worker_leaves_its_progress_and_another_begins_anew(
    uploader: Uploader, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = uploader.preview_of(pbn(*(factories.record(number=number) for number in (1, 2, 3))))
    upload = Upload.objects.get()
    with monkeypatch.context() as patch:
        patch.setattr(previews, "render_html", sys.exit)
        with pytest.raises(SystemExit):
            previews.read_for_preview(upload.pk)
    assert "3 records so far." in uploader.text_of(url)
    assert previews.read_for_preview(upload.pk)
    assert "3 new boards" in uploader.text_of(url)
    assert not previews.read_for_preview(upload.pk)  # it is read already


@pytest.mark.usefixtures("all_files_are_large")
def test_the_worker_stops_reading_a_file_that_is_cancelled(uploader: Uploader, monkeypatch: pytest.MonkeyPatch) -> None:
    url = uploader.preview_of(pbn(factories.record()))
    monkeypatch.setattr(previews, "check_size", lambda report: uploader.client.post(url, {"cancel": "1"}))
    monkeypatch.delattr(previews, "render_html")
    work()
    assert DBTaskResult.objects.get().status == "SUCCESSFUL"
    assert not Upload.objects.exists()


@pytest.mark.usefixtures("all_files_are_large")
def test_the_page_says_when_the_worker_could_not_read_a_file_and_the_next_attempt_may(
    uploader: Uploader, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = uploader.preview_of(pbn(factories.record()))
    with monkeypatch.context() as patch:
        patch.delattr(previews, "render_html")
        work()
    assert "Reading failed" in uploader.text_of(url)
    with monkeypatch.context() as patch:
        patch.setattr(previews, "preview_of", lambda *of: sys.exit())
        with pytest.raises(SystemExit):
            previews.read_for_preview(Upload.objects.get().pk)
    assert "Reading has begun." in uploader.text_of(url)
    assert previews.read_for_preview(Upload.objects.get().pk)
    assert "1 new board" in uploader.text_of(url)


def test_an_archive_is_large_whatever_its_size() -> None:
    assert previews.is_small(b"x" * previews.MAX_SMALL)
    assert not previews.is_small(b"x" * (previews.MAX_SMALL + 1))
    assert not previews.is_small(b"PK\x03\x04")
    for end in (b"\n", b"\r", b"\r\n"):  # each line may be a row of a score table
        assert not previews.is_small(end * (previews.MAX_LINES + 1))


def test_what_is_stored_of_a_file_is_bounded() -> None:
    bad = b'[Event "%s"]\r\n[Board "%s"]\r\n[Deal "N:%s"]\r\n\r\n' % ((b"9" * 5000,) * 3)
    good = [factories.record(number=number, event=f"{'é' * 190} {number}") for number in range(1, 30)]
    preview = previews.preview_of(Upload(content=pbn(*good) + bad * 300))
    assert (preview["new"], preview["failed"], preview["other_events"]) == (29, 300, 19)
    assert len(json.dumps(preview)) < 200 * 1024
