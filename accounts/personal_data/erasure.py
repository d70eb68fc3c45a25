"""The erasure of a person, which cannot be undone."""

from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from accounts.identifiers import SYSTEM
from accounts.models import DEFAULT_AUCTION_SYSTEM, Account
from accounts.personal_data import REGISTRY
from accounts.personal_data.successors import Successor
from accounts.services import require_another_admin
from config.api.errors import PermissionRefused
from config.database.transactions import retry_conflicts
from config.edge.security.security_log import ERASED, log_change

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
    """Allow members to erase themselves, and admins all others but the account `system`."""
    return not why_not_erase(account, by)


def why_not_erase(account: Account, by: Account | AnonymousUser | None) -> str:
    """Return the sentence that refuses an erasure, or "" where it is allowed. `by` is None for an operator."""
    if account.pk == SYSTEM:
        return "The account “system” cannot be erased: it owns the reference data and what services publish."
    if by is None:
        return ""
    if account.pk == by.pk:
        is_member = account.role == Account.Role.MEMBER
        return "" if is_member else "You cannot erase your own account while you are staff. Ask another admin."
    return "" if by.is_superuser else "Only admins can erase a person."


@retry_conflicts
def erase(*, account_id: str, by: Account | AnonymousUser | None) -> dict[str, int]:
    """Erase the person. Return how many rows changed in each registered table. `by` is None for an operator.

    The account's row stays, and what the person has published passes to a successor (decision 0062). A request of the
    account that is under way is waited for, or finds the account switched off and stores nothing
    (accounts.services.lock_if_active). It is safe to repeat. Raise PermissionRefused for what `why_not_erase` names,
    and LastAdmin for the only active admin.
    """
    with transaction.atomic():
        # Not FOR UPDATE: what refers to the account, such as a line of the admin's log, need not wait.
        account = Account.objects.select_for_update(no_key=True, of=("self",)).get(pk=account_id)
        if refusal := why_not_erase(account, by):
            raise PermissionRefused(refusal)
        require_another_admin(account_id)
        _blank(account)
        successor = Successor()
        erased = {table.name: table.forget(account, successor) for table in REGISTRY if table.erased}
        # Last, since its receivers end what the tables have not ended, without a record (impersonation.receivers).
        account.is_active, account.role = False, Account.Role.MEMBER
        account.erased_at = account.erased_at or timezone.now()
        account.save(update_fields=["is_active", "role", "erased_at"])
        # Everybody with a token reads it, and what was published has changed at this moment.
        Account.objects.filter(pk=account_id).update(updated_at=F("created_at"))
        log_change(ERASED, subject=account_id)
        return erased


def _blank(account: Account) -> None:
    for name in BLANK_FIELDS:
        setattr(account, name, "")
    account.is_organisation = account.show_email_publicly = False
    account.auction_system_id = DEFAULT_AUCTION_SYSTEM
    account.last_login = None
    account.set_unusable_password()
    account.save()
