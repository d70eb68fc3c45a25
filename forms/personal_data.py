"""Submissions as personal data: which belong to an account, and how long they are kept."""

from datetime import datetime

from django.db.models import Q, QuerySet

from accounts.models import Account
from accounts.personal_data import PersonalData, register
from config.database.retention import Retention
from forms.models import Submission


def submissions_of(account: Account) -> QuerySet[Submission]:
    """Find submissions by e-mail address, since they have no account. Find none when another account has it too."""
    others = Account.objects.filter(email__iexact=account.email).exclude(pk=account.pk)
    if not account.email or others.exists():
        return Submission.objects.none()
    return Submission.objects.filter(data__email__iexact=account.email)


def expired_submissions(before: datetime) -> QuerySet[Submission]:
    """Find what was handled, or sent by suspected robots, before then. What people sent stays until it is handled."""
    return Submission.objects.filter(Q(handled_at__lt=before) | Q(is_suspected=True, created_at__lt=before))


register(
    PersonalData(
        "submissions",
        submissions_of,
        retention=Retention(
            "submissions that were handled or sent by robots", "SUBMISSION_RETENTION_DAYS", expired_submissions
        ),
    )
)
