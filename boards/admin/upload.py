"""Uploading a bridge file in the admin: a preview of what it would bring, and then its import.

The file waits in the database between the two (boards.files.uploads), so that any machine can import it.
"""

from collections.abc import Callable
from typing import Any, cast
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.admin.models import ADDITION, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.safestring import SafeString
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from accounts.identifiers import SYSTEM
from accounts.models import Account
from boards.admin.fields import EventForm, ThemeField
from boards.events.dates import in_words
from boards.files.dry_run import DryRunReport, dry_run_import
from boards.files.importing import ImportReport, import_boards
from boards.files.uploads import MAX_NAME_LENGTH, Upload, keep, take, taken, uploads_of
from boards.html_diagrams import render_html
from boards.models import Board
from config.admin.options import LargeTableAdmin
from config.admin.site import commits_in_parts, refusal_page
from config.api.errors import ApiError, PayloadTooLarge
from config.edge import exports
from config.edge.security_log import log_change
from config.values.words import format_count
from deals.bridge.diagram import Diagram
from deals.bridge.outcomes import RecordError, RecordRemark, RecordWarning

MAX_BOARDS = 10_000
"""The boards of a file that is imported here. One request reads it whole, and a proxy waits for that."""

MAX_REMARKS = 200
MAX_EVENTS = 10

KINDS = {RecordError: "refused", RecordWarning: "repaired"}
REFUSED = "This file cannot be imported here"


class UploadForm(forms.Form):
    file = forms.FileField(
        max_length=MAX_NAME_LENGTH,
        help_text="PBN, LIN, USEBIO, RBN, a dealing machine's file (DLM, DUP, BRI, DGE), links to a hand viewer, or a"
        " ZIP of such files. Up to 16 MiB.",
    )
    owner = forms.ModelChoiceField(
        Account.objects.filter(Q(is_active=True) | Q(pk=SYSTEM)),
        initial=SYSTEM,
        widget=forms.TextInput,
        help_text="The id of the account that may see the boards while they are drafts. “system” is the service.",
    )


class ImportForm(EventForm):
    """What the boards of a file get: all of them the theme, and those without an event, site or date these."""

    field_order = ("theme", "event", "site", "date")
    theme = ThemeField(required=False, help_text="All boards of the file are put under it.")


