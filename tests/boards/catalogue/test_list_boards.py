"""GET /api/boards: who may list which drafts, found and ordered as published boards are, and its parameters.

What filters find is compared in tests/boards/catalogue/test_reading.py.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from itertools import product
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from accounts.models import Account
from boards.models import Board
from tests import factories
from tests.answers import assert_error, field_errors
from tests.conformance.document import dereference, document

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def draft(owner: Account, **values: Any) -> Board:
    return factories.board(owner=owner, published=False, **values)


def listed(client: APIClient, query: str = "", **headers: str) -> list[str]:
    response = client.get(f"/api/boards?{query}", headers=headers)
    assert response.status_code == 200, response.json()
    assert response["Cache-Control"] == "private, no-store"
    return [board["id"] for board in response.json()["boards"]]


def ids(*boards: Board) -> list[str]:
    return [str(board.pk) for board in boards]


DRAFTS, OWN = "published=false", "published=false&userId=me"


@pytest.fixture
def ada() -> Account:
    return factories.account("ada")


@pytest.fixture
def owner(ada: Account, client_of: Callable[[Account], APIClient]) -> APIClient:
    return client_of(ada)


def test_owners_list_their_drafts_and_staff_everybody_s_and_me_is_the_caller(
    owner: APIClient, ada: Account, member: APIClient, support: APIClient, admin: APIClient
) -> None:
    others, theirs, shown = draft(factories.account("other")), draft(ada), factories.board(owner=ada)
    assert listed(owner, OWN) == listed(owner, f"{DRAFTS}&userId=ada") == ids(theirs)
    assert listed(member, OWN) == []
    for staff in (support, admin):
        assert listed(staff, DRAFTS) == ids(theirs, others)
        assert listed(staff, f"{DRAFTS}&userId=ada") == ids(theirs)
        assert listed(staff, OWN) == listed(staff, f"{DRAFTS}&userId=nobody") == []
    for client in (owner, member, support):
        for query in ("", "published=true", "published=", "userId=ada"):
            assert listed(client, query) == ids(shown), query
    factories.board()
    assert listed(owner, "userId=me") == ids(shown)
    file = b"".join(owner.get("/api/boards.pbn?userId=me").streaming_content)
    assert file.count(b"[Board ") == 1
    impersonation = factories.impersonation(Account.objects.get(pk="support"), ada)
    as_ada = {"x-impersonation-id": str(impersonation.pk)}
    assert listed(support, OWN, **as_ada) == ids(theirs)
    refused = support.get(f"/api/boards?{DRAFTS}&userId=other", headers=as_ada)
    assert_error(refused, 403, "permission_denied")


def test_strangers_and_other_members_list_no_drafts(anonymous: APIClient, member: APIClient, ada: Account) -> None:
    draft(ada)
    for query in ("?published=false", f"?{DRAFTS}&userId=ada", f"?{OWN}", "?userId=me", ".pbn?userId=me"):
        assert_error(anonymous.get(f"/api/boards{query}"), 401, "not_authenticated")
    for query in (DRAFTS, f"{DRAFTS}&userId=ada", f"{DRAFTS}&userId=nobody"):
        body = assert_error(member.get(f"/api/boards?{query}"), 403, "permission_denied")
        assert "userId=me" in body["message"]


def test_drafts_are_filtered_and_come_in_pages_by_age_or_votes(owner: APIClient, ada: Account) -> None:
    themes, system = (factories.theme("stayman"), factories.theme(type="play")), factories.auction_system("acol")
    factories.board(owner=ada, number=2)
    drafts = [draft(ada, votes=(4, 0), number=2, themes=themes, auction_system=system)]
    for votes in range(3, -1, -1):
        drafts.insert(0, draft(ada, votes=(votes, 0)))
    assert listed(owner, OWN) == ids(*drafts)
    assert listed(owner, f"{OWN}&sort=top") == ids(*reversed(drafts))
    every_filter = f"{OWN}&theme=stayman&themeType=play&vulnerability=NS&auctionSystem=acol"
    assert listed(owner, f"{OWN}&dealer=E") == listed(owner, f"{every_filter}&dealer=E") == ids(drafts[4])
    assert listed(owner, f"{every_filter}&dealer=N") == []
    (shown,) = owner.get(f"/api/boards?{OWN}&dealer=E").json()["boards"]
    alone = owner.get(f"/api/boards/{drafts[4].pk}")
    assert (shown, alone["Cache-Control"]) == (alone.json(), "private, no-store")
    assert shown["publishedAt"] is None
    response = owner.get(f"/api/boards?{OWN}&pageSize=2&page=2")
    assert [board["id"] for board in response.json()["boards"]] == ids(*drafts[2:4])
    pagination = response.json()["pagination"]
    assert (pagination["totalCount"], pagination["totalPages"], pagination["hasMore"]) == (5, 3, True)
    assert '?page=3&pageSize=2&published=false&userId=me>; rel="next"' in response["Link"]


def test_a_longer_page_of_boards_or_drafts_needs_no_more_queries(support: APIClient) -> None:
    system = factories.auction_system()
    for number in range(8):
        themes = (factories.theme(), factories.theme())
        factories.board(calls="1NT Pass Pass Pass", auction_system=system, themes=themes, published=number % 2 == 0)
    for query in (DRAFTS, "themeType=convention&sort=top"):
        listed(support, query)  # The process reads the labels of all themes once.
        counts = []
        for size, found in (("1", 1), ("4", 4), ("4&page=9", 0)):
            with CaptureQueriesContext(connection) as queries:
                assert len(listed(support, f"{query}&pageSize={size}")) == found
            counts.append(len(queries))
        assert counts[0] == counts[1] >= counts[2], query


NAMES = ("event", "theme", "themeType", "dealer", "vulnerability", "auctionSystem", "userId")
MALFORMED = ("two words", "é", "a,b", "a\0", "a\nb", "%", "x" * 256, "\ufffd")


def test_a_malformed_value_is_refused_and_a_blank_one_counts_as_absent(anonymous: APIClient) -> None:
    factories.board()
    for name, value in product(NAMES, MALFORMED):
        assert list(field_errors(anonymous.get("/api/boards", {name: value}))) == [name], (name, value)
    for name in (*NAMES, "sort", "published"):
        assert len(anonymous.get("/api/boards", {name: ""}).json()["boards"]) == 1, name


CLOSED = {
    "dealer": "N, E, S, W",
    "vulnerability": "None, NS, EW, All",
    "sort": "newest, top",
    "published": "true, false",
}
"""The parameters whose values are fixed, with the values."""


def test_a_value_that_is_not_in_a_closed_list_is_refused_with_the_list_alone(anonymous: APIClient) -> None:
    parameters = map(dereference, document()["paths"]["/api/boards"]["get"]["parameters"])
    described = {each["name"]: each for each in parameters}
    for name, choices in CLOSED.items():
        assert ", ".join(filter(None, described[name]["schema"]["enum"])) == choices
        error = {"code": "invalid_choice", "message": f"Give one of these: {choices}."}
        for value in ("Z", "0", choices.split(",")[0].swapcase(), "\x1b[31mred\x07", "x" * 5000):
            fields = anonymous.get("/api/boards", {name: value}).json()["meta"]["fields"]
            assert fields == {name: [error]}, value
    for name in ("dealer", "vulnerability"):
        assert field_errors(anonymous.get("/api/boards.pbn", {name: "n"})) == {name: ["invalid_choice"]}
