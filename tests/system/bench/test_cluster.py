"""The cluster's own instruments: the search for acknowledged writes that are lost, and the traffic."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from bench.cluster.verdict import find_wrong
from boards.models import Board, PublishedBoard
from bridge.cards import DECK
from deals.models import FeedEvent
from tests import factories
from tests.traffic import Call, Traffic, deal_cards, longest_silence
from voting.models import Vote
from voting.services import cast_vote


def test_an_acknowledged_write_that_is_not_stored_is_lost() -> None:
    traffic = Traffic([], [], {}, "", seed=1)
    # Of the third, the vote sent last was not acknowledged, but is perhaps stored. Of the fourth, none was.
    votes = {"0-1": ("up", "up"), "0-2": ("up", "up"), "0-3": ("up", "down"), "0-4": ("", "up")}
    traffic.votes = {("ann", board): values for board, values in votes.items()}
    traffic.acknowledged["form"] = {("1-2",), ("1-3",)}
    stored: dict[str, list[tuple[str, ...]]] = {
        "voting_vote": [("ann", "01", "up"), ("ann", "02", "down"), ("ann", "03", "down")],
        "forms_submission": [("12",)],
    }

    def fetch(sql: str) -> list[tuple[str, ...]]:
        return next((rows for table, rows in stored.items() if table in sql), [])

    assert traffic.find_lost(fetch) == {"vote": 1, "board": 0, "deal": 0, "form": 1}


def test_a_voter_turns_each_vote_and_sends_again_what_was_not_acknowledged(monkeypatch: pytest.MonkeyPatch) -> None:
    traffic = Traffic(["http://127.0.0.1"], ["0-1", "0-2"], {"ann": "a token"}, "", seed=1)
    answers: list[dict[str, str] | None] = [{}, {}, None, {}, {}, {}]
    sent = []

    def call(kind: str, caller: object, method: str, path: str, body: dict[str, str], **headers: str) -> object:
        sent.append((path[-1], body["vote"]))
        if len(sent) == len(answers):
            traffic.is_over.set()
        return answers[len(sent) - 1]

    monkeypatch.setattr(traffic, "call", call)
    traffic.vote("ann")
    one, other = sent[0][0], sent[1][0]
    assert sent == [*((one, "up"), (other, "up")), *((one, "down"), (other, "down")), *((one, "down"), (other, "up"))]
    assert traffic.votes == {("ann", f"0-{one}"): ("down", "down"), ("ann", f"0-{other}"): ("up", "up")}


@pytest.mark.django_db
def test_the_verdict_names_what_was_spoilt_after_the_traffic() -> None:
    account, boards = factories.account("ann"), [factories.board() for _ in range(2)]
    traffic = Traffic([], [], {}, "", seed=1)
    traffic.acknowledged["board"] = {(str(board.pk),) for board in boards}
    for board in boards:
        for value in (Vote.Value.UP, Vote.Value.DOWN):
            cast_vote(account=account, board_id=board.pk, value=value)
        traffic.votes["ann", str(board.pk)] = "down", "down"

    def fetch(sql: str) -> list[tuple[Any, ...]]:
        with connection.cursor() as cursor:
            cursor.execute(sql)
            return cursor.fetchall()

    def json_is_right() -> bool:
        try:
            call_command("refresh_boards", check=True)
            call_command("index_boards", check=True)
        except CommandError:
            return False
        return True

    spoilt = Board.objects.filter(pk=boards[0].pk)
    published = FeedEvent.objects.filter(type=FeedEvent.Type.BOARD_PUBLISHED, board_id=boards[0].pk)
    spoil: dict[str, Callable[[], object]] = {
        "nothing": lambda: None,
        "counter": lambda: spoilt.update(up_votes=7),
        "text": lambda: PublishedBoard.objects.filter(pk=boards[0].pk).update(json="{}"),
        "event": published.delete,
        "vote": lambda: (Vote.objects.update(value="up"), Board.objects.update(up_votes=1, down_votes=0)),
    }
    found = {}
    for name, change in spoil.items():
        with transaction.atomic():
            change()
            wrong = find_wrong(traffic, fetch, json_is_right)
            found[name] = {kind: count for kind, count in wrong.items() if count}
            transaction.set_rollback(True)
    assert found == {"nothing": {}, **{kind: {kind: 1} for kind in ("counter", "text", "event")}, "vote": {"vote": 2}}


def test_a_silence_lasts_from_one_success_to_the_next() -> None:
    calls = [Call("read", 0, at, outcome) for at, outcome in ((1, 200), (2, 503), (3, "TimeoutError"), (5, 204))]
    assert (longest_silence(calls, 0, 6), longest_silence([], 0, 6)) == (4, 6)


def test_the_publisher_deals_all_cards_and_the_same_again_for_a_seed() -> None:
    deals = [deal_cards(random.Random(seed)) for seed in (1, 1, 2)]
    assert deals[0] == deals[1] != deals[2]
    hands = [hand.split(".") for hand in deals[0].removeprefix("N:").split()]
    cards = [f"{suit}{rank}" for hand in hands for suit, ranks in zip("SHDC", hand, strict=True) for rank in ranks]
    assert sorted(cards) == sorted(DECK)
