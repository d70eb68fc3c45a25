"""In which order the worker gets deals, by how they came in."""

from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from threading import Event
from typing import Any
from uuid import UUID

import pytest
from django.db import connection, transaction
from rest_framework.test import APIClient

from boards.files.importing import import_boards
from boards.files.options import ImportOptions
from boards.models import Board
from boards.services.bulk import publish_drafts
from deals.models import Deal
from deals.solver.queues import TABLES, Order, claim_next
from tests import factories
from tests.boards.admin.pages import pbn

_, REQUESTED = Deal.SolverPriority


def import_drafts(count: int, *, publish: bool = False) -> list[Board]:
    """Import that many boards as one file and return them in its order."""
    report = import_boards(BytesIO(pbn(*(factories.record() for _ in range(count)))), ImportOptions(publish=publish))
    boards = Board.objects.in_bulk(report.board_ids)
    assert report.boards == count
    return [boards[board_id] for board_id in report.board_ids]


def post(service: APIClient, path: str, **body: Any) -> dict[str, Any]:
    response = service.post(path, body)
    assert response.status_code in (201, 202), response.json()
    return response.json()


def claim_all() -> list[UUID]:
    """Claim all deals as the worker does, and return their ids in that order."""
    claimed: list[UUID] = []
    while claim := claim_next(Order.WANTED, [TABLES]):
        claimed += [job.id for job in claim.jobs]
    return claimed


def test_what_somebody_asked_for_comes_first_then_the_latest_published_then_files(db: None, service: APIClient) -> None:
    first, second, third, asked = import_drafts(4)
    published_by_file = import_drafts(2, publish=True)
    created = post(service, "/api/deals", cards=factories.layout().cards)
    assert publish_drafts([first.pk])
    published = post(service, f"/api/deals/{second.deal_id}/boards", boardNumber=2)
    response = service.patch(f"/api/deals/{third.deal_id}/boards/{third.pk}", {"published": True})
    assert response.status_code == 200
    post(service, f"/api/deals/{asked.deal_id}/double-dummy")
    order = claim_all()
    assert order[:5] == [asked.deal_id, UUID(created["id"]), third.deal_id, second.deal_id, first.deal_id]
    assert published["doubleDummyStatus"] == "pending"
    assert set(order[5:]) == {board.deal_id for board in published_by_file}


def test_publishing_keeps_the_priority_of_what_somebody_asked_for(db: None, service: APIClient) -> None:
    created = post(service, "/api/deals", cards=factories.layout().cards)
    before = Deal.objects.values().get()
    post(service, f"/api/deals/{created['id']}/boards", boardNumber=1)
    assert Deal.objects.values().get() == before
    assert before["solver_priority"] == REQUESTED


def test_a_board_that_was_published_before_and_a_solved_deal_move_nothing(db: None, service: APIClient) -> None:
    (draft,) = import_drafts(1)
    (published,) = import_drafts(1, publish=True)
    Deal.objects.filter(pk=draft.deal_id).update(double_dummy_status="done", double_dummy="7" * 20, par={})
    order = Deal.objects.order_by("pk").values("pk", "solver_priority", "wanted_at")
    before = list(order)
    assert publish_drafts([draft.pk]) and not publish_drafts([published.pk])
    assert service.post(f"/api/deals/{draft.deal_id}/double-dummy").status_code == 202
    assert list(order.all()) == before


def test_publishing_a_draft_does_not_wait_for_the_worker_that_stores_its_table(transactional_db: None) -> None:
    if not connection.features.has_select_for_update_skip_locked:
        pytest.skip("This database has no locks of rows: one transaction writes at a time.")
    (draft,) = import_drafts(1)
    is_locked, is_over = Event(), Event()

    def lock_as_the_worker() -> None:
        with transaction.atomic():
            Deal.objects.select_for_update().get(pk=draft.deal_id)
            is_locked.set()
            is_over.wait(60)
        connection.close()

    with ThreadPoolExecutor(1) as pool:
        working = pool.submit(lock_as_the_worker)
        try:
            assert is_locked.wait(60)
            assert publish_drafts([draft.pk])
        finally:
            is_over.set()
        working.result()
    assert Deal.objects.get().solver_priority is None  # After a wait it would be PUBLISHED.
    draft.refresh_from_db()
    assert draft.published_at
