"""A board's play and place are part of its identity, also of boards that were stored before they counted."""

import json
from dataclasses import replace
from hashlib import sha256
from importlib import import_module
from random import Random

import pytest
from django.apps import apps

from boards.models import Board
from boards.records import fingerprint_of, record_of
from deals.bridge.board import BoardRecord
from tests import factories
from tests.bridge_strategies import random_play

pytestmark = pytest.mark.django_db

count_play = import_module("boards.migrations.0007_play_counts").count_play


def old_fingerprint(record: BoardRecord) -> str:
    contract = record.contract
    parts = (
        *(record.layout.cards, "system", record.dealer, record.vulnerability),
        None if record.auction is None else [call.call for call in record.auction.calls],
        *(contract.text if contract else None, contract.declarer if contract else None, record.tricks),
    )
    return sha256(json.dumps(parts).encode()).hexdigest()


def test_a_board_without_play_and_place_keeps_the_fingerprint_that_it_had() -> None:
    for calls in ("", "1NT Pass Pass Pass"):
        record = factories.record(seed=1, calls=calls)
        assert fingerprint_of(record, "system") == old_fingerprint(record)


def test_the_migration_gives_boards_with_a_lead_or_a_play_their_new_fingerprint() -> None:
    contract = factories.record(seed=1, calls="1NT Pass Pass Pass").contract
    boards = []
    for seed, cards in ((1, 0), (2, 1), (3, 30)):
        layout = factories.record(seed=seed).layout
        play = random_play(layout, contract, cards, Random(seed)) if contract and cards else ()
        lead = {"opening_lead": play[0]} if cards == 1 else {"play": play}
        boards.append(factories.board(seed=seed, calls="1NT Pass Pass Pass", **lead))
    duplicate = factories.board(seed=4, calls="1NT Pass Pass Pass")
    for board in boards:
        Board.objects.filter(pk=board.pk).update(fingerprint=old_fingerprint(record_of(board)))
    Board.objects.filter(pk=duplicate.pk).update(fingerprint="f" * 64)
    count_play(apps, None)
    for board in boards:
        board.refresh_from_db()
        assert board.fingerprint == fingerprint_of(record_of(board), "system")
    duplicate.refresh_from_db()
    assert duplicate.fingerprint == "f" * 64


def test_a_change_of_room_changes_the_fingerprint() -> None:
    record = factories.record(seed=1)
    assert len({fingerprint_of(replace(record, room=room), "system") for room in ("", "Open", "Closed")}) == 3
