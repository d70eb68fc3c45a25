"""Transactions that lost to another one are run again."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from typing import Any

import pytest
from django.db import OperationalError, connection, connections, transaction
from psycopg import errors
from pytest import MonkeyPatch

from boards.models import Board
from config.database.transactions import MAX_ATTEMPTS, retry_conflicts
from deals.models import Deal
from tests import factories
from tests.boards.catalogue.comparing import assert_readers_get_what_the_boards_say
from tests.boards.catalogue.test_parallel_changes import file_of
from tests.deals.test_parallel import post
from tests.meetings import at_once

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite lets one transaction write at a time."),
]


def test_of_two_transactions_in_a_deadlock_one_is_run_again() -> None:
    boards, both_hold_one = [factories.board(), factories.board()], Barrier(2)
    attempts: list[str] = []

    @retry_conflicts
    @transaction.atomic
    def change(name: str, order: list[Board]) -> None:
        attempts.append(name)
        for board in order:
            Board.objects.filter(pk=board.pk).update(commentary=f"{board.commentary}{name}")
            if board == order[0] and attempts.count(name) == 1:
                both_hold_one.wait(20)

    at_once([partial(change, "a", boards), partial(change, "b", boards[::-1])])
    assert len(attempts) == 3


def test_a_transaction_that_fails_to_serialise_is_run_again() -> None:
    board, attempts = factories.board(), []

    def meanwhile() -> None:
        Board.objects.filter(pk=board.pk).update(event="Meanwhile")
        connections.close_all()

    @retry_conflicts
    @transaction.atomic
    def change() -> None:
        attempts.append(1)
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        assert Board.objects.filter(pk=board.pk).exists()
        if len(attempts) == 1:
            with ThreadPoolExecutor(1) as pool:
                pool.submit(meanwhile).result()
        Board.objects.filter(pk=board.pk).update(title="Changed")

    change()
    board.refresh_from_db()
    assert (len(attempts), board.title, board.event) == (2, "Changed", "Meanwhile")


def test_it_gives_up_in_the_end_and_at_once_where_repeating_does_not_help() -> None:
    made: list[type[Exception]] = []

    @retry_conflicts
    def fail(error: Any) -> None:
        made.append(error)
        with connection.wrap_database_errors:
            raise error("lost")

    for error, attempts in (
        *((errors.DeadlockDetected, MAX_ATTEMPTS), (errors.SerializationFailure, MAX_ATTEMPTS)),
        (errors.LockNotAvailable, 1),
    ):
        with pytest.raises(OperationalError):
            fail(error)
        assert made.count(error) == attempts
        with pytest.raises(OperationalError), transaction.atomic():
            fail(error)
        assert made.count(error) == attempts + 1, "only whoever began a transaction can run it again"


@pytest.mark.parametrize("atomic", ["true", "false"])
def test_imports_of_the_same_boards_in_different_order_all_succeed(atomic: str, monkeypatch: MonkeyPatch) -> None:
    """Each file is several batches: sorted in itself, but not against those of the other file."""
    monkeypatch.setattr("boards.files.reports.BATCH_SIZE", 4)
    path = f"/api/deals/import?publish=true&atomic={atomic}"
    orders = [file_of(range(1, 13)), file_of(range(12, 0, -1))]
    answers = at_once([partial(post, path, file, "application/x-pbn") for file in orders * 2])
    assert [answer.status_code for answer in answers] == [200] * 4, [answer.content for answer in answers]
    reports = [answer.json() for answer in answers]
    assert [sum(report[name] for report in reports) for name in ("created", "boards")] == [12, 12]
    assert {report["created"] + report["existing"] for report in reports} == {12}
    stored = {str(pk) for pk in Board.objects.values_list("pk", flat=True)}
    assert all({*report["boardIds"]} == stored for report in reports), "ids of what was rolled back are not told"
    assert Deal.objects.count() == 12
    assert_readers_get_what_the_boards_say()
