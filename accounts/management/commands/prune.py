from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from accounts.models.sessions import SessionStore
from config.database.retention import RETENTIONS, count_expired, prune


class Command(BaseCommand):
    help = (
        "Delete expired sessions and all rows that are older than their retention period, in batches. Run it"
        " nightly. Safe to stop and to repeat."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="Count the rows, and delete nothing.")

    def handle(self, *args: Any, dry_run: bool, **options: Any) -> None:
        counts = {
            retention.label: count_expired(retention) if dry_run else sum(prune(retention)) for retention in RETENTIONS
        }
        if not dry_run:
            SessionStore.clear_expired()
        rows = ", ".join(f"{count} {label}" for label, count in counts.items())
        self.stdout.write(f"{'Would delete' if dry_run else 'Deleted'} {rows}.")
