"""Changes of published boards that wait for staff: readers see the old board until staff have looked."""

from io import BytesIO
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.exceptions import ValidationError

from accounts.models import Account
from accounts.personal_data.erasure import erase
from boards.files.importing import import_boards
from boards.files.options import ImportOptions
from boards.models import Board, PublicationReview
from boards.services.bulk import delete_boards, unpublish_boards
from boards.services.edits import describe_changes
from boards.services.reviews import (
    accept_change,
    change_asked_for,
    correct_board,
    edit_board,
    publish_seen,
    shown_of,
    take_back_changes,
    withdraw,
)
from bridge.contract import Contract
from bridge.seats import Seat
from config.api.errors import Conflict
from deals.models import FeedEvent
from tests import factories
from tests.boards.admin.pages import pbn
from tests.boards.drafts import decline, states
from voting.models import Vote
from voting.services import cast_vote

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("readers_get_what_the_boards_say")]

MADE = {"contract": Contract.parse("4S", Seat.NORTH), "tricks": 10}
NINE = {"result": {"tricks": 9}}


@pytest.fixture
def board(zia: Account) -> Board:
    return factories.board(1, owner=zia, **MADE)


def changes() -> Any:
    return PublicationReview.objects.get().changes


def accept(board: Board, **moment: Any) -> list[Board]:
    return accept_change(board.pk, looked_at=moment.get("looked_at") or timezone.now())


def test_a_change_waits_and_is_made_when_staff_accept_it(zia: Account, board: Board) -> None:
    theme = factories.theme("stayman")
    cast_vote(account=factories.account(), board_id=board.pk, value=Vote.Value.UP)
    before = Board.objects.values().get()
    edit_board(zia, board.pk, {"title": "Count", "themes": [str(theme.pk)], **NINE})
    assert Board.objects.values().get() == before and not theme.boards.exists()
    told = [tuple(each) for each in describe_changes(board, changes())]
    assert told == [("Title", "", "Count"), ("Themes", "", "stayman"), ("Tricks that declarer won", "10", "9")]
    assert accept(board) == [board]
    changed = Board.objects.get()
    assert (changed.title, changed.tricks, list(changed.themes.all())) == ("Count", 9, [theme])
    assert (changed.up_votes, changed.published_at) == (1, before["published_at"])
    assert accept(board) == [] and states() == {}
    assert [*FeedEvent.objects.order_by("id").values_list("type", flat=True)][1:] == [
        "board.votes_changed",
        "board.changed",
    ]


def test_calls_are_told_in_the_notation_of_players(zia: Account, board: Board) -> None:
    calls = [{"call": "1NT", "alert": True, "explanation": "12-14"}, *[{"call": "Pass"}] * 3]
    edit_board(zia, board.pk, {"auction": {"calls": calls}, "opening_lead": "", "result": {"tricks": None}})
    assert [tuple(each) for each in describe_changes(board, changes())] == [
        ("Auction", "", "1NT! Pass Pass Pass\n1NT: 12-14"),
        ("Contract", "4♠ by North", "1NT by North"),  # which follows from the calls
        ("Tricks that declarer won", "10", ""),
    ]
    edit_board(zia, board.pk, {"auction": {"calls": [{"call": "Pass"}] * 4}})
    assert changes()["contract"] == {"text": "Pass", "declarer": None}
    # Calls that stop short tell no contract. The one that stands beside them stays when something else changes.
    cut = {"auction": {"calls": [{"call": "1NT"}]}, "contract": {"text": "4S", "declarer": "N"}}
    edit_board(zia, board.pk, cut | {"result": {"tricks": 10}})
    edit_board(zia, board.pk, NINE)
    assert [each.label for each in describe_changes(board, changes())] == ["Auction", "Tricks that declarer won"]
    accept(board)
    assert Board.objects.values_list("contract", "tricks").get() == ("4S", 9)


def test_later_changes_join_those_that_wait_and_what_is_again_as_stored_is_no_change(
    zia: Account, board: Board
) -> None:
    edit_board(zia, board.pk, {"title": "Count"})
    edit_board(zia, board.pk, NINE)
    assert changes() == {"title": "Count", **NINE}
    edit_board(zia, board.pk, {"title": "", **NINE})
    assert changes() == NINE
    edit_board(zia, board.pk, {"result": {"tricks": 10}})
    assert states() == {}
    with pytest.raises(ValidationError):
        edit_board(zia, board.pk, {"opening_lead": "H1"})
    factories.board(1, owner=zia, **MADE | {"tricks": 9})
    with pytest.raises(Conflict):
        edit_board(zia, board.pk, NINE)
    assert states() == {}


