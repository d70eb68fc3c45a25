from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.models import Account
from accounts.personal_data.export import export


class Command(BaseCommand):
    help = "Print a person's data as one JSON object, the file that a person may request."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("id", help="The account's id.")

    def handle(self, *args: Any, id: str, **options: Any) -> None:
        account = Account.objects.filter(pk=id).first()
        if account is None:
            raise CommandError(f"There is no account {id}.")
        for part in export(account):
            self.stdout.write(part.decode(), ending="")
