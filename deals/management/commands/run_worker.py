from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.worker.runner import Runner, beside
from config.worker.shutdown import Stop
from deals.solver.process import Solver, SolverError
from deals.solver.worker import Worker


class Command(BaseCommand):
    help = (
        "Compute double dummy and par of every pending deal, and run the queued tasks beside it. Any number may "
        "run at once, on any number of machines. SIGTERM and SIGINT end it: the task in hand is finished, deals "
        "are given back. kill -9 delays what it had in hand by half a minute (deals) or two (a task)."
    )
    # They would load every view of the service; this process needs the models.
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--once", action="store_true", help="work off what is there, then stop")

    def handle(self, *args: Any, once: bool, **options: Any) -> None:
        stop = Stop()
        worker, tasks = Worker(Solver(), stop), Runner(Stop())
        try:
            with stop.on_signals(), beside(tasks, stop, once=once):
                worker.run(once=once)
        except SolverError as error:
            raise CommandError(f"The solver does not run: {error}") from error
        self.stdout.write(
            f"{worker.solved} deals solved, {worker.failed} failed; {tasks.done} tasks done, {tasks.failed} failed"
        )
