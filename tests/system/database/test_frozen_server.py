"""What callers are answered while PostgreSQL is frozen or only reads, and while a row or all of SQLite is locked."""

import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import wait
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from django.db import connection, transaction

from accounts.models import Account
from config.database.waits import writers
from tests.system import deployment
from tests.system.database.faults import PATIENCE_SECONDS, Service, repeated, service, statuses
from tests.system.deployment import wait_until
from tests.system.postgresql_servers import Server, primary


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with primary() as server:
        yield server


@pytest.fixture(scope="module")
def running(server: Server) -> Iterator[Service]:
    with service(server.url()) as running:
        yield running


def test_while_the_server_is_frozen_everybody_is_answered(running: Service, server: Server) -> None:
    """Twice as many ask as there are threads, and all are answered before the server goes on."""
    with server.frozen():
        asked = [running.start(each, number) for each in (running.read, running.vote) for number in range(8)]
        assert running.lives()
        done, late = wait(asked, PATIENCE_SECONDS)
        assert not late
        answers = [each.result() for each in done]
        assert statuses(answers) == {503: 16}
        assert {answer.headers["Retry-After"] for answer in answers} == {"2"}
        assert running.lives()
        # Now that it is known, nobody waits at all: this takes no longer than an answer that needs no database.
        assert statuses([running.read(), running.ask("GET", "/readyz")]) == {503: 2}
    running.wait_until_ready()


def test_an_acknowledged_vote_is_stored_whatever_was_frozen(running: Service, server: Server) -> None:
    acknowledged = set()
    for voter in range(30):
        if voter % 10 == 5:
            with server.frozen():
                assert running.vote(voter, board=1).status_code == 503
            running.wait_until_ready()
        elif running.vote(voter, board=1).status_code == 204:
            acknowledged.add((f"voter-{voter}",))
    votes = server.execute(f"SELECT account_id FROM voting_vote WHERE board_id = '{running.boards[1]}'")
    assert acknowledged <= set(votes) and len(acknowledged) == 27


def test_while_a_board_is_locked_few_votes_wait_and_all_else_is_answered(running: Service, server: Server) -> None:
    with psycopg.connect(server.url()) as locking:
        locking.execute("SELECT 1 FROM boards_board WHERE id = %s FOR UPDATE", [running.boards[0]])
        waiting = running.check_few_votes_wait()
    assert {vote.result(PATIENCE_SECONDS).status_code for vote in waiting} == {204}
    running.wait_until_ready()


def test_a_server_that_only_reads_is_read_and_written_to_once_it_is_promoted(running: Service, server: Server) -> None:
    def pending_deals() -> int:
        ((count,),) = server.execute("SELECT count(*) FROM deals_deal WHERE double_dummy_status = 'pending'")
        return int(count)

    deals = [deal for (deal,) in server.execute("SELECT id FROM deals_deal LIMIT 3")]
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
            writes = [running.ask("POST", f"/api/deals/{deal}/double-dummy", {}) for deal in deals]
            assert statuses([running.vote(1, board=2), *writes]) == {503: 1 + len(deals)}
            wrong = running.ask("POST", "/api/deals", {"cards": "x"})
            assert wrong.status_code == 400, "what is wrong is said before anything is written"
        assert statuses(reads).keys() == {200}
        assert worker.poll() is None
        before = pending_deals()
        server.promote()
        running.wait_until_ready()
        deployment.wait_until(lambda: pending_deals() < before)
    finally:
        worker.terminate()
        worker.communicate()


def test_while_an_import_holds_the_lock_few_votes_wait_and_all_else_is_answered(tmp_path: Path) -> None:
    file = tmp_path / "db.sqlite3"
    with service(f"sqlite:///{file}") as running:
        with closing(sqlite3.connect(file, isolation_level=None)) as locking:
            locking.execute("BEGIN IMMEDIATE")
            waiting = running.check_few_votes_wait()
            locking.execute("ROLLBACK")
        assert {vote.result(PATIENCE_SECONDS).status_code for vote in waiting} == {204}
        running.wait_until_ready()


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "sqlite", reason="It is about SQLite's lock.")
def test_a_writer_waits_for_the_lock_and_is_counted_meanwhile() -> None:
    begun, let_go = threading.Event(), threading.Event()

    def hold() -> None:
        with transaction.atomic():
            begun.set()
            assert let_go.wait(PATIENCE_SECONDS)
        connection.close()

    def let_go_once_counted() -> None:
        wait_until(lambda: writers.locked)
        let_go.set()

    threads = [threading.Thread(target=hold), threading.Thread(target=let_go_once_counted)]
    for thread in threads:
        thread.start()
    assert begun.wait(PATIENCE_SECONDS)
    Account.objects.create(pk="late")
    for thread in threads:
        thread.join()
    assert writers.locked == 0
