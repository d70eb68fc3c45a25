from dataclasses import replace
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError

from boards.models import Board
from boards.records import IDENTIFYING, columns_of, fingerprint_of, record_of
from boards.searching.filters import FILTERS
from boards.serializers import BoardSerializer
from bridge.board import TEXTS
from bridge.contract import Contract
from bridge.seats import Seat
from bridge.vulnerability import Vulnerability
from config.api.serializers import wire_name
from deals.models import Deal
from tests import factories
from tests.bridge.factories import auction

pytestmark = pytest.mark.django_db

PLAYED = {"contract": "1NT", "declarer": "N"}
BROKEN: tuple[tuple[dict[str, Any], str], ...] = (
    *(({"dealer": dealer}, "board_dealer_known") for dealer in ("Z", "")),
    *(({"vulnerability": "Both"}, "board_vulnerability_known"), ({"board_number": 0}, "board_number_from_one")),
    *(({**PLAYED, "tricks": 14}, "board_tricks_to_thirteen"), ({**PLAYED, "tricks": -1}, "tricks")),
    *(({"contract": "Pass", **more}, "board_declarer_with_contract") for more in ({"declarer": "N"}, {"tricks": 0})),
    *((each, "board_declarer_with_contract") for each in ({"contract": "1NT"}, {"declarer": "N"}, {"tricks": 7})),
    *(({name: -1}, name) for name in ("up_votes", "down_votes")),
    *(({name: None}, name) for name in ("dealer", "fingerprint")),
)


def test_the_database_refuses_a_board_that_breaks_a_constraint_and_no_other() -> None:
    factories.board()
    before = Board.objects.values().get()
    for values, constraint in BROKEN:
        with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
            Board.objects.update(**values)
    assert Board.objects.values().get() == before
    for tricks in (None, 0, 13):
        assert Board.objects.update(board_number=None, **PLAYED, tricks=tricks) == 1
    assert Board.objects.update(contract="Pass", declarer="", tricks=None, board_number=1) == 1


def test_the_database_refuses_a_second_board_with_the_same_fingerprint_and_the_same_cards_twice() -> None:
    first, second = factories.board(), factories.board()
    with pytest.raises(IntegrityError, match="fingerprint"), transaction.atomic():
        Board.objects.filter(pk=second.pk).update(fingerprint=first.fingerprint)
    with pytest.raises(IntegrityError, match="cards"), transaction.atomic():
        Deal.objects.create(cards=first.deal.cards)


DONE = {"double_dummy_status": "done", "double_dummy": "7" * 20, "par": {}}


def test_the_database_requires_a_double_dummy_table_exactly_when_the_status_is_done() -> None:
    factories.deal()
    status = "double_dummy_status"
    unsolved = [{status: "done"}, {"par": {}}, *({**DONE, **less} for less in ({"par": None}, {"double_dummy": ""}))]
    for values in (*unsolved, {**DONE, status: "pending"}, {**DONE, status: "failed"}):
        with pytest.raises(IntegrityError, match="deal_table_when_done"), transaction.atomic():
            Deal.objects.update(**values)
    assert Deal.objects.get().double_dummy_status == "pending"
    assert Deal.objects.update(**DONE) == 1


def test_the_deal_owner_and_auction_system_of_a_board_cannot_be_deleted() -> None:
    board = factories.board(owner=factories.account("ada"), auction_system=factories.auction_system("acol"))
    for row in (board.deal, board.owner, board.auction_system):
        with pytest.raises(ProtectedError):
            row.delete()
    assert Board.objects.filter(deal__isnull=False, owner="ada", auction_system="acol").get() == board


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


def test_a_fingerprint_is_of_all_that_happened_where_and_whose_and_of_no_other_text() -> None:
    record = factories.record(seed=1, calls="1NT Pass Pass Pass", tricks=7)
    longer = auction(record.dealer, "Pass Pass 1NT Pass Pass Pass")
    bare = replace(record, auction=None)
    others = (
        *(replace(record, dealer=Seat.EAST), replace(record, vulnerability=Vulnerability.ALL)),
        *(replace(record, auction=longer), replace(record, tricks=8), factories.record(seed=2)),
        *(bare, replace(bare, contract=Contract.parse("2NT", Seat.NORTH)), replace(bare, contract=None)),
        replace(bare, contract=Contract.parse("1NT", Seat.SOUTH)),
        *(replace(record, opening_lead="HK"), replace(record, play=("HK",)), replace(record, play=("HK", "HA"))),
        *(replace(record, **{name: "Closed"}) for name in IDENTIFYING),
    )
    fingerprints = {fingerprint_of(each, "ada") for each in (record, *others)} | {fingerprint_of(record, "bob")}
    assert len(fingerprints) == len(others) + 2
    described = replace(record, title="A title", commentary="At length", scoring="MP", auction_system="Acol")
    assert fingerprint_of(described, "ada") == fingerprint_of(record, "ada") != fingerprint_of(record, "ada", 2)
    evenings = (replace(record, event=event) for event in ("Friday pairs", " FRIDAY  Pairs"))
    assert len({fingerprint_of(each, "ada") for each in evenings}) == 1


def test_the_admins_form_refuses_a_text_that_no_pbn_file_can_hold() -> None:
    board = factories.board(title='"' * 200)
    with pytest.raises(ValidationError) as error:
        board.full_clean()
    assert error.value.error_dict["title"][0].code == "text_too_long"


WITH_A_PLACE_OF_THEIR_OWN = {
    *("id", "deal", "owner", "auction_system", "board_number", "commentary", "system_text", "fingerprint"),
    "deal_commentary",
    *("dealer", "vulnerability", "auction", "contract", "declarer", "opening_lead", "play", "tricks"),
    *("up_votes", "down_votes", "number", "published_at", "first_published_at", "created_at", "updated_at"),
}
FILTERED_OTHERWISE = {
    "declarer": "nobody asks for it",
    "room": "an event has few boards, and shows both rooms",
    "student": "practice begins with this seat, and one may take any other",
}


def test_each_column_is_a_text_of_the_record_or_has_a_place_of_its_own() -> None:
    assert {column.name for column in Board._meta.fields} - WITH_A_PLACE_OF_THEIR_OWN == TEXTS.keys()


def test_a_text_is_on_the_wire_and_has_the_choices_of_its_column() -> None:
    for name, text in TEXTS.items():
        column = Board._meta.get_field(name)
        assert [value for value, _ in column.choices or ()] == [*text.choices], name
        assert wire_name(name) in BoardSerializer().fields, name


def test_a_column_with_choices_has_a_filter_or_a_reason() -> None:
    with_choices = {column.name for column in Board._meta.fields if column.choices}
    assert with_choices - FILTERED_OTHERWISE.keys() == {name for name, each in FILTERS.items() if each.choices}
