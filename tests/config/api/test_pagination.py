"""Page numbers are read strictly, and links lead from page to page."""

import re
from typing import Any

import pytest
from django.test import RequestFactory
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.test import APIClient

from config.api.pagination import MAX_PAGE, Page, link_header
from config.api.serializers import QuerySerializer
from tests import factories
from tests.answers import field_errors

pytestmark = pytest.mark.django_db

MALFORMED = [
    "", " ", "0", "00", "01", "-1", "-0", "+5", " 5", "5 ", "5\n", "1_0", "٥", "５", "²", "1.0", "1e1",
    "0x1", "one", "true", "null", "1,2", "[1]", "2147483648", "9999999999", "99999999999", "1" + "0" * 30,
    "9" * 5000, "\x00", "1\x00", "\ud800".encode("utf-8", "surrogatepass"), b"\xff", "' OR 1=1 --",
]  # fmt: skip


def test_a_malformed_number_is_a_400_that_names_its_parameter(service: APIClient) -> None:
    cases = [("/api/boards", "page", value) for value in MALFORMED]
    cases += [(path, name, "01") for path in ("/api/boards", "/api/deals") for name in ("page", "pageSize")]
    for path, name, value in cases:
        assert field_errors(service.get(path, {name: value})).keys() == {name}, (path, value)
    for size in ("101", "1000", "2147483647"):
        assert field_errors(service.get("/api/boards", {"pageSize": size})) == {"pageSize": ["max_value"]}


def test_an_empty_list_has_one_empty_page_and_a_page_past_the_end_is_empty(anonymous: APIClient) -> None:
    nothing = {"hasMore": False, "nextCursor": None}
    assert anonymous.get("/api/boards").json() == {
        "boards": [], "pagination": {"page": 1, "pageSize": 20, "totalCount": 0, "totalPages": 0, **nothing},
    }  # fmt: skip
    factories.board(1)
    for page in (2, 1000, 2147483647):
        response = anonymous.get("/api/boards", {"page": page, "pageSize": "100"})
        assert (response.status_code, response.json()) == (200, {
            "boards": [], "pagination": {"page": page, "pageSize": 100, "totalCount": 1, "totalPages": 1, **nothing},
        })  # fmt: skip
        assert links(response).keys() == {"first", "prev", "last"}
        assert "page=1&" in links(response)["prev"]


def links(response: Any) -> dict[str, str]:
    return {rel: url for url, rel in re.findall(r'<([^>]+)>; rel="(\w+)"', response["Link"])}


def test_following_next_visits_every_row_once_and_prev_leads_back(anonymous: APIClient) -> None:
    stored = {str(factories.board(seed).pk) for seed in range(5)}
    url, seen, pages = "/api/boards?pageSize=2&sort=top", [], []
    while url:
        response = anonymous.get(url)
        pages.append(response.json()["pagination"])
        seen += [board["id"] for board in response.json()["boards"]]
        url = links(response).get("next", "")
    assert (len(seen), set(seen)) == (5, stored)
    assert [(page["page"], page["hasMore"]) for page in pages] == [(1, True), (2, True), (3, False)]
    assert {(page["totalCount"], page["totalPages"], page["pageSize"]) for page in pages} == {(5, 3, 2)}
    assert "page=2&" in links(response)["prev"]


ODD_QUERIES = {
    "": "page={}",
    "page=7": "page={}",
    "page": "page={}",
    "x=": "page={}&x=",
    "a": "a=&page={}",
    "z=1&a=2&z=3&A=4": "A=4&a=2&page={}&z=1&z=3",
    "pages=1&pag=2&page=3": "pag=2&page={}&pages=1",
    "x=%26%3D%23%20%2B+%22%3E": "page={}&x=%26%3D%23+%2B+%22%3E",
    "%C3%A9=%F0%9F%83%8F&x=é": "page={}&x=%C3%A9&%C3%A9=%F0%9F%83%8F",
    "x=%FF%00": "page={}&x=%EF%BF%BD%00",
    "x=1;page=2&&=3": "=3&page={}&x=1%3Bpage%3D2",
}

ODD_NAMES = ("x", "a", "z", "A", "pages", "pag", "é", "")
OddQuery = type("OddQuery", (QuerySerializer,), {name: serializers.CharField() for name in ODD_NAMES})


def test_a_link_is_the_sorted_query_with_another_page() -> None:
    for query, linked in ODD_QUERIES.items():
        request = Request(RequestFactory().get(f'/api/a b"?{query}'))
        header = link_header(request.path, request.query_params, OddQuery, Page(2, 20, 100))
        address = f"http://testserver/api/a%20b%22?{linked}"
        pages = {"first": 1, "prev": 1, "next": 3, "last": 5}
        expected = ", ".join(f'<{address.format(number)}>; rel="{rel}"' for rel, number in pages.items())
        assert header == expected, query


def test_the_last_page_is_the_one_that_has_no_more() -> None:
    for total in (0, 1, 19, 20, 21, 40, 41):
        pages = [Page(number, 20, total) for number in range(1, 5)]
        assert [page.has_more for page in pages] == [number * 20 < total for number in range(1, 5)], total
        assert pages[0].total_pages == len(range(0, total, 20)), total


def test_the_first_row_of_the_furthest_page_fits_the_databases_integers() -> None:
    assert Page(MAX_PAGE, 100, 0).first_row < 2**63
