from typing import Any

import pytest
from rest_framework.test import APIClient

from boards.models import Board
from deals.models import Deal
from tests import factories
from tests.answers import assert_error, field_errors

pytestmark = pytest.mark.django_db

CARDS = "N:AKQJ.T98.765.432 T987.765.432.AKQ 654.32.AKQJ.T987 32.AKQJ4.T98.J65"
ONE_NOTRUMP = {"calls": [{"call": call} for call in ("1NT", "Pass", "Pass", "Pass")]}
PLAYED = {"boardNumber": 1, "auction": ONE_NOTRUMP, "play": ["H5", "H2", "HJ", "H8"], "result": {"tricks": 7}}


@pytest.fixture
def deal() -> Deal:
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
    return response.json()


def path(board: Board) -> str:
    return f"/api/deals/{board.deal_id}/boards/{board.pk}"


def test_the_answer_to_publishing_is_what_everybody_then_reads(
    service: APIClient, anonymous: APIClient, deal: Deal
) -> None:
    shown = published(service, deal, **PLAYED)
    assert shown == anonymous.get(f"/api/boards/{shown['id']}").json()
    contract = {"text": "1NT", "passedOut": False, "level": 1, "denomination": "NT", "doubled": "", "declarer": "N"}
    expected = {
        "dealId": str(deal.pk),
        "contract": contract,
        "openingLead": "H5",
        "play": ["H5", "H2", "HJ", "H8"],
        "result": {"tricks": 7, "score": 90},
        "userId": "system",
    }
    assert {name: shown[name] for name in expected} == expected
    assert shown["publishedAt"] is not None


IMPLIED = ((2, "E", "NS"), (7, "S", "All"), (16, "W", "EW"), (17, "N", "None"), (36, "W", "All"))


def test_the_number_implies_dealer_and_vulnerability_unless_they_are_sent(service: APIClient, deal: Deal) -> None:
    def implied(**body: Any) -> tuple[Any, ...]:
        shown = published(service, deal, **body)
        return tuple(shown[name] for name in ("boardNumber", "dealer", "vulnerability"))

    for expected in IMPLIED:
        assert implied(boardNumber=expected[0]) == expected
    assert implied(boardNumber=1, dealer="W", vulnerability="NS") == (1, "W", "NS")
    assert implied(dealer="W", vulnerability="None") == (None, "W", "None")


def calls(*texts: str) -> dict[str, Any]:
    return {"calls": [{"call": text} for text in texts]}


