"""How long what visitors sent is kept. What nobody has handled yet stays until somebody has, but for robots'."""

from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from config.api.retention import Rule, keeps
from forms.models import Submission


def past(until: datetime) -> QuerySet[Submission]:
    return Submission.objects.filter(Q(handled_at__lt=until) | Q(is_suspected=True, created_at__lt=until))


def delete(keys: list[Any], until: datetime) -> int:
    return past(until).filter(pk__in=keys).delete()[0]


keeps(Rule("handled and robots' submissions", "SUBMISSION_RETENTION_DAYS", past, delete))
