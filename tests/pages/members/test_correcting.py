"""The page on which a wrong board is corrected. tests/boards/services/test_changes.py has what waits for staff."""

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group
from django.test import Client

from accounts.models import Account
from boards.models import Board, PlayAnalysis, PublicationReview
from boards.services import bulk
from boards.services.boards import publish_board
from bridge.auction import Auction, Call
from bridge.board import BoardRecord, complete_record
from bridge.layout import Layout
from bridge.seats import Seat
from bridge.vulnerability import Vulnerability
from deals.models import Deal, FeedEvent
from tests import factories
from tests.boards.admin.pages import unsaid
from tests.config.admin.conftest import staff_client
from tests.config.admin.opened_pages import OpenedForm
from tests.members import signed_in
from voting.models import Vote
from voting.services import cast_vote

pytestmark = pytest.mark.django_db

LAYOUT = Layout.parse("N:AKQJ.T98.765.432 T98.765.432.AKQJ 765.432.AKQJ.T98 432.AKQJ.T98.765")
CALLS = "1S Pass 3S Pass 4S Pass Pass Pass"
PLAYED = ("CA", "C8", "C5", "C2", "CK", "C9", "C6", "C3")


def board_of(owner: Account) -> Board:
    """Publish a board on which North plays 4S and makes it."""
    calls = (Call(text, explanation="Limit" * (text == "3S")) for text in CALLS.split())
    auction = Auction(Seat.NORTH, tuple(calls))
    record = BoardRecord(LAYOUT, Seat.NORTH, Vulnerability.NONE, 1, auction, play=PLAYED, tricks=10)
    deal = Deal.objects.get_or_create(cards=LAYOUT.cards)[0]
    return publish_board(deal=deal, record=complete_record(record), owner_id=owner.pk)[0]


def path_of(board: Board) -> str:
    return f"/boards/{board.pk}/correct"


def sent_of(page: Any) -> dict[str, Any]:
    text = page.content.decode()
    return OpenedForm(text[text.index('<div class="board">') :]).sent


def correct(client: Client, board: Board, **typed: str) -> Any:
    return client.post(path_of(board), {**sent_of(client.get(path_of(board))), **typed})


REFUSED = (
    ({"auction": "1S P 1H P"}, "auction", "Call 3, 1H by South: an insufficient bid, not higher than 1S (Law 27)."),
    ({"auction": "1S P 4S P P P P"}, "auction", "Call 7, Pass by South: the auction is over (Law 22)."),
    ({"auction": "1S P X P P P"}, "auction", "1S was bid by the same side (Law 19A)."),
    ({"auction": "1S XX"}, "auction", "there is no double to redouble (Law 19B)."),
    ({"auction": "1S P 3Z"}, "auction", "'3Z' is not a call."),
    ({"contract": "5S"}, "contract", "The auction ends in 4S by North, but the contract is given as 5S by North."),
    ({"declarer": "S"}, "contract", "North was the first of the side to name the denomination (Law 22)."),
    ({"auction": "1S P 3S P 5S AP", "contract": "6S"}, "contract", "The auction ends in 5S by North, but"),
    ({"contract": "8S"}, "contract", "'8S' is not a contract."),
    ({"auction": "", "contract": ""}, "lead", "There is a lead, but no contract."),
    ({"auction": "", "contract": "", "declarer": "S"}, "contract", "Write the contract that was played, too."),
    ({"lead": "HA"}, "lead", "East leads, but West holds the opening lead HA (Law 41A)."),
    ({"lead": "CK"}, "lead", "The opening lead is given as CK, but the play begins with CA."),
    ({"auction": "P P P P"}, "lead", "There is a lead, but the board was passed out."),
    ({"play": "CA C8 C5 S2"}, "play", "Trick 1, S2 by North: the card was dealt to West."),
    ({"play": "CA C8 C5 H8"}, "play", "Trick 1, H8 by North: a revoke, as CA was led (Law 61)."),
    ({"play": "CA 8 5 2\nCA"}, "play", "Trick 2, CA by East: the card has been played already."),
    ({"play": "CA 8 5 2\n" * 14}, "play", "The play has more than 13 tricks."),
    ({"play": "CA 8 5\nCK 9 6 3"}, "play", "is not a complete trick"),
    ({"tricks": "14"}, "tricks", "Declarer can win 0 to 13 tricks."),
    ({"tricks": "12"}, "tricks", "Declarer won 0 and lost 2 of the tricks played, but the result is given as 12."),
)


