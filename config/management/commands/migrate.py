from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import connections

from config.database.advisory_locks import hold_advisory_lock
from config.database.fitting import describe_misfit


class Command(migrate.Command):
    help = (
        "Bring the database's schema up to date. Safe to repeat, and on several machines at once: they take turns. A"
        " database is refused if its tables lack what its applied migrations make."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        with hold_advisory_lock("migrate"):
            if misfit := describe_misfit(connections[options["database"]]):
                raise CommandError(misfit)
            super().handle(*args, **options)
