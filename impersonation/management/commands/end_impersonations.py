from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.models import Account
from config.values.words import format_count
from impersonation import services
from impersonation.audit import AuditContext
from impersonation.models import Impersonation


class Command(BaseCommand):
    help = "End the running impersonations and record each. Every request under them is refused from then on."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--account", help="End only those with this account as actor or subject.")

    def handle(self, *args: Any, account: str | None, **options: Any) -> None:
        impersonations = Impersonation.objects.all()
        if account is not None:
            person = Account.objects.filter(pk=account).first()
            if person is None:
                raise CommandError(f"There is no account {account}.")
            impersonations = impersonations.involving(person)
        ended = services.end(impersonations, context=AuditContext("manage.py end_impersonations"))
        self.stdout.write(f"Ended {format_count(ended, 'impersonation')}.")
