"""What the tests of cached responses share: where they run, a process that keeps answers, and one that changes them."""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection, connections
from django.urls import reverse
from pytest import MonkeyPatch

from boards.models import Board
from config.edge.serving import cached_responses
from config.edge.serving.cached_responses import CachedResponses
from tests import factories
from tests.service_client import ServiceClient


@pytest.fixture(autouse=True)
def small_answers_are_kept(monkeypatch: MonkeyPatch) -> None:
    monkeypatch.setattr(cached_responses, "MIN_BYTES", 0)


@pytest.fixture
def board() -> Board:
    theme = factories.theme("stayman", labels={"en": "Stayman", "nl": "Stayman (nl)"})
    return factories.board(themes=(theme,), auction_system=factories.auction_system("acol"))


@pytest.fixture
def anonymous() -> ServiceClient:
    return ServiceClient()


@pytest.fixture
def states(monkeypatch: MonkeyPatch) -> list[str]:
    """Return the states that the database was asked for. It says each time that nothing was committed."""
    asked: list[str] = []

    def database_state(kept: CachedResponses) -> str:
        asked.append("unchanged")
        return "unchanged"

    monkeypatch.setattr(CachedResponses, "database_state", database_state)
    return asked


@pytest.fixture
def other_processes(transactional_db: None) -> Iterator[tuple[Executor, Executor]]:
    """Return two threads with a connection each, as other processes have.

    The connections exist before anything is kept: a new connection in this process makes all that was kept unused.
    """

    def connect() -> None:
        connection.ensure_connection()  # looked up in the thread, whose own connection it then is

    with ThreadPoolExecutor(1) as first, ThreadPoolExecutor(1) as second:
        for process in (first, second):
            process.submit(connect).result()
        yield first, second
        for process in (first, second):
            process.submit(connections.close_all).result()


@pytest.fixture
def elsewhere(other_processes: tuple[Executor, Executor]) -> Callable[[Callable[[], Any]], Any]:
    """Return a function that makes a change in another process."""
    return lambda change: other_processes[0].submit(change).result()


@pytest.fixture
def reader(board: Board, other_processes: Any) -> ServiceClient:
    """Return a client of a process that has kept the answers."""
    client = ServiceClient(raise_request_exception=False)
    for path in paths_of(board):
        for _ in range(3):
            assert client.get(path).status_code == 200
    return client


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
