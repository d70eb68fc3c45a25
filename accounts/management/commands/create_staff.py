import secrets
import sys
from getpass import getpass
from typing import Any

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from accounts.identifiers import LOCAL_ADMIN, NOT_AN_ID, is_account_id
from accounts.models import ERASED, Account, OneTimeCode
from accounts.services import require_another_admin
from accounts.signing_in.one_time_codes import enrol
from config.api.errors import LastAdmin

STAFF_ROLES = (Account.Role.SUPPORT.value, Account.Role.ADMIN.value)


class Command(BaseCommand):
    help = (
        "Create an account that may log in to the admin, or give an existing one a staff role and a password. Use"
        " the id that the identity provider gives this person, so that the token and the login lead to the same"
        " account."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--id", required=True, help="The account's id, the subject (sub) of its tokens.")
        parser.add_argument(
            "--role",
            choices=STAFF_ROLES,
            help="The role in the admin. Default: the account's present role, or support.",
        )
        parser.add_argument(
            "--generated",
            action="store_true",
            help="Generate a password and print it, instead of asking for one. An existing password is kept.",
        )

    def handle(self, *args: Any, id: str, role: str | None, generated: bool, **options: Any) -> None:
        if not is_account_id(id) and id != LOCAL_ADMIN:
            raise CommandError(NOT_AN_ID.format(id))
        account = Account.objects.filter(pk=id).first() or Account(pk=id)
        if account.erased_at:
            raise CommandError(ERASED)
        role_said, (password_said, password) = self.give_role(account, role), self.give_password(account, generated)
        self.save(account, role_said + password_said, password)

    def give_role(self, account: Account, role: str | None) -> str:
        """Set the role, and say which one the account has."""
        former = account.role
        account.role = role or (former if account.is_staff else Account.Role.SUPPORT)
        is_changed = account.role != former and not account._state.adding
        return f"The account {account.pk} has the role {account.role}" + (f" instead of {former}" if is_changed else "")

    def give_password(self, account: Account, generated: bool) -> tuple[str, str]:
        """Set a password where the account needs one. Return what to say, and one that its owner does not know."""
        if not settings.ADMIN_PASSWORDS:
            return " and signs in with the identity provider.", ""
        if generated and account.password and account.has_usable_password():
            return " and keeps its password.", ""
        password = secrets.token_urlsafe(12) if generated else self.ask_password(account)
        account.set_password(password)
        return ".", password if generated else ""

    @transaction.atomic
    def save(self, account: Account, message: str, password: str) -> None:
        """Store the account and print the message and, last and alone, a password to copy.

        A generated password is printed before the account is committed, and so is the secret of one-time codes. If they
        were never seen, because the process was killed or its output is closed, there is no account yet, and the next
        run prints others. An account that is enrolled keeps its codes: a new password is not a way around them.
        """
        try:
            if account.role != Account.Role.ADMIN:
                require_another_admin(account.pk)
        except LastAdmin as error:
            raise CommandError(str(error.detail)) from None
        account.save()
        self.stdout.write(message)
        needs_code = settings.ADMIN_PASSWORDS and settings.ADMIN_ONE_TIME_CODES
        if needs_code and not OneTimeCode.objects.filter(account=account).exists():
            self.stdout.write(enrol(account.pk))
        if password:
            self.stdout.write(f"Its password, shown only this once:\n\n    {password}\n\n")
        self.stdout.flush()

    def ask_password(self, account: Account) -> str:
        """Return a password that was typed. Raise CommandError for a weak one, and where nobody can type."""
        if not sys.stdin.isatty():
            raise CommandError(
                "No terminal to ask for a password. Run this in a terminal, or add --generated, which prints one."
            )
        try:
            password = getpass(f"Password for {account.pk}: ")
        except EOFError:
            raise CommandError("The password is empty.") from None
        try:
            validate_password(password, account)
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from None
        return password
