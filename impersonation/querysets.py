from datetime import datetime

from django.db import models


class ImpersonationQuerySet(models.QuerySet):
    def running(self, now: datetime) -> "ImpersonationQuerySet":
        """Neither stopped nor expired."""
        return self.filter(ended_at__isnull=True, expires_at__gt=now)

    def with_people(self) -> "ImpersonationQuerySet":
        return self.select_related("actor", "subject")
