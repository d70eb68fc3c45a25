from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, StreamingHttpResponse
from django.utils import timezone

from config.admin.options import LargeTableAdmin
from forms.admin_filters import SentBy
from forms.csv_export import stream_csv
from forms.models import Submission


@admin.register(Submission)
class SubmissionAdmin(LargeTableAdmin):
    """What visitors sent: read, marked as handled, and exported."""

    list_display = ("created_at", "form", "handled_at", "handled_by")
    list_filter = (SentBy, "form", ("handled_at", admin.EmptyFieldListFilter), "created_at")
    list_select_related = ("handled_by",)
    search_fields = ("id", "data", "request_id")
    readonly_fields = (
        "id",
        "form",
        "data",
        "language",
        "is_suspected",
        "created_at",
        "request_id",
        "handled_at",
        "handled_by",
    )
    fields = readonly_fields
    actions = ("mark_handled", "export_csv")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    @admin.action(description="Mark selected submissions as handled", permissions=["change"])
    def mark_handled(self, request: HttpRequest, submissions: QuerySet[Submission]) -> None:
        open_ones = submissions.filter(handled_at__isnull=True)
        changed = open_ones.update(handled_at=timezone.now(), handled_by=request.user)
        self.message_user(request, f"{changed} submissions marked as handled.")

    @admin.action(description="Export selected submissions as CSV", permissions=["view"])
    def export_csv(self, request: HttpRequest, submissions: QuerySet[Submission]) -> StreamingHttpResponse:
        name = f"submissions-{timezone.now():%Y-%m-%d}.csv"
        response = StreamingHttpResponse(stream_csv(submissions), content_type="text/csv; charset=utf-8")
        response["Content-Disposition"] = f'attachment; filename="{name}"'
        response["Cache-Control"] = "private, no-store"
        return response
