from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from boards.models import Board
from config.api.cursors import Cursor
from tests import factories
from tests.answers import field_errors

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def listed(client: APIClient, **query: Any) -> list[str]:
    response = client.get("/api/boards", query)
    assert response.status_code == 200, response.json()
    return [board["id"] for board in response.json()["boards"]]


def ids(*boards: Board) -> list[str]:
    return [str(board.pk) for board in boards]


def refused(client: APIClient, **query: Any) -> dict[str, list[str]]:
    return field_errors(client.get("/api/boards", query))


def cursor_of(board: Board) -> str:
    assert board.published_at
    return Cursor("p", board.published_at, board.pk).encode()


def pagination(page: int, size: int, total: int, pages: int, *, more: bool = False) -> dict[str, Any]:
    counts = {"page": page, "pageSize": size, "totalCount": total, "totalPages": pages}
    return {**counts, "hasMore": more, "nextCursor": None}


def test_without_boards_the_list_is_empty(anonymous: APIClient) -> None:
    response = anonymous.get("/api/boards")
    assert response.json() == {"boards": [], "pagination": pagination(1, 20, 0, 0)}
    page = "http://testserver/api/boards?page=1"
    assert response["Link"] == f'<{page}>; rel="first", <{page}>; rel="last"'
    assert response["Cache-Control"] == "public, max-age=0, must-revalidate"


def test_a_listed_board_is_shown_as_it_is_on_its_own(anonymous: APIClient) -> None:
    system, theme = factories.auction_system("acol"), factories.theme("stayman")
    board = factories.board(calls="1NT Pass Pass Pass", tricks=7, auction_system=system, themes=(theme,))
    (shown,) = anonymous.get("/api/boards").json()["boards"]
    assert shown == anonymous.get(f"/api/boards/{board.pk}").json()


def test_the_newest_published_comes_first_and_equal_moments_go_by_id_downwards(anonymous: APIClient) -> None:
    old = factories.board(published_at=NOON - timedelta(days=1))
    together = sorted((factories.board(published_at=NOON) for _ in range(5)), key=lambda board: board.pk)
    newest = factories.board(published_at=NOON + timedelta(microseconds=1))
    assert listed(anonymous) == ids(newest, *reversed(together), old)


def test_the_pages_together_are_the_whole_list_and_link_to_each_other(anonymous: APIClient) -> None:
    boards = [factories.board(published_at=NOON - timedelta(hours=age)) for age in range(5)]
    assert listed(anonymous, pageSize=2) == ids(*boards[:2])
    assert listed(anonymous, pageSize=2, page=3) == ids(boards[4])
    second = anonymous.get("/api/boards?pageSize=2&page=2&dealer=N")
    assert [board["id"] for board in second.json()["boards"]] == ids(*boards[2:4])
    expected = pagination(2, 2, 5, 3, more=True) | {"nextCursor": cursor_of(boards[3])}
    assert second.json()["pagination"] == expected
    pages = {"first": 1, "prev": 1, "next": 3, "last": 3}
    here = "http://testserver/api/boards?dealer=N&page={}&pageSize=2"
    assert second["Link"] == ", ".join(f'<{here.format(page)}>; rel="{rel}"' for rel, page in pages.items())


def test_a_page_past_the_end_is_empty_and_points_back(anonymous: APIClient) -> None:
    factories.board()
    for page in (3, 2_147_483_647):
        response = anonymous.get(f"/api/boards?page={page}")
        assert response.json() == {"boards": [], "pagination": pagination(page, 20, 1, 1)}
        assert 'page=1>; rel="prev"' in response["Link"] and 'rel="next"' not in response["Link"]


NO_PAGES = ("0", "-1", "+1", "1.0", "1e1", "01", "one", "٥", "1_0", "2147483648", "9" * 30)


def test_a_page_or_page_size_that_is_out_of_bounds_or_not_a_number_is_refused(anonymous: APIClient) -> None:
    for name, value in product(("page", "pageSize"), NO_PAGES):
        assert list(refused(anonymous, **{name: value})) == [name], value


def test_a_page_has_at_most_a_hundred_boards(anonymous: APIClient) -> None:
    assert listed(anonymous, pageSize=100) == []
    assert refused(anonymous, pageSize=101) == {"pageSize": ["max_value"]}


