from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from config.api import retention


class Command(BaseCommand):
    help = "Delete what is past its retention, in batches. Safe to stop and to repeat: run it every night."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="count, and delete nothing")

    def handle(self, *args: Any, dry_run: bool, **options: Any) -> None:
        counts = {
            rule.name: retention.due(rule) if dry_run else sum(retention.prune(rule))
            for rule in retention.RULES
        }
        rows = ", ".join(f"{count} {name}" for name, count in counts.items())
        self.stdout.write(f"{'Would delete' if dry_run else 'Deleted'} {rows}.")
