"""What callers are answered while PostgreSQL is frozen, while a row stays locked, and while the server only reads."""

import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import wait

import psycopg
import pytest

from tests.system import deployment
from tests.system.database.faults import PATIENCE_SECONDS, Service, repeated, service, statuses
from tests.system.postgresql_servers import Server, primary

PERMITS = 6
"""Of gunicorn's eight threads two are the readers'."""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with primary() as server:
        yield server


@pytest.fixture(scope="module")
def running(server: Server) -> Iterator[Service]:
    with service(server.url()) as running:
        yield running


def pending_deals(server: Server) -> int:
    with psycopg.connect(server.url()) as connection:
        found = connection.execute("SELECT count(*) FROM deals_deal WHERE double_dummy_status = 'pending'")
        return next(iter(found))[0]


def test_while_the_server_is_frozen_everybody_is_answered(running: Service, server: Server) -> None:
    """Twice as many ask as there are threads, and all are answered before the server goes on."""
    with server.frozen():
        asked = [running.start(running.read, number) for number in range(8)]
        asked += [running.start(running.vote, number) for number in range(8)]
        assert running.livez().status == 200
        done, late = wait(asked, PATIENCE_SECONDS)
        assert not late
        answers = [each.result() for each in done]
        assert statuses(answers) == {503: 16}
        assert {answer.headers["Retry-After"] for answer in answers} == {"2"}
        assert running.livez().status == 200
        # Now that it is known, nobody waits at all: this takes no longer than an answer that needs no database.
        assert {running.read().status, running.ask("GET", "/readyz").status} == {503}
    running.wait_until_ready()


def test_an_acknowledged_vote_is_stored_whatever_was_frozen(running: Service, server: Server) -> None:
    acknowledged = []
    for voter in range(30):
        if voter % 10 == 5:
            with server.frozen():
                assert running.vote(voter, board=1).status == 503
            running.wait_until_ready()
        elif running.vote(voter, board=1).status == 204:
            acknowledged.append(f"voter-{voter}")
    with psycopg.connect(server.url()) as connection:
        rows = connection.execute("SELECT account_id FROM voting_vote WHERE board_id = %s", [running.boards[1]])
        assert {*acknowledged} <= {account for (account,) in rows}
    assert len(acknowledged) == 27


def test_while_a_board_is_locked_few_votes_wait_and_all_else_is_answered(running: Service, server: Server) -> None:
    with psycopg.connect(server.url()) as locking:
        locking.execute("SELECT 1 FROM boards_board WHERE id = %s FOR UPDATE", [running.boards[0]])
        votes = [running.start(running.vote, number) for number in range(20)]
        while sum(vote.done() for vote in votes) < 20 - PERMITS:
            assert running.livez().status == 200
            assert running.read().status == 200
        waiting = [vote for vote in votes if not vote.done()]
        assert {vote.result().status for vote in votes if vote.done()} == {503}
        assert len(waiting) == PERMITS
    assert {vote.result(PATIENCE_SECONDS).status for vote in waiting} == {204}
    running.wait_until_ready()


def test_a_server_that_only_reads_is_read_and_written_to_once_it_is_promoted(running: Service, server: Server) -> None:
    server.become_standby()
    worker = subprocess.Popen(
        [sys.executable, "manage.py", "run_worker"],
        cwd=deployment.ROOT,
        env=running.environment,
        stderr=subprocess.PIPE,
    )
    try:
        assert worker.stderr
        while b"read-only" not in (line := worker.stderr.readline()):
            assert line, "The worker has ended."
        with repeated(running.read) as reads:
            answers = [running.vote(1, board=2), running.ask("POST", "/api/deals", {"cards": "x"})]
            answers += [running.ask("POST", f"/api/deals/{deal}/double-dummy", {}) for deal in deals(server)]
        assert statuses([answers[0], *answers[2:]]) == {503: 1 + len(deals(server))}
        assert answers[1].status == 400, "what is wrong is said before anything is written"
        assert set(statuses(reads)) == {200}
        assert worker.poll() is None
        before = pending_deals(server)
        server.promote()
        running.wait_until_ready()
        deadline = time.monotonic() + PATIENCE_SECONDS
        while pending_deals(server) == before and time.monotonic() < deadline:
            time.sleep(0.1)
        assert pending_deals(server) < before
    finally:
        worker.terminate()
        worker.communicate()


def deals(server: Server) -> list[str]:
    with psycopg.connect(server.url()) as connection:
        return [str(pk) for (pk,) in connection.execute("SELECT id FROM deals_deal LIMIT 3")]
