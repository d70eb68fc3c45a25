from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from tqdm import tqdm

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
        total = Deal.objects.filter(double_dummy_status__in=statuses).count()
        moved = dict.fromkeys(statuses, 0)
        with tqdm(unit=" deals", total=total, disable=None) as bar:
            for status in statuses:
                for count in move(Deal.objects.filter(double_dummy_status=status), Status.PENDING):
                    moved[status] += count
                    bar.update(count)
        pending = Deal.objects.filter(double_dummy_status=Status.PENDING).count()
        parts = ", ".join(f"{count} {status}" for status, count in moved.items())
        self.stdout.write(f"{sum(moved.values())} deals set pending ({parts}); {pending} are pending now")