def test_what_cannot_be_is_refused_beside_its_field_in_the_words_of_the_laws(zia_client: Client, zia: Account) -> None:
    board = board_of(zia)
    before, sent = Board.objects.values().get(), sent_of(zia_client.get(path_of(board)))
    for typed, field, words in REFUSED:
        page = zia_client.post(path_of(board), {**sent, **typed})
        text = page.content.decode().replace("&#x27;", "'")
        assert page.status_code == 400 and f'id="id_{field}_error"' in text, typed
        assert words in text and all(value in text for value in typed.values()), typed
    assert Board.objects.values().get() == before


def test_a_correction_changes_what_readers_get_and_the_votes_stay(
    zia_client: Client, zia: Account, settings: Any
) -> None:
    settings.MEMBER_PUBLISHING = "open"
    board = board_of(zia)
    cast_vote(account=factories.account(), board_id=board.pk, value=Vote.Value.UP)
    analysed = PlayAnalysis.objects.get().question
    page = zia_client.get(path_of(board))
    assert not unsaid(page, 'class="diagram', "1S Pass 3S Pass\n4S Pass Pass Pass", "CA C8 C5 C2\nCK C9 C6 C3")
    assert correct(zia_client, board).status_code == 303  # what the page shows changes nothing
    assert Board.objects.get().updated_at == board.updated_at
    response = correct(zia_client, board, auction="1♠ - 3S - 4♠ d ap", play="ca 8 5 2\nck 9 6 4", tricks="9")
    assert (response.status_code, response["Location"]) == (303, f"/boards/{board.pk}")
    changed = Board.objects.get()
    assert (changed.contract, changed.declarer, changed.tricks, changed.up_votes) == ("4SX", "N", 9, 1)
    assert (changed.auction or [])[2] == ["3S", False, "Limit"] and (changed.play or [])[-1] == "C4"
    assert changed.updated_at > board.updated_at and changed.fingerprint != board.fingerprint
    assert list(FeedEvent.objects.order_by("id").values_list("type", flat=True))[-1] == "board.changed"
    assert PlayAnalysis.objects.get().question != analysed
    assert zia_client.get(f"/api/boards/{board.pk}").json()["contract"]["text"] == "4SX"


def test_the_contract_follows_from_new_calls_and_the_lead_from_a_new_play(zia_client: Client, zia: Account) -> None:
    bulk.unpublish_boards([board_of(zia).pk])
    for typed, contract, lead in (
        ({"auction": "P P 1S P 4S AP", "play": "C7 2 A 8"}, "4S S", "C7"),
        ({"auction": "P P 1S P 4S", "contract": "5S"}, "5S S", "C7"),  # the calls may be incomplete
        ({"auction": "", "contract": "3n", "play": "", "lead": "♣6"}, "3NT S", "C6"),
        ({"declarer": "E", "lead": ""}, "3NT E", ""),
        ({"contract": "p", "declarer": "E", "tricks": ""}, "Pass ", ""),
    ):
        board = Board.objects.get()
        assert correct(zia_client, board, **typed).status_code == 303, typed
        board.refresh_from_db()
        assert (f"{board.contract} {board.declarer}", board.opening_lead) == (contract, lead), typed
    assert (board.auction, board.play, board.tricks) == (None, None, None)


