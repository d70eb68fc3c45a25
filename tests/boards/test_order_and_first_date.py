"""Boards are listed in the order of their file, whichever way they are published, and keep their first date."""

from collections.abc import Callable
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from rest_framework.test import APIClient

from boards import bulk
from boards.files.importing import import_boards
from boards.models import Board
from deals.bridge.formats.pbn.writer import HEADER, write_pbn
from tests import factories
from tests.boards.admin.pages import LIST, UPLOAD, page_of_many, pbn
from tests.config.admin.conftest import run_action, staff_client

pytestmark = pytest.mark.django_db

NUMBERS = [7, 3, 11, 1]


def file() -> bytes:
    """Return a file whose order is neither that of its numbers nor that of anything else."""
    return pbn(*(factories.record(number=number) for number in NUMBERS))


def listed(client: APIClient) -> list[int]:
    return [board["boardNumber"] for board in client.get("/api/boards").json()["boards"]]


def drafts() -> list[Board]:
    return list(Board.objects.drafts())


def by_the_import_of_the_api(service: APIClient, boss: Client, folder: Path) -> None:
    body = file()
    for query in ("", "?publish=true"):
        assert service.generic("POST", f"/api/deals/import{query}", body, "application/x-pbn").status_code == 200


def by_the_command(service: APIClient, boss: Client, folder: Path) -> None:
    path = folder / "evening.pbn"
    path.write_bytes(file())
    call_command("import_boards", path, "--publish")


def by_the_action_on_a_page(service: APIClient, boss: Client, folder: Path) -> None:
    import_boards(file=BytesIO(file()))
    run_action(boss, "publish", *drafts())


def by_the_page_for_all(service: APIClient, boss: Client, folder: Path) -> None:
    import_boards(file=BytesIO(file()))
    assert boss.post(f"{LIST}change/publish/", page_of_many()).status_code == 302


def by_an_upload(service: APIClient, boss: Client, folder: Path) -> None:
    upload = BytesIO(file())
    upload.name = "evening.pbn"
    preview = boss.post(UPLOAD, {"file": upload, "owner": "system"})
    assert boss.post(preview["Location"], {"publish": "1"}).status_code == 302


WAYS = [by_the_import_of_the_api, by_the_command, by_the_action_on_a_page, by_the_page_for_all, by_an_upload]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_every_way_to_publish_keeps_the_order_of_the_file(
    way: Callable[..., None], service: APIClient, anonymous: APIClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk, "CHUNK", 3)
    way(service, staff_client("admin"), tmp_path)
    assert listed(anonymous) == NUMBERS


def test_the_drafts_of_a_file_are_listed_in_its_order(anonymous: APIClient, support: APIClient) -> None:
    import_boards(file=BytesIO(file()))
    answer = support.get("/api/boards?published=false").json()
    assert [board["boardNumber"] for board in answer["boards"]] == NUMBERS
    assert [board.board_number for board in Board.objects.all()] == NUMBERS  # as the admin lists them


def publish_by_the_api(service: APIClient, boss: Client, board: Board, published: bool) -> None:
    path = f"/api/deals/{board.deal_id}/boards/{board.pk}"
    assert service.patch(path, {"published": published}).status_code == 200


def publish_by_the_action(service: APIClient, boss: Client, board: Board, published: bool) -> None:
    run_action(boss, "publish" if published else "unpublish", board)


def publish_by_the_page(service: APIClient, boss: Client, board: Board, published: bool) -> None:
    name = "publish" if published else "unpublish"
    assert boss.post(f"{LIST}change/{name}/", page_of_many(board)).status_code == 302


@pytest.mark.parametrize("way", [publish_by_the_api, publish_by_the_action, publish_by_the_page])
def test_a_board_that_is_published_again_keeps_its_first_date_and_its_place(
    way: Callable[..., Any], service: APIClient, anonymous: APIClient
) -> None:
    boss = staff_client("admin")
    old = factories.board(number=1)
    factories.board(number=2)
    first = old.published_at
    for _ in range(2):
        way(service, boss, old, False)
        assert Board.objects.get(pk=old.pk).published_at is None
        assert listed(anonymous) == [2]
        way(service, boss, old, True)
        assert Board.objects.get(pk=old.pk).published_at == first
        assert listed(anonymous) == [2, 1]


def test_an_import_gives_a_draft_its_first_date_again() -> None:
    record = factories.record(number=1)
    content = (HEADER + write_pbn(record)).encode()
    import_boards(file=BytesIO(content), publish=True)
    board = Board.objects.get()
    board.unpublish()
    import_boards(file=BytesIO(content), publish=True)
    assert Board.objects.get().published_at == board.first_published_at is not None


def test_a_draft_that_was_never_published_gets_the_date_of_today() -> None:
    board = factories.board(published=False)
    before = board.created_at
    (published,) = bulk.publish_drafts([board.pk])
    assert published.published_at
    assert timedelta(0) < published.published_at - before < timedelta(minutes=1)
    assert Board.objects.get().first_published_at is None
