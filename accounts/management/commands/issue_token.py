from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.identifiers import is_account_id
from accounts.models import Account
from accounts.tokens import issue_development_token


class Command(BaseCommand):
    help = "Print a bearer token for an account, made where it is missing. Only with DEVELOPMENT_TOKENS."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("account", help="the account's id")
        parser.add_argument("--role", choices=Account.Role.values, help="give the account this role")
        parser.add_argument("--hours", type=int, default=12, help="how long the token lives (default: 12)")

    def handle(self, *args: Any, account: str, role: str | None, hours: int, **options: Any) -> str:
        if not settings.DEVELOPMENT_TOKENS:
            raise CommandError(
                "Tokens come from the identity provider; set DEVELOPMENT_TOKENS=true to make your own."
            )
        if not is_account_id(account):
            raise CommandError(
                f"{account!r} cannot be an account's id: 1 to 255 characters of A-Z a-z 0-9 . _ ~ | : @ + -."
            )
        found, _ = Account.objects.get_or_create(pk=account)
        if role and found.role != role:
            found.role = role
            found.save(update_fields=["role", "updated_at"])
        return issue_development_token(account, timedelta(hours=hours))