def test_drafts_are_not_listed(anonymous: APIClient, member: APIClient, support: APIClient) -> None:
    owner = factories.Account.objects.get(pk="member")
    theme = factories.theme("stayman")
    factories.board(owner=owner, published=False, themes=(theme,))
    shown = factories.board(owner=owner)
    for client in (anonymous, member, support):
        assert listed(client) == listed(client, userId="member") == ids(shown)
        assert listed(client, theme="stayman") == []


@pytest.fixture
def matching() -> Board:
    """Store a board that each value of KNOWN finds, another that none finds, and a draft that all would."""
    owner, system = factories.account("ada"), factories.auction_system("acol")
    plays = (factories.theme(identifier, type="play") for identifier in ("finesse", "squeeze"))
    themes = (factories.theme("stayman"), *plays)
    board = factories.board(number=2, owner=owner, auction_system=system, themes=themes)
    factories.board(number=1, themes=(factories.theme("blackwood", type="slam"),))
    factories.board(number=2, owner=owner, auction_system=system, themes=themes, published=False)
    return board


KNOWN = {
    "theme": "stayman",
    "themeType": "play",
    "dealer": "E",
    "vulnerability": "NS",
    "auctionSystem": "acol",
    "userId": "ada",
}


def test_a_filter_finds_its_boards_once_and_counts_them(anonymous: APIClient, matching: Board) -> None:
    for name, value in KNOWN.items():
        body = anonymous.get("/api/boards", {name: value}).json()
        found = [board["id"] for board in body["boards"]]
        assert (name, found, body["pagination"]["totalCount"]) == (name, ids(matching), 1)


def test_a_theme_is_found_by_its_id_too(anonymous: APIClient, matching: Board) -> None:
    theme = matching.themes.get(identifier="finesse")
    assert listed(anonymous, theme=theme.pk) == listed(anonymous, theme=theme.pk.hex) == ids(matching)


def test_an_identifier_of_several_themes_finds_the_boards_of_all(anonymous: APIClient) -> None:
    first = factories.board(themes=(factories.theme("overcalls", type="convention"),), published_at=NOON)
    second = factories.board(themes=(factories.theme("overcalls", type="lesson"),), published_at=NOON - timedelta(1))
    assert listed(anonymous, theme="overcalls") == ids(first, second)
    assert listed(anonymous, theme="overcalls", themeType="lesson") == ids(second)


def test_a_board_must_match_every_filter(anonymous: APIClient, matching: Board) -> None:
    assert listed(anonymous, **KNOWN) == ids(matching)
    for name, other in {"dealer": "N", "theme": "blackwood", "themeType": "slam", "userId": "system"}.items():
        assert len(listed(anonymous, **{name: other})) == 1
        assert listed(anonymous, **KNOWN | {name: other}) == []


def test_an_unknown_account_matches_nothing(anonymous: APIClient, matching: Board) -> None:
    for value in ("nobody", "auth0|nobody@example.org"):
        body = anonymous.get("/api/boards", {"userId": value}).json()
        assert (body["boards"], body["pagination"]["totalCount"]) == ([], 0)


MALFORMED = ("two words", "é", "a,b", "a\0", "a\nb", "%", "x" * 256, "\ufffd")


def test_a_malformed_value_is_refused(anonymous: APIClient) -> None:
    for name, value in product(("event", *KNOWN), MALFORMED):
        assert list(refused(anonymous, **{name: value})) == [name], (name, value)


CLOSED = {"dealer": "N, E, S, W", "vulnerability": "None, NS, EW, All", "sort": "newest, top"}
"""The filters whose values are fixed, with the values."""


NOT_IN_A_LIST = (
    *(("", "dealer", "Z"), (".pbn", "dealer", "n"), ("", "vulnerability", "Both")),
    *((".pbn", "vulnerability", "none"), ("", "sort", "oldest")),
)


def test_a_value_that_is_not_in_a_closed_list_is_refused_with_the_list(anonymous: APIClient) -> None:
    parameters = {each.get("name"): each for each in documented(anonymous, "/api/boards")}
    for ending, name, value in NOT_IN_A_LIST:
        response = anonymous.get(f"/api/boards{ending}", {name: value})
        assert field_errors(response) == {name: ["invalid_choice"]}
        message = response.json()["meta"]["fields"][name][0]["message"]
        assert message == f"Give one of these: {CLOSED[name]}."
        assert ", ".join(filter(None, parameters[name]["schema"]["enum"])) == CLOSED[name]


