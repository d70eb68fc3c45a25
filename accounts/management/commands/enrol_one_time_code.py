from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from accounts.models import Account
from accounts.signing_in.one_time_codes import enrol


class Command(BaseCommand):
    help = (
        "Give a member of staff a new secret for one-time codes, and print it once. The admin asks for a code after"
        " the password. Codes of the former secret stop working, and all sessions of the account end."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("account", help="The account's id.")

    @transaction.atomic
    def handle(self, *args: Any, account: str, **options: Any) -> None:
        """Enrol the account. The secret is printed before it is committed: who never saw it keeps the former one."""
        row = Account.objects.select_for_update(no_key=True, of=("self",)).filter(pk=account).first()
        if row is None:
            raise CommandError(f"There is no account {account}.")
        if not row.is_staff:
            raise CommandError(f"The account {account} has no staff role: give it one with create_staff.")
        self.stdout.write(enrol(account))
        self.stdout.flush()
