from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from accounts.identifiers import NOT_AN_ID, is_account_id
from accounts.models import ERASED, Account
from accounts.services import require_another_admin
from accounts.tokens import development
from config.api.errors import LastAdmin


class Command(BaseCommand):
    help = (
        "Print a bearer token for an account. The account is created if it does not exist. Needs"
        " DEVELOPMENT_TOKENS=true."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("account", help="The account's id.")
        parser.add_argument(
            "--role", choices=Account.Role.values, help="The role to give the account. Default: its present role."
        )
        parser.add_argument(
            "--hours", type=int, default=12, help="Hours until the token expires. Default: %(default)s."
        )

    def handle(self, *args: Any, account: str, role: str | None, hours: int, **options: Any) -> str:
        if not settings.DEVELOPMENT_TOKENS:
            raise CommandError(
                "Tokens come from the identity provider. To issue your own, set DEVELOPMENT_TOKENS=true."
            )
        if not is_account_id(account):
            raise CommandError(NOT_AN_ID.format(account))
        try:
            self.give_role(account, role)
        except LastAdmin as error:
            raise CommandError(str(error.detail)) from None
        return development.issue_token(account, timedelta(hours=hours))

    @transaction.atomic
    def give_role(self, account: str, role: str | None) -> None:
        """Create the account if there is none, and give it the role. Raise LastAdmin for the only active admin."""
        row, _ = Account.objects.get_or_create(pk=account)
        if role and row.role != role:
            if row.erased_at:
                raise CommandError(ERASED)
            if row.is_active_admin:
                require_another_admin(account)
            row.role = role
            row.save(update_fields=["role", "updated_at"])
