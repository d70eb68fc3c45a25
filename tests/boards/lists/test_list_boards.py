"""The parameters of GET /api/boards. What they find is compared in tests/boards/catalogue/test_reading.py."""

from itertools import product
from typing import Any

import pytest
from rest_framework.test import APIClient

from tests import factories
from tests.answers import field_errors
from tests.conformance.document import document

pytestmark = pytest.mark.django_db

NAMES = ("event", "theme", "themeType", "dealer", "vulnerability", "auctionSystem", "userId")
MALFORMED = ("two words", "é", "a,b", "a\0", "a\nb", "%", "x" * 256, "\ufffd")


def refused(client: APIClient, path: str = "/api/boards", **query: Any) -> dict[str, list[str]]:
    return field_errors(client.get(path, query))


def test_a_malformed_value_is_refused_and_a_blank_one_counts_as_absent(anonymous: APIClient) -> None:
    factories.board()
    for name, value in product(NAMES, MALFORMED):
        assert list(refused(anonymous, **{name: value})) == [name], (name, value)
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
    described = {each.get("name"): each for each in document()["paths"]["/api/boards"]["get"]["parameters"]}
    for name, choices in CLOSED.items():
        assert ", ".join(filter(None, described[name]["schema"]["enum"])) == choices
        error = {"code": "invalid_choice", "message": f"Give one of these: {choices}."}
        for value in ("Z", "0", choices.split(",")[0].swapcase(), "\x1b[31mred\x07", "x" * 5000):
            fields = anonymous.get("/api/boards", {name: value}).json()["meta"]["fields"]
            assert fields == {name: [error]}, value
    for name in ("dealer", "vulnerability"):
        assert refused(anonymous, "/api/boards.pbn", **{name: "n"}) == {name: ["invalid_choice"]}
