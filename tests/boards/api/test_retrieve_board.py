"""One board, as everybody reads it, and the own vote that callers with a token get with it."""

from datetime import UTC, datetime
from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.models import Account
from boards.catalogue.refreshing import refresh
from boards.models import Board, PlayAnalysis, PublishedBoard
from boards.services.boards import publish_board
from bridge.auction import Auction, Call
from bridge.board import TEXTS, BoardRecord, complete_record
from bridge.contract import PASSED_OUT
from bridge.layout import Layout
from bridge.seats import Seat
from bridge.vulnerability import Vulnerability
from config.api.serializers import wire_name
from deals.models import Deal
from tests import factories
from tests.conformance.document import document

pytestmark = pytest.mark.django_db

CARDS = "N:AKQJ.T98.765.432 T987.765.432.AKQ 654.32.AKQJ.T987 32.AKQJ4.T98.J65"
NEW_YEAR = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


NAMES = "title deal_title deal_commentary commentary event site date scoring stage room table home_team visit_team"
VALUES = "A weak notrump|Who doubles?|All did.|Doubled, and one down.|Friday pairs|The club|2026.01.02|MP|Final|Open|12"
TEXTS_OF_BOARD = dict(zip(NAMES.split(), [*VALUES.split("|"), "Reds", "Blues"], strict=True))


@pytest.fixture
def board(db: None) -> Board:
    """Return a published board with a value in every column."""
    calls = (Call("1NT", True, "12-14"), Call("X"), *[Call("Pass")] * 3)
    record = BoardRecord(
        *(Layout.parse(CARDS), Seat.NORTH, Vulnerability.NS),
        board_number=5,
        auction=Auction(Seat.NORTH, calls),
        play=("H5", "H2", "HJ", "H8", "HA"),
        tricks=6,
        **TEXTS_OF_BOARD,
    )
    par = {name: {"score": -50, "contracts": ["EW 2C"]} for name in ("None", "NS", "EW", "All")}
    deal = Deal.objects.create(cards=CARDS, double_dummy_status="done", double_dummy="0123456789abcd077777", par=par)
    ada, system = factories.account("ada"), factories.auction_system("acol", sort_order=3)
    lesson = factories.theme("notrump", type="a_lesson", labels={"de": "Ohne Trumpf"})
    themes = (factories.theme("weak_notrump"), lesson)
    stored, _ = publish_board(
        deal=deal, record=complete_record(record), owner_id=ada.pk, themes=themes, auction_system=system
    )
    times = {"published_at": NEW_YEAR, "created_at": NEW_YEAR, "updated_at": NEW_YEAR}
    Board.objects.filter(pk=stored.pk).update(**times, up_votes=2, down_votes=1)
    PlayAnalysis.objects.update(status="done", trace="676666")
    refresh([stored.pk])
    return stored


LOST = [{"trick": 1, "seat": seat, "card": card, "cost": 1} for seat, card in (("E", "H5"), ("S", "H2"))]
HANDS = {
    "north": {"spades": "AKQJ", "hearts": "T98", "diamonds": "765", "clubs": "432"},
    "east": {"spades": "T987", "hearts": "765", "diamonds": "432", "clubs": "AKQ"},
    "south": {"spades": "654", "hearts": "32", "diamonds": "AKQJ", "clubs": "T987"},
    "west": {"spades": "32", "hearts": "AKQJ4", "diamonds": "T98", "clubs": "J65"},
}
CALLS = [
    {"call": "1NT", "alert": True, "explanation": "12-14"},
    *({"call": call, "alert": False, "explanation": ""} for call in ("X", "Pass", "Pass", "Pass")),
]
CONTRACT = {"text": "1NTX", "passedOut": False, "level": 1, "denomination": "NT", "doubled": "X", "declarer": "N"}
TABLE = {
    "N": {"C": 0, "D": 1, "H": 2, "S": 3, "NT": 4},
    "E": {"C": 5, "D": 6, "H": 7, "S": 8, "NT": 9},
    "S": {"C": 10, "D": 11, "H": 12, "S": 13, "NT": 0},
    "W": {"C": 7, "D": 7, "H": 7, "S": 7, "NT": 7},
}
SHOWN: dict[str, Any] = (
    {wire_name(name): text for name, text in (dict.fromkeys(TEXTS, "") | TEXTS_OF_BOARD).items()}
    | {"boardNumber": 5, "eventSlug": "friday-pairs-2026-01-02-540d5f84a6", "dealer": "N", "vulnerability": "NS"}
    | {"hands": HANDS, "hcp": {"north": 10, "east": 9, "south": 10, "west": 11}, "contract": CONTRACT}
    | {"auction": {"calls": CALLS, "complete": True}, "openingLead": "H5", "play": ["H5", "H2", "HJ", "H8", "HA"]}
    | {
        "votes": {"up": 2, "down": 1},
        "result": {"tricks": 6, "score": -200},
        "par": {"score": -50, "contracts": ["EW 2C"]},
    }
    | {"doubleDummyStatus": "done", "doubleDummy": TABLE, "systemText": "", "userId": "ada"}
    | {"analysis": {"status": "done", "lead": 1, "cards": LOST, "lostByDeclarer": 1, "lostByDefence": 1}}
    | {
        "auctionSystem": {"id": "acol", "identifier": "acol", "labels": {"en": "acol"}, "sortOrder": 3},
        "systemText": "",
    }
    | dict.fromkeys(("publishedAt", "createdAt", "updatedAt"), "2026-01-02T03:04:05.000000Z")
)
"""What everybody gets of the board, but for its ids, its themes, its links and its verdict."""


