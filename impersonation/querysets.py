from datetime import datetime
from typing import TYPE_CHECKING

from django.db import models

from accounts.models import Account

if TYPE_CHECKING:
    from impersonation.models import Impersonation


class ImpersonationQuerySet(models.QuerySet["Impersonation"]):
    def running(self, now: datetime) -> "ImpersonationQuerySet":
        """Return those that have neither been stopped nor expired."""
        return self.filter(ended_at__isnull=True, expires_at__gt=now)

    def involving(self, account: Account) -> "ImpersonationQuerySet":
        """Return those of which the account is the actor or the subject."""
        return self.filter(models.Q(actor=account) | models.Q(subject=account))

    def with_people(self) -> "ImpersonationQuerySet":
        return self.select_related("actor", "subject")
