"""A PATCH reads its body before it locks anything: whoever sends it slowly holds up nobody."""

import json
from io import BytesIO
from typing import Any

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


@pytest.fixture
def changes(admin: APIClient, service: APIClient) -> list[tuple[str, dict[str, Any], APIClient]]:
    """Return a change of an object of each kind: its path, its body, and who may make it."""
    board = factories.board(number=1)
    return [
        ("/api/accounts/admin", {"displayName": "Ada"}, admin),
        (f"/api/themes/{factories.theme().pk}", {"identifier": "new"}, admin),
        (f"/api/deals/{board.deal_id}", {"source": {"name": "New"}}, service),
        (f"/api/deals/{board.deal_id}/boards/{board.pk}", {"title": "New"}, service),
    ]


def test_the_body_is_read_outside_the_transaction(changes: list[tuple[str, dict[str, Any], APIClient]]) -> None:
    for path, change, client in changes:
        body = json.dumps(change).encode()
        watched = Watched(body)
        watched.depths = []
        environ = {"wsgi.input": watched, "CONTENT_LENGTH": str(len(body))}
        response = client.generic("PATCH", path, b"", content_type="application/json", **environ)
        assert (response.status_code, set(watched.depths)) == (200, {0}), response.content


@pytest.mark.parametrize("kind", ["application/merge-patch+json", "Application/Merge-Patch+JSON; charset=utf-8"])
def test_a_merge_patch_is_json(kind: str, changes: list[tuple[str, dict[str, Any], APIClient]]) -> None:
    for path, change, client in changes:
        response = client.generic("PATCH", path, json.dumps(change), content_type=kind)
        assert response.status_code == 200, response.json()
        ((name, value),) = change.items()
        assert response.json()[name] == value or response.json()[name]["name"] == "New"
        for body in ("[]", "nothing", '{"a": 1, "a": 1}'):
            assert client.generic("PATCH", path, body, content_type=kind).status_code == 400, (path, body)


def test_a_merge_patch_is_for_patch_alone_and_documented_there(anonymous: APIClient, service: APIClient) -> None:
    kind = "application/merge-patch+json"
    response = service.generic("POST", "/api/deals", json.dumps({"cards": "x"}), content_type=kind)
    assert (response.status_code, response["Accept-Post"]) == (415, "application/json")
    response = service.generic("PATCH", f"/api/deals/{factories.deal().pk}", "{}", content_type="text/plain")
    assert (response.status_code, response["Accept-Patch"]) == (415, f"application/json, {kind}")
    for path in anonymous.get("/api/openapi.json").json()["paths"].values():
        for method, operation in path.items():
            content = operation.get("requestBody", {}).get("content", {})
            assert (kind in content) == (method == "patch")
