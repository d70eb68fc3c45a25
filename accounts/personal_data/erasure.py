"""The erasure of a person, which cannot be undone."""

from django.contrib.auth.models import AnonymousUser
from django.db import transaction

from accounts.identifiers import SYSTEM
from accounts.models import DEFAULT_AUCTION_SYSTEM, Account
from accounts.personal_data.registry import REGISTRY
from config.api.errors import PermissionRefused

BLANK_FIELDS = (
    "email",
    "display_name",
    "first_name",
    "last_name",
    "organisation_name",
    "country",
    "language",
    "avatar_url",
)


def may_erase(account: Account, by: Account | AnonymousUser) -> bool:
    """Allow admins to erase anybody but themselves and the account `system`."""
    return by.is_superuser and account.pk not in (by.pk, SYSTEM)


def erase(*, account_id: str, by: Account | AnonymousUser | None) -> dict[str, int]:
    """Erase the person and return the rows changed in each registered table. `by` is None for an operator.

    The account's row stays, switched off and blank, so that the person's token is refused and makes no new account.
    Repeating it is safe, and takes along what a request under way at the time has left. Raise PermissionRefused for
    the account `system`, for oneself, and to anybody but admins.
    """
    with transaction.atomic():
        # Not FOR UPDATE: a vote under way holds its board and asks for the account's key, which would be a deadlock.
        account = Account.objects.select_for_update(no_key=True, of=("self",)).get(pk=account_id)
        if account.pk == SYSTEM or (by is not None and not may_erase(account, by)):
            raise PermissionRefused("This account cannot be erased by you.")
        _blank(account)
        return {table.name: table.erase(account) for table in REGISTRY if table.erase}


def _blank(account: Account) -> None:
    for name in BLANK_FIELDS:
        setattr(account, name, "")
    account.is_organisation = account.show_email_publicly = account.is_active = False
    account.role = Account.Role.MEMBER
    account.auction_system_id = DEFAULT_AUCTION_SYSTEM
    account.last_login = None
    account.set_unusable_password()
    account.save()
