"""A vote that meets another change of its board on PostgreSQL: it waits, and the counters stay exact.

The first change is done and not yet committed when the second begins on a connection of its own, and waits for it.
"""

import itertools
from functools import partial

import pytest
from django.db import connection
from django.http import Http404

from accounts.models import Account
from boards.models import Board
from tests import factories
from tests.meetings import Action, during
from voting.models import Vote
from voting.services import cast_vote, delete_votes

pytestmark = pytest.mark.django_db(transaction=True)

VALUES = (Vote.Value.UP, Vote.Value.DOWN, None)


@pytest.fixture(autouse=True)
def _only_where_rows_are_locked(transactional_db: None) -> None:
    if connection.vendor == "sqlite":
        pytest.skip("SQLite has one writer at a time.")


@pytest.fixture
def board(transactional_db: None) -> Board:
    return factories.board()


@pytest.fixture
def account(transactional_db: None) -> Account:
    return factories.account()


def vote(account: Account, board: Board, value: Vote.Value | None) -> Action:
    return partial(cast_vote, account=account, board_id=board.pk, value=value)


def stored_values(board: Board) -> list[str]:
    """Return the votes on the board, after a check that its counters are their sums."""
    values = list(Vote.objects.filter(board=board).values_list("value", flat=True))
    board.refresh_from_db()
    assert (board.up_votes, board.down_votes) == (values.count("up"), values.count("down"))
    return values


@pytest.mark.parametrize("earlier", VALUES)
def test_two_votes_of_one_account_at_once_are_counted_as_if_one_came_later(
    earlier: Vote.Value | None, account: Account, board: Board
) -> None:
    for first, second in itertools.product(VALUES, repeat=2):
        vote(account, board, earlier)()
        assert during(vote(account, board, first), vote(account, board, second)) is None
        # A vote that is taken back while it is first stored may come later than that.
        last = first if second is None and earlier is None else second
        assert stored_values(board) == ([] if last is None else [last]), (earlier, first, second)
        vote(account, board, None)()


def test_first_votes_of_two_accounts_are_both_counted(account: Account, board: Board) -> None:
    other = factories.account()
    assert during(vote(account, board, Vote.Value.UP), vote(other, board, Vote.Value.UP)) is None
    assert stored_values(board) == ["up", "up"]


@pytest.mark.parametrize("change", ["unpublish", "delete"])
def test_a_vote_is_refused_once_the_board_is_gone(change: str, account: Account) -> None:
    for value in VALUES:
        board = factories.board()
        vote(account, board, Vote.Value.UP)()
        assert isinstance(during(getattr(board, change), vote(account, board, value)), Http404), value
        if change == "delete":
            assert not Vote.objects.exists(), value
        else:
            assert stored_values(board) == ["up"], value


@pytest.mark.parametrize("earlier", VALUES)
def test_a_board_is_deleted_with_a_vote_under_way(earlier: Vote.Value | None, account: Account, board: Board) -> None:
    vote(account, board, earlier)()
    deleted = during(vote(account, board, Vote.Value.DOWN), lambda: Board.objects.get(pk=board.pk).delete())
    assert deleted[1]["voting.Vote"] == 1
    assert not Vote.objects.exists()


def test_a_vote_during_the_erasure_of_its_account_is_counted(account: Account, board: Board) -> None:
    for value, stored in ((Vote.Value.UP, ["up"]), (Vote.Value.DOWN, ["down"]), (None, [])):
        vote(account, board, Vote.Value.UP)()
        assert during(lambda: delete_votes(account), vote(account, board, value)) is None
        assert stored_values(board) == stored
        vote(account, board, None)()


def test_an_erasure_deletes_a_vote_that_is_being_changed(account: Account, board: Board) -> None:
    for value, deleted in ((Vote.Value.DOWN, 1), (None, 0)):
        vote(account, board, Vote.Value.UP)()
        assert during(vote(account, board, value), lambda: delete_votes(account)) == deleted
        assert stored_values(board) == []
