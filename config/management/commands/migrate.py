from typing import Any

from django.core.management.commands import migrate

from config.database.alone import alone


class Command(migrate.Command):
    help = "Bring the database's schema up to date. Safe to repeat, and on several machines at once: they take turns."

    def handle(self, *args: Any, **options: Any) -> None:
        with alone("migrate"):
            super().handle(*args, **options)
