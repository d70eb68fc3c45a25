from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from accounts.models import Account
from accounts.personal_data import REGISTRY
from accounts.personal_data.erasure import erase
from config.api.errors import LastAdmin, PermissionRefused


class Command(BaseCommand):
    help = (
        "Erase a person's data. This cannot be undone. The account stays, blank and deactivated; its published"
        " boards and themes move to an account without a name, and drafts are deleted. Safe to repeat."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("id", help="The account's id.")
        parser.add_argument("--dry-run", action="store_true", help="Report what would be erased, and change nothing.")

    def handle(self, *args: Any, id: str, dry_run: bool, **options: Any) -> None:
        with transaction.atomic():
            try:
                erased = erase(account_id=id, by=None)
            except Account.DoesNotExist:
                raise CommandError(f"There is no account {id}.") from None
            except (PermissionRefused, LastAdmin) as error:
                raise CommandError(str(error.detail)) from None
            transaction.set_rollback(dry_run)
        rows = ", ".join(f"{erased[table.name]} {table.erased}" for table in REGISTRY if table.erased)
        self.stdout.write(f"{'Would erase' if dry_run else 'Erased'} {id}: {rows}.")
