from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from config.worker import outages
from deals.management.commands import run_worker
from deals.models import Deal
from deals.solver.jobs import Status
from tests import factories
from tests.config.worker import some_tasks
from tests.deals.solver.solvers import fake_solver


def output(*command: str) -> str:
    out = StringIO()
    call_command(*command, stdout=out)
    return out.getvalue()


def counts() -> dict[str, int]:
    return {status: Deal.objects.filter(double_dummy_status=status).count() for status in Status.values}


def test_run_worker_works_off_what_is_there_and_says_how_much(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    factories.deal()
    sums = [some_tasks.add.enqueue(number, 1) for number in range(2)]
    monkeypatch.setattr(run_worker, "Solver", fake_solver)
    assert output("run_worker", "--once") == "1 deals solved, 0 failed; 2 tasks done, 0 failed\n"
    assert counts()["done"] == 1
    for result in sums:
        result.refresh()
    assert [result.return_value for result in sums] == [1, 2]


def test_run_worker_runs_tasks_while_a_batch_is_solved_and_stops_when_asked(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    deals = [factories.deal() for _ in range(2)]
    some_tasks.terminate_when.enqueue(str(tmp_path / "log"))
    monkeypatch.setattr(run_worker, "Solver", lambda: fake_solver(hang=["batch"], log=str(tmp_path / "log")))
    assert output("run_worker") == "0 deals solved, 0 failed; 1 tasks done, 0 failed\n"
    assert counts()["pending"] == len(deals)
    assert not Deal.objects.filter(claimed_until__isnull=False).exists()


def test_run_worker_reports_a_solver_that_never_starts(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outages, "LONGEST_PAUSE", 0.01)
    monkeypatch.setattr(run_worker, "Solver", lambda: fake_solver(start="crash"))
    with pytest.raises(CommandError, match="does not run"):
        output("run_worker", "--once")


@pytest.mark.parametrize(("options", "left_unavailable"), [((), 0), (("--failed",), 1)])
def test_analyse_deals_puts_them_on_the_list_again(
    db: None, options: tuple[str], left_unavailable: int
) -> None:
    factories.deal(double_dummy_status=Status.FAILED, solver_attempts=3)
    factories.deal(double_dummy_status=Status.UNAVAILABLE)
    factories.deal(double_dummy_status=Status.DONE, double_dummy="7" * 20, par={})
    factories.deal()
    output("analyse_deals", *options)
    assert counts() == {
        "pending": 3 - left_unavailable,
        "done": 1,
        "failed": 0,
        "unavailable": left_unavailable,
    }
    assert not Deal.objects.filter(solver_attempts__gt=0).exists()


def test_analyse_deals_ends_with_a_summary_and_repeats_harmlessly(db: None) -> None:
    factories.deal(double_dummy_status=Status.FAILED)
    factories.deal(double_dummy_status=Status.UNAVAILABLE)
    assert output("analyse_deals") == "2 deals set pending (1 failed, 1 unavailable); 2 are pending now\n"
    assert output("analyse_deals") == "0 deals set pending (0 failed, 0 unavailable); 2 are pending now\n"
