"""Many requests at the same time. Threads stand for processes: each has its own connection to the database."""

from functools import partial
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from boards.models import Board
from bridge.formats.pbn.writer import HEADER, write_pbn
from deals.models import Deal, WebhookEndpoint
from tests import factories
from tests.meetings import at_once

pytestmark = pytest.mark.django_db(transaction=True)


def post(path: str, body: Any, content_type: str | None = None) -> Any:
    client = APIClient(headers={"x-api-key": "an-api-key-for-tests-0123456789abcdef"})
    return client.post(path, body, content_type=content_type) if content_type else client.post(path, body)


def test_eight_equal_deals_or_boards_posted_at_once_become_one() -> None:
    deal, theme = factories.deal(), factories.theme("stayman")
    body = {"boardNumber": 1, "contract": {"text": "1NT", "declarer": "N"}, "themes": ["stayman"]}
    ids: list[str] = []
    for path, sent in (("/api/deals", {"cards": factories.layout().cards}), (f"/api/deals/{deal.pk}/boards", body)):
        responses = at_once([partial(post, path, sent)] * 8)
        assert sorted(response.status_code for response in responses) == [200] * 7 + [201]
        ids += {response.json()["id"] for response in responses}
    board = Board.objects.get()
    assert ids == [str(Deal.objects.exclude(pk=deal.pk).get().pk), str(board.pk)]
    assert len({response.json()["publishedAt"] for response in responses}) == 1
    assert list(board.themes.all()) == [theme]


@pytest.mark.parametrize("drafts", [False, True])
def test_four_simultaneous_imports_of_the_same_boards_create_each_once_without_deadlock(drafts: bool) -> None:
    factories.theme("stayman")
    records = [factories.record(calls="1NT Pass Pass Pass", tricks=tricks) for tricks in range(12)]
    files = [(HEADER + "".join(map(write_pbn, order))).encode() for order in (records, records[::-1])]
    if drafts:
        post("/api/deals/import", files[0], "application/x-pbn")
    path = "/api/deals/import?publish=true&theme=stayman"
    responses = at_once([partial(post, path, file, "application/x-pbn") for file in files * 2])
    assert [response.status_code for response in responses] == [200] * 4
    reports = [response.json() for response in responses]
    created = [sum(report[name] for report in reports) for name in ("created", "boards")]
    assert created == ([0, 0] if drafts else [12, 12])
    assert {frozenset(report["boardIds"]) for report in reports} == {frozenset(reports[0]["boardIds"])}
    assert Deal.objects.count() == Board.objects.published().filter(themes__identifier="stayman").count() == 12


def test_an_address_that_four_admins_add_at_once_is_stored_once() -> None:
    clients = [Client() for _ in range(4)]
    for client in clients:
        client.force_login(factories.account(role="admin"))
    add, body = reverse("admin:deals_webhookendpoint_add"), {"url": "https://hooks.example/"}
    answers = at_once([partial(client.post, add, body) for client in clients])
    assert sorted(answer.status_code for answer in answers) == [200] * 3 + [302]
    assert WebhookEndpoint.objects.count() == 1
