"""Boards that are stored once for a module: one with its whole play, and one whose auction is a lesson."""

from random import Random

import pytest

from boards.models import Board
from bridge.auction import Auction, Call
from bridge.seats import Seat
from tests import factories
from tests.bridge.strategies import random_play
from tests.pages.opening import CALLS, CALLS_OF_LESSON


@pytest.fixture(scope="module")
def board(rows_of_module: None) -> Board:
    record = factories.record(seed=5, number=1, calls=CALLS)
    play = random_play(record.layout, record.contract, 52, Random(1))
    return factories.board(seed=5, number=1, calls=CALLS, play=play, title="A title", commentary="What happened.")


@pytest.fixture(scope="module")
def lesson(rows_of_module: None) -> Board:
    """South deals and is asked at the steps 0, 4 and 8. West leads."""
    told = {"1NT": "11–13 points, they say", "2C": "asks"}
    auction = Auction(Seat.SOUTH, tuple(Call(call, explanation=told.get(call, "")) for call in CALLS_OF_LESSON))
    theme = factories.theme("stayman", labels={"en": "Stayman"})
    texts = {"title": "A title", "commentary": "What happened.", "event": "Friday pairs"}
    return factories.board(seed=5, number=3, auction=auction, tricks=9, themes=(theme,), **texts)
