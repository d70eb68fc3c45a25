"""Votes at once, through the whole stack: the counters are the exact sum, whatever the order."""

from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from rest_framework.test import APIClient

from accounts.models import Account
from tests import factories
from tests.conftest import token_of
from voting.models import Vote

pytestmark = pytest.mark.django_db(transaction=True)


def put(token: str, board_id: object, choice: str) -> int:
    try:
        client = APIClient(headers={"authorization": f"Bearer {token}"})
        return client.put(f"/api/voting/{board_id}", {"vote": choice}).status_code
    finally:
        connection.close()


def put_all(votes: Iterable[tuple[str, object, str]]) -> list[int]:
    with ThreadPoolExecutor(20) as threads:
        return [done.result() for done in [threads.submit(put, *vote) for vote in votes]]


def tokens(count: int) -> list[str]:
    return [token_of(account) for account in Account.objects.bulk_create(Account(pk=f"v{n}") for n in range(count))]


def test_fifty_requests_of_one_account_make_one_vote() -> None:
    board = factories.board()
    [token] = tokens(1)
    assert put_all([(token, board.pk, "up")] * 50) == [204] * 50
    board.refresh_from_db()
    assert (Vote.objects.count(), board.up_votes, board.down_votes) == (1, 1, 0)


def test_two_hundred_accounts_on_one_board_make_two_hundred_votes() -> None:
    board = factories.board()
    assert put_all((token, board.pk, "up") for token in tokens(200)) == [204] * 200
    board.refresh_from_db()
    assert (Vote.objects.count(), board.up_votes, board.down_votes) == (200, 200, 0)


def test_minds_changed_at_once_leave_the_counters_exact() -> None:
    board = factories.board()
    voters = tokens(10)
    choices = ("up", "down", "none", "down", "up", "none", "up")
    assert set(put_all((token, board.pk, choice) for choice in choices for token in voters)) == {204}
    board.refresh_from_db()
    stored = Counter(Vote.objects.values_list("value", flat=True))
    assert (board.up_votes, board.down_votes) == (stored["up"], stored["down"])
