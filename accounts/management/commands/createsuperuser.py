import sys
from typing import Any

from django.contrib.auth.management.commands import createsuperuser
from django.core.management.base import CommandError


class Command(createsuperuser.Command):
    help = "Make an admin with a password, as Django's command of this name does. create_staff also changes an account."

    def handle(self, *args: Any, **options: Any) -> None:
        """Make the admin. Raise CommandError where Django would ask nobody, make nothing and exit with 0."""
        if options["interactive"] and not sys.stdin.isatty():
            raise CommandError(
                "No terminal to ask for a password. Use create_staff --id SUB --role admin --generated. Or give"
                " --noinput and --id, and set DJANGO_SUPERUSER_PASSWORD."
            )
        super().handle(*args, **options)
