from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError

from accounts.models import Account
from boards.models import Board
from boards.records import columns_of, fingerprint_of, record_of
from deals.models import Deal
from tests import factories

pytestmark = pytest.mark.django_db

PLAYED = {"contract": "1NT", "declarer": "N"}


BROKEN: tuple[tuple[dict[str, Any], str], ...] = (
    ({"dealer": "Z"}, "board_dealer_known"),
    ({"dealer": ""}, "board_dealer_known"),
    ({"vulnerability": "Both"}, "board_vulnerability_known"),
    ({"board_number": 0}, "board_number_from_one"),
    ({**PLAYED, "tricks": 14}, "board_tricks_to_thirteen"),
    ({**PLAYED, "tricks": -1}, "tricks"),
    ({"contract": "1NT"}, "board_declarer_with_contract"),
    ({"declarer": "N"}, "board_declarer_with_contract"),
    ({"tricks": 7}, "board_declarer_with_contract"),
    ({"contract": "Pass", "declarer": "N"}, "board_declarer_with_contract"),
    ({"contract": "Pass", "tricks": 0}, "board_declarer_with_contract"),
    *(({name: -1}, name) for name in ("up_votes", "down_votes")),
    *(({name: None}, name) for name in ("dealer", "fingerprint")),
)


def test_the_database_refuses_a_board_that_breaks_a_constraint() -> None:
    factories.board()
    before = Board.objects.values().get()
    for values, constraint in BROKEN:
        with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
            Board.objects.update(**values)
    assert Board.objects.values().get() == before


def test_the_database_accepts_a_board_that_meets_the_constraints() -> None:
    factories.board()
    for tricks in (None, 0, 13):
        assert Board.objects.update(board_number=None, **PLAYED, tricks=tricks) == 1
    assert Board.objects.update(contract="Pass", declarer="", tricks=None, board_number=1) == 1


def test_the_database_refuses_a_second_board_with_the_same_fingerprint() -> None:
    first, second = factories.board(), factories.board()
    with pytest.raises(IntegrityError, match="fingerprint"), transaction.atomic():
        Board.objects.filter(pk=second.pk).update(fingerprint=first.fingerprint)


DONE = {"double_dummy_status": "done", "double_dummy": "7" * 20, "par": {}}


UNSOLVED: tuple[dict[str, Any], ...] = (
    *({"double_dummy_status": "done"}, {**DONE, "par": None}, {**DONE, "double_dummy": ""}, {"par": {}}),
    *({**DONE, "double_dummy_status": "pending"}, {**DONE, "double_dummy_status": "failed"}),
)


def test_the_database_requires_a_double_dummy_table_exactly_when_the_status_is_done() -> None:
    factories.deal()
    for values in UNSOLVED:
        with pytest.raises(IntegrityError, match="deal_table_when_done"), transaction.atomic():
            Deal.objects.update(**values)
    assert Deal.objects.get().double_dummy_status == "pending"
    assert Deal.objects.update(**DONE) == 1


def test_the_database_refuses_the_same_cards_twice() -> None:
    deal = factories.deal()
    with pytest.raises(IntegrityError, match="cards"), transaction.atomic():
        Deal.objects.create(cards=deal.cards)
    assert Deal.objects.count() == 1


def test_the_deal_owner_and_auction_system_of_a_board_cannot_be_deleted() -> None:
    board = factories.board(owner=factories.account("ada"), auction_system=factories.auction_system("acol"))
    for row in (board.deal, board.owner, board.auction_system):
        with pytest.raises(ProtectedError):
            row.delete()
    assert Board.objects.filter(pk=board.pk, deal__isnull=False, owner="ada", auction_system="acol").exists()


def test_deleting_a_theme_keeps_its_boards() -> None:
    theme = factories.theme()
    board = factories.board(themes=(theme,))
    theme.delete()
    assert list(board.themes.all()) == []


def test_publishing_again_keeps_the_first_date_and_unpublishing_keeps_the_votes() -> None:
    board = factories.board(published=False, votes=(2, 1))
    assert (board.publish(), board.publish()) == (True, False)
    first = board.published_at
    board.refresh_from_db()
    assert board.published_at == first
    assert (board.unpublish(), board.unpublish()) == (True, False)
    board.refresh_from_db()
    assert (board.published_at, board.up_votes, board.down_votes) == (None, 2, 1)


STORED: tuple[dict[str, Any], ...] = (
    *({}, {"calls": "1NT Pass Pass"}, {"calls": "1NT X Pass Pass Pass", "tricks": 6}),
    {"calls": "Pass Pass Pass Pass"},
    {"title": "A title", "commentary": "Words", "event": "E", "site": "S", "date": "????.11.??", "scoring": "MP"},
)


def test_a_record_is_read_from_the_database_as_it_was_stored() -> None:
    for seed, values in enumerate(STORED):
        record = factories.record(seed=seed, number=2, **values)
        stored = factories.board(seed=seed, number=2, **values)
        board = Board.objects.select_related("deal").get(pk=stored.pk)
        assert record_of(board) == record
        assert columns_of(record_of(board)) == columns_of(record)
        assert fingerprint_of(record_of(board), board.owner_id) == board.fingerprint
        assert board.score == record.score


def test_texts_do_not_change_the_fingerprint() -> None:
    plain, described = (factories.record(seed=1), factories.record(seed=1, title="A title", commentary="At length"))
    assert fingerprint_of(plain, "ada") == fingerprint_of(described, "ada") != fingerprint_of(plain, "bob")


def test_a_board_is_named_by_its_title_or_its_number_or_its_id() -> None:
    board = factories.board(title="A slam", number=3)
    names = [str(board)]
    board.title = ""
    names.append(str(board))
    board.board_number = None
    assert [*names, str(board)] == ["A slam", "Board 3", str(board.pk)]


def test_drafts_are_visible_to_their_owner_and_staff() -> None:
    owner, other = factories.account(), factories.account()
    draft = factories.board(owner=owner, published=False)
    for caller, sees in ((owner, True), (other, False), (factories.account(role=Account.Role.SUPPORT), True)):
        assert Board.objects.visible_to(caller).filter(pk=draft.pk).exists() is sees


def test_the_admins_form_refuses_a_text_that_no_pbn_file_can_hold() -> None:
    board = factories.board(title='"' * 200)
    with pytest.raises(ValidationError) as error:
        board.full_clean()
    assert error.value.error_dict["title"][0].code == "text_too_long"
