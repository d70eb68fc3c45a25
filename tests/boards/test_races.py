"""Publishing a board while it is deleted, and asking for double dummy while the deal is deleted: no crash, no ghost."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from threading import Event
from typing import Any

import pytest
from django.db import connections
from rest_framework.test import APIClient

from boards.bulk import publish_drafts, unpublish_boards
from boards.models import Board
from deals.models import Deal
from tests import factories
from tests.boards.catalogue.comparing import assert_readers_get_what_the_boards_say
from tests.boards.test_ownership_meets import on_postgresql
from tests.meetings import during

pytestmark = pytest.mark.django_db(transaction=True)

KEY = "an-api-key-for-tests-0123456789abcdef"
BODY = {"boardNumber": 1, "contract": {"text": "1NT", "declarer": "N"}}
ROUNDS = 8


def service() -> APIClient:
    return APIClient(headers={"x-api-key": KEY}, raise_request_exception=False)


def publish(deal: Deal) -> Any:
    return service().post(f"/api/deals/{deal.pk}/boards", BODY)


def delete_boards(deal: Deal) -> None:
    for board in Board.objects.filter(deal=deal):
        board.delete()


def statuses_beside(call: Callable[[], Any], disturb: Callable[[], Any]) -> set[int]:
    """Call again and again while another thread disturbs. Return the statuses of the answers."""
    done = Event()

    def go_on_disturbing() -> None:
        try:
            while not done.is_set():
                disturb()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        disturbing = pool.submit(go_on_disturbing)
        try:
            return {call().status_code for _ in range(ROUNDS)}
        finally:
            done.set()
            disturbing.result()


@on_postgresql
def test_a_board_that_is_deleted_while_it_is_published_is_made_anew() -> None:
    deal = factories.deal()
    first = publish(deal).json()["id"]
    response = during(lambda: delete_boards(deal), lambda: publish(deal))
    assert response.status_code == 201
    assert response.json()["id"] != first
    assert_readers_get_what_the_boards_say()


def test_publishing_beside_deletions_never_crashes() -> None:
    deal = factories.deal()
    assert statuses_beside(lambda: publish(deal), lambda: delete_boards(deal)) <= {200, 201}
    assert_readers_get_what_the_boards_say()


def test_asking_for_double_dummy_of_a_deal_beside_its_deletion_never_crashes() -> None:
    deal = factories.deal(1)
    path = f"/api/deals/{deal.pk}/double-dummy"
    turns = cycle((lambda: Deal.objects.filter(pk=deal.pk).delete(), lambda: factories.deal(1, pk=deal.pk)))
    assert statuses_beside(lambda: service().post(path), lambda: next(turns)()) <= {202, 404}  # noqa: PLW0108


@on_postgresql
def test_asking_for_double_dummy_of_a_deal_that_is_being_deleted_is_not_found() -> None:
    deal = factories.deal()
    path = f"/api/deals/{deal.pk}/double-dummy"
    assert during(deal.delete, lambda: service().post(path)).status_code == 404


def test_a_draft_that_was_deleted_is_neither_published_nor_unpublished() -> None:
    """The admin's actions have read the boards before. Two of them at once publish a board once."""
    draft = factories.board(published=False)
    stale = Board.objects.get(pk=draft.pk)
    assert publish_drafts([draft.pk]) == [draft] and publish_drafts([stale.pk]) == []
    assert unpublish_boards([stale.pk]) == [stale]
    stale = Board.objects.get(pk=draft.pk)
    draft.delete()
    assert publish_drafts([stale.pk]) == unpublish_boards([stale.pk]) == []
