"""Which deals go with the last of their boards, when members delete drafts."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from io import BytesIO

import pytest
from django.db import connection, connections, transaction

from accounts.models import Account
from boards.files.importing import import_boards
from boards.models import Board
from boards.ownership import delete_drafts
from deals.models import Deal
from deals.services import register_deal, request_double_dummy
from tests import factories
from tests.boards.admin.pages import pbn
from tests.meetings import during


def uploaded(owner: Account, seed: int) -> Board:
    import_boards(file=BytesIO(pbn(factories.record(seed))), owner_id=owner.pk)
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


@pytest.mark.django_db
def test_a_deal_that_a_program_has_sent_or_asked_for_stays() -> None:
    """Its id is known to the program. It does not matter who came first."""
    zia = factories.account("zia")
    sent_before, _ = register_deal(layout=factories.layout(1))
    board = uploaded(zia, 1)
    delete_drafts(zia, [board.pk])
    board = uploaded(zia, 2)
    sent_after, created = register_deal(layout=factories.layout(2))
    assert not created
    delete_drafts(zia, [board.pk])
    board = uploaded(zia, 3)
    request_double_dummy(deal=board.deal)
    delete_drafts(zia, [board.pk])
    with_source = uploaded(zia, 4)
    Deal.objects.filter(pk=with_source.deal_id).update(source_name="The club's dealer")
    delete_drafts(zia, [with_source.pk])
    assert set(Deal.objects.all()) == {sent_before, sent_after, board.deal, with_source.deal}


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite lets one transaction write at a time.")
@pytest.mark.django_db(transaction=True)
def test_a_board_that_comes_meanwhile_has_its_deal() -> None:
    zia, yan = factories.account("zia"), factories.account("yan")
    board = uploaded(zia, 1)
    brought = during(partial(delete_drafts, zia, [board.pk]), partial(uploaded, yan, 1))
    assert brought.owner == yan, brought
    assert Deal.objects.get() == brought.deal


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite lets one transaction write at a time.")
@pytest.mark.django_db(transaction=True)
def test_a_deal_stays_for_a_board_that_is_just_being_brought() -> None:
    """Nobody waits: the other board is not committed when the first is deleted."""
    zia, yan = factories.account("zia"), factories.account("yan")
    board = uploaded(zia, 1)

    def delete() -> None:
        delete_drafts(zia, [board.pk])
        connections.close_all()

    with ThreadPoolExecutor(1) as pool, transaction.atomic():
        brought = uploaded(yan, 1)
        pool.submit(delete).result()
    assert Board.objects.get() == brought
    assert Deal.objects.get() == brought.deal
