"""Boards are listed in the order of their file, whichever way they are published, and keep their first date."""

from collections.abc import Callable
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from rest_framework.test import APIClient

from boards.files import importing, reports
from boards.files.options import ImportOptions
from boards.models import Board
from boards.services import bulk
from boards.services.reviews import ask_to_publish
from tests import factories
from tests.boards.admin.pages import LIST, UPLOAD, page_of_many, pbn
from tests.config.admin.conftest import run_action, staff_client

pytestmark = pytest.mark.django_db

NUMBERS = [7, 3, 11, 1]


def listed(client: APIClient, query: str = "") -> list[int]:
    return [board["boardNumber"] for board in client.get(f"/api/boards{query}").json()["boards"]]


def test_every_way_to_publish_keeps_the_order_of_the_file(
    service: APIClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    """The order is neither that of the boards' numbers nor that of anything else."""
    monkeypatch.setattr(bulk, "CHUNK", 3)
    monkeypatch.setattr(reports, "BATCH_SIZE", 3)
    settings.MEMBER_PUBLISHING = "open"
    zia, boss, path = factories.account("zia"), staff_client("admin"), tmp_path / "evening.pbn"

    def drafts(body: bytes, owner_id: str = "system") -> list[UUID]:
        return sorted(importing.import_boards(BytesIO(body), ImportOptions(owner_id=owner_id)).board_ids)

    def send(body: bytes, query: str) -> Any:
        return service.generic("POST", f"/api/deals/import{query}", body, "application/x-pbn")

    def upload(body: bytes) -> None:
        preview = boss.post(UPLOAD, {"file": SimpleUploadedFile("evening.pbn", body), "owner": "system"})
        assert boss.post(preview["Location"], {"publish": "1"}).status_code == 302

    ways: dict[str, Callable[[bytes], Any]] = {
        "an import of the API": lambda body: send(body, "?publish=true"),
        "a second import of the API": lambda body: (send(body, ""), send(body, "?publish=true")),
        "the command": lambda body: (path.write_bytes(body), call_command("import_boards", path, "--publish")),
        "the action on a page": lambda body: run_action(boss, "publish", *Board.objects.filter(pk__in=drafts(body))),
        "the page for all": lambda body: (drafts(body), boss.post(f"{LIST}change/publish/", page_of_many())),
        "an upload": upload,
        "their owner": lambda body: ask_to_publish(zia, drafts(body, "zia")),
    }
    for name, way in ways.items():
        way(pbn(*(factories.record(number=number) for number in NUMBERS)))
        assert listed(APIClient()) == NUMBERS, name
        bulk.delete_boards(list(Board.objects.values_list("pk", flat=True)))


def test_the_drafts_of_a_file_are_listed_in_its_order(support: APIClient) -> None:
    importing.import_boards(BytesIO(pbn(*(factories.record(number=number) for number in NUMBERS))))
    assert listed(support, "?published=false") == NUMBERS
    assert [board.board_number for board in Board.objects.all()] == NUMBERS  # as the admin lists them


def test_a_board_that_is_published_again_keeps_its_first_date_and_is_listed_first() -> None:
    """Try what the admin does; the API is in test_publish.py."""
    old, _ = factories.board(number=1), factories.board(number=2)
    for act, published_at, numbers in (
        (bulk.unpublish_boards, None, [2]),
        (bulk.publish_drafts, old.published_at, [1, 2]),
    ):
        act([old.pk])
        assert (Board.objects.get(pk=old.pk).published_at, listed(APIClient())) == (published_at, numbers)


def test_an_import_gives_a_draft_its_first_date_again_and_unpublishes_nothing() -> None:
    content = pbn(factories.record())
    importing.import_boards(BytesIO(content), ImportOptions(publish=True))
    board = Board.objects.get()
    first = board.published_at
    for publish in (True, False, True):
        importing.import_boards(BytesIO(content), ImportOptions(publish=publish))
        assert Board.objects.get().published_at == first
    board.unpublish()
    importing.import_boards(BytesIO(content), ImportOptions(publish=True))
    assert Board.objects.get().published_at == board.first_published_at == first


def test_a_draft_that_was_never_published_gets_the_date_of_today() -> None:
    board = factories.board(published=False)
    before = board.created_at
    (published,) = bulk.publish_drafts([board.pk])
    assert published.published_at and timedelta(0) < published.published_at - before < timedelta(minutes=1)
    assert Board.objects.get().first_published_at is None
