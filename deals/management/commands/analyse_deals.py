from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from tqdm import tqdm

from config.values.words import format_count
from deals.models import Deal
from deals.models import SolverStatus as Status
from deals.solver.queues import TABLES


class Command(BaseCommand):
    help = (
        "Make unsolved deals pending again, so that the workers try them once more: deals that failed, and deals "
        "that were unavailable because the worker had no solver."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--failed", action="store_true", help="Only the deals that failed.")

    def handle(self, *args: Any, failed: bool, **options: Any) -> None:
        statuses = [Status.FAILED] if failed else [Status.FAILED, Status.UNAVAILABLE]
        total = Deal.objects.filter(double_dummy_status__in=statuses).count()
        counts = dict.fromkeys(statuses, 0)
        with tqdm(unit=" deals", total=total, disable=None) as bar:
            for status in statuses:
                for count in TABLES.reset(Deal.objects.filter(double_dummy_status=status), Status.PENDING):
                    counts[status] += count
                    bar.update(count)
        pending = Deal.objects.filter(double_dummy_status=Status.PENDING).count()
        parts = ", ".join(f"{count} {status}" for status, count in counts.items())
        self.stdout.write(
            f"{format_count(sum(counts.values()), 'deal')} set pending ({parts}), {pending} pending in all."
        )
