"""Uploaded files that are too large for a request: the worker reads them for their preview."""

import json
import re
import sys

import pytest
from django.test import Client
from django_tasks_db.models import DBTaskResult

from boards.files import previews
from boards.models import Board, Upload
from tests import factories
from tests.boards.admin.pages import LIST, pbn
from tests.boards.admin.uploading import BAD_RECORD, preview_of, text_of, work

pytestmark = pytest.mark.django_db


@pytest.fixture
def all_files_are_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(previews, "MAX_SMALL", 0)


def test_the_worker_says_of_a_large_file_what_a_request_says_of_a_small_one(
    boss: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = pbn(factories.record(number=1, event="Friday pairs"), factories.record(number=2)) + BAD_RECORD
    small = preview_of(boss, file)
    monkeypatch.setattr(previews, "MAX_SMALL", len(file) - 1)
    large = preview_of(boss, file)
    waiting = text_of(boss, large)
    assert "Reading evening.pbn" in waiting and "It has not begun yet" in waiting
    assert '<meta http-equiv="refresh" content="3">' in waiting and '<a href="">Look again</a>' in waiting
    assert "new board" not in waiting and 'value="Import' not in waiting
    work()
    token = re.compile('(?<=csrfmiddlewaretoken" value=")[^"]+')
    assert token.sub("", text_of(boss, large)) == token.sub("", text_of(boss, small))
    assert "<strong>2 new boards.</strong>" in text_of(boss, large)
    stranger = Client()
    stranger.force_login(factories.account("other", role="admin"))
    assert stranger.get(large)["Location"] == LIST
    assert boss.post(large, {"publish": "1"}).status_code == 302
    assert Board.objects.published().count() == 2
    assert Upload.objects.count() == 1


@pytest.mark.usefixtures("all_files_are_large")
def test_a_worker_that_dies_leaves_its_progress_and_the_next_begins_anew(
    boss: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = preview_of(boss, pbn(*(factories.record(number=number) for number in (1, 2, 3))))
    upload = Upload.objects.get()
    with monkeypatch.context() as patch:
        patch.setattr(previews, "render_html", sys.exit)
        with pytest.raises(SystemExit):
            previews.read_for_preview(upload.pk)
    assert "3 records are read so far." in text_of(boss, url)
    assert previews.read_for_preview(upload.pk)
    assert "3 new boards" in text_of(boss, url)
    assert not previews.read_for_preview(upload.pk)  # it is read already


@pytest.mark.usefixtures("all_files_are_large")
def test_the_worker_stops_reading_a_file_that_is_cancelled(boss: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    url = preview_of(boss, pbn(factories.record()))
    monkeypatch.setattr(previews, "check_size", lambda report: boss.post(url, {"cancel": "1"}))
    monkeypatch.delattr(previews, "render_html")
    work()
    assert DBTaskResult.objects.get().status == "SUCCESSFUL"
    assert not Upload.objects.exists()


@pytest.mark.usefixtures("all_files_are_large")
def test_the_page_says_when_the_worker_could_not_read_a_file_and_the_next_attempt_may(
    boss: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = preview_of(boss, pbn(factories.record()))
    with monkeypatch.context() as patch:
        patch.delattr(previews, "render_html")
        work()
    assert "It could not read the file this time" in text_of(boss, url)
    with monkeypatch.context() as patch:
        patch.setattr(previews, "preview_of", lambda upload, on_progress: sys.exit())
        with pytest.raises(SystemExit):
            previews.read_for_preview(Upload.objects.get().pk)
    assert "It has begun." in text_of(boss, url)
    assert previews.read_for_preview(Upload.objects.get().pk)
    assert "1 new board" in text_of(boss, url)


def test_an_archive_is_large_whatever_its_size() -> None:
    assert previews.is_small(b"x" * previews.MAX_SMALL)
    assert not previews.is_small(b"x" * (previews.MAX_SMALL + 1))
    assert not previews.is_small(b"PK\x03\x04")


def test_what_is_stored_of_a_file_is_bounded() -> None:
    bad = b'[Event "%s"]\r\n[Board "%s"]\r\n[Deal "N:%s"]\r\n\r\n' % ((b"9" * 5000,) * 3)
    good = [factories.record(number=number, event=f"{'é' * 190} {number}") for number in range(1, 30)]
    preview = previews.preview_of(Upload(content=pbn(*good) + bad * 300))
    assert (preview["new"], preview["failed"], preview["other_events"]) == (29, 300, 19)
    assert len(json.dumps(preview)) < 200 * 1024