def test_a_board_with_everything_is_shown_whole(anonymous: APIClient, board: Board) -> None:
    response = anonymous.get(f"/api/boards/{board.pk}")
    body = response.json()
    links, verdict = body.pop("links"), body.pop("verdict")
    themes = [
        {"id": str(theme.pk), "identifier": theme.identifier, "type": theme.type, "labels": theme.labels}
        for theme in board.themes.order_by("type")
    ]
    assert body == {**SHOWN, "id": str(board.pk), "dealId": str(board.deal_id), "themes": themes}
    assert [theme["identifier"] for theme in themes] == ["notrump", "weak_notrump"]
    assert set(links) == {"pbn", "lin", "svg", "html", "handviewer"}
    assert links["pbn"] == f"http://testserver/api/boards/{board.pk}.pbn"
    assert response["Cache-Control"] == "public, max-age=0, must-revalidate"
    assert {"Authorization", "X-Impersonation-Id"} <= {name.strip() for name in response["Vary"].split(",")}
    result, _, par, worth, _, lead, _ = verdict
    codes = "result double_dummy par contract_against_par score_against_par lead play"
    assert [sentence["code"] for sentence in verdict] == codes.split()
    none: dict[str, Any] = {"side": None, "tricks": None, "points": None, "score": None, "contracts": [], "cards": []}
    text = "1NT doubled by North went one down: East-West +200."
    assert result == {**none, "code": "result", "text": text, "side": "NS", "tricks": -1, "score": -200}
    assert (par["contracts"], worth["points"], lead["cards"]) == (["EW 2C"], 750, LOST[:1])


def test_a_board_of_a_deal_alone_has_null_and_blank_for_the_rest(anonymous: APIClient) -> None:
    board = factories.board()
    Board.objects.update(board_number=None)
    refresh([board.pk])
    body = anonymous.get(f"/api/boards/{board.pk}").json()
    bid = ("boardNumber", "auction", "contract", "openingLead", "play", "result", "auctionSystem")
    nothing: dict[str, Any] = (
        dict.fromkeys([*map(wire_name, TEXTS), "commentary", "eventSlug", "systemText"], "")
        | dict.fromkeys([*bid, "doubleDummy", "par", "analysis"])
        | {"doubleDummyStatus": "pending", "verdict": [], "themes": [], "userId": "system"}
        | {"votes": {"up": 0, "down": 0}}
    )
    assert {name: body[name] for name in nothing} == nothing


def test_a_passed_out_board_scores_0_and_has_no_declarer(anonymous: APIClient) -> None:
    board = factories.board(calls="Pass Pass Pass Pass")
    body = anonymous.get(f"/api/boards/{board.pk}").json()
    nobody = {"level": None, "denomination": None, "doubled": "", "declarer": None}
    assert body["contract"] == {"text": "Pass", "passedOut": True, **nobody}
    assert body["result"] == {"tricks": None, "score": 0}
    assert body["auction"]["complete"] is True
    stated = factories.board(contract=PASSED_OUT)
    assert anonymous.get(f"/api/boards/{stated.pk}").json()["result"] == {"tricks": None, "score": 0}


