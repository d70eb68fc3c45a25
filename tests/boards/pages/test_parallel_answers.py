"""Answers of readers who practise are counted exactly when they arrive at once, on either database."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections
from django.test import Client

from boards.models import PracticeAnswer
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)


def test_eight_answers_at_once_are_counted_exactly() -> None:
    board = factories.board(number=3, calls="1NT Pass Pass Pass")

    def send(said: str) -> int:
        try:
            return Client().post(f"/practice/{board.pk}?step=0", {"said": said}).status_code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(send, ["1NT", "1C"] * 4)) == [303] * 8
    assert dict(PracticeAnswer.objects.values_list("answer", "count")) == {"1NT": 4, "1C": 4}


def test_answers_while_the_board_is_deleted_are_counted_or_not_and_nothing_fails() -> None:
    board = factories.board(number=3, calls="1NT Pass Pass Pass")

    def send(turn: int) -> int:
        try:
            if turn == 4:
                board.delete()
            return Client().post(f"/practice/{board.pk}?step=0", {"said": "1NT"}).status_code
        finally:
            connections.close_all()

    address = f"/practice/{board.pk}?step=0"
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(send, range(10))) <= {303, 404}
    assert Client().post(address, {"said": "1NT"}).status_code == 404
    assert not PracticeAnswer.objects.exists()
