"""Uploading a bridge file in the admin: a preview of what it would bring, and then its import.

The file waits in the database between the two (boards.files.uploading), so that any machine can import it.
"""

from collections.abc import Callable, Iterator
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
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from accounts.identifiers import SYSTEM
from accounts.models import Account
from boards.files.options import ImportOptions
from boards.files.previews import MAX_EVENTS
from boards.files.reports import ImportReport
from boards.files.uploading import GONE, describe_import, import_upload, read_preview, receive, take, uploads_of
from boards.forms import FileForm, ImportForm
from boards.models import Board, Event, PublishedBoard, Upload
from config.admin.options import LargeTableAdmin, check_ids
from config.admin.site import commits_in_parts, refusal_page
from config.api.errors import ApiError
from config.edge.limits import exports
from config.edge.security.security_log import log_change
from config.values.words import format_count

REFUSED = "This file cannot be imported"


class StaffUploadForm(FileForm):
    owner = forms.ModelChoiceField(
        Account.objects.filter(Q(is_active=True) | Q(pk=SYSTEM)),
        initial=SYSTEM,
        widget=forms.TextInput,
        help_text="The id of the account that may see the boards while they are drafts. “system” is the service.",
    )


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
        opened_at = timezone.now()  # before the list is read: whoever sees it has seen nothing later
        context = {"may_upload": self.may_upload(request), **(extra_context or {})}
        response = super().changelist_view(request, context)
        if form := getattr(response, "context_data", {}).get("action_form"):
            form.initial["opened_at"] = opened_at.isoformat()
        return response

    @commits_in_parts  # It stores one row. A transaction that was run again would find the file read to its end.
    @csrf_exempt  # Until the session is known: else Django would read strangers' files to look for the token.
    def upload_view(self, request: HttpRequest) -> HttpResponseBase:
        if not self.may_upload(request):
            raise PermissionDenied
        return cast(Callable[..., HttpResponseBase], csrf_protect(self.take_file))(request)

    def take_file(self, request: HttpRequest) -> HttpResponseBase:
        form = StaffUploadForm(request.POST, request.FILES) if request.method == "POST" else StaffUploadForm()
        check_ids(Account, request.POST.getlist("owner"))
        if not form.is_valid():
            return self.show_form(request, "upload", "Upload a file", form=form)
        upload = receive(uploader=staff_of(request), owner=form.cleaned_data["owner"], **form.read())
        return HttpResponseRedirect(reverse("admin:boards_board_preview", args=[upload.pk]))

    @commits_in_parts
    def preview_view(self, request: HttpRequest, upload_id: UUID) -> HttpResponseBase:
        """Show what the import would do, or do it. Importing is work: only a few requests do it at once."""
        if not self.may_upload(request):
            raise PermissionDenied
        if "cancel" in request.POST:
            take(uploader=staff_of(request), upload_id=upload_id)
            return HttpResponseRedirect(reverse("admin:boards_board_changelist"))
        upload = uploads_of(staff_of(request)).defer("content").filter(pk=upload_id).first()
        if upload is None:
            return self.lead_back(request)
        try:
            return self.preview_or_import(request, upload)
        except Upload.DoesNotExist:  # it has gone since
            return self.lead_back(request)
        except ApiError as error:
            return refusal_page(request, error, title=error.title or REFUSED)

    def preview_or_import(self, request: HttpRequest, upload: Upload) -> HttpResponseBase:
        form = ImportForm(request.POST) if request.method == "POST" else ImportForm()
        if form.is_valid():
            with exports.staff_permit():
                return self.import_file(request, upload.pk, form)
        preview = read_preview(upload)
        form.initial["theme"] = preview.get("theme")
        page, doing = ("preview", "Preview of") if "new" in preview else ("reading", "Reading")
        return self.show_form(request, page, f"{doing} {upload.name}", form=form, upload=upload, **preview)

    def import_file(self, request: HttpRequest, upload_id: UUID, form: ImportForm) -> HttpResponseBase:
        """Import the file and forget it, so that the same page sent again imports nothing. Keep one that fails."""
        publish = "publish" in request.POST
        if publish and not self.has_change_permission(request):
            raise PermissionDenied
        upload, report = import_upload(
            uploader=staff_of(request),
            upload_id=upload_id,
            options=ImportOptions(themes=form.themes, texts=form.texts, publish=publish),
        )
        self.record(request, upload, report)
        done = describe_import(upload, report, "published" if publish else "as drafts")
        links = format_html_join("", "<br>{}", ((line,) for line in link_boards(report)))
        self.message_user(request, format_html("{}{}", done, links), messages.SUCCESS)
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
        self.message_user(request, GONE, messages.WARNING)
        return HttpResponseRedirect(reverse("admin:boards_board_changelist"))

    def show_form(self, request: HttpRequest, page: str, title: str, **context: Any) -> HttpResponseBase:
        may_publish, media = self.has_change_permission(request), self.media + context["form"].media
        return self.show_page(request, page, title, may_publish=may_publish, media=media, **context)


def staff_of(request: HttpRequest) -> Account:
    """Return who is logged in: config.admin.site lets nobody else in."""
    return cast(Account, request.user)


def link_boards(report: ImportReport) -> Iterator[SafeString]:
    """Yield a line of links for each event of the imported boards, one for those without an event, one for drafts."""
    published = PublishedBoard.objects.filter(board__in=list(report.board_ids)).order_by()
    slugs = set(published.values_list("event_deal__event", flat=True).distinct())
    events = Event.objects.filter(slug__in=slugs).order_by("-day", "name", "slug")
    boards, events_path = reverse("gallery"), reverse("events-page")
    for event in events[:MAX_EVENTS]:
        name = format_html('<a href="{}/{}">{}</a>', events_path, event.slug, event)
        paths = f"{boards}?event={event.slug}", f"{events_path}/{event.slug}/print"
        yield format_html('{}: <a href="{}">boards</a>, <a href="{}">hand records</a>', name, *paths)
    if len(slugs - {None}) > MAX_EVENTS:
        yield format_html('<a href="{}">More events</a>', events_path)
    if None in slugs:
        paths = boards, reverse("hand-records")
        yield format_html('Without an event: <a href="{}">boards</a>, <a href="{}">hand records</a>', *paths)
    if published.count() < len(report.board_ids):
        yield format_html('<a href="{}?published=no">Drafts</a>', reverse("admin:boards_board_changelist"))
