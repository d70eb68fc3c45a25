"""The ways in which an impersonation of "zia" by "support" comes to an end."""

from collections.abc import Callable
from datetime import timedelta

from django.utils import timezone

from accounts.models import Account
from impersonation.models import Impersonation


def change(account: str, **values: object) -> Callable[[], object]:
    return lambda: Account.objects.filter(pk=account).update(**values)


ENDINGS: dict[str, Callable[[], object]] = {
    "stopped": lambda: Impersonation.objects.update(ended_at=timezone.now()),
    "expired": lambda: Impersonation.objects.update(expires_at=timezone.now()),
    "actor demoted": change("support", role="member"), "subject promoted to support": change("zia", role="support"),
    "subject promoted to admin": change("zia", role="admin"), "subject switched off": change("zia", is_active=False),
}  # fmt: skip


REVIVALS: dict[str, Callable[[], object]] = {
    "expired": lambda: Impersonation.objects.update(expires_at=timezone.now() + timedelta(minutes=30)),
    "actor demoted": change("support", role="support"), "subject promoted to support": change("zia", role="member"),
    "subject promoted to admin": change("zia", role="member"), "subject switched off": change("zia", is_active=True),
}  # fmt: skip
"""What undoes an ending."""
