from datetime import datetime
from typing import TYPE_CHECKING

from django.db import models

if TYPE_CHECKING:
    from impersonation.models import Impersonation


class ImpersonationQuerySet(models.QuerySet["Impersonation"]):
    def running(self, now: datetime) -> "ImpersonationQuerySet":
        """Neither stopped nor expired."""
        return self.filter(ended_at__isnull=True, expires_at__gt=now)

    def with_people(self) -> "ImpersonationQuerySet":
        return self.select_related("actor", "subject")
