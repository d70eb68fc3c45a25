from typing import TYPE_CHECKING

from django.db import models
from django.db.models import Q

if TYPE_CHECKING:
    from forms.models import Submission

IS_WAITING = models.ExpressionWrapper(Q(handled_at__isnull=True), models.BooleanField())


class SubmissionQuerySet(models.QuerySet["Submission"]):
    def waiting(self) -> "SubmissionQuerySet":
        return self.filter(handled_at__isnull=True)

    def handled(self) -> "SubmissionQuerySet":
        return self.filter(handled_at__isnull=False)

    def after(self, submission: "Submission") -> "Submission | None":
        """Return the one to read next: the next older one that waits, else the newest. Robots' mail is apart."""
        others = self.waiting().filter(is_suspected=submission.is_suspected).exclude(pk=submission.pk)
        others = others.order_by("-created_at", "id")
        is_later = Q(created_at__lt=submission.created_at) | Q(pk__gt=submission.pk)
        older = others.filter(is_later, created_at__lte=submission.created_at)
        return older.first() or others.first()
