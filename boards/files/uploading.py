"""From a file that somebody uploads to its boards. The pages of the admin and of members go through this.

A file is received, its preview is read, and then it is imported, once. Decision 0036 says why the database keeps it.
"""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import Account
from accounts.services import lock_alone, lock_if_active
from boards.events.file_rankings import FileRankings
from boards.files import previews
from boards.files.importing import import_boards, too_many_boards
from boards.files.options import ImportOptions, TooManyRecords
from boards.files.previews import UNREAD, check_size, is_small
from boards.files.reports import ImportReport
from boards.files.tasks import preview_upload
from boards.models import Board, Upload
from boards.models.uploads import MAX_NAME_LENGTH
from config.api.errors import InvalidToken, PayloadTooLarge
from config.database.retention import Retention
from config.values.words import format_count

MAX_UPLOADS = 5
"""The files that one account may have here. One more takes the place of the oldest."""

RETENTION_DAYS = 1
PATIENCE = timedelta(minutes=1)
"""How long a request may read a small file. Then the worker reads it, unless it is read."""

GONE = "This file is gone: it was imported, or is older than a day. If its boards are not in the list, upload it again."


@transaction.atomic
def take(*, uploader: Account, upload_id: UUID) -> Upload | None:
    """Delete the file and return it, once: who sends the form again or clicks twice finds nothing more to import."""
    upload = uploads_of(uploader).select_for_update().filter(pk=upload_id).first()
    if upload:
        Upload.objects.filter(pk=upload.pk).delete()
    return upload


def uploads_of(account: Account) -> QuerySet[Upload]:
    return Upload.objects.filter(uploader=account)


def expired_uploads(before: datetime) -> QuerySet[Upload]:
    return Upload.objects.filter(created_at__lt=before)


RETENTION = Retention("uploaded files", "", expired_uploads, days=RETENTION_DAYS)


def receive(*, uploader: Account, owner: Account, name: str, content: bytes, renumbered: bool = False) -> Upload:
    """Keep a file for its preview. The worker reads one that is not small.

    Delete the uploader's oldest files beyond MAX_UPLOADS, and the expired ones of all.
    """
    preview = None if is_small(content) else UNREAD
    expired_uploads(timezone.now() - timedelta(days=RETENTION_DAYS)).delete()
    with transaction.atomic():
        if not lock_alone(uploader.pk):  # its files are counted
            raise InvalidToken("This account is not active.")
        kept = uploads_of(uploader).order_by("-created_at", "id")[: MAX_UPLOADS - 1]
        uploads_of(uploader).exclude(pk__in=list(kept.values_list("pk", flat=True))).delete()
        upload = Upload.objects.create(
            uploader=uploader,
            owner=owner,
            name=name[-MAX_NAME_LENGTH:],
            content=content,
            preview=preview,
            renumbered=renumbered,
        )
        if preview:
            preview_upload.enqueue(str(upload.pk))
    return upload


def read_preview(upload: Upload) -> dict[str, Any]:
    """Return what a page shows of a file (boards.files.previews). Raise PayloadTooLarge, or Upload.DoesNotExist.

    A small file is read at the first look, which marks it before, so that others only wait for it. The worker reads one
    of many records, and one whose reading was broken off.
    """
    if upload.preview is None and mark_as_begun(upload.pk):
        try:
            previews.read_for_preview(upload.pk, previews.MAX_RECORDS)
        except TooManyRecords:
            preview_upload.enqueue(str(upload.pk))
    if upload.preview is None:
        upload.refresh_from_db(fields=["preview"])
    check_refusal(upload)
    return upload.preview or UNREAD


@transaction.atomic
def mark_as_begun(upload_id: UUID) -> bool:
    """Mark a small file that is about to be read. Return False for one that is marked already.

    The worker comes to it later, and reads it if this was broken off.
    """
    is_first = Upload.objects.filter(pk=upload_id, preview__isnull=True).update(preview=UNREAD) > 0
    if is_first:
        preview_upload.using(run_after=timezone.now() + PATIENCE).enqueue(str(upload_id))
    return is_first


def check_refusal(upload: Upload) -> None:
    """Raise PayloadTooLarge for a file that was read and has too many boards."""
    if refusal := (upload.preview or {}).get("refusal"):
        raise PayloadTooLarge(refusal)


def boards_left(owner_id: str, max_owned: int) -> int:
    return max(0, max_owned - Board.objects.filter(owner=owner_id).order_by().count())


def check_room(upload: Upload, max_owned: int) -> None:
    """Raise ValidationFailed for more new boards than are left, and PayloadTooLarge for a file that is too large.

    A count that the worker stored is enough when it fits. Else count now: some of the boards may have come in since.
    """
    check_refusal(upload)
    left = boards_left(str(upload.owner_id), max_owned)
    stored_count = (upload.preview or {}).get("new")
    if stored_count is not None and stored_count <= left:
        return
    if previews.preview_of(upload)["new"] > left:
        raise too_many_boards(max_owned)


def import_upload(*, uploader: Account, upload_id: UUID, options: ImportOptions) -> tuple[Upload, ImportReport]:
    """Import a file and forget it, so that the same page sent again imports nothing.

    Put it back when that fails, unless its people were erased: what is stored by then is known to the next import. Its
    owner, and whether it is renumbered, were said when it was sent. Raise Upload.DoesNotExist for a file that has
    gone. With `max_owned` raise ValidationFailed for a file with more new boards than are left: before anything is
    stored, unless other boards of the owner come in at the same time.
    """
    upload = take(uploader=uploader, upload_id=upload_id)
    if upload is None:
        raise Upload.DoesNotExist
    try:
        if options.max_owned is not None:
            check_room(upload, options.max_owned)
        options = replace(options, owner_id=str(upload.owner_id), renumbered=upload.renumbered)
        return upload, import_boards(upload.open(), options, on_progress=check_size)
    except Exception:  # whatever it was, the file is still wanted
        with transaction.atomic():
            if lock_if_active(uploader.pk) and lock_if_active(str(upload.owner_id)):
                upload.save(force_insert=True)
                if "read" in (upload.preview or {}):  # its task has ended since
                    preview_upload.enqueue(str(upload.pk))
        raise


def describe_rankings(rankings: FileRankings) -> str:
    """Say how many rankings a file gives, and whether they are left out since none of its boards is published."""
    given = f"It contains {format_count(rankings.count, 'ranking')}"
    why = "" if rankings.stored else ", left out: a ranking is only imported with boards that are published at once"
    return f"{given}{why}." * bool(rankings.count)


def describe_import(upload: Upload, report: ImportReport, outcome: str) -> str:
    """Say what came of a file: "evening.pbn: 24 new boards, published. Already stored: 2."."""
    known = len(report.board_ids) - report.boards - report.corrected_count
    sentences = [
        f"{upload.name}: {format_count(report.boards, 'new board')}, {outcome}.",
        f"Corrected: {report.corrected_count:,}." * bool(report.corrected),
        f"Published boards that differ from the file, left unchanged: {report.left_alone:,}. Ask staff to correct them."
        * bool(report.left_alone),
        f"Already stored: {known:,}." * bool(known),
        report.points.sentence(),
        describe_rankings(report.rankings),
        f"Drafts to check before they are published: {len(report.doubtful_ids):,}." * bool(report.doubtful_ids),
        f"Refused: {format_count(len(report.failed), 'record')}." * bool(report.failed),
    ]
    return " ".join(filter(None, sentences))
