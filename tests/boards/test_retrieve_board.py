from datetime import UTC, datetime
from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.models import Account
from boards.catalogue.refreshing import refresh
from boards.models import Board, PlayAnalysis
from boards.services import publish_board
from config.api.serializers import wire_name
from deals.bridge.auction import Auction, Call
from deals.bridge.board import TEXTS, BoardRecord, complete_record
from deals.bridge.contract import PASSED_OUT
from deals.bridge.layout import Layout
from deals.bridge.seats import Seat
from deals.bridge.vulnerability import Vulnerability
from deals.models import Deal
from tests import factories
from tests.answers import assert_error

pytestmark = pytest.mark.django_db

CARDS = "N:AKQJ.T98.765.432 T987.765.432.AKQ 654.32.AKQJ.T987 32.AKQJ4.T98.J65"
NEW_YEAR = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.fixture
def board() -> Board:
    """Return a published board with a value in every column."""
    calls = (Call("1NT", True, "12-14"), Call("X"), *[Call("Pass")] * 3)
    record = BoardRecord(
        layout=Layout.parse(CARDS),
        dealer=Seat.NORTH,
        vulnerability=Vulnerability.NS,
        board_number=5,
        auction=Auction(Seat.NORTH, calls),
        play=("H5", "H2", "HJ", "H8", "HA"),
        tricks=6,
        title="A weak notrump",
        commentary="Doubled, and one down.",
        event="Friday pairs",
        site="The club",
        date="2026.01.02",
        scoring="MP",
        stage="Final",
        room="Open",
        table="12",
        home_team="Reds",
        visit_team="Blues",
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


NO_TEXTS = dict.fromkeys(map(wire_name, TEXTS), "")


def sentence(code: str, text: str, **figures: Any) -> dict[str, Any]:
    """Return a sentence of the verdict with the figures it has none of."""
    none: dict[str, Any] = {"side": None, "tricks": None, "points": None, "score": None, "contracts": [], "cards": []}
    return {"code": code, "text": text, **none, **figures}


SHOWN: dict[str, Any] = {
    **NO_TEXTS,
    "boardNumber": 5,
    "title": "A weak notrump",
    "commentary": "Doubled, and one down.",
    "event": "Friday pairs",
    "eventSlug": "friday-pairs-2026-01-02-540d5f84a6",
    "site": "The club",
    "date": "2026.01.02",
    "scoring": "MP",
    "stage": "Final",
    "room": "Open",
    "table": "12",
    "homeTeam": "Reds",
    "visitTeam": "Blues",
    "dealer": "N",
    "vulnerability": "NS",
    "hands": {
        "north": {"spades": "AKQJ", "hearts": "T98", "diamonds": "765", "clubs": "432"},
        "east": {"spades": "T987", "hearts": "765", "diamonds": "432", "clubs": "AKQ"},
        "south": {"spades": "654", "hearts": "32", "diamonds": "AKQJ", "clubs": "T987"},
        "west": {"spades": "32", "hearts": "AKQJ4", "diamonds": "T98", "clubs": "J65"},
    },
    "hcp": {"north": 10, "east": 9, "south": 10, "west": 11},
    "auction": {
        "calls": [
            {"call": "1NT", "alert": True, "explanation": "12-14"},
            {"call": "X", "alert": False, "explanation": ""},
            {"call": "Pass", "alert": False, "explanation": ""},
            {"call": "Pass", "alert": False, "explanation": ""},
            {"call": "Pass", "alert": False, "explanation": ""},
        ],
        "complete": True,
    },
    "contract": {"text": "1NTX", "passedOut": False, "level": 1, "denomination": "NT", "doubled": "X", "declarer": "N"},
    "openingLead": "H5",
    "play": ["H5", "H2", "HJ", "H8", "HA"],
    "result": {"tricks": 6, "score": -200},
    "doubleDummyStatus": "done",
    "doubleDummy": {
        "N": {"C": 0, "D": 1, "H": 2, "S": 3, "NT": 4},
        "E": {"C": 5, "D": 6, "H": 7, "S": 8, "NT": 9},
        "S": {"C": 10, "D": 11, "H": 12, "S": 13, "NT": 0},
        "W": {"C": 7, "D": 7, "H": 7, "S": 7, "NT": 7},
    },
    "par": {"score": -50, "contracts": ["EW 2C"]},
    "analysis": {
        "status": "done",
        "lead": 1,
        "cards": [
            {"trick": 1, "seat": "E", "card": "H5", "cost": 1},
            {"trick": 1, "seat": "S", "card": "H2", "cost": 1},
        ],
        "lostByDeclarer": 1,
        "lostByDefence": 1,
    },
    "verdict": [
        sentence("result", "1NT doubled by North went one down: East-West +200.", side="NS", tricks=-1, score=-200),
        sentence(
            "double_dummy",
            "With all cards seen it goes three down: North-South won two tricks more.",
            side="NS",
            tricks=2,
        ),
        sentence("par", "Par is 2♣ by East-West: East-West +50.", score=-50, contracts=["EW 2C"]),
        sentence(
            "contract_against_par",
            "The contract is worth East-West +800: for East-West that is 750 points better than par.",
            side="EW",
            points=750,
            score=-800,
        ),
        sentence(
            "score_against_par",
            "The score at the table was East-West +200: for East-West that is 150 points better than par.",
            side="EW",
            points=150,
            score=-200,
        ),
        sentence(
            "lead",
            "The lead of ♥5 cost East-West a trick.",
            side="EW",
            tricks=-1,
            cards=[{"trick": 1, "seat": "E", "card": "H5", "cost": 1}],
        ),
        sentence(
            "play", "♥2 (dummy, trick 1) gave it back.", cards=[{"trick": 1, "seat": "S", "card": "H2", "cost": 1}]
        ),
    ],
    "auctionSystem": {"id": "acol", "identifier": "acol", "labels": {"en": "acol"}, "sortOrder": 3},
    "systemText": "",
    "userId": "ada",
    "votes": {"up": 2, "down": 1},
    "publishedAt": "2026-01-02T03:04:05.000000Z",
    "createdAt": "2026-01-02T03:04:05.000000Z",
    "updatedAt": "2026-01-02T03:04:05.000000Z",
}
"""What everybody gets of the board, but for its ids, its themes and its links."""


def test_a_board_with_everything_is_shown_whole(anonymous: APIClient, board: Board) -> None:
    response = anonymous.get(f"/api/boards/{board.pk}")
    lesson, convention = board.themes.order_by("type")
    body = response.json()
    links = body.pop("links")
    assert body == {
        **SHOWN,
        "id": str(board.pk),
        "dealId": str(board.deal_id),
        "themes": [
            {"id": str(lesson.pk), "identifier": "notrump", "type": "a_lesson", "labels": {"de": "Ohne Trumpf"}},
            {
                "id": str(convention.pk),
                "identifier": "weak_notrump",
                "type": "convention",
                "labels": {"en": "weak_notrump"},
            },
        ],
    }
    assert set(links) == {"pbn", "lin", "svg", "html", "handviewer"}
    assert links["pbn"] == f"http://testserver/api/boards/{board.pk}.pbn"
    assert response["Cache-Control"] == "public, max-age=0, must-revalidate"
    assert {"Authorization", "X-Impersonation-Id"} <= {name.strip() for name in response["Vary"].split(",")}


def test_a_board_of_a_deal_alone_has_null_and_blank_for_the_rest(anonymous: APIClient) -> None:
    board = factories.board()
    Board.objects.update(board_number=None)
    refresh([board.pk])
    body = anonymous.get(f"/api/boards/{board.pk}").json()
    nothing: dict[str, Any] = {
        **NO_TEXTS,
        "boardNumber": None,
        "commentary": "",
        "eventSlug": "",
        "auction": None,
        "contract": None,
        "openingLead": None,
        "play": None,
        "result": None,
        "doubleDummyStatus": "pending",
        "doubleDummy": None,
        "par": None,
        "analysis": None,
        "verdict": [],
        "auctionSystem": None,
        "systemText": "",
        "themes": [],
        "userId": "system",
        "votes": {"up": 0, "down": 0},
    }
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
    board = factories.board(calls="1NT Pass Pass")
    body = anonymous.get(f"/api/boards/{board.pk}").json()
    assert (body["auction"]["complete"], body["contract"], body["result"]) == (False, None, None)


def test_only_its_owner_and_staff_can_read_a_draft(
    anonymous: APIClient, member: APIClient, support: APIClient, admin: APIClient
) -> None:
    theirs = factories.board(owner=Account.objects.get(pk="member"), published=False)
    somebodys = factories.board(owner=factories.account("ada"), published=False)
    for ending in ("", ".pbn"):
        seen = [
            [client.get(f"/api/boards/{board.pk}{ending}").status_code for board in (theirs, somebodys)]
            for client in (anonymous, member, support, admin)
        ]
        assert seen == [[404, 404], [200, 404], [200, 200], [200, 200]], ending


def test_a_draft_has_no_publishing_date_and_is_not_cached(member: APIClient) -> None:
    draft = factories.board(owner=Account.objects.get(pk="member"), published=False)
    response = member.get(f"/api/boards/{draft.pk}")
    assert response.json()["publishedAt"] is None
    assert response["Cache-Control"] == "private, no-store"


def test_an_id_that_no_board_has_is_not_found(anonymous: APIClient) -> None:
    for name in (factories.NOBODYS_ID, "1", "not-a-uuid", "%00", f"{factories.NOBODYS_ID}.txt"):
        assert_error(anonymous.get(f"/api/boards/{name}"), 404, "not_found")


def test_a_vote_changes_the_etag(anonymous: APIClient, member: APIClient, board: Board) -> None:
    path = f"/api/boards/{board.pk}"
    etag = anonymous.get(path)["ETag"]
    assert anonymous.get(path, headers={"if-none-match": etag}).status_code == 304
    assert member.put(f"/api/voting/{board.pk}", {"vote": "up"}).status_code == 204
    changed = anonymous.get(path, headers={"if-none-match": etag})
    assert (changed.status_code, changed.json()["votes"]) == (200, {"up": 3, "down": 1})


def test_a_themes_label_changes_the_etag(anonymous: APIClient, admin: APIClient, board: Board) -> None:
    path = f"/api/boards/{board.pk}"
    etag = anonymous.get(path)["ETag"]
    theme = board.themes.get(identifier="notrump")
    assert admin.patch(f"/api/themes/{theme.pk}", {"labels": {"fr": "Sans-atout"}}).status_code == 200
    changed = anonymous.get(path, headers={"if-none-match": etag})
    assert changed.status_code == 200
    assert changed.json()["themes"][0]["labels"] == {"fr": "Sans-atout"}


def test_head_is_get_without_the_body_and_a_trailing_slash_answers_the_same(anonymous: APIClient, board: Board) -> None:
    path = f"/api/boards/{board.pk}"
    got, head = anonymous.get(path), anonymous.head(path)
    assert (head.status_code, head.content, head["ETag"]) == (200, b"", got["ETag"])
    assert anonymous.get(f"{path}/").json() == got.json()
