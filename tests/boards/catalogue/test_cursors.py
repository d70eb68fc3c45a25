"""Reading a list by cursors: nothing is repeated or left out while boards are added, and each step costs the same."""

import re
from base64 import urlsafe_b64encode
from datetime import UTC, datetime
from itertools import product
from typing import Any
from uuid import UUID

import pytest
from rest_framework.test import APIClient

from boards.models import Board
from config.api.pagination import NUMBER_LAYOUT, Cursor, NumberCursor
from tests import factories
from tests.answers import field_errors
from tests.service_client import ServiceClient

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def boards(rows_of_module: None) -> list[str]:
    """Return the ids of eleven boards, the newest first."""
    theme = factories.theme("stayman")
    return [str(factories.board(themes=(theme,)).pk) for _ in range(11)][::-1]


def read(client: APIClient, query: str) -> tuple[list[str], dict[str, Any], dict[str, str]]:
    """Return the boards of a page, its pagination and its links."""
    response = client.get(f"/api/boards?{query}")
    assert response.status_code == 200, response.json()
    links = {rel: url for url, rel in re.findall(r'<([^>]*)>; rel="(\w+)"', response["Link"])}
    return [board["id"] for board in response.json()["boards"]], response.json()["pagination"], links


EVERY_FILTER = "dealer=N&vulnerability=None&userId=system&themeType=convention"


def test_following_the_link_by_cursor_reads_the_whole_list_once(anonymous: APIClient, boards: list[str]) -> None:
    for filters in ("", EVERY_FILTER, "theme=stayman&updatedSince=2000-01-01T00:00:00Z"):
        seen, query = [], f"{filters}&pageSize=3&after="
        while query:
            page, pagination, links = read(anonymous, query)
            seen.append(page)
            assert pagination["hasMore"] is ("next" in links) is (pagination["nextCursor"] is not None)
            counts = {"page": None, "pageSize": 3, "totalCount": 11, "totalPages": 4}
            assert pagination.items() >= counts.items(), filters
            assert links["first"].startswith("http://testserver/api/boards?after=&")
            query = links.get("next", "").partition("?")[2]
        assert seen == [boards[:3], boards[3:6], boards[6:9], boards[9:]], filters


def test_boards_that_come_and_go_neither_repeat_nor_hide_others(anonymous: APIClient, boards: list[str]) -> None:
    first, pagination, _ = read(anonymous, "pageSize=4")
    assert first == boards[:4]
    factories.board()
    Board.objects.get(pk=boards[3]).delete()
    second, pagination, _ = read(anonymous, f"pageSize=4&after={pagination['nextCursor']}")
    assert second == boards[4:8]
    factories.board()
    assert read(anonymous, f"after={pagination['nextCursor']}")[0] == boards[8:]


def test_a_page_by_number_gives_a_cursor_where_others_follow(anonymous: APIClient, boards: list[str]) -> None:
    _, second, links = read(anonymous, "pageSize=4&page=2")
    assert links.keys() == {"first", "prev", "next", "last"}
    assert read(anonymous, f"pageSize=4&after={second['nextCursor']}")[0] == boards[8:]
    for query in ("pageSize=4&page=3", "page=99", "sort=top&pageSize=4&page=3", "dealer=W"):
        assert read(anonymous, query)[1]["nextCursor"] is None
    _, pagination, links = read(anonymous, "pageSize=11&after=")
    assert (pagination["hasMore"], pagination["nextCursor"], set(links)) == (False, None, {"first"})
    oldest = Board.objects.get(pk=boards[-1])
    nothing, pagination, _ = read(anonymous, f"after={NumberCursor('p', oldest.number).encode()}")
    assert (nothing, pagination["totalCount"], pagination["nextCursor"]) == ([], 11, None)


def test_drafts_have_cursors_of_their_own(support: APIClient, boards: list[str]) -> None:
    for _ in range(5):
        factories.board(published=False)
    expected = read(support, "published=false")[0]
    first, pagination, _ = read(support, "published=false&pageSize=2&after=")
    second, last, links = read(support, f"published=false&pageSize=3&after={pagination['nextCursor']}")
    assert first + second == expected
    assert (last["nextCursor"], last["totalCount"], set(links)) == (None, 5, {"first"})
    published = read(support, "pageSize=2")[1]["nextCursor"]
    for query in (f"after={pagination['nextCursor']}", f"published=false&after={published}"):
        assert field_errors(support.get(f"/api/boards?{query}")) == {"after": ["invalid"]}, query


def packed(letter: bytes = b"p", number: int = 7) -> str:
    return urlsafe_b64encode(NUMBER_LAYOUT.pack(letter, number)).decode()


def test_the_order_by_votes_has_cursors_of_its_own(anonymous: APIClient, support: APIClient, boards: list[str]) -> None:
    for position, votes in ((4, 3), (9, -2), (0, 1)):
        Board.objects.filter(pk=boards[position]).update(up_votes=max(votes, 0), down_votes=max(-votes, 0))
    rest = [pk for position, pk in enumerate(boards) if position not in (0, 4, 9)]
    expected = [boards[4], boards[0], *rest, boards[9]]
    for start in ("after=", "page=1"):
        seen, query = [], f"sort=top&pageSize=4&{start}"
        while query:
            page, pagination, links = read(anonymous, query)
            seen += page
            assert pagination["hasMore"] is ("next" in links) is (pagination["nextCursor"] is not None)
            query = f"sort=top&pageSize=4&after={pagination['nextCursor']}" if pagination["hasMore"] else ""
        assert seen == expected, start
    top, newest = (read(anonymous, f"pageSize=4&sort={sort}")[1]["nextCursor"] for sort in ("top", "newest"))
    too_far = packed(b"P", 2**31 * 100)
    for query in (f"after={top}", f"sort=top&after={newest}", f"sort=top&after={too_far}"):
        assert field_errors(anonymous.get(f"/api/boards?{query}")) == {"after": ["invalid"]}, query
    assert field_errors(support.get(f"/api/boards?published=false&sort=top&after={top}")) == {"after": ["invalid"]}


OF_EARLIER_VERSIONS = Cursor("p", datetime(2026, 11, 21, tzinfo=UTC), UUID(int=1)).encode()
MALFORMED = (
    *("x", "next", "%00", "é" * 12, "A" * 11, "A" * 13, packed() + "=", OF_EARLIER_VERSIONS),
    *(packed(letter=b"x"), packed(letter=b"\xff"), packed(number=-1)),
)


def test_a_malformed_cursor_is_refused() -> None:
    for client, value in product((APIClient(), ServiceClient()), MALFORMED):
        for _ in range(2):
            assert field_errors(client.get(f"/api/boards?after={value}")) == {"after": ["invalid"]}, value
        assert client.get("/api/boards").status_code == 200


def test_a_cursor_goes_with_no_page(anonymous: APIClient) -> None:
    for other, after in product(("page=1", "page=2"), ("", packed())):
        response = anonymous.get(f"/api/boards?{other}&after={after}")
        assert field_errors(response) == {"after": ["invalid"]}, (other, after)
        assert other.partition("=")[0] in response.json()["meta"]["fields"]["after"][0]["message"]