CONTRADICTION = {"contract": ["contract_contradicts_auction"]}
LEGAL = {"text": "1NT", "declarer": "N"}
REFUSED: list[tuple[dict[str, Any], dict[str, list[str]]]] = [
    ({"boardNumber": None}, {"dealer": ["required"], "vulnerability": ["required"]}),
    ({"boardNumber": None, "dealer": "N"}, {"vulnerability": ["required"]}),
    ({"boardNumber": 0}, {"boardNumber": ["min_value"]}),
    ({"boardNumber": "1"}, {"boardNumber": ["invalid"]}),
    ({"boardNumber": True}, {"boardNumber": ["invalid"]}),
    ({"dealer": "North"}, {"dealer": ["invalid_choice"]}),
    ({"dealer": None}, {"dealer": ["null"]}),
    ({"vulnerability": "Both"}, {"vulnerability": ["invalid_choice"]}),
    ({"auction": calls("1NT", "1S")}, {"auction": ["illegal_call"]}),
    ({"auction": calls("X")}, {"auction": ["illegal_call"]}),
    ({"auction": calls("1NT", "8C")}, {"auction.calls.1.call": ["malformed_call"]}),
    ({"auction": {}}, {"auction.calls": ["required"]}),
    ({"auction": {"calls": [{}]}}, {"auction.calls.0.call": ["required"]}),
    ({"auction": {"calls": [{"call": "1C", "alert": "yes"}]}}, {"auction.calls.0.alert": ["invalid"]}),
    ({"auction": {"calls": "1NT"}}, {"auction.calls.nonFieldErrors": ["not_a_list"]}),
    ({"auction": ONE_NOTRUMP, "contract": {"text": "2NT", "declarer": "N"}}, CONTRADICTION),
    ({"auction": ONE_NOTRUMP, "contract": {"text": "1NT", "declarer": "S"}}, CONTRADICTION),
    ({"contract": {"text": "1NT"}}, {"contract": ["unknown_declarer"]}),
    ({"contract": {"text": "8S", "declarer": "N"}}, {"contract.text": ["malformed_contract"]}),
    ({"contract": {"declarer": "N"}}, {"contract.text": ["required"]}),
    ({"contract": "1NT"}, {"contract.nonFieldErrors": ["invalid"]}),
    ({"openingLead": "H5"}, {"openingLead": ["lead_without_contract"]}),
    ({"contract": LEGAL, "openingLead": "HA"}, {"openingLead": ["illegal_lead"]}),
    ({"contract": LEGAL, "openingLead": "ZZ"}, {"openingLead": ["malformed_card"]}),
    ({"contract": LEGAL, "openingLead": "H6", "play": ["H5"]}, {"openingLead": ["lead_contradicts_play"]}),
    ({"play": ["H5"]}, {"openingLead": ["lead_without_contract"]}),
    ({"contract": LEGAL, "play": ["H5", "S4"]}, {"play": ["illegal_play"]}),
    ({"contract": LEGAL, "play": ["H5", "ZZ"]}, {"play.1": ["malformed_card"]}),
    ({"contract": LEGAL, "play": "H5"}, {"play": ["not_a_list"]}),
    ({"contract": LEGAL, "play": ["H5"] * 53}, {"play": ["max_length"]}),
    ({"result": {"tricks": 7}}, {"result": ["result_without_contract"]}),
    ({"contract": {"text": "Pass"}, "result": {"tricks": 7}}, {"result": ["result_without_contract"]}),
    ({**PLAYED, "result": {"tricks": 13}}, {"result": ["result_contradicts_play"]}),
    ({"contract": LEGAL, "result": {"tricks": 14}}, {"result.tricks": ["max_value"]}),
    ({"contract": LEGAL, "result": {}}, {"result.tricks": ["required"]}),
    ({"title": "x" * 201}, {"title": ["max_length"]}),
    ({"title": None}, {"title": ["null"]}),
    ({"commentary": 5}, {"commentary": ["invalid"]}),
    ({"commentary": "x" * 20_001}, {"commentary": ["max_length"]}),
    ({"themes": ["nothing"]}, {"themes.0": ["does_not_exist"]}),
    ({"themes": ["overcalls"]}, {"themes.0": ["ambiguous"]}),
    ({"themes": [factories.NOBODYS_ID]}, {"themes.0": ["does_not_exist"]}),
    ({"themes": "overcalls"}, {"themes": ["not_a_list"]}),
    ({"auctionSystem": "nothing"}, {"auctionSystem": ["does_not_exist"]}),
    ({"userId": "nobody"}, {"userId": ["does_not_exist"]}),
    ({"userId": ""}, {"userId": ["blank"]}),
    ({"dealId": factories.NOBODYS_ID}, {"dealId": ["unknown_field"]}),
    ({"votes": {"up": 9, "down": 0}}, {"votes": ["unknown_field"]}),
    ({"publishedAt": None, "colour": 1}, {"publishedAt": ["unknown_field"], "colour": ["unknown_field"]}),
]


def test_an_invalid_board_is_refused_by_field_and_not_stored(
    service: APIClient, deal: Deal, subtests: pytest.Subtests
) -> None:
    for theme_type in ("convention", "lesson"):
        factories.theme("overcalls", type=theme_type)
    for body, refused in REFUSED:
        with subtests.test(str(body)):
            assert field_errors(publish(service, deal, **{"boardNumber": 1, **body})) == refused
            assert not Board.objects.exists()


def test_the_message_names_the_illegal_call(service: APIClient, deal: Deal) -> None:
    (error,) = publish(service, deal, boardNumber=1, auction=calls("1NT", "1S")).json()["meta"]["fields"]["auction"]
    assert error["message"] == "Call 2, 1S by East: not higher than 1NT."


def test_calls_and_cards_are_read_in_any_spelling(service: APIClient, deal: Deal) -> None:
    shown = published(service, deal, boardNumber=1, auction=calls("1n", "p", "P", "pass"), play=["h5", "H2"])
    assert [call["call"] for call in shown["auction"]["calls"]] == ["1NT", "Pass", "Pass", "Pass"]
    assert shown["play"] == ["H5", "H2"]


