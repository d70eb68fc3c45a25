"""Answers of readers who practise are counted exactly when they arrive at once, on either database."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections
from django.test import Client

from boards.models import Board, PracticeAnswer
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def board(transactional_db: None) -> Board:
    return factories.board(number=3, calls="1NT Pass Pass Pass")


def answer(board: Board, said: str, *, is_deleted: bool = False) -> int:
    """Answer on a connection of this thread's own, after deleting the board where that is asked for."""
    path = f"/practice/{board.pk}?step=0"
    try:
        if is_deleted:
            board.delete()
        return Client().post(path, {"said": said}).status_code
    finally:
        connections.close_all()


def test_eight_answers_at_once_are_counted_exactly(board: Board) -> None:
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda said: answer(board, said), ["1NT", "1C"] * 4)) == [303] * 8
    assert dict(PracticeAnswer.objects.values_list("answer", "count")) == {"1NT": 4, "1C": 4}


def test_answers_while_the_board_is_deleted_are_counted_or_not_and_nothing_fails(board: Board) -> None:
    stored = Board.objects.get(pk=board.pk)
    with ThreadPoolExecutor(8) as pool:
        statuses = pool.map(lambda turn: answer(board if turn == 4 else stored, "1NT", is_deleted=turn == 4), range(10))
        assert {*statuses} <= {303, 404}
    assert answer(stored, "1NT") == 404 and not PracticeAnswer.objects.exists()
