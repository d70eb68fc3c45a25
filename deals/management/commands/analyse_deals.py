from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from deals.models import Deal
from deals.solver.jobs import Status, move


class Command(BaseCommand):
    help = (
        "Put deals without a double-dummy table on the workers' list again: those that failed, and those "
        "that met no solver."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--failed", action="store_true", help="only those that failed")

    def handle(self, *args: Any, failed: bool, **options: Any) -> None:
        statuses = [Status.FAILED] if failed else [Status.FAILED, Status.UNAVAILABLE]
        moved = {status.value: self.move(status) for status in statuses}
        pending = Deal.objects.filter(double_dummy_status=Status.PENDING).count()
        parts = ", ".join(f"{count} {status}" for status, count in moved.items())
        self.stdout.write(f"{sum(moved.values())} deals set pending ({parts}); {pending} are pending now")

    def move(self, status: Deal.DoubleDummyStatus) -> int:
        deals = Deal.objects.filter(double_dummy_status=status)
        total, done = deals.count(), 0
        for count in move(deals, Status.PENDING):
            done += count
            if self.stderr.isatty():
                self.stderr.write(f"\r{status}: {done} of {total}", ending="\n" if done >= total else "")
        return done
