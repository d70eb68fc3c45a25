import json
from datetime import timedelta
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac

from config.edge.client_address import client_network
from config.site.languages import preferred_language
from config.values.request_id import request_id
from forms.models import Submission
from forms.tasks import announce

SAME_WITHIN = timedelta(minutes=10)


@transaction.atomic
def submit(*, request: HttpRequest, form: str, data: dict[str, Any], is_suspected: bool) -> Submission:
    """Store what a visitor sent. The same content from the same client within ten minutes is one submission.

    `fresh_key` is unique, so two equal requests at once make one row; it is taken off a row that has aged. What a
    robot seems to have sent is never the same as what a person sent.
    """
    client = salted_hmac("forms.client", client_network(request), algorithm="sha256").hexdigest()
    content = json.dumps([client, form, data, is_suspected], sort_keys=True)
    key = sha256(content.encode()).hexdigest()
    Submission.objects.filter(fresh_key=key, created_at__lt=timezone.now() - SAME_WITHIN).update(
        fresh_key=None
    )
    submission, is_new = Submission.objects.get_or_create(
        fresh_key=key,
        defaults={
            "form": form,
            "data": data,
            "language": preferred_language(request),
            "client": client,
            "is_suspected": is_suspected,
            "request_id": request_id.get(),
        },
    )
    if is_new:
        announce.enqueue(str(submission.pk))
    return submission
