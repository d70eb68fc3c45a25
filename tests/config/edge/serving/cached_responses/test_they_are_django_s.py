"""A kept answer is the one that Django would give now, to the byte, whatever becomes of the connection."""

from itertools import product
from typing import Any

import pytest
from django.db import connection
from pytest import MonkeyPatch
from rest_framework.test import APIClient

from boards.models import Board
from config.edge.serving.cached_responses import CachedResponses
from tests.config.edge.serving.cached_responses.conftest import postgresql_only
from tests.config.edge.serving.test_public_reads import KINDS, PAGES, READS, board, head_and_body, served
from tests.service_client import ServiceClient

__all__ = ["board", "served"]  # fixtures
pytestmark = postgresql_only


def test_a_kept_answer_is_that_of_django(
    subtests: pytest.Subtests, board: Board, served: list[str], settings: Any, monkeypatch: MonkeyPatch
) -> None:
    settings.CORS_ALLOWED_ORIGINS = ["https://app.example"]
    monkeypatch.setattr(CachedResponses, "database_state", lambda kept: "unchanged")
    for headers, path in product(KINDS, [each.format(board.pk) for each in READS + PAGES]):
        with subtests.test(headers=headers, path=path):
            in_front = ServiceClient()
            etag = APIClient().get(path, headers={"accept-language": headers.get("accept-language", "")})["ETag"]
            sent = {name: value.replace("{etag}", etag) for name, value in headers.items()}
            sent["x-request-id"] = "same"
            for _ in range(2):
                in_front.get(path, headers=sent)
            served.clear()
            kept = in_front.get(path, headers=sent)
            if "sessionid" in headers.get("cookie", "") and not path.startswith("/api/"):
                assert (served, kept["Cache-Control"]) == ([path], "private, no-store"), "It is its reader's."
                continue
            assert served == [] or kept.status_code == 406  # a picture is no JSON
            assert head_and_body(kept) == head_and_body(APIClient().get(path, headers=sent))


def test_a_connection_that_the_server_has_ended_costs_no_answer(board: Board) -> None:
    client = ServiceClient()
    for path in ("/api/boards", "/api/themes", f"/api/boards/{board.pk}") * 2:
        expected = client.get(path).content
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            (pid,) = cursor.fetchone()
        other = connection.copy()
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s)", [pid])
        other.close()
        answer = client.get(path)
        assert (answer.status_code, answer.content) == (200, expected)
