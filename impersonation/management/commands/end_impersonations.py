from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.models import Account
from impersonation import services
from impersonation.models import Impersonation


class Command(BaseCommand):
    help = "End the impersonations that are running, each on the record. They hold for no request after that."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--account", help="only those of this account, as actor or subject")

    def handle(self, *args: Any, account: str | None, **options: Any) -> None:
        chosen = Impersonation.objects.all()
        if account is not None:
            found = Account.objects.filter(pk=account).first()
            if found is None:
                raise CommandError(f"There is no account {account}.")
            chosen = chosen.of(found)
        ended = services.end(chosen, origin=services.Origin("manage.py end_impersonations"))
        self.stdout.write(f"Ended {ended} impersonation{'' if ended == 1 else 's'}.")
