"""Files that are uploaded, and looked at before they are imported. Decision 0036 says why they are in the database."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import Account
from accounts.services import lock_if_active
from boards.models import Upload
from boards.models.uploads import MAX_NAME_LENGTH
from config.database.retention import Retention

MAX_UPLOADS = 5
"""The files that one account may have here. One more takes the place of the oldest."""

RETENTION_DAYS = 1


def keep(*, uploader: Account, owner: Account, name: str, content: bytes, **more: Any) -> Upload:
    """Store a file for its preview. Delete the uploader's oldest beyond MAX_UPLOADS, and the expired ones of all."""
    expired_uploads(timezone.now() - timedelta(days=RETENTION_DAYS)).delete()
    with transaction.atomic():
        own = uploads_of(uploader).order_by("-created_at", "id")
        Upload.objects.filter(pk__in=list(own.values_list("pk", flat=True)[MAX_UPLOADS - 1 :])).delete()
        return Upload.objects.create(
            uploader=uploader, owner=owner, name=name[-MAX_NAME_LENGTH:], content=content, **more
        )


@transaction.atomic
def take(*, uploader: Account, upload_id: uuid.UUID) -> Upload | None:
    """Delete the file and return it, once: who sends the form again or clicks twice finds nothing more to import."""
    upload = uploads_of(uploader).select_for_update().filter(pk=upload_id).first()
    if upload:
        Upload.objects.filter(pk=upload.pk).delete()
    return upload


@contextmanager
def taken(*, uploader: Account, upload_id: uuid.UUID) -> Iterator[Upload | None]:
    """Take the file for the block that imports it. Put it back when the block fails, unless its people were erased.

    What an import has stored by then is known to the next one, so that nothing is stored twice.
    """
    upload = take(uploader=uploader, upload_id=upload_id)
    try:
        yield upload
    except Exception:  # whatever it was, the file is still wanted
        with transaction.atomic():
            if upload and lock_if_active(uploader.pk) and lock_if_active(str(upload.owner_id)):
                upload.save(force_insert=True)
        raise


def uploads_of(account: Account) -> QuerySet[Upload]:
    return Upload.objects.filter(uploader=account)


def expired_uploads(before: datetime) -> QuerySet[Upload]:
    return Upload.objects.filter(created_at__lt=before)


def delete_uploads(keys: list[uuid.UUID], before: datetime) -> int:
    return Upload.objects.filter(pk__in=keys).delete()[0]


RETENTION = Retention("uploaded files", "", expired_uploads, delete_uploads, RETENTION_DAYS)
