"""What becomes of boards and votes when their person is erased."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from django.db import connections
from rest_framework.test import APIClient

from accounts.identifiers import SYSTEM
from accounts.models import Account
from boards.models import Board
from boards.records import fingerprint_of, record_of
from boards.services import change_board, publish_board
from config.api.errors import InvalidToken
from tests import factories
from tests.accounts.erasing import counters_are_exact, erase
from voting.models import Vote
from voting.services import cast_vote

pytestmark = pytest.mark.django_db


def test_publishing_an_erased_persons_board_for_the_service_finds_that_board(zia: Account) -> None:
    board = factories.board(1, owner=zia)
    erase()
    again, created = publish_board(deal=board.deal, record=record_of(board), owner_id=SYSTEM)
    assert (again.pk, created) == (board.pk, False)


def test_a_board_that_the_service_has_too_stays_whole_beside_it(zia: Account) -> None:
    known, hers = factories.board(1), factories.board(1, owner=zia, themes=(factories.theme(),))
    cast_vote(account=factories.account("other"), board_id=hers.pk, value=Vote.Value.UP)
    Board.objects.filter(pk=hers.pk).update(title="Her title", commentary="Her words")
    assert erase()["boards"] == 1
    known.refresh_from_db()
    hers.refresh_from_db()
    assert (hers.owner_id, hers.title, hers.commentary) == (SYSTEM, "Her title", "Her words")
    assert (hers.up_votes, hers.themes.count(), hers.votes.count()) == (1, 1, 1)
    assert hers.fingerprint != known.fingerprint == fingerprint_of(record_of(known), SYSTEM)
    again, _ = publish_board(deal=known.deal, record=record_of(known), owner_id=SYSTEM)
    assert again.pk == known.pk
    before = hers.fingerprint
    changed = change_board(board=hers, record=record_of(hers), owner_id=SYSTEM, auction_system=None)
    assert changed.fingerprint == before, "its texts can still be changed"


def test_erasing_many_boards_and_votes_takes_more_than_one_batch(zia: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("boards.personal_data", "voting.services"):
        monkeypatch.setattr(f"{module}.CHUNK", 2)
    for seed in range(5):
        cast_vote(account=zia, board_id=factories.board(seed, owner=zia).pk, value=Vote.Value.UP)
    done = erase()
    assert (done["boards"], done["votes"]) == (5, 5)
    assert counters_are_exact()


@pytest.mark.django_db(transaction=True)
def test_votes_cast_during_an_erasure_leave_no_vote_and_every_counter_exact(
    client_of: Callable[[Account], APIClient],
) -> None:
    zia, boards = factories.account("zia"), [factories.board(seed) for seed in range(6)]

    def vote(number: int) -> None:
        try:
            value = Vote.Value.DOWN if number % 2 else Vote.Value.UP
            with suppress(InvalidToken):  # it came after the erasure
                cast_vote(account=zia, board_id=boards[number % 6].pk, value=value)
        finally:
            connections.close_all()

    def wipe() -> None:
        try:
            erase()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(6) as pool:
        votes = [pool.submit(vote, number) for number in range(12)]
        wipes = [pool.submit(wipe) for _ in range(2)]
        for done in (*votes, *wipes):
            done.result()
    assert not Vote.objects.exists()
    assert counters_are_exact()