def test_publishing_the_same_fingerprint_again_only_adds_themes(service: APIClient, deal: Deal) -> None:
    factories.theme("first"), factories.theme("second")
    new = published(service, deal, **PLAYED, title="The first title", themes=["first"])
    again = publish(service, deal, **PLAYED, title="Another title", themes=["second"])
    assert again.status_code == 200
    assert again.json() == {**new, **{name: again.json()[name] for name in ("themes", "updatedAt")}}
    assert again.json()["updatedAt"] > new["updatedAt"]
    assert [theme["identifier"] for theme in again.json()["themes"]] == ["first", "second"]
    assert Board.objects.count() == 1


def test_publishing_another_fingerprint_creates_another_board(service: APIClient, deal: Deal, board: Board) -> None:
    factories.account("ada")
    others: list[dict[str, Any]] = [
        {"dealer": "N", "vulnerability": "All"},
        *({"result": {"tricks": 8}}, {"result": None}, {"userId": "ada"}),
        *({"auction": None, "contract": {"text": text, "declarer": "N"}} for text in ("2NT", "1NT")),
        {"auction": calls("Pass", "Pass", "1NT", "Pass", "Pass", "Pass"), "play": None},
    ]
    ids = {published(service, deal, **{**PLAYED, **other})["id"] for other in others}
    assert Board.objects.count() == len({*ids, str(board.pk)}) == len(others) + 1


def test_publishing_a_record_that_exists_as_a_draft_publishes_the_draft(
    service: APIClient, deal: Deal, board: Board
) -> None:
    Board.objects.update(published_at=None)
    response = publish(service, deal, **PLAYED)
    assert (response.status_code, response.json()["id"]) == (200, str(board.pk))
    assert response.json()["publishedAt"] is not None


def test_owner_auction_system_and_themes_can_be_sent(service: APIClient, deal: Deal) -> None:
    factories.account("ada")
    system, theme = factories.auction_system("acol"), factories.theme("stayman")
    for name in ("acol", {"id": system.pk}):
        Board.objects.all().delete()
        shown = published(
            service, deal, boardNumber=1, userId="ada", auctionSystem=name, themes=["stayman", str(theme.pk)]
        )
        assert (shown["userId"], shown["auctionSystem"]["identifier"]) == ("ada", "acol")
        assert [shown["id"] for shown in shown["themes"]] == [str(theme.pk)]


def test_the_boards_of_a_deal_are_listed_oldest_first_with_drafts(service: APIClient, deal: Deal, board: Board) -> None:
    Board.objects.update(published_at=None)
    second = published(service, deal, boardNumber=2)
    factories.board()
    response = service.get(f"/api/deals/{deal.pk}/boards")
    assert [shown["id"] for shown in response.json()] == [str(board.pk), second["id"]]
    assert (response.json()[0]["publishedAt"], response.json()[1]) == (None, second)


def test_changing_texts_changes_nothing_else(service: APIClient, anonymous: APIClient, board: Board) -> None:
    before: dict[str, Any] = {**Board.objects.values().get()}
    response = service.patch(path(board), {"title": "New", "commentary": "Better said."})
    after: dict[str, Any] = {**Board.objects.values().get()}
    assert {name for name in after if after[name] != before[name]} == {"title", "commentary", "updated_at"}
    shown = anonymous.get(f"/api/boards/{board.pk}")
    assert (response.status_code, response.json(), response["ETag"]) == (200, shown.json(), shown["ETag"])


def test_changing_the_auction_changes_the_contract(service: APIClient, board: Board) -> None:
    body = {"auction": calls("1S", "Pass", "Pass", "Pass"), "play": None, "openingLead": None}
    shown = service.patch(path(board), body).json()
    assert (shown["contract"]["text"], shown["contract"]["declarer"], shown["play"]) == ("1S", "N", None)
    assert shown["result"] == {"tricks": 7, "score": 80}


def test_auction_contract_play_and_result_can_be_removed(service: APIClient, board: Board) -> None:
    bid, played = {"auction": None, "contract": None}, {"openingLead": None, "play": None, "result": None}
    nothing = {"boardNumber": None, **bid, **played}
    response = service.patch(path(board), nothing)
    assert response.status_code == 200, response.json()
    assert {name: response.json()[name] for name in nothing} == nothing


