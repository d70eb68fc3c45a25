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
    answered = [(case, field_errors(service.get(case[0], {case[1]: case[2]}))) for case in cases]
    assert [(case, fields) for case, fields in answered if fields.keys() != {case[1]}] == []


@pytest.mark.parametrize("size", ["101", "1000", "2147483647"])
def test_a_page_size_over_a_hundred_is_a_400(size: str, anonymous: APIClient) -> None:
    assert field_errors(anonymous.get("/api/boards", {"pageSize": size})) == {"pageSize": ["max_value"]}


def test_a_parameter_given_twice_is_a_400(subtests: pytest.Subtests, anonymous: APIClient) -> None:
    for query in ["page=1&page=2", "page=1&page=1", "page=&page=1", "pageSize=1&page=1&pageSize=2"]:
        with subtests.test(query=query):
            codes = field_errors(anonymous.get(f"/api/boards?{query}"))
            assert {tuple(reasons) for reasons in codes.values()} == {("repeated",)}


def test_an_empty_list_has_one_empty_page(anonymous: APIClient) -> None:
    assert anonymous.get("/api/boards").json() == {
        "boards": [],
        "pagination": {
            "page": 1, "pageSize": 20, "totalCount": 0, "totalPages": 0, "hasMore": False,
            "nextCursor": None,
        },
    }  # fmt: skip


@pytest.mark.parametrize("page", ["2", "1000", "2147483647"])
def test_a_page_past_the_end_is_empty(page: str, anonymous: APIClient) -> None:
    factories.board(1)
    response = anonymous.get("/api/boards", {"page": page, "pageSize": "100"})
    assert response.status_code == 200
    assert response.json() == {
        "boards": [],
        "pagination": {
            "page": int(page), "pageSize": 100, "totalCount": 1, "totalPages": 1, "hasMore": False,
            "nextCursor": None,
        },
    }  # fmt: skip
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


def test_the_links_are_absolute_and_keep_the_rest_of_the_query(anonymous: APIClient) -> None:
    for seed in range(3):
        factories.board(seed)
    found = links(anonymous.get("/api/boards?pageSize=1&page=2&dealer=N&utm_x=%3E%0A%C3%A9"))
    assert found.keys() == {"first", "prev", "next", "last"}
    for rel, page in {"first": 1, "prev": 1, "next": 3, "last": 3}.items():
        assert found[rel].startswith("http://testserver/api/boards?")
        assert f"page={page}&" in found[rel].replace("?", "&") or found[rel].endswith(f"page={page}")
        assert "dealer=N" in found[rel]
        assert "\n" not in found[rel]


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


def test_a_link_is_the_sorted_query_with_another_page(subtests: pytest.Subtests) -> None:
    for query, linked in ODD_QUERIES.items():
        with subtests.test(query=query):
            request = Request(RequestFactory().get(f'/api/a b"?{query}'))
            header = link_header(request.path, request.query_params, OddQuery, Page(2, 20, 100))
            expected = {
                rel: f"http://testserver/api/a%20b%22?{linked.format(number)}"
                for rel, number in {"first": 1, "prev": 1, "next": 3, "last": 5}.items()
            }
            assert header == ", ".join(f'<{address}>; rel="{rel}"' for rel, address in expected.items())


def test_the_last_page_is_the_one_that_has_no_more(subtests: pytest.Subtests) -> None:
    for total in [0, 1, 19, 20, 21, 40, 41]:
        with subtests.test(total=total):
            pages = [Page(number, 20, total) for number in range(1, 5)]
            assert [page.has_more for page in pages] == [number * 20 < total for number in range(1, 5)]
            assert pages[0].total_pages == len(range(0, total, 20))


def test_the_first_row_of_the_furthest_page_fits_the_databases_integers() -> None:
    assert Page(MAX_PAGE, 100, 0).first_row < 2**63
