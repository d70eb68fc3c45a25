import json
from datetime import timedelta
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.models import Account
from config.database.transactions import retry_conflicts
from config.values.request_id import request_id
from forms import tasks
from forms.models import Submission
from forms.querysets import SubmissionQuerySet
from forms.tasks import announce, send_copy

REPEAT_WINDOW = timedelta(minutes=10)


@retry_conflicts
@transaction.atomic
def submit(*, form: str, data: dict[str, Any], client: str, language: str, is_suspected: bool) -> Submission:
    """Store what a visitor sent, have it announced, and have a copy sent if that is wished and within the limits.

    Return the stored submission when the same content came from the same client within ten minutes. What a robot seems
    to have sent is never a repeat of what a person sent. `fresh_key` is unique, so two equal requests at once make one
    row. It is taken off a row that is older than ten minutes.
    """
    client_hash = salted_hmac("forms.client", client, algorithm="sha256").hexdigest()
    content = json.dumps([client_hash, form, data, is_suspected], sort_keys=True)
    key = sha256(content.encode()).hexdigest()
    Submission.objects.filter(fresh_key=key, created_at__lt=timezone.now() - REPEAT_WINDOW).update(fresh_key=None)
    submission, is_new = Submission.objects.get_or_create(
        fresh_key=key,
        defaults={
            "form": form,
            "data": data,
            "language": language,
            "client": client_hash,
            "is_suspected": is_suspected,
            "request_id": request_id.get(),
        },
    )
    if is_new:
        announce.enqueue(str(submission.pk))
        if tasks.is_wanted(submission) and tasks.count(data["email"], client):
            send_copy.enqueue(str(submission.pk))
    return submission


def mark_handled(submissions: SubmissionQuerySet, *, by: Account) -> list[Submission]:
    """Record that this person has handled those of the submissions that wait, and return them.

    The others keep who handled them first, and when.
    """
    return change(submissions.waiting(), handled_at=timezone.now(), handled_by=by)


def reopen(submissions: SubmissionQuerySet) -> list[Submission]:
    """Let those of the submissions that were handled wait again, and return them."""
    return change(submissions.handled(), handled_at=None, handled_by=None)


@transaction.atomic
def change(submissions: SubmissionQuerySet, **columns: Any) -> list[Submission]:
    """Lock the rows and change them. Return them without what was sent: there may be thousands."""
    locked = submissions.order_by("pk").select_related(None).select_for_update(no_key=True)
    changed = list(locked.only("form", "created_at"))
    Submission.objects.filter(pk__in=[submission.pk for submission in changed]).update(**columns)
    return changed