def test_two_tabs_lose_nothing_and_equal_boards_are_refused(zia_client: Client, zia: Account, settings: Any) -> None:
    settings.MEMBER_PUBLISHING = "open"
    board = board_of(zia)
    sent = sent_of(zia_client.get(path_of(board)))
    assert correct(zia_client, board, tricks="9").status_code == 303
    other = board_of(zia)
    equal = correct(zia_client, board, tricks="10")
    assert equal.status_code == 409 and "Another board has the same deal" in equal.content.decode()
    other.delete()
    conflict = zia_client.post(path_of(board), {**sent, "tricks": "8", "lead": "♣A"})
    assert conflict.status_code == 409
    assert not unsaid(conflict, "Nothing has been saved yet", "<dt>Tricks that declarer won</dt><dd>9</dd>")
    assert zia_client.post(path_of(board), sent_of(conflict)).status_code == 303
    assert Board.objects.get().tricks == 8


def test_where_staff_review_readers_see_the_old_board_and_the_owner_the_new_one(
    zia_client: Client, zia: Account
) -> None:
    board = board_of(zia)
    page = correct(zia_client, board, tricks="11")
    assert not unsaid(zia_client.get(page["Location"]), "until staff have reviewed", "Your change waits for staff")
    assert Client().get(f"/api/boards/{board.pk}").json()["result"]["tricks"] == 10
    assert sent_of(zia_client.get(path_of(board)))["tricks"] == ["11"]
    zia_client.post(f"/boards/{board.pk}/edit", {"title": "Trumps"})  # goes with the correction
    assert PublicationReview.objects.get().changes == {"title": "Trumps", "result": {"tricks": 11}}
    assert not unsaid(zia_client.get(f"/boards/{board.pk}/edit"), 'value="Trumps"', "The form shows your version")
    for page in ("", "/edit", "/correct"):
        assert (
            'name="do" value="keep">Take back the change'
            in zia_client.get(f"/boards/{board.pk}{page}").content.decode()
        )
    zia_client.post("/account/boards", {"do": "keep", "board": str(board.pk)})
    assert not PublicationReview.objects.exists()
    assert Board.objects.values("title", "tricks", "published_at").get() == {
        "title": "",
        "tricks": 10,
        "published_at": board.published_at,
    }


def test_staff_correct_every_board_at_once_and_the_history_says_so(reference_data: None, zia: Account) -> None:
    helper, board = staff_client("support"), board_of(zia)
    assert path_of(board) in helper.get(f"/boards/{board.pk}").content.decode()
    assert path_of(board) in helper.get(f"/admin/boards/board/{board.pk}/change/").content.decode()
    assert correct(helper, board, auction="1S P 1H").status_code == 400
    assert correct(helper, board, tricks="9").status_code == 303
    assert Board.objects.get().tricks == 9 and not PublicationReview.objects.exists()
    assert LogEntry.objects.get().object_id == str(board.pk)
    assert helper.get(f"/boards/{factories.NOBODYS_ID}/correct").status_code == 404
    group = Group.objects.get(name="support")
    group.permissions.remove(*group.permissions.filter(codename="change_board"))
    assert path_of(board) not in helper.get(f"/boards/{board.pk}").content.decode()
    assert helper.post(path_of(board), {"tricks": "8"}).status_code == 404
    assert Board.objects.get().tricks == 9


def test_nobody_else_corrects_a_board(zia: Account, settings: Any) -> None:
    board = board_of(zia)
    member_of_staff = signed_in(factories.account("boss", role="admin"))  # as a member, which gives no right of staff
    for client in (signed_in(factories.account()), member_of_staff):
        assert client.get(path_of(board)).status_code == 404
        assert client.post(path_of(board), {"tricks": "9"}).status_code == 404
        assert path_of(board) not in client.get(f"/boards/{board.pk}").content.decode()
    assert Client().post(path_of(board), {"tricks": "9"}).status_code == 303  # to sign in
    settings.MEMBER_PUBLISHING = "off"
    assert not unsaid(signed_in(zia).get(path_of(board)), "only staff can change it")
    assert signed_in(zia).post(path_of(board), {"tricks": "9"}).status_code == 403
    assert Board.objects.get().tricks == 10
