"""The filters event, dateFrom and dateTo of the lists, and what an unknown name is answered."""

import json
from collections.abc import Iterable
from typing import Any

import pytest
from rest_framework.test import APIClient

from boards.models import Board
from deals.bridge.formats.pbn.writer import HEADER
from tests import factories
from tests.answers import field_errors
from tests.boards.catalogue.comparing import assert_readers_get_what_the_boards_say
from tests.boards.events.evenings import SLUG, board

pytestmark = pytest.mark.django_db


def found(client: APIClient, **query: Any) -> set[str]:
    """Return the boards of the list, which pages, cursors and the stream agree on."""
    answer = client.get("/api/boards", {"pageSize": 100, **query}).json()
    pks = {each["id"] for each in answer["boards"]}
    assert answer["pagination"]["totalCount"] == len(pks)
    if query.get("published") != "false":
        top = client.get("/api/boards", {"pageSize": 100, "sort": "top", **query}).json()
        assert {each["id"] for each in top["boards"]} == pks
    stream = client.get("/api/boards", query, headers={"accept": "application/x-ndjson"})
    lines = b"".join(stream.streaming_content)
    assert {json.loads(line)["id"] for line in lines.splitlines()} == pks
    by_cursor: set[str] = set()
    after: str | None = ""
    while after is not None:
        page = client.get("/api/boards", {"pageSize": 1, "after": after, **query}).json()
        by_cursor |= {each["id"] for each in page["boards"]}
        after = page["pagination"]["nextCursor"]
    assert by_cursor == pks
    return pks


def ids(boards: Iterable[Board]) -> set[str]:
    return {str(each.pk) for each in boards}


def test_the_filter_event_finds_the_published_boards_of_one(anonymous: APIClient) -> None:
    wanted = [board(number) for number in (1, 2, 3)]
    board(4, published=False)
    board(5, site="Another club")
    factories.board()
    assert found(anonymous, event=SLUG) == ids(wanted)
    assert found(anonymous, event=SLUG, dealer="E") == ids(wanted[1:2])
    assert found(anonymous, event=SLUG, dealer="E", vulnerability="NS") == ids(wanted[1:2])
    assert found(anonymous, event=SLUG, dealer="W") == set()
    assert_readers_get_what_the_boards_say()


def test_drafts_are_found_by_their_event(support: APIClient) -> None:
    factories.account("ada")
    draft = board(1, published=False)
    board(2, published=False, event="Saturday pairs")
    board(3)
    assert found(support, event=SLUG, published="false") == ids([draft])
    assert found(support, event="nothing", published="false") == set()


DATES = ("2026.11.19", "2026.11.20", "2026.11.21", "2026.11.??", "2026.??.??", "????.??.??", "", "20.11.2026")


@pytest.mark.parametrize("published", [True, False])
@pytest.mark.parametrize(
    ("query", "dates"),
    [
        ({"dateFrom": "2026-11-20", "dateTo": "2026-11-20"}, {"2026.11.20"}),
        ({"dateFrom": "2026-11-20"}, {"2026.11.20", "2026.11.21"}),
        ({"dateTo": "2026-11-20"}, {"2026.11.19", "2026.11.20"}),
        ({"dateFrom": "2026-11-01", "dateTo": "2026-11-30"}, set(DATES[:4])),
        ({"dateFrom": "2026-01-01", "dateTo": "2026-12-31"}, set(DATES[:5])),
        ({"dateFrom": "2026-11-02", "dateTo": "2026-12-31"}, set(DATES[:3])),
        ({"dateFrom": "2027-01-01"}, set()),
        ({"dateFrom": "", "dateTo": ""}, set(DATES)),
    ],
)
def test_the_dates_of_play_select_boards(
    support: APIClient, query: dict[str, str], dates: set[str], published: bool
) -> None:
    boards = {date: factories.board(date=date, published=published) for date in DATES}
    drafts = {} if published else {"published": "false"}
    assert found(support, **query, **drafts) == ids(boards[date] for date in dates)


def test_a_long_period_is_read_in_the_order_of_the_list(anonymous: APIClient) -> None:
    boards = [board(number, date=f"2026.11.{number:02}") for number in range(1, 8)]
    factories.board(date="2027.01.01")
    assert found(anonymous, dateTo="2026-12-31") == ids(boards)
    assert found(anonymous, dateTo="2026-12-31", dealer="E") == ids([boards[1], boards[5]])
    assert found(anonymous, updatedSince="2026-01-01T00:00:00Z", dateTo="2026-12-31") == ids(boards)
    page = anonymous.get("/api/boards?dateTo=2026-12-31&pageSize=3&page=2").json()
    assert [each["boardNumber"] for each in page["boards"]] == [4, 3, 2]
    assert page["pagination"]["totalCount"] == 7


def test_dates_go_together_with_other_filters(anonymous: APIClient) -> None:
    wanted = board(2)
    board(2, date="2026.11.27")
    board(1)
    assert found(anonymous, dateFrom="2026-11-20", dateTo="2026-11-26", dealer="E") == ids([wanted])
    assert found(anonymous, dateTo="2026-11-20", updatedSince="2999-01-01T00:00:00Z") == set()


@pytest.mark.parametrize(
    "value", ["2026-11-31", "2026-11", "20.11.2026", "2026-11-20T00:00:00Z", "٢٠٢٦-١١-٢٠", "a"]
)
@pytest.mark.parametrize("name", ["dateFrom", "dateTo"])
def test_another_text_than_a_day_is_refused(anonymous: APIClient, name: str, value: str) -> None:
    response = anonymous.get("/api/boards", {name: value})
    assert field_errors(response) == {name: ["invalid"]}


def test_a_period_that_ends_before_it_begins_is_refused(anonymous: APIClient) -> None:
    response = anonymous.get("/api/boards?dateFrom=2026-11-20&dateTo=2026-11-19")
    assert field_errors(response) == {"dateTo": ["invalid"]}


@pytest.mark.parametrize("path", ["/api/boards", "/api/boards?after=", "/api/boards.pbn", "/api/boards.lin"])
@pytest.mark.parametrize("name", ["theme", "themeType", "auctionSystem", "event"])
def test_an_unknown_name_finds_nothing(anonymous: APIClient, path: str, name: str) -> None:
    board(1)
    response = anonymous.get(f"{path}{'&' if '?' in path else '?'}{name}=nothing")
    assert response.status_code == 200
    found_nothing = {"/api/boards.pbn": HEADER.encode(), "/api/boards.lin": b""}
    if path in found_nothing:
        assert b"".join(response.streaming_content) == found_nothing[path]
    else:
        assert response.json()["boards"] == []


def test_an_event_of_drafts_alone_is_unknown_to_readers(anonymous: APIClient) -> None:
    board(1, published=False)
    assert found(anonymous, event=SLUG) == set()


def test_an_unknown_account_finds_nothing(anonymous: APIClient) -> None:
    board(1)
    assert found(anonymous, userId="nobody") == set()
    assert found(anonymous, event=SLUG, userId="nobody") == set()
