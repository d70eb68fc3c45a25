from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.values.words import format_count
from config.worker.runner import Runner, ShutdownRequest, run_in_thread, run_through_refusals
from deals.solver.process import Solver, SolverError
from deals.solver.worker import Worker
from deals.watching import Heart
from deals.webhooks.delivering import Deliverer


class Command(BaseCommand):
    help = (
        "Compute double dummy of every pending deal and play, run queued tasks and send webhooks, at the same time."
        " One per machine is enough; several share the work safely. SIGTERM and SIGINT stop it once its current work"
        " is finished, and release its claims. kill -9 delays the current work: deals by half a minute, a task by two"
        " minutes and one retry, webhooks by two minutes."
    )
    # The checks would load every view of the service; this process needs only the models.
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--once", action="store_true", help="Solve and run what is pending now, then stop.")

    def handle(self, *args: Any, once: bool, **options: Any) -> None:
        shutdown = ShutdownRequest()
        solver_heart, tasks_heart, webhooks_heart = Heart.of_worker(shutdown)
        worker = Worker(Solver(), solver_heart)
        tasks, webhooks = Runner(tasks_heart), Deliverer(webhooks_heart)
        try:
            with shutdown.handle_signals(), run_in_thread(tasks, once=once), run_in_thread(webhooks, once=once):
                run_through_refusals(worker, once=once)
        except SolverError as error:
            raise CommandError(f"The solver cannot be kept running: {error}") from error
        self.stdout.write(
            f"{format_count(worker.solved, 'job')} solved, {worker.failed} failed; "
            f"{format_count(tasks.done, 'task')} done, {tasks.failed} failed; "
            f"{format_count(webhooks.sent, 'webhook')} sent, {webhooks.failed} failed."
        )
