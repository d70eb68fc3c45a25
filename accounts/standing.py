"""The standing of an account: its role and whether it is active. Each change is a row and a line of the log."""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from config.edge.security_log import acting_account, log_change, origin
from config.values.request_id import request_id

if TYPE_CHECKING:
    from accounts.models import Account

STANDING = frozenset({"role", "is_active"})
"""The columns of an account that say what it may do."""


def record_change(
    account: "Account", before: Mapping[str, Any] | None, update_fields: Collection[str] | None
) -> None:
    """Record what a save has changed. `before` is None for a new account, whose role is recorded if it is staff's.

    Call it inside the transaction of the change.
    """
    from accounts.models import AccountChange  # the models import this module

    old = before or {"role": "", "is_active": account.is_active}
    if before is None and account.role == account.Role.MEMBER:
        return
    for field in sorted(STANDING):
        new = getattr(account, field)
        if new == old[field] or (update_fields is not None and field not in update_fields):
            continue
        values = {"field": field, "old": as_text(old[field]), "new": as_text(new)}
        AccountChange.objects.create(
            subject_id=account.pk,
            actor_id=acting_account(),
            route=origin()[:200],
            request_id=request_id.get(),
            **values,
        )
        log_change("account_changed", actor=acting_account() or None, subject=account.pk, **values)


def as_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