def test_staff_accept_only_what_they_have_seen_and_only_what_still_fits(zia: Account, board: Board) -> None:
    edit_board(zia, board.pk, NINE)
    looked_at = PublicationReview.objects.get().asked_at
    edit_board(zia, board.pk, {"title": "Buy my book"})
    assert accept(board, looked_at=looked_at) == []
    correct_board(board.pk, {"contract": {"text": "Pass", "declarer": None}, "result": {"tricks": None}})
    with pytest.raises(ValidationError, match="passed out"):
        accept(board)
    assert Board.objects.get().title == "" and states() == {board.pk: "waiting"}
    correct_board(board.pk, {"contract": {"text": "3NT", "declarer": "S"}})
    accept(board)
    changed = Board.objects.get()
    assert (changed.contract, changed.tricks, changed.title) == ("3NT", 9, "Buy my book")


def test_staff_accept_no_change_of_a_board_that_is_another_than_they_saw(zia: Account, board: Board) -> None:
    edit_board(zia, board.pk, {"title": "Of the owner"})
    review = PublicationReview.objects.select_related("board").get()
    seen = shown_of(review)
    board.title = "Of another one of the staff"
    board.save(update_fields=["title", "updated_at"])
    assert accept(board, looked_at=seen) == [] and changes() == {"title": "Of the owner"}
    assert accept(board, looked_at=shown_of(PublicationReview.objects.select_related("board").get())) == [board]


def test_what_was_wanted_and_is_deleted_is_wanted_no_more(zia: Account, board: Board) -> None:
    theme, kept = factories.theme("stayman"), factories.theme("transfer")
    system = factories.auction_system("acol")
    edit_board(zia, board.pk, {"themes": [str(theme.pk), str(kept.pk)], "auction_system": system.pk})
    theme.delete(), system.delete()
    board.refresh_from_db()
    assert change_asked_for(board) == {"themes": [str(kept.pk)]}
    edit_board(zia, board.pk, {"title": "Count"})
    assert changes() == {"title": "Count", "themes": [str(kept.pk)]}


def test_a_file_that_corrects_the_board_meanwhile_counts_and_staff_look_again(zia: Account, board: Board) -> None:
    edit_board(zia, board.pk, {"title": "Count"})
    looked_at = PublicationReview.objects.get().asked_at
    import_boards(BytesIO(pbn(factories.record(1, commentary="By the file.", **MADE))), ImportOptions(owner_id="zia"))
    assert accept(board, looked_at=looked_at) == []
    accept(board)
    assert Board.objects.values_list("title", "commentary").get() == ("Count", "By the file.")


def test_a_declined_change_is_kept_for_its_owner_who_changes_it_or_takes_it_back(zia: Account, board: Board) -> None:
    edit_board(zia, board.pk, NINE)
    assert publish_seen([board.pk], looked_at=timezone.now()) == []
    assert decline(board) == [board]
    assert (accept(board), states(), changes()) == ([], {board.pk: "declined"}, NINE)
    edit_board(zia, board.pk, {"title": "Count"})
    assert (states(), changes()) == ({board.pk: "waiting"}, {"title": "Count", **NINE})
    assert take_back_changes(factories.account(), [board.pk]) == []
    assert take_back_changes(zia, [board.pk]) == [board] and states() == {}
    assert Board.objects.published().get().tricks == 10


def test_where_members_publish_at_once_a_change_takes_along_what_waited(
    zia: Account, board: Board, settings: Any
) -> None:
    edit_board(zia, board.pk, NINE)
    settings.MEMBER_PUBLISHING = "open"
    edit_board(zia, board.pk, {"title": "Count"})
    assert states() == {} and Board.objects.values_list("title", "tricks").get() == ("Count", 9)


def test_a_change_goes_with_a_board_that_is_withdrawn_unpublished_deleted_or_of_an_erased_person(zia: Account) -> None:
    acts = (
        lambda pk: withdraw(zia, [pk]),
        lambda pk: unpublish_boards([pk]),
        lambda pk: delete_boards([pk]),
        lambda pk: erase(account_id="zia", by=None),
    )
    for number, act in enumerate(acts):
        pk = factories.board(number, owner=zia, **MADE).pk
        edit_board(zia, pk, NINE)
        assert states() == {pk: "waiting"}
        act(pk)
        assert states() == {}, number
    assert not Board.objects.filter(tricks=9).exists()
