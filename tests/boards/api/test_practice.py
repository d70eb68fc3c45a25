"""GET /api/boards/{id}/practice: whom practice asks, and what the field did."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from bridge.layout import Layout
from tests import factories

pytestmark = pytest.mark.django_db

DEAL = Layout.parse("W:AJ5.AK42.A42.843 97632.7.J753.AJ6 4.QT83.K86.KT975 KQT8.J965.QT9.Q2")
GAME = "1NT Pass 3NT Pass Pass Pass"
STAYMAN = "1NT Pass 2C Pass 2H Pass 4H Pass Pass Pass"


def test_it_tells_the_decisions_of_an_auction_and_what_other_tables_did(anonymous: APIClient) -> None:
    texts = {"number": 12, "cards": DEAL, "event": "Friday pairs", "date": "2026.11.20"}
    board = factories.board(**texts, calls=STAYMAN, tricks=10, table="1")
    factories.board(**texts, calls=GAME, tricks=8, table="2")
    factories.board(**texts, calls=STAYMAN, table="3", published=False)
    url = f"/api/boards/{board.pk}/practice"
    answer = anonymous.get(url).json()
    assert (answer["seat"], answer["step"]) == ("E", 2)
    asked = next(each for each in answer["questions"] if each["step"] == 2)
    assert asked.items() >= {"seat": "E", "score": 5, "reason": "response", "answer": "2C", "tables": 2}.items()
    assert asked["answers"] == [
        {
            "answer": call,
            "tables": 1,
            "contracts": [{"contract": contract, "declarer": "W", "tables": 1}],
            "meanScore": score,
        }
        for call, contract, score in (("2C", "4H", 420.0), ("3NT", "3NT", -50.0))
    ]
    later = next(each for each in answer["questions"] if each["step"] > 2)
    assert (later["tables"], later["answers"]) == (0, [])
    with CaptureQueriesContext(connection) as few:
        anonymous.get(url)
    for number in range(4, 12):
        factories.board(**texts, calls=GAME, table=str(number))
    with CaptureQueriesContext(connection) as many:
        anonymous.get(url)
    assert len(many) == len(few)


def test_of_a_board_without_an_auction_nobody_is_asked(anonymous: APIClient) -> None:
    url = f"/api/boards/{factories.board(calls='').pk}/practice"
    assert anonymous.get(url).json() == {"seat": None, "step": None, "questions": []}