def documented(client: APIClient, path: str) -> list[dict[str, Any]]:
    return client.get("/api/openapi.json").json()["paths"][path]["get"]["parameters"]


def test_the_error_of_a_closed_list_repeats_nothing_of_what_was_sent(anonymous: APIClient) -> None:
    for name, value in product(CLOSED, ("\x1b[31mred\x07", "x" * 5000)):
        text = anonymous.get("/api/boards", {name: value}).content.decode()
        assert len(text) < 400 and "red" not in text and "\\u001b" not in text, (name, value)


def test_a_link_has_the_parameters_that_the_route_knows_and_no_others(anonymous: APIClient) -> None:
    response = anonymous.get("/api/boards?utm_source=x&sort=top&gclid=y&dealer=N&page=1&_=z")
    here = "http://testserver/api/boards?dealer=N&page=1&sort=top"
    assert response["Link"] == f'<{here}>; rel="first", <{here}>; rel="last"'


@pytest.mark.parametrize("name", [*KNOWN, "sort"])
def test_a_blank_value_counts_as_absent(anonymous: APIClient, matching: Board, name: str) -> None:
    assert len(listed(anonymous, **{name: ""})) == 2


def test_a_parameter_given_twice_is_refused(anonymous: APIClient) -> None:
    for name in (*KNOWN, "sort", "page", "pageSize"):
        assert refused(anonymous, **{name: ["1", "1"]}) == {name: ["repeated"]}


def test_the_answer_names_every_filter_that_is_not_valid(anonymous: APIClient) -> None:
    assert set(refused(anonymous, theme="a b", sort="oldest")) == {"theme", "sort"}


def test_the_sort_top_orders_by_up_minus_down_votes_then_newest_then_id(anonymous: APIClient) -> None:
    disliked = factories.board(votes=(9, 11), published_at=NOON + timedelta(days=1))
    loved = factories.board(votes=(5, 0), published_at=NOON - timedelta(days=1))
    even = sorted(
        (factories.board(votes=(n, n), published_at=NOON) for n in range(4)), key=lambda board: board.pk, reverse=True
    )
    newer = factories.board(votes=(3, 3), published_at=NOON + timedelta(hours=1))
    divided = factories.board(votes=(20, 16), published_at=NOON)
    factories.board(votes=(99, 0), published=False)
    assert listed(anonymous, sort="top") == ids(loved, divided, newer, *even, disliked)
    assert listed(anonymous, sort="top", pageSize=3, page=2) == ids(*even[:3])


def test_a_longer_page_needs_no_more_queries(anonymous: APIClient) -> None:
    system = factories.auction_system()
    for _ in range(6):
        themes = (factories.theme(), factories.theme())
        factories.board(calls="1NT Pass Pass Pass", auction_system=system, themes=themes)
    listed(anonymous)  # The process reads the labels of all themes once.
    counts = []
    for size in (2, 6):
        with CaptureQueriesContext(connection) as queries:
            assert len(listed(anonymous, pageSize=size, themeType="convention", sort="top")) == size
        counts.append(len(queries))
    assert counts[0] == counts[1]
    with CaptureQueriesContext(connection) as queries:
        assert listed(anonymous, page=99) == []
    assert len(queries) <= counts[0]


def test_the_etag_answers_304_until_something_on_the_page_changes(anonymous: APIClient) -> None:
    board = factories.board()
    etag = anonymous.get("/api/boards")["ETag"]
    unchanged = anonymous.get("/api/boards", headers={"if-none-match": etag})
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    Board.objects.filter(pk=board.pk).update(up_votes=1)
    assert anonymous.get("/api/boards", headers={"if-none-match": etag}).status_code == 200


def test_the_list_of_boards_is_read_only(anonymous: APIClient) -> None:
    for method in ("post", "put", "patch", "delete"):
        response = getattr(anonymous, method)("/api/boards", {})
        assert (response.status_code, response["Allow"]) == (405, "GET, HEAD, OPTIONS"), method
    assert not Board.objects.exists()