class UploadPages(LargeTableAdmin):
    """The pages for staff who may add boards: a file is chosen, looked at and imported."""

    change_list_template = "admin/boards/board/change_list.html"

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return False: nobody types a board in. Who has the right to add boards uploads files."""
        return False

    def may_upload(self, request: HttpRequest) -> bool:
        return request.user.has_perm("boards.add_board")

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        return [
            path("upload/", wrap(self.upload_view), name="boards_board_upload"),
            path("upload/<uuid:upload_id>/", wrap(self.preview_view), name="boards_board_preview"),
            *super().get_urls(),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        context = {"may_upload": self.may_upload(request), **(extra_context or {})}
        return super().changelist_view(request, context)

    @commits_in_parts  # It stores one row. A transaction that was run again would find the file read to its end.
    @csrf_exempt  # Until the session is known: else Django would read strangers' files to look for the token.
    def upload_view(self, request: HttpRequest) -> HttpResponseBase:
        """Take a file, and lead to its preview."""
        if not self.may_upload(request):
            raise PermissionDenied
        return cast(Callable[..., HttpResponseBase], csrf_protect(self.take_file))(request)

    def take_file(self, request: HttpRequest) -> HttpResponseBase:
        form = UploadForm(request.POST, request.FILES) if request.method == "POST" else UploadForm()
        if not form.is_valid():
            return self.show(request, "upload", "Upload a file", form=form)
        file = form.cleaned_data["file"]
        upload = keep(
            uploader=staff_of(request), owner=form.cleaned_data["owner"], name=file.name, content=file.read()
        )
        return HttpResponseRedirect(reverse("admin:boards_board_preview", args=[upload.pk]))

    @commits_in_parts
    def preview_view(self, request: HttpRequest, upload_id: UUID) -> HttpResponseBase:
        """Show what the import would do, or do it. Reading a file is work: only a few requests do it at once."""
        if not self.may_upload(request):
            raise PermissionDenied
        if "cancel" in request.POST:
            take(uploader=staff_of(request), upload_id=upload_id)
            return HttpResponseRedirect(reverse("admin:boards_board_changelist"))
        upload = uploads_of(staff_of(request)).filter(pk=upload_id).first()
        if upload is None:
            return self.lead_back(request)
        try:
            with exports.place(request):
                return self.preview_or_import(request, upload)
        except ApiError as error:
            return refusal_page(request, error, title=REFUSED)

    def preview_or_import(self, request: HttpRequest, upload: Upload) -> HttpResponseBase:
        form = ImportForm(request.POST) if request.method == "POST" else ImportForm()
        if form.is_valid():
            return self.import_file(request, upload.pk, form)
        report = dry_run_import(file=upload.open(), owner_id=owner_of(upload), on_progress=check_size)
        return self.show(
            request,
            "preview",
            f"Preview of {upload.name}",
            form=form,
            upload=upload,
            **describe_preview(report),
        )

    def import_file(self, request: HttpRequest, upload_id: UUID, form: ImportForm) -> HttpResponseBase:
        """Import the file and forget it, so that the same page sent again imports nothing. Keep one that fails."""
        publish = "publish" in request.POST
        if publish and not self.has_change_permission(request):
            raise PermissionDenied
        with taken(uploader=staff_of(request), upload_id=upload_id) as upload:
            if upload is None:
                return self.lead_back(request)
            report = import_boards(
                file=upload.open(),
                owner_id=owner_of(upload),
                themes=[theme] if (theme := form.cleaned_data["theme"]) else [],
                publish=publish,
                texts=form.texts,
                on_progress=check_size,
            )
        self.record(request, upload, report)
        self.message_user(request, describe_import(upload, report, publish=publish), messages.SUCCESS)
        return HttpResponseRedirect(reverse("admin:boards_board_changelist"))

    def record(self, request: HttpRequest, upload: Upload, report: ImportReport) -> None:
        LogEntry.objects.create(
            user_id=staff_of(request).pk,
            content_type=ContentType.objects.get_for_model(Board),
            object_repr=f"{upload.name}: {format_count(report.boards, 'new board')}",
            action_flag=ADDITION,
            change_message="Uploaded a file.",
        )
        log_change("boards_uploaded", boards=report.boards, owner=upload.owner_id)

    def lead_back(self, request: HttpRequest) -> HttpResponseBase:
        self.message_user(
            request,
            "This file is not here any more: it was imported, or it is older than a day. "
            "If its boards are not in the list, upload it again.",
            messages.WARNING,
        )
        return HttpResponseRedirect(reverse("admin:boards_board_changelist"))

    def show(self, request: HttpRequest, page: str, title: str, **context: Any) -> HttpResponseBase:
        context |= {
            **self.admin_site.each_context(request),
            "title": title,
            "opts": self.opts,
            "media": self.media + context["form"].media,
            "may_publish": self.has_change_permission(request),
        }
        return TemplateResponse(request, f"admin/boards/board/{page}.html", context)


def staff_of(request: HttpRequest) -> Account:
    """Return who is logged in: config.admin.site lets nobody else in."""
    return cast(Account, request.user)


def owner_of(upload: Upload) -> str:
    """Return the owner's id, which to the stubs may be None, since the column has a default."""
    return cast(str, upload.owner_id)


def check_size(report: DryRunReport | ImportReport) -> None:
    """Raise PayloadTooLarge for a file with more boards than a request should read."""
    boards = report.boards if isinstance(report, DryRunReport) else report.board_ids
    if len(boards) > MAX_BOARDS:
        raise PayloadTooLarge(
            f"The file has more than {MAX_BOARDS:,} boards. Split it, or let an operator import it with "
            "manage.py import_boards."
        )


def describe_preview(report: DryRunReport) -> dict[str, Any]:
    """Return what the template shows of a dry run."""
    new = sum(report.boards.values())
    remarks = sorted([*report.failed, *report.warnings], key=lambda remark: remark.record)
    return {
        "new": new,
        "known": len(report.boards) - new,
        "report": report,
        "events": [
            (", ".join(filter(None, (event or "Without an event", in_words(date), site))), count)
            for (event, date, site), count in report.events.most_common(MAX_EVENTS)
        ],
        "other_events": max(len(report.events) - MAX_EVENTS, 0),
        "diagrams": [draw(record) for record in report.first],
        "remarks": [(describe_kind(remark), remark) for remark in remarks[:MAX_REMARKS]],
        "other_remarks": max(len(remarks) - MAX_REMARKS, 0),
    }


def draw(record: Any) -> SafeString:
    return render_html(Diagram(record))


def describe_kind(remark: RecordRemark) -> str:
    return KINDS[type(remark)]


def describe_import(upload: Upload, report: ImportReport, *, publish: bool) -> str:
    """Say what came of a file: "evening.pbn: 24 new boards, published. 2 boards were here already."."""
    known = len(report.board_ids) - report.boards
    sentences = [
        f"{upload.name}: {format_count(report.boards, 'new board')}, {'published' if publish else 'as drafts'}.",
        f"Here already: {known:,}." * bool(known),
        f"Refused: {format_count(len(report.failed), 'record')}." * bool(report.failed),
    ]
    return " ".join(filter(None, sentences))
