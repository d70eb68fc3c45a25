"""What an account changes is limited by its number and its cost, by the API and on pages, wherever it comes from."""

from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.test import Client
from pytest import MonkeyPatch
from rest_framework.test import APIClient

from accounts.models import Account
from config.edge.limits import read_limit
from deals.models import FeedEvent
from tests import factories
from tests.answers import assert_error
from voting.models import Vote

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def only_numbers(monkeypatch: MonkeyPatch) -> Iterator[None]:
    """Stop the clock within one window, and let no request count as several, however slow the machine is."""
    monkeypatch.setattr(read_limit, "SECONDS_OF_A_READ", 3600)
    with time_machine.travel("2026-11-21T12:00:20Z", tick=False):
        yield


def test_a_vote_counts_as_one_change(settings: Any, member: APIClient) -> None:
    """So two hundred votes in a minute pass: the rate is 600 a minute."""
    settings.WRITE_RATE = "6/m"
    path = f"/api/voting/{factories.board().pk}"
    votes = ["up", "down"] * 4
    assert [member.put(path, {"vote": vote}).status_code for vote in votes] == [204] * 6 + [429] * 2


def test_over_the_rate_it_is_a_429_and_nothing_changes(settings: Any, client_of: Any) -> None:
    settings.WRITE_RATE = "5/m"
    owner, other = client_of(factories.account("owner")), client_of(factories.account("other"))
    path = f"/api/collections/{owner.post('/api/collections', {'title': 'Lesson'}).json()['id']}"
    answers = [owner.patch(path, {"title": f"Lesson {number}"}) for number in range(20)]
    assert [answer.status_code for answer in answers] == [200] * 4 + [429] * 16
    assert_error(answers[-1], 429, "rate_limited")
    assert 1 <= int(answers[-1]["Retry-After"]) <= 60
    assert owner.get(path).json()["title"] == "Lesson 3", "reading goes on"
    assert other.post("/api/collections", {"title": "Lesson"}).status_code == 201, "and others change what is theirs"


def test_a_change_that_makes_an_event_counts_as_eleven(settings: Any, member: APIClient) -> None:
    settings.WRITE_RATE = "45/m"
    path = f"/api/collections/{member.post('/api/collections', {'title': 'Lesson'}).json()['id']}"
    toggles = [{"visibility": each} for each in ("public", "private")] * 10
    assert [member.patch(path, body).status_code for body in toggles] == [200] * 4 + [429] * 16
    assert FeedEvent.objects.count() == 4


def test_a_page_and_the_api_count_together(settings: Any, client_of: Any) -> None:
    settings.WRITE_RATE = "2/m"
    zia, board = factories.account("zia"), factories.board()
    browser = Client()
    browser.force_login(zia, backend="accounts.backends.MemberBackend")
    assert client_of(zia).put(f"/api/voting/{board.pk}", {"vote": "up"}).status_code == 204
    statuses = [browser.post(f"/boards/{board.pk}/vote", {"down": "down"}).status_code for _ in range(2)]
    assert statuses == [303, 429]
    assert Vote.objects.get().value == Vote.Value.DOWN


def test_a_change_that_costs_much_counts_as_several(settings: Any, member: APIClient, monkeypatch: MonkeyPatch) -> None:
    settings.WRITE_RATE = "100/m"
    monkeypatch.setattr(read_limit, "SECONDS_OF_A_READ", 1e-6)
    answers = [member.patch("/api/accounts/member", {"displayName": name}) for name in ("Zia", "Mia")]
    assert [answer.status_code for answer in answers] == [200, 429]
    assert Account.objects.get(pk="member").display_name == "Zia"
