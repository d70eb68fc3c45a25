import json
from io import StringIO
from pathlib import Path
from uuid import UUID

import pytest
from django.core.management import call_command

from accounts.models import Account
from config.edge.observability.logs import JsonFormatter
from config.worker import queue, runner
from deals.events.recording import record_deals
from deals.management.commands import run_worker
from deals.models import Deal, FeedEvent, WebhookEndpoint
from deals.models import SolverStatus as Status
from deals.solver.queues import TABLES
from deals.webhooks.delivering import Deliverer
from tests import factories
from tests.config.worker import some_tasks
from tests.deals.solver.solvers import fake_solver


def run_command(*command: str) -> str:
    out = StringIO()
    call_command(*command, stdout=out)
    return out.getvalue()


def counts() -> dict[str, int]:
    return {status: Deal.objects.filter(double_dummy_status=status).count() for status in Status.values}


def test_run_worker_once_solves_and_runs_what_is_pending_and_prints_the_counts(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    factories.deal()
    sums = [some_tasks.add.enqueue(number, 1) for number in range(2)]
    monkeypatch.setattr(run_worker, "Solver", fake_solver)
    said = run_command("run_worker", "--once")
    assert said == "1 job solved, 0 failed; 2 tasks done, 0 failed; 0 webhooks sent, 0 failed.\n"
    assert counts()["done"] == 1
    for number, result in enumerate(sums):
        result.refresh()
        assert result.return_value == number + 1


def test_run_worker_runs_tasks_while_a_batch_is_solved_and_ends_on_sigterm(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    deals = [factories.deal() for _ in range(2)]
    some_tasks.terminate_when.enqueue(str(tmp_path / "log"))
    monkeypatch.setattr(run_worker, "Solver", lambda: fake_solver(hang=["batch"], log=str(tmp_path / "log")))
    assert run_command("run_worker") == "0 jobs solved, 0 failed; 1 task done, 0 failed; 0 webhooks sent, 0 failed.\n"
    assert counts()["pending"] == len(deals)
    assert not Deal.objects.filter(claimed_until__isnull=False).exists()


def test_what_the_database_refuses_ends_no_loop_and_is_a_line_without_the_row(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Of each loop's work the first piece is refused, and the rest is done."""
    monkeypatch.setattr(runner, "REFUSAL_PAUSE_SECONDS", 0.01)
    monkeypatch.setattr(run_worker, "Solver", fake_solver)
    account, deals = factories.account("canary"), [factories.deal() for _ in range(3)]
    sums = [some_tasks.add.enqueue(number, 1) for number in range(2)]
    endpoints = [WebhookEndpoint.objects.create(url=f"https://{number}.example") for number in range(2)]
    record_deals(FeedEvent.Type.DEAL_IMPORTED, [deals[0].pk])
    delivered: list[WebhookEndpoint] = []

    def refuse(*first: object) -> bool:
        if {deals[0].pk, UUID(sums[0].id), endpoints[0].pk} & {*first}:
            Account.objects.bulk_create([Account(pk=account.pk)])  # PostgreSQL quotes the key
        return False

    def deliver(loop: Deliverer, endpoint: WebhookEndpoint) -> bool:
        refuse(endpoint.pk)
        delivered.append(endpoint)
        return False

    store, record_success = TABLES.store, queue.record_success
    monkeypatch.setattr(TABLES, "store", lambda claim, new: refuse(*new) or store(claim, new))
    monkeypatch.setattr(queue, "record_success", lambda task, value: refuse(task.pk) or record_success(task, value))
    monkeypatch.setattr(Deliverer, "deliver", deliver)
    assert run_command("run_worker", "--once").startswith("2 jobs solved, 0 failed; 1 task done, 0 failed;")
    assert (counts()["pending"], counts()["done"]) == (1, 2)
    assert delivered == endpoints[1:]
    lines = [JsonFormatter().format(record) for record in caplog.records if record.levelname == "ERROR"]
    assert [json.loads(line)["message"].partition(";")[0] for line in lines] == ["The database refused a statement"] * 3
    assert all("IntegrityError" in line and "canary" not in line.lower() for line in lines)


def test_analyse_deals_makes_unsolved_deals_pending_again_and_is_safe_to_repeat(db: None) -> None:
    failed = factories.deal(double_dummy_status=Status.FAILED, solver_attempts=3)
    factories.deal(double_dummy_status=Status.UNAVAILABLE)
    factories.deal(double_dummy_status=Status.DONE, double_dummy="7" * 20, par={})
    factories.deal()
    said = run_command("analyse_deals", "--failed")
    assert said == "1 deal set pending (1 failed), 2 pending in all.\n"
    assert counts() == {"pending": 2, "done": 1, "failed": 0, "unavailable": 1}
    Deal.objects.filter(pk=failed.pk).update(double_dummy_status=Status.FAILED, solver_attempts=3)
    assert run_command("analyse_deals") == "2 deals set pending (1 failed, 1 unavailable), 3 pending in all.\n"
    assert run_command("analyse_deals") == "0 deals set pending (0 failed, 0 unavailable), 3 pending in all.\n"
    assert counts() == {"pending": 3, "done": 1, "failed": 0, "unavailable": 0}
    assert not Deal.objects.filter(solver_attempts__gt=0).exists()
