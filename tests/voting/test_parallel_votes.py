"""Votes that arrive at once are counted exactly, on either database."""

from functools import partial

import pytest
from rest_framework.test import APIClient

from boards.models import Board
from tests import factories
from tests.conftest import token_of
from tests.meetings import at_once
from voting.models import Vote

pytestmark = pytest.mark.django_db(transaction=True)

CHOICES = ("up", "down", "none")


def put(token: str, board: Board, choice: str) -> int:
    client = APIClient(headers={"authorization": f"Bearer {token}"})
    return client.put(f"/api/voting/{board.pk}", {"vote": choice}).status_code


def counters(board: Board) -> tuple[int, int]:
    board.refresh_from_db()
    return board.up_votes, board.down_votes


def test_equal_votes_of_one_account_at_once_are_one() -> None:
    board, token = factories.board(), token_of(factories.account())
    assert at_once([partial(put, token, board, "up")] * 16) == [204] * 16
    assert (Vote.objects.count(), counters(board)) == (1, (1, 0))


def test_changing_ones_mind_often_at_once_leaves_one_vote_or_none() -> None:
    board, token = factories.board(), token_of(factories.account())
    assert at_once([partial(put, token, board, CHOICES[turn % 3]) for turn in range(24)]) == [204] * 24
    votes = list(Vote.objects.values_list("value", flat=True))
    assert len(votes) <= 1
    assert counters(board) == (votes.count("up"), votes.count("down"))


def test_many_accounts_at_once_are_counted_exactly() -> None:
    board = factories.board()
    tokens = [token_of(factories.account()) for _ in range(24)]
    assert at_once([partial(put, token, board, "up") for token in tokens]) == [204] * 24
    assert (Vote.objects.count(), counters(board)) == (24, (24, 0))

    turns = [partial(put, token, board, CHOICES[number % 3]) for number, token in enumerate(tokens)]
    assert at_once(turns) == [204] * 24
    assert counters(board) == (8, 8)
    assert [Vote.objects.filter(value=value).count() for value in ("up", "down")] == [8, 8]
