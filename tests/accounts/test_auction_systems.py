"""GET /api/auction-systems."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from tests import factories

pytestmark = pytest.mark.django_db

OTHER = {"id": "other", "identifier": "other", "labels": {"en": "Other / no agreement"}, "sortOrder": 9999}


def names(client: APIClient, **query: Any) -> list[str]:
    return [system["identifier"] for system in client.get("/api/auction-systems", query).json()]


def test_the_list_is_a_bare_array_of_whole_systems(anonymous: APIClient) -> None:
    factories.auction_system("acol", sort_order=3)
    response = anonymous.get("/api/auction-systems")
    acol = {"id": "acol", "identifier": "acol", "labels": {"en": "acol"}, "sortOrder": 3}
    assert (response.status_code, response.json()) == (200, [acol, OTHER])
    assert response["Cache-Control"] == "public, max-age=0, must-revalidate"


def test_the_order_is_sort_order_then_identifier(anonymous: APIClient) -> None:
    for identifier, order in (("sef", 2), ("acol", 2), ("zzz", 1), ("Acol", 2)):
        factories.auction_system(identifier, sort_order=order)
    listed = names(anonymous)
    assert (listed[0], listed[-1]) == ("zzz", "other")
    assert [name for name in listed if name in ("acol", "sef")] == ["acol", "sef"]
    assert listed == names(anonymous)


def test_an_unchanged_list_is_not_sent_again_and_a_changed_one_is(anonymous: APIClient) -> None:
    etag = anonymous.get("/api/auction-systems")["ETag"]
    same = anonymous.get("/api/auction-systems", headers={"if-none-match": etag})
    assert (same.status_code, same.content) == (304, b"")
    factories.auction_system("acol")
    assert anonymous.get("/api/auction-systems", headers={"if-none-match": etag}).status_code == 200


def test_nobody_writes_auction_systems(admin: APIClient) -> None:
    for method in ("post", "put", "patch", "delete"):
        response = getattr(admin, method)("/api/auction-systems", {"identifier": "mine"})
        assert (response.status_code, response.json()["code"]) == (405, "method_not_allowed"), method
        assert response["Allow"] == "GET, HEAD, OPTIONS"
    assert names(admin) == ["other"]


def test_the_number_of_queries_does_not_grow_with_the_list(anonymous: APIClient) -> None:
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            names(anonymous)
        counts.append(len(queries))
        for _ in range(10):
            factories.auction_system()
    assert counts == [1, 1]
