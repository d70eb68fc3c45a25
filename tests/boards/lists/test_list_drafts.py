"""Drafts in lists: who may list which, and that filters, order and pages work as for published boards."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from accounts.models import Account
from boards.catalogue.refreshing import refresh
from boards.models import Board
from tests import factories
from tests.answers import assert_error, field_errors

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def draft(owner: Account, age: int = 0, **values: Any) -> Board:
    board = factories.board(owner=owner, published=False, **values)
    Board.objects.filter(pk=board.pk).update(created_at=NOON - timedelta(hours=age))
    refresh([board.pk])
    return board


def listed(client: APIClient, **query: Any) -> list[str]:
    response = client.get("/api/boards", {"published": "false", **query})
    assert response.status_code == 200, response.json()
    assert response["Cache-Control"] == "private, no-store"
    return [board["id"] for board in response.json()["boards"]]


def ids(*boards: Board) -> list[str]:
    return [str(board.pk) for board in boards]


@pytest.fixture
def ada() -> Account:
    return factories.account("ada")


@pytest.fixture
def owner(ada: Account, client_of: Callable[[Account], APIClient]) -> APIClient:
    return client_of(ada)


def test_owners_list_their_drafts_and_staff_list_everybody_s(
    owner: APIClient, ada: Account, member: APIClient, support: APIClient, admin: APIClient
) -> None:
    theirs, others = draft(ada), draft(factories.account(), age=1)
    factories.board(owner=ada)
    assert listed(owner, userId="me") == listed(owner, userId="ada") == ids(theirs)
    assert listed(member, userId="me") == []
    for staff in (support, admin):
        assert listed(staff) == ids(theirs, others)
        assert listed(staff, userId="ada") == ids(theirs)
        assert listed(staff, userId="me") == []


def test_anonymous_callers_and_members_who_ask_for_others_are_refused(
    anonymous: APIClient, member: APIClient, ada: Account
) -> None:
    draft(ada)
    for query in ("published=false", "published=false&userId=ada", "published=false&userId=me", "userId=me"):
        assert_error(anonymous.get(f"/api/boards?{query}"), 401, "not_authenticated")
    for query in ("published=false", "published=false&userId=ada", "published=false&userId=nobody"):
        body = assert_error(member.get(f"/api/boards?{query}"), 403, "permission_denied")
        assert "userId=me" in body["message"]


def test_staff_who_impersonate_list_what_the_subject_may(support: APIClient, ada: Account) -> None:
    theirs, others = draft(ada), draft(factories.account("other"))
    impersonation = factories.impersonation(Account.objects.get(pk="support"), ada)
    as_ada = {"x-impersonation-id": str(impersonation.pk)}
    assert listed(support, userId="other") == ids(others)
    response = support.get("/api/boards?published=false&userId=me", headers=as_ada)
    assert [board["id"] for board in response.json()["boards"]] == ids(theirs)
    refused = support.get("/api/boards?published=false&userId=other", headers=as_ada)
    assert_error(refused, 403, "permission_denied")


def test_me_finds_the_caller_s_published_boards_in_lists_and_files(owner: APIClient, ada: Account) -> None:
    shown, _, _ = factories.board(owner=ada), factories.board(), draft(ada)
    response = owner.get("/api/boards?userId=me")
    assert [board["id"] for board in response.json()["boards"]] == ids(shown)
    file = b"".join(owner.get("/api/boards.pbn?userId=me").streaming_content)
    assert file.count(b"[Board ") == 1
    assert_error(APIClient().get("/api/boards.pbn?userId=me"), 401, "not_authenticated")


def test_published_boards_are_listed_where_drafts_are_not_asked_for_and_other_values_refused(
    owner: APIClient, ada: Account
) -> None:
    shown, _ = factories.board(owner=ada), draft(ada)
    for value in ("true", ""):
        response = owner.get("/api/boards", {"published": value})
        assert [board["id"] for board in response.json()["boards"]] == ids(shown), value
    for value in ("False", "0", "no", "all"):
        refused = field_errors(owner.get("/api/boards", {"published": value}))
        assert refused == {"published": ["invalid_choice"]}, value


FILTERS = {
    "theme": "stayman",
    "themeType": "play",
    "dealer": "E",
    "vulnerability": "NS",
    "auctionSystem": "acol",
    "userId": "me",
}


def test_every_filter_narrows_the_drafts_alone_and_together(owner: APIClient, ada: Account, support: APIClient) -> None:
    plays = (factories.theme(identifier, type="play") for identifier in ("finesse", "squeeze"))
    themes, system = (factories.theme("stayman"), *plays), factories.auction_system("acol")
    matching = draft(ada, number=2, themes=themes, auction_system=system)
    other = draft(ada, age=1, number=1, themes=(factories.theme("blackwood", type="slam"),))
    factories.auction_system("sayc")
    for name, value in FILTERS.items():
        expected = ids(matching, other) if name == "userId" else ids(matching)
        assert listed(owner, **{"userId": "me", name: value}) == expected
    assert listed(owner, **FILTERS) == ids(matching)
    for name, value in {"theme": "blackwood", "dealer": "N", "auctionSystem": "sayc"}.items():
        assert listed(owner, **FILTERS | {name: value}) == []
    assert listed(support, userId="nobody") == []


def test_drafts_come_in_pages_by_when_they_were_stored_or_by_votes(owner: APIClient, ada: Account) -> None:
    drafts = [draft(ada, age=age, votes=(age, 0)) for age in range(5)]
    assert listed(owner, userId="me") == ids(*drafts)
    assert listed(owner, userId="me", sort="top") == ids(*reversed(drafts))
    response = owner.get("/api/boards?published=false&userId=me&pageSize=2&page=2")
    assert [board["id"] for board in response.json()["boards"]] == ids(*drafts[2:4])
    pagination = response.json()["pagination"]
    assert (pagination["totalCount"], pagination["totalPages"], pagination["hasMore"]) == (5, 3, True)
    assert '?page=3&pageSize=2&published=false&userId=me>; rel="next"' in response["Link"]


def test_a_listed_draft_is_shown_as_it_is_on_its_own(owner: APIClient, ada: Account) -> None:
    theirs = draft(ada, themes=(factories.theme(),), auction_system=factories.auction_system())
    (shown,) = owner.get("/api/boards?published=false&userId=me").json()["boards"]
    assert shown == owner.get(f"/api/boards/{theirs.pk}").json()
    assert shown["publishedAt"] is None


def test_a_longer_page_of_drafts_needs_no_more_queries(owner: APIClient, ada: Account) -> None:
    for _ in range(4):
        draft(ada, themes=(factories.theme(),))
    listed(owner, userId="me")  # The process reads the labels of all themes once.
    counts = []
    for size in (1, 4):
        with CaptureQueriesContext(connection) as queries:
            assert len(listed(owner, userId="me", pageSize=size)) == size
        counts.append(len(queries))
    assert counts[0] == counts[1]
