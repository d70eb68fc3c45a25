"""SQLite while one writer holds the lock for long: few others wait for it, and everybody else is answered."""

import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection, transaction

from accounts.models import Account
from config.database.bulkhead import writers
from tests.system.database.faults import PATIENCE_SECONDS, Service, service

PERMITS = 6
"""Of gunicorn's eight threads two are the readers'."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "db.sqlite3"


@pytest.fixture
def running(file: Path) -> Iterator[Service]:
    with service(f"sqlite:///{file}") as running:
        yield running


def test_while_an_import_holds_the_lock_few_votes_wait_and_all_else_is_answered(running: Service, file: Path) -> None:
    locking = sqlite3.connect(file, isolation_level=None)
    locking.execute("BEGIN IMMEDIATE")
    votes = [running.start(running.vote, number) for number in range(20)]
    while sum(vote.done() for vote in votes) < 20 - PERMITS:
        assert running.livez().status == 200
        assert running.read().status == 200
    waiting = [vote for vote in votes if not vote.done()]
    refused = [vote.result() for vote in votes if vote.done()]
    assert {(answer.status, answer.headers["Retry-After"]) for answer in refused} == {(503, "2")}
    assert len(waiting) == PERMITS
    locking.execute("ROLLBACK")
    locking.close()
    assert {vote.result(PATIENCE_SECONDS).status for vote in waiting} == {204}
    running.wait_until_ready()


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "sqlite", reason="It is about SQLite's lock.")
def test_a_writer_waits_for_the_lock_and_is_counted_meanwhile(transactional_db: None) -> None:
    begun, let_go = threading.Event(), threading.Event()

    def hold() -> None:
        with transaction.atomic():
            begun.set()
            assert let_go.wait(PATIENCE_SECONDS)
        connection.close()

    def let_go_once_counted() -> None:
        while not writers.locked:
            time.sleep(0.05)
        let_go.set()

    threads = [threading.Thread(target=hold), threading.Thread(target=let_go_once_counted)]
    for thread in threads:
        thread.start()
    assert begun.wait(PATIENCE_SECONDS)
    Account.objects.create(pk="late")
    for thread in threads:
        thread.join()
    assert writers.locked == 0