def test_themes_owner_and_auction_system_can_be_replaced(service: APIClient, board: Board) -> None:
    factories.account("ada")
    factories.auction_system("acol")
    old, _ = factories.theme("old"), factories.theme("new")
    board.themes.add(old)
    assert service.patch(path(board), {"title": "T"}).json()["themes"] != []
    shown = service.patch(path(board), {"themes": ["new"], "userId": "ada", "auctionSystem": "acol"}).json()
    assert [theme["identifier"] for theme in shown["themes"]] == ["new"]
    assert (shown["userId"], shown["auctionSystem"]["id"]) == ("ada", "acol")
    shown = service.patch(path(board), {"themes": [], "auctionSystem": None}).json()
    assert (shown["themes"], shown["auctionSystem"], shown["userId"]) == ([], None, "ada")


REFUSED_CHANGES: list[tuple[dict[str, Any], dict[str, list[str]]]] = [
    ({"dealer": "E"}, {"dealer": ["dealer_contradicts_auction"]}),
    ({"contract": {"text": "2NT", "declarer": "N"}}, CONTRADICTION),
    ({"contract": {"declarer": "N"}}, {"contract.text": ["required"]}),
    ({"contract": {}}, {"contract.text": ["required"]}),
    ({"auction": {}}, {"auction.calls": ["required"]}),
    ({"auction": {"calls": [{}]}}, {"auction.calls.0.call": ["required"]}),
    ({"result": {}}, {"result.tricks": ["required"]}),
    ({"result": {"tricks": 13}}, {"result": ["result_contradicts_play"]}),
    ({"openingLead": "H6"}, {"openingLead": ["lead_contradicts_play"]}),
    ({"play": ["HA"], "openingLead": None}, {"openingLead": ["illegal_lead"]}),
    ({"themes": None}, {"themes": ["null"]}),
    ({"title": "New", "themes": ["nothing"]}, {"themes.0": ["does_not_exist"]}),
    ({"id": factories.NOBODYS_ID}, {"id": ["unknown_field"]}),
]


def test_an_invalid_change_is_refused_and_changes_nothing(service: APIClient, board: Board) -> None:
    before = Board.objects.values().get()
    for body, refused in REFUSED_CHANGES:
        assert field_errors(service.patch(path(board), body)) == refused, body
        assert Board.objects.values().get() == before, body


def test_a_board_that_is_older_than_a_rule_can_be_changed_and_unpublished(service: APIClient, board: Board) -> None:
    bodies: tuple[dict[str, Any], ...] = ({}, {"title": "New"}, {"themes": []}, {"result": {"tricks": 7}})
    bodies += ({"published": False},)
    for body in bodies:
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


def test_a_change_with_a_stale_etag_is_refused(service: APIClient, anonymous: APIClient, board: Board) -> None:
    etag = anonymous.get(f"/api/boards/{board.pk}")["ETag"]
    assert service.patch(path(board), {"title": "First"}, headers={"if-match": etag}).status_code == 200
    stale = service.patch(path(board), {"title": "Second"}, headers={"if-match": etag})
    assert (stale.status_code, stale.json()["code"]) == (412, "precondition_failed")
    assert Board.objects.get().title == "First"
    fresh = service.patch(path(board), {"title": "Second"}, headers={"if-match": stale.json()["meta"]["etag"]})
    assert (fresh.status_code, Board.objects.get().title) == (200, "Second")


def test_a_board_can_be_deleted_with_its_votes_and_leaves_the_deal(
    service: APIClient, member: APIClient, board: Board
) -> None:
    member.put(f"/api/voting/{board.pk}", {"vote": "up"})
    response = service.delete(path(board))
    assert (response.status_code, response.content) == (204, b"")
    assert not Board.objects.exists()
    assert service.delete(path(board)).status_code == 404
    assert service.delete(f"/api/deals/{board.deal_id}").status_code == 204


def test_a_board_is_found_only_under_its_own_deal(service: APIClient, board: Board) -> None:
    for deal_id in (factories.deal().pk, factories.NOBODYS_ID):
        address = f"/api/deals/{deal_id}/boards/{board.pk}"
        for response in (service.get(address), service.patch(address, {"title": "New"}), service.delete(address)):
            assert_error(response, 404, "not_found")
    assert Board.objects.get().title == ""


def test_an_unknown_deal_is_not_found(service: APIClient) -> None:
    address = f"/api/deals/{factories.NOBODYS_ID}/boards"
    for response in (service.get(address), service.post(address, PLAYED)):
        assert_error(response, 404, "not_found")
    assert not Board.objects.exists()
