"""The filters event, dateFrom and dateTo of the lists, and what an unknown name is answered."""

import json
from collections.abc import Iterable
from itertools import product
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
        page = client.get("/api/boards", {"pageSize": 3, "after": after, **query}).json()
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


PERIODS: tuple[tuple[str, str, set[str]], ...] = (
    ("2026-11-20", "2026-11-20", {"2026.11.20"}),
    ("2026-11-20", "", {"2026.11.20", "2026.11.21"}),
    ("", "2026-11-20", {"2026.11.19", "2026.11.20"}),
    ("2026-11-01", "2026-11-30", set(DATES[:4])),
    ("2026-01-01", "2026-12-31", set(DATES[:5])),
    ("2026-11-02", "2026-12-31", set(DATES[:3])),
    ("2027-01-01", "", set()),
    ("", "", set(DATES)),
)


@pytest.mark.parametrize("published", [True, False])
def test_the_dates_of_play_select_boards(support: APIClient, published: bool) -> None:
    boards = {str(factories.board(date=date, published=published).pk): date for date in DATES}
    drafts = {} if published else {"published": "false"}
    for first, last, dates in PERIODS:
        selected = found(support, dateFrom=first, dateTo=last, **drafts)
        assert {boards[pk] for pk in selected} == dates, (first, last)


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


NO_DAYS = ("2026-11-31", "2026-11", "20.11.2026", "2026-11-20T00:00:00Z", "٢٠٢٦-١١-٢٠", "a")


def test_another_text_than_a_day_and_a_period_that_ends_before_it_begins_are_refused(anonymous: APIClient) -> None:
    for name, value in product(("dateFrom", "dateTo"), NO_DAYS):
        assert field_errors(anonymous.get("/api/boards", {name: value})) == {name: ["invalid"]}, value
    response = anonymous.get("/api/boards?dateFrom=2026-11-20&dateTo=2026-11-19")
    assert field_errors(response) == {"dateTo": ["invalid"]}


def test_an_unknown_name_finds_nothing(anonymous: APIClient) -> None:
    board(1)
    for name in ("theme", "themeType", "auctionSystem", "event"):
        for query in ("", "&after="):
            assert anonymous.get(f"/api/boards?{name}=nothing{query}").json()["boards"] == [], name
        for ending, empty in ((".pbn", HEADER.encode()), (".lin", b"")):
            response = anonymous.get(f"/api/boards{ending}?{name}=nothing")
            assert (response.status_code, response.getvalue()) == (200, empty), name


def test_an_event_of_drafts_alone_is_unknown_to_readers_and_an_unknown_account_finds_nothing(
    anonymous: APIClient,
) -> None:
    board(1, published=False)
    assert found(anonymous, event=SLUG) == set()
    board(1)
    assert found(anonymous, userId="nobody") == found(anonymous, event=SLUG, userId="nobody") == set()
