"""A PATCH reads its body before it locks anything: whoever sends it slowly holds up nobody."""

import json
from io import BytesIO

import pytest
from django.db import connection
from rest_framework.test import APIClient

from tests import factories

pytestmark = pytest.mark.django_db


class Watched(BytesIO):
    """A body that notes in how many nested transactions it was read, the test's own not counted."""

    depths: list[int]

    def read(self, size: int | None = -1) -> bytes:
        self.depths.append(len(connection.savepoint_ids))
        return super().read(size)


def test_the_body_is_read_outside_the_transaction(
    subtests: pytest.Subtests, admin: APIClient, service: APIClient
) -> None:
    for what in ["account", "theme", "deal", "board"]:
        with subtests.test(what=what):
            board = factories.board(number=1)
            path, change, client = {
                "account": ("/api/accounts/admin", {"displayName": "Ada"}, admin),
                "theme": (f"/api/themes/{factories.theme().pk}", {"identifier": "new"}, admin),
                "deal": (f"/api/deals/{board.deal_id}", {"source": None}, service),
                "board": (f"/api/deals/{board.deal_id}/boards/{board.pk}", {"title": "New"}, service),
            }[what]
            body = json.dumps(change).encode()
            watched = Watched(body)
            watched.depths = []
            response = client.generic(
                "PATCH", path, b"", content_type="application/json",
                **{"wsgi.input": watched, "CONTENT_LENGTH": str(len(body))},
            )  # fmt: skip
            assert (response.status_code, set(watched.depths)) == (200, {0}), response.content


def test_a_merge_patch_is_json(subtests: pytest.Subtests, admin: APIClient, service: APIClient) -> None:
    for kind in ["application/merge-patch+json", "Application/Merge-Patch+JSON; charset=utf-8"]:
        for what in ["account", "theme", "deal", "board"]:
            with subtests.test(kind=kind, what=what):
                board = factories.board(number=1)
                path, change, client = {
                    "account": ("/api/accounts/admin", {"displayName": "Ada"}, admin),
                    "theme": (f"/api/themes/{factories.theme().pk}", {"identifier": "new"}, admin),
                    "deal": (f"/api/deals/{board.deal_id}", {"source": {"name": "New"}}, service),
                    "board": (f"/api/deals/{board.deal_id}/boards/{board.pk}", {"title": "New"}, service),
                }[what]
                response = client.generic("PATCH", path, json.dumps(change), content_type=kind)
                assert response.status_code == 200, response.json()
                (name, value) = next(iter(change.items()))
                assert response.json()[name] == value or response.json()[name]["name"] == "New"
                for body in ("[]", "nothing", '{"a": 1, "a": 1}'):
                    assert client.generic("PATCH", path, body, content_type=kind).status_code == 400


def test_a_merge_patch_is_for_patch_alone_and_documented_there(
    anonymous: APIClient, service: APIClient
) -> None:
    kind = "application/merge-patch+json"
    response = service.generic("POST", "/api/deals", json.dumps({"cards": "x"}), content_type=kind)
    assert (response.status_code, response["Accept-Post"]) == (415, "application/json")
    response = service.generic("PATCH", f"/api/deals/{factories.deal().pk}", "{}", content_type="text/plain")
    assert (response.status_code, response["Accept-Patch"]) == (415, f"application/json, {kind}")
    for path in anonymous.get("/api/openapi.json").json()["paths"].values():
        for method, operation in path.items():
            content = operation.get("requestBody", {}).get("content", {})
            assert (kind in content) == (method == "patch")
