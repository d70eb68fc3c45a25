"""What callers are answered while PostgreSQL is frozen, while a row stays locked, and while the server only reads."""

from collections.abc import Iterator
from concurrent.futures import wait

import psycopg
import pytest

from tests.config.database.faults import PATIENCE_SECONDS, Service, service, statuses
from tests.own_postgresql import OwnPostgresql, own_postgresql

PLACES = 4
"""Half of gunicorn's eight threads: how many requests of a process may wait long."""


@pytest.fixture(scope="module")
def server() -> Iterator[OwnPostgresql]:
    with own_postgresql() as server:
        yield server


@pytest.fixture(scope="module")
def running(server: OwnPostgresql) -> Iterator[Service]:
    with service(server.url) as running:
        yield running


def test_while_the_server_is_frozen_everybody_is_answered_and_livez_is_ok(
    running: Service, server: OwnPostgresql
) -> None:
    with server.frozen():
        # Twice as many as there are threads, and all of them are answered before the server goes on.
        asked = [running.start(running.read, number) for number in range(8)]
        asked += [running.start(running.vote, number) for number in range(8)]
        wait(asked, PATIENCE_SECONDS)
        answers = [each.result(0) for each in asked]
        assert statuses(answers) == {503: 16}
        assert {answer.headers["Retry-After"] for answer in answers} == {"2"}
        assert running.is_alive()
        assert running.ask("GET", "/static/site/site.css").status in (200, 404)
        assert running.read().status == 503
        print("slowest 503", max(answer.seconds for answer in answers))
    print("recovery", running.wait_until_ready())


def test_while_a_board_is_locked_few_votes_wait_and_all_else_is_answered(
    running: Service, server: OwnPostgresql
) -> None:
    with psycopg.connect(server.url) as locking:
        locking.execute("SELECT 1 FROM boards_board WHERE id = %s FOR UPDATE", [running.boards[0]])
        votes = [running.start(running.vote, number) for number in range(20)]
        done, waiting = wait(votes, PATIENCE_SECONDS / 20)
        assert running.is_alive()
        assert running.read().status == 200
        assert {each.result().status for each in done} == {503}
        assert len(waiting) == PLACES
        print("slowest 503", max(each.result().seconds for each in done))
    assert {each.result(PATIENCE_SECONDS).status for each in waiting} == {204}
    running.wait_until_ready()