def test_an_incomplete_auction_is_shown_without_a_contract(anonymous: APIClient) -> None:
    body = anonymous.get(f"/api/boards/{factories.board(calls='1NT Pass Pass').pk}").json()
    assert (body["auction"]["complete"], body["contract"], body["result"]) == (False, None, None)


def test_a_vote_and_a_label_of_a_theme_change_the_etag(
    anonymous: APIClient, member: APIClient, admin: APIClient, board: Board
) -> None:
    path, theme = f"/api/boards/{board.pk}", board.themes.get(identifier="notrump")
    for change, shown in (
        (lambda: member.put(f"/api/voting/{board.pk}", {"vote": "up"}), {"votes": {"up": 3, "down": 1}}),
        (lambda: admin.patch(f"/api/themes/{theme.pk}", {"labels": {"fr": "Sans-atout"}}), {}),
    ):
        etags = [client.get(path)["ETag"] for client in (anonymous, member)]
        assert anonymous.get(path, headers={"if-none-match": etags[0]}).status_code == 304
        assert change().status_code in (200, 204)
        changed = anonymous.get(path, headers={"if-none-match": etags[0]})
        assert changed.status_code == 200 and changed.json().items() >= shown.items()
        assert member.get(path, headers={"if-none-match": etags[1]}).status_code == 200
    assert changed.json()["themes"][0]["labels"] == {"fr": "Sans-atout"}


def vote(client: APIClient, board: Board, value: str) -> None:
    assert client.put(f"/api/voting/{board.pk}", {"vote": value}).status_code == 204


def own_votes(client: APIClient, query: str = "", **headers: str) -> dict[str, Any]:
    response = client.get(f"/api/boards{query}", headers=headers)
    assert response["Cache-Control"] == "private, no-store"
    return {board["id"]: board["ownVote"] for board in response.json()["boards"]}


@pytest.fixture
def voted(member: APIClient) -> list[Board]:
    """Return boards that the member voted up, down and not at all."""
    boards = [factories.board() for _ in range(3)]
    vote(member, boards[0], "up")
    vote(member, boards[1], "down")
    return boards


def test_each_caller_with_a_token_sees_its_own_votes_or_those_of_whom_it_impersonates(
    member: APIClient, support: APIClient, voted: list[Board]
) -> None:
    up, down, none = (str(board.pk) for board in voted)
    vote(support, voted[2], "up")
    for query in ("", "?sort=top", "?dealer=N"):
        assert own_votes(member, query) == {up: "up", down: "down", none: None}
        assert own_votes(support, query) == {up: None, down: None, none: "up"}
    actor, subject = (Account.objects.get(pk=pk) for pk in ("support", "member"))
    header = {"x-impersonation-id": str(factories.impersonation(actor, subject).pk)}
    assert own_votes(support, **header) == own_votes(member)
    for client, headers in ((member, {}), (support, header)):
        shown = {pk: client.get(f"/api/boards/{pk}", headers=headers).json()["ownVote"] for pk in (up, down, none)}
        assert shown == own_votes(member)


def test_an_answer_without_a_token_has_no_such_field_as_the_document_says(
    anonymous: APIClient, service: APIClient, member: APIClient, voted: list[Board]
) -> None:
    board = voted[0]
    alone = anonymous.get(f"/api/boards/{board.pk}").json()
    assert "ownVote" not in alone
    assert all("ownVote" not in each for each in anonymous.get("/api/boards").json()["boards"])
    assert service.get(f"/api/deals/{board.deal_id}/boards").json() == [alone]
    with_vote = member.get(f"/api/boards/{board.pk}").json()
    assert with_vote == {**alone, "ownVote": "up"}
    place = list(with_vote).index("ownVote")
    assert list(with_vote)[place - 1 : place + 2] == ["votes", "ownVote", "links"]
    said = document()["components"]["schemas"]["Board"]
    assert "ownVote" in said["properties"] and "ownVote" not in said["required"] and "votes" in said["required"]


def test_a_board_with_a_text_of_another_format_and_a_draft_have_it_too(member: APIClient, voted: list[Board]) -> None:
    stored = member.get("/api/boards").content
    PublishedBoard.objects.update(json="", json_format=0)
    assert member.get("/api/boards").content == stored
    draft = factories.board(owner=Account.objects.get(pk="member"))
    vote(member, draft, "down")
    draft.unpublish()
    refresh([draft.pk])
    assert member.get(f"/api/boards/{draft.pk}").json()["ownVote"] == "down"
    assert own_votes(member, "?published=false&userId=me") == {str(draft.pk): "down"}
