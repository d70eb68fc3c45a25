import json
import sys
from collections.abc import Iterable, Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from accounts.models import Account
from accounts.personal_data.erasure import erase
from config.api.errors import LastAdmin, PermissionRefused
from config.edge.security.security_log import ERASED
from config.values.redaction import name_in_logs
from config.values.words import format_count


class Command(BaseCommand):
    help = (
        "After a backup was restored, erase again the people who were erased since that backup. Their ids are read"
        " from the service's log on standard input. Safe to repeat."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="Report who would be erased, and change nothing.")

    def handle(self, *args: Any, dry_run: bool, **options: Any) -> None:
        refused = 0
        for name in dict.fromkeys(read_erased(sys.stdin)):
            account_id = find_account(name)
            if account_id is None:
                self.stdout.write(f"{name} is not in this database.")
                continue
            try:
                with transaction.atomic():
                    erase(account_id=account_id, by=None)
                    transaction.set_rollback(dry_run)
            except (PermissionRefused, LastAdmin) as error:
                refused += 1
                self.stderr.write(f"{account_id} is not erased: {error.detail}")
            else:
                self.stdout.write(f"{'Would erase' if dry_run else 'Erased'} {account_id}.")
        if refused:
            raise CommandError(f"{format_count(refused, 'account')} could not be erased.")


def read_erased(lines: Iterable[str]) -> Iterator[str]:
    """Yield the accounts that lines of the security log call erased. Skip all other lines."""
    for line in lines:
        try:
            fields = json.loads(line)
        except ValueError:
            continue
        if isinstance(fields, dict) and (fields.get("logger"), fields.get("event")) == ("security", ERASED):
            yield str(fields.get("subject"))


def find_account(name: str) -> str | None:
    """Return the id of the account that the log calls so: by its id, or by the pseudonym of an e-mail address."""
    ids = Account.objects.filter(**({"pk__contains": "@"} if name.startswith("#") else {"pk": name}))
    return next((pk for pk in ids.values_list("pk", flat=True) if name_in_logs(pk) == name), None)
