"""The worker reads uploaded files that are too large for a request, and says how far it is."""

import json
import sys

import pytest
from django_tasks_db.models import DBTaskResult

from boards.files import previews
from boards.models import Upload
from tests import factories
from tests.boards.admin.pages import pbn
from tests.boards.admin.uploading import Door, door_of_staff, work

pytestmark = pytest.mark.django_db


@pytest.fixture
def door(db: None, monkeypatch: pytest.MonkeyPatch) -> Door:
    """Return the door of staff, where all files are large."""
    monkeypatch.setattr(previews, "MAX_SMALL", 0)
    factories.account("zia")
    return door_of_staff()


def test_a_worker_that_dies_leaves_its_progress_and_the_next_begins_anew(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = door.preview_of(pbn(*(factories.record(number=number) for number in (1, 2, 3))))
    upload = Upload.objects.get()
    with monkeypatch.context() as patch:
        patch.setattr(previews, "render_html", sys.exit)
        with pytest.raises(SystemExit):
            previews.read_for_preview(upload.pk)
    assert "3 records are read so far." in door.text_of(url)
    assert previews.read_for_preview(upload.pk)
    assert "3 new boards" in door.text_of(url)
    assert not previews.read_for_preview(upload.pk)  # it is read already


def test_the_worker_stops_reading_a_file_that_is_cancelled(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    url = door.preview_of(pbn(factories.record()))
    monkeypatch.setattr(previews, "check_size", lambda report: door.client.post(url, {"cancel": "1"}))
    monkeypatch.delattr(previews, "render_html")
    work()
    assert DBTaskResult.objects.get().status == "SUCCESSFUL"
    assert not Upload.objects.exists()


def test_the_page_says_when_the_worker_could_not_read_a_file_and_the_next_attempt_may(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = door.preview_of(pbn(factories.record()))
    with monkeypatch.context() as patch:
        patch.delattr(previews, "render_html")
        work()
    assert "It could not read the file this time" in door.text_of(url)
    with monkeypatch.context() as patch:
        patch.setattr(previews, "preview_of", lambda upload, on_progress: sys.exit())
        with pytest.raises(SystemExit):
            previews.read_for_preview(Upload.objects.get().pk)
    assert "It has begun." in door.text_of(url)
    assert previews.read_for_preview(Upload.objects.get().pk)
    assert "1 new board" in door.text_of(url)


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
