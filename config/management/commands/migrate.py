from typing import Any

from django.core.management.commands import migrate

from config.database.advisory_locks import hold_advisory_lock


class Command(migrate.Command):
    help = "Bring the database's schema up to date. Safe to repeat, and on several machines at once: they take turns."

    def handle(self, *args: Any, **options: Any) -> None:
        with hold_advisory_lock("migrate"):
            super().handle(*args, **options)
