"""What the tests of cached responses share: where they run, and the statements that a request costs."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.urls import reverse

from boards.models import Board
from tests.service_client import ServiceClient

postgresql_only = [
    pytest.mark.skipif(connection.vendor != "postgresql", reason="answers are kept with PostgreSQL only"),
    pytest.mark.django_db(transaction=True),  # inside the transaction of other tests no answer is kept
]


def queries_of(client: ServiceClient, path: str, **headers: str) -> list[str]:
    """Return the statements of a request. Django's log has no text of prepared ones."""
    statements: list[str] = []

    def record(execute: Callable[..., Any], sql: str, *args: Any) -> Any:
        statements.append(sql)
        return execute(sql, *args)

    with connection.execute_wrapper(record):
        client.get(path, headers=headers)
    return statements


def paths_of(board: Board) -> list[str]:
    pages = [reverse("home"), reverse("gallery"), reverse("themes-page"), f"/boards/{board.pk}"]
    reads = ["boards", "boards?page=1&pageSize=5", "themes", f"boards/{board.pk}", f"boards/{board.pk}.svg"]
    return [*pages, *(f"/api/{read}" for read in reads), "/api/auction-systems"]
