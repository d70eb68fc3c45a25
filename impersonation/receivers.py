"""Changes of accounts that end impersonations. ImpersonationConfig connects the receiver."""

from collections.abc import Collection

from django.utils import timezone

from accounts.models import Account
from impersonation.models import Impersonation
from impersonation.services import end_invalid

DECISIVE = frozenset({"role", "is_active"})
"""The columns of an account on which an impersonation depends."""


def end_those_that_a_change_forbids(
    sender: type[Account],
    instance: Account,
    created: bool,
    update_fields: Collection[str] | None,
    **kwargs: object,
) -> None:
    """End them in the transaction of the change, so that a change back does not revive one."""
    if not created and (update_fields is None or not DECISIVE.isdisjoint(update_fields)):
        end_invalid(Impersonation.objects.involving(instance), timezone.now())
