"""The boards of a deal, as services publish, read, change and delete them."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from boards.models import Board
from deals.models import Deal
from tests import factories
from tests.answers import assert_error, field_errors
from tests.boards.catalogue.comparing import (
    assert_readers_and_a_new_copy_get_what_the_boards_say,
    assert_readers_get_what_the_boards_say,
)
from tests.boards.catalogue.copying import FollowedCopy

pytestmark = pytest.mark.django_db

CARDS = "N:AKQJ.T98.765.432 T987.765.432.AKQ 654.32.AKQJ.T987 32.AKQJ4.T98.J65"


def calls(*texts: str) -> dict[str, Any]:
    return {"calls": [{"call": text} for text in texts]}


ONE_NOTRUMP = calls("1NT", "Pass", "Pass", "Pass")
PLAYED = {"boardNumber": 1, "auction": ONE_NOTRUMP, "play": ["H5", "H2", "HJ", "H8"], "result": {"tricks": 7}}


@pytest.fixture
def deal(db: None) -> Deal:
    return Deal.objects.create(cards=CARDS)


@pytest.fixture
def board(service: APIClient, deal: Deal) -> Board:
    """Publish a board that North played in 1NT."""
    return Board.objects.get(pk=published(service, deal, **PLAYED)["id"])


def publish(service: APIClient, deal: Deal, **body: Any) -> Any:
    return service.post(f"/api/deals/{deal.pk}/boards", body)


def published(service: APIClient, deal: Deal, **body: Any) -> dict[str, Any]:
    response = publish(service, deal, **body)
    assert response.status_code == 201, response.json()
    assert_readers_and_a_new_copy_get_what_the_boards_say()
    return response.json()


def path(board: Board) -> str:
    return f"/api/deals/{board.deal_id}/boards/{board.pk}"


def change(service: APIClient, board: Board, **body: Any) -> dict[str, Any]:
    """Change a board. A copy by the feed knows it as it was, and has what it says afterwards."""
    copy = FollowedCopy()
    copy.follow()
    response = service.patch(path(board), body)
    assert response.status_code == 200, response.json()
    copy.assert_it_has(assert_readers_get_what_the_boards_say())
    return response.json()


def test_what_is_published_in_any_spelling_is_answered_as_everybody_then_reads_it(
    service: APIClient, anonymous: APIClient, deal: Deal
) -> None:
    spelled = {"auction": calls("1n", "p", "P", "pass"), "play": ["h5", "H2", "hJ", "H8"]}
    shown = published(service, deal, **{**PLAYED, **spelled})
    assert shown == anonymous.get(f"/api/boards/{shown['id']}").json()
    contract = {"text": "1NT", "passedOut": False, "level": 1, "denomination": "NT", "doubled": "", "declarer": "N"}
    read = {"play": PLAYED["play"], "openingLead": "H5", "result": {"tricks": 7, "score": 90}, "userId": "system"}
    expected = {"dealId": str(deal.pk), "contract": contract, **read}
    assert {name: shown[name] for name in expected} == expected
    assert [call["call"] for call in shown["auction"]["calls"]] == ["1NT", "Pass", "Pass", "Pass"]
    assert shown["publishedAt"] is not None


def test_the_number_implies_dealer_and_vulnerability_unless_they_are_sent(service: APIClient, deal: Deal) -> None:
    """tests/bridge/test_seats.py has all numbers."""
    for body, expected in (
        ({"boardNumber": 7}, (7, "S", "All")),
        ({"boardNumber": 1, "dealer": "W", "vulnerability": "NS"}, (1, "W", "NS")),
        ({"dealer": "W", "vulnerability": "None"}, (None, "W", "None")),
    ):
        shown = published(service, deal, **body)
        assert (shown["boardNumber"], shown["dealer"], shown["vulnerability"]) == expected


BID = {"contract": {"text": "1NT", "declarer": "N"}}
REFUSED: tuple[tuple[dict[str, Any], str], ...] = (
    ({"boardNumber": None}, "dealer required, vulnerability required"),
    *(({"boardNumber": None, "dealer": "N"}, "vulnerability required"), ({"boardNumber": 0}, "boardNumber min_value")),
    *(({"boardNumber": "1"}, "boardNumber invalid"), ({"boardNumber": True}, "boardNumber invalid")),
    *(({"dealer": "North"}, "dealer invalid_choice"), ({"dealer": None}, "dealer null")),
    *(({"vulnerability": "Both"}, "vulnerability invalid_choice"), ({"auction": calls("X")}, "auction illegal_call")),
    *(({"auction": {}}, "auction.calls required"), ({"auction": {"calls": [{}]}}, "auction.calls.0.call required")),
    ({"auction": calls("1NT", "8C")}, "auction.calls.1.call malformed_call"),
    ({"auction": {"calls": [{"call": "1C", "alert": "yes"}]}}, "auction.calls.0.alert invalid"),
    ({"auction": {"calls": "1NT"}}, "auction.calls.nonFieldErrors not_a_list"),
    ({"auction": ONE_NOTRUMP, "contract": {"text": "1NT", "declarer": "S"}}, "contract contract_contradicts_auction"),
    *(({"contract": {"text": "1NT"}}, "contract unknown_declarer"), ({"contract": {}}, "contract.text required")),
    ({"contract": {"text": "8S", "declarer": "N"}}, "contract.text malformed_contract"),
    *(({"contract": "1NT"}, "contract.nonFieldErrors invalid"), ({**BID, "play": "H5"}, "play not_a_list")),
    *(({"openingLead": "H5"}, "openingLead lead_without_contract"), ({"result": {}}, "result.tricks required")),
    *(({**BID, "openingLead": "HA"}, "openingLead illegal_lead"), ({**BID, "play": ["H5", "S4"]}, "play illegal_play")),
    *(({**BID, "play": ["H5", "ZZ"]}, "play.1 malformed_card"), ({**BID, "play": ["H5"] * 53}, "play max_length")),
    *(({"play": ["H5"]}, "openingLead lead_without_contract"), ({"result": {"tricks": 14}}, "result.tricks max_value")),
    ({**BID, "openingLead": "ZZ"}, "openingLead malformed_card"),
    ({**BID, "openingLead": "H6", "play": ["H5"]}, "openingLead lead_contradicts_play"),
    ({"result": {"tricks": 7}}, "result result_without_contract"),
    ({**PLAYED, "result": {"tricks": 13}}, "result result_contradicts_play"),
    *(({"title": "x" * 201}, "title max_length"), ({"commentary": "x" * 20_001}, "commentary max_length")),
    *(({"title": None}, "title null"), ({"commentary": 5}, "commentary invalid")),
    *(({"themes": ["nothing"]}, "themes.0 does_not_exist"), ({"themes": ["overcalls"]}, "themes.0 ambiguous")),
    *(({"themes": [factories.NOBODYS_ID]}, "themes.0 does_not_exist"), ({"themes": "overcalls"}, "themes not_a_list")),
    *(({"auctionSystem": "nothing"}, "auctionSystem does_not_exist"), ({"userId": ""}, "userId blank")),
    *(({"userId": "nobody"}, "userId does_not_exist"), ({"votes": {"up": 9, "down": 0}}, "votes unknown_field")),
    *(({"dealId": factories.NOBODYS_ID}, "dealId unknown_field"), ({"published": False}, "published unknown_field")),
    ({"publishedAt": None, "colour": 1}, "publishedAt unknown_field, colour unknown_field"),
)


def codes(response: Any) -> str:
    return ", ".join(f"{field} {' '.join(each)}" for field, each in field_errors(response).items())


def test_an_invalid_board_is_refused_by_field_and_not_stored(service: APIClient, deal: Deal) -> None:
    for theme_type in ("convention", "lesson"):
        factories.theme("overcalls", type=theme_type)
    for body, refused in REFUSED:
        assert codes(publish(service, deal, **{"boardNumber": 1, **body})) == refused, body
        assert not Board.objects.exists(), body
    (error,) = publish(service, deal, boardNumber=1, auction=calls("1NT", "1S")).json()["meta"]["fields"]["auction"]
    assert error["message"] == "Call 2, 1S by East: an insufficient bid, not higher than 1NT (Law 27)."


def test_publishing_a_board_again_only_adds_themes_or_publishes_the_draft(service: APIClient, deal: Deal) -> None:
    factories.theme("first"), factories.theme("second")
    new = published(service, deal, **PLAYED, title="The first title", themes=["first"])
    copy = FollowedCopy()
    copy.follow()
    again = publish(service, deal, **PLAYED, title="Another title", themes=["second"])
    assert again.status_code == 200
    copy.assert_it_has(assert_readers_get_what_the_boards_say())
    assert again.json() == {**new, **{name: again.json()[name] for name in ("themes", "updatedAt")}}
    assert again.json()["updatedAt"] > new["updatedAt"]
    assert [theme["identifier"] for theme in again.json()["themes"]] == ["first", "second"]
    Board.objects.update(published_at=None)
    again = publish(service, deal, **PLAYED)
    assert (again.status_code, again.json()["id"], again.json()["publishedAt"] is None) == (200, new["id"], False)
    other = published(service, deal, **{**PLAYED, "result": {"tricks": 8}})
    assert Board.objects.count() == len({new["id"], other["id"]})


def test_owner_auction_system_and_themes_can_be_sent_and_replaced(service: APIClient, deal: Deal) -> None:
    factories.account("ada"), factories.account("bob")
    acol, old, new = factories.auction_system("acol"), factories.theme("old"), factories.theme("new")
    factories.auction_system("sayc")

    def related(shown: dict[str, Any]) -> tuple[str, str | None, list[str]]:
        system = shown["auctionSystem"]
        return shown["userId"], system and system["identifier"], [theme["identifier"] for theme in shown["themes"]]

    sent: dict[str, Any] = {"userId": "ada", "auctionSystem": "acol", "themes": ["old", str(old.pk)]}
    assert related(published(service, deal, boardNumber=1, **sent)) == ("ada", "acol", ["old"])
    sent["auctionSystem"] = {"id": acol.pk}
    assert related(published(service, deal, boardNumber=2, **sent)) == ("ada", "acol", ["old"])
    board = Board.objects.all()[0]
    for body, expected in (
        ({"title": "T"}, ("ada", "acol", ["old"])),
        ({"themes": [str(new.pk)], "userId": "bob", "auctionSystem": "sayc"}, ("bob", "sayc", ["new"])),
        ({"themes": [], "auctionSystem": None}, ("bob", None, [])),
    ):
        assert related(change(service, board, **body)) == expected


def test_the_boards_of_a_deal_are_listed_oldest_first_with_drafts(service: APIClient, deal: Deal, board: Board) -> None:
    change(service, board, published=False)
    second = published(service, deal, boardNumber=2)
    factories.board()
    response = service.get(f"/api/deals/{deal.pk}/boards")
    assert [shown["id"] for shown in response.json()] == [str(board.pk), second["id"]]
    assert (response.json()[0]["publishedAt"], response.json()[1]) == (None, second)


def test_a_board_or_draft_is_read_with_the_etag_that_a_change_expects(service: APIClient) -> None:
    for board in (factories.board(published=True, themes=(factories.theme(),)), factories.board(published=False)):
        read = service.get(path(board))
        assert (read.status_code, read.json()["id"]) == (200, str(board.pk))
        assert read.json() == service.get(f"/api/deals/{board.deal_id}/boards").json()[0]
        assert read["Cache-Control"] == "private, no-store"
        unchanged = service.get(path(board), headers={"if-none-match": read["ETag"]})
        assert (unchanged.status_code, unchanged.content) == (304, b"")
        first, stale = (
            service.patch(path(board), {"title": title}, headers={"if-match": read["ETag"]})
            for title in ("First", "Second")
        )
        etag = stale.json()["meta"]["etag"]
        assert (first.status_code, stale.status_code, stale.json()["code"]) == (200, 412, "precondition_failed")
        assert service.get(path(board))["ETag"] == etag != read["ETag"]
        assert service.patch(path(board), {"title": "Second"}, headers={"if-match": etag}).json()["title"] == "Second"


def test_changing_texts_changes_nothing_else(service: APIClient, anonymous: APIClient, board: Board) -> None:
    before: dict[str, Any] = {**Board.objects.values().get()}
    response = service.patch(path(board), {"title": "New", "commentary": "Better said."})
    after: dict[str, Any] = {**Board.objects.values().get()}
    assert {name for name in after if after[name] != before[name]} == {"title", "commentary", "updated_at"}
    shown = anonymous.get(f"/api/boards/{board.pk}")
    assert (response.status_code, response.json(), response["ETag"]) == (200, shown.json(), shown["ETag"])


def test_auction_contract_play_and_result_can_be_changed_and_removed(service: APIClient, board: Board) -> None:
    shown = change(service, board, auction=calls("1S", "Pass", "Pass", "Pass"), play=None, openingLead=None)
    assert (shown["contract"]["text"], shown["contract"]["declarer"], shown["play"]) == ("1S", "N", None)
    assert shown["result"] == {"tricks": 7, "score": 80}
    nothing = dict.fromkeys(("boardNumber", "auction", "contract", "openingLead", "play", "result"))
    shown = change(service, board, **nothing)
    assert {name: shown[name] for name in nothing} == nothing


def test_published_makes_a_board_of_a_draft_or_a_draft_that_keeps_its_votes_and_its_first_date(
    service: APIClient, member: APIClient, anonymous: APIClient
) -> None:
    draft = factories.board(published=False)
    assert change(service, draft, title="New")["publishedAt"] is None
    shown = change(service, draft, title="Newer", published=True)
    assert shown["publishedAt"] is not None and shown["title"] == "Newer"
    assert anonymous.get(f"/api/boards/{draft.pk}").json() == shown == change(service, draft, published=True)
    assert member.put(f"/api/voting/{draft.pk}", {"vote": "up"}).status_code == 204
    for is_published, first in ((False, None), (True, shown["publishedAt"])):
        again = change(service, draft, published=is_published)
        assert (again["publishedAt"], again["votes"]) == (first, {"up": 1, "down": 0})
        assert anonymous.get(f"/api/boards/{draft.pk}").status_code == (200 if is_published else 404)


REFUSED_CHANGES: tuple[tuple[dict[str, Any], str], ...] = (
    *(({"dealer": "E"}, "dealer dealer_contradicts_auction"), ({"themes": None}, "themes null")),
    ({"contract": {"text": "2NT", "declarer": "N"}}, "contract contract_contradicts_auction"),
    *(({"contract": {"declarer": "N"}}, "contract.text required"), ({"contract": {}}, "contract.text required")),
    *(({"auction": {}}, "auction.calls required"), ({"auction": {"calls": [{}]}}, "auction.calls.0.call required")),
    *(({"result": {}}, "result.tricks required"), ({"result": {"tricks": 13}}, "result result_contradicts_play")),
    ({"openingLead": "H6"}, "openingLead lead_contradicts_play"),
    ({"play": ["HA"], "openingLead": None}, "openingLead illegal_lead"),
    *(({"published": None}, "published null"), ({"published": "true"}, "published invalid")),
    *(({"published": 1}, "published invalid"), ({"id": factories.NOBODYS_ID}, "id unknown_field")),
    ({"title": "New", "themes": ["nothing"]}, "themes.0 does_not_exist"),
)


def test_an_invalid_change_is_refused_and_changes_nothing(service: APIClient, board: Board) -> None:
    before = Board.objects.values().get()
    for body, refused in REFUSED_CHANGES:
        assert codes(service.patch(path(board), body)) == refused, body
        assert Board.objects.values().get() == before, body


def test_a_board_that_is_older_than_a_rule_can_be_changed_and_unpublished(service: APIClient, board: Board) -> None:
    bodies: tuple[dict[str, Any], ...] = ({}, {"title": "New"}, {"themes": []}, {"result": {"tricks": 7}})
    for body in (*bodies, {"published": False}):
        Board.objects.update(tricks=13)
        assert service.patch(path(board), body).status_code == 200, body
        assert Board.objects.get().tricks == (7 if "result" in body else 13), body
    assert (Board.objects.get().title, Board.objects.get().published_at) == ("New", None)


def test_a_change_into_another_existing_board_is_a_conflict(service: APIClient, deal: Deal, board: Board) -> None:
    published(service, deal, **{**PLAYED, "result": {"tricks": 8}})
    before = list(Board.objects.order_by("pk").values())
    response = service.patch(path(board), {"result": {"tricks": 8}, "title": "New"})
    assert_error(response, 409, "conflict")
    assert list(Board.objects.order_by("pk").values()) == before


def test_a_deleted_board_takes_its_votes_and_leaves_the_deal(
    service: APIClient, member: APIClient, board: Board
) -> None:
    member.put(f"/api/voting/{board.pk}", {"vote": "up"})
    response = service.delete(path(board))
    assert (response.status_code, response.content, Board.objects.exists()) == (204, b"", False)
    assert_readers_and_a_new_copy_get_what_the_boards_say()
    assert service.delete(path(board)).status_code == 404
    assert service.delete(f"/api/deals/{board.deal_id}").status_code == 204


def test_a_board_is_found_only_under_its_own_deal(service: APIClient, board: Board) -> None:
    for deal_id in (factories.deal().pk, factories.NOBODYS_ID):
        address = f"/api/deals/{deal_id}/boards/{board.pk}"
        for response in (service.get(address), service.patch(address, {"title": "New"}), service.delete(address)):
            assert_error(response, 404, "not_found")
    for response in (service.get(f"/api/deals/{deal_id}/boards"), service.post(f"/api/deals/{deal_id}/boards", PLAYED)):
        assert_error(response, 404, "not_found")
    assert Board.objects.get().title == ""
