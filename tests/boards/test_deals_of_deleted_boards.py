"""Which deals go with the last of their boards, when members delete drafts."""

from collections.abc import Callable
from functools import partial
from io import BytesIO
from typing import Any

import pytest

from accounts.models import Account
from boards.files.importing import import_boards
from boards.models import Board
from boards.ownership import delete_drafts
from deals.bridge.board import BoardRecord
from deals.bridge.seats import Seat
from deals.bridge.vulnerability import Vulnerability
from deals.models import Deal
from deals.serializers import DealPatchSerializer
from deals.services import delete_unused_deals, register_deal, request_double_dummy
from tests import factories
from tests.boards.admin.pages import pbn
from tests.boards.test_races import at_once, on_postgresql
from tests.meetings import during


def uploaded(owner: Account, seed: int) -> Board:
    import_boards(file=BytesIO(pbn(factories.record(seed))), owner_id=owner.pk, max_owned=10)
    return Board.objects.get(owner=owner)


@pytest.mark.django_db
def test_the_deal_of_an_uploaded_board_goes_with_its_last_board() -> None:
    zia, yan = factories.account("zia"), factories.account("yan")
    of_zia, of_yan = uploaded(zia, 1), uploaded(yan, 1)
    assert of_zia.deal == of_yan.deal
    delete_drafts(zia, [of_zia.pk])
    assert Deal.objects.exists()
    delete_drafts(yan, [of_yan.pk])
    assert not Deal.objects.exists()


def give_a_source(deal: Deal) -> None:
    serializer = DealPatchSerializer(deal, data={"source": {"name": "The club's dealer"}})
    serializer.is_valid(raise_exception=True)
    serializer.save()


def import_and_delete(deal: Deal) -> None:
    import_boards(file=BytesIO(pbn(BoardRecord(deal.layout, Seat.NORTH, Vulnerability.NONE, board_number=1))))
    Board.objects.filter(owner="system").delete()


ACTS: tuple[Callable[[Deal], Any], ...] = (
    *(give_a_source, import_and_delete),
    *(lambda deal: register_deal(layout=deal.layout), lambda deal: request_double_dummy(deal=deal)),
)


@pytest.mark.django_db
def test_a_deal_that_a_program_has_brought_or_asked_for_before_or_after_the_upload_stays() -> None:
    """Its id is known to the program."""
    zia = factories.account("zia")
    for number, act in enumerate(ACTS):
        board = uploaded(zia, number)
        act(board.deal)
        delete_drafts(zia, [board.pk])
        assert Deal.objects.filter(pk=board.deal_id).exists(), number
    deal, _ = register_deal(layout=factories.layout(9))
    delete_drafts(zia, [uploaded(zia, 9).pk])
    assert Deal.objects.filter(pk=deal.pk).exists()


@on_postgresql
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("bring", [uploaded, lambda yan, seed: register_deal(layout=factories.layout(seed))])
def test_what_is_brought_while_the_deal_is_deleted_has_a_deal(bring: Callable[[Account, int], Any]) -> None:
    zia, yan = factories.account("zia"), factories.account("yan")
    deal = uploaded(zia, 1).deal
    Board.objects.all().delete()
    brought = during(partial(delete_unused_deals, [deal.pk]), partial(bring, yan, 1))
    assert not isinstance(brought, Exception), brought
    assert Deal.objects.exclude(pk=deal.pk).count() == 1


@on_postgresql
@pytest.mark.django_db(transaction=True)
def test_a_deal_stays_for_a_board_that_is_just_being_brought() -> None:
    zia, yan = factories.account("zia"), factories.account("yan")
    board = uploaded(zia, 1)
    brought: list[Board] = []
    during(lambda: brought.append(uploaded(yan, 1)), partial(delete_drafts, zia, [board.pk]))
    assert list(Board.objects.all()) == brought and Deal.objects.get() == brought[0].deal


@on_postgresql
@pytest.mark.django_db(transaction=True)
def test_of_two_who_delete_their_boards_at_once_the_last_one_deletes_the_deal() -> None:
    people = [factories.account(name) for name in ("zia", "yan")]
    at_once(*[partial(delete_drafts, account, [uploaded(account, 1).pk]) for account in people])
    assert not Deal.objects.exists()
