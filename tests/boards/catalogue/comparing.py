"""Comparing what readers and a copy by the feed get with the boards."""

from itertools import islice
from typing import Any

import pytest
from rest_framework.test import APIClient

from boards.catalogue.refreshing import find_wrong_rows
from boards.models import Board
from boards.searching import checking
from boards.serializers import BoardSerializer
from config.values.strict_json import dump_json
from tests.boards.catalogue.copying import FollowedCopy

LARGE_CHUNK = 2_000
"""The numbers that are compared at once, more than the service takes.

Tests that fill several segments leave PostgreSQL's sequence far behind them, so most of the numbers have no board.
"""


def wrong_numbers() -> list[int]:
    """Return the numbers of boards that are not indexed as they are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checking, "CHUNK", LARGE_CHUNK)
        return [number for numbers in checking.find_wrong() for number in numbers]


def assert_readers_get_what_the_boards_say() -> list[dict[str, Any]]:
    """Compare all that is stored, the first 100 boards of the list, and three of them alone, with fresh answers.

    Return the boards of the list.
    """
    assert find_wrong_rows(Board.objects.values_list("pk", flat=True)) == set()
    assert wrong_numbers() == []
    client = APIClient()
    boards = Board.objects.published().newest_first().with_details()
    fresh = {board.pk: dump_json(BoardSerializer(board).data) for board in boards}
    for pk, text in islice(fresh.items(), 3):
        assert client.get(f"/api/boards/{pk}").content == text
    page = client.get("/api/boards?pageSize=100")
    assert page.content.startswith(b'{"boards":[' + b",".join(list(fresh.values())[:100]) + b"],")
    assert b'"totalCount":%d,' % len(fresh) in page.content
    for draft in Board.objects.filter(published_at=None)[:3]:
        assert client.get(f"/api/boards/{draft.pk}").status_code == 404
    shown: list[dict[str, Any]] = page.json()["boards"]
    return shown


def assert_readers_and_a_new_copy_get_what_the_boards_say() -> None:
    FollowedCopy().assert_it_has(assert_readers_get_what_the_boards_say())
