"""SQLite while one writer holds the lock for long: few others wait for it, and everybody else is answered."""

import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import OperationalError, connection, transaction

from accounts.models import Account
from config.database.waiting import watch
from tests.system.database.faults import PATIENCE_SECONDS, Service, service

PLACES = 4
"""Half of gunicorn's eight threads."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "db.sqlite3"


@pytest.fixture
def running(file: Path) -> Iterator[Service]:
    with service(f"sqlite:///{file}") as running:
        yield running


def test_while_an_import_holds_the_lock_few_votes_wait_and_all_else_is_answered(
    running: Service, file: Path
) -> None:
    locking = sqlite3.connect(file, isolation_level=None)
    locking.execute("BEGIN IMMEDIATE")
    votes = [running.start(running.vote, number) for number in range(12)]
    while sum(vote.done() for vote in votes) < 12 - PLACES:
        assert running.livez().status == 200
        assert running.read().status == 200
    waiting = [vote for vote in votes if not vote.done()]
    refused = [vote.result() for vote in votes if vote.done()]
    assert {(answer.status, answer.headers["Retry-After"]) for answer in refused} == {(503, "2")}
    assert len(waiting) == PLACES
    locking.execute("ROLLBACK")
    locking.close()
    assert {vote.result(PATIENCE_SECONDS).status for vote in waiting} == {204}
    running.wait_until_ready()


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "sqlite", reason="It is about SQLite's lock.")
@pytest.mark.parametrize("places", [1, 0])
def test_a_writer_waits_in_steps_if_there_is_a_place(
    places: int, monkeypatch: pytest.MonkeyPatch, transactional_db: None
) -> None:
    monkeypatch.setattr(watch, "places", places)
    begun, let_go = threading.Event(), threading.Event()

    def hold() -> None:
        with transaction.atomic():
            begun.set()
            assert let_go.wait(PATIENCE_SECONDS)
        connection.close()

    holder = threading.Thread(target=hold)
    holder.start()
    assert begun.wait(PATIENCE_SECONDS)
    try:
        if not places:
            with pytest.raises(OperationalError, match="locked"):
                Account.objects.create(pk="late")
            assert watch.long_waits == 0
            return
        release = threading.Timer(1.5, let_go.set)
        release.start()
        Account.objects.create(pk="late")
        assert let_go.is_set()
        assert watch.long_waits == 0
    finally:
        let_go.set()
        holder.join()
