from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db.models import QuerySet
from django.http import HttpRequest, StreamingHttpResponse
from django.utils import timezone

from config.admin.options import LargeTableAdmin
from config.values.words import format_count
from forms.csv_export import stream_csv
from forms.models import Submission


class SenderFilter(admin.SimpleListFilter):
    """Choose between people and robots. Robots' submissions are hidden until somebody chooses them."""

    title = "sent by"
    parameter_name = "sentBy"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("robots", "Suspected robots"), ("all", "People and robots")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Submission]) -> QuerySet[Submission]:
        if self.value() == "all":
            return queryset
        return queryset.filter(is_suspected=self.value() == "robots")

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        """Call the first choice "People", since Django would call it "All"."""
        people, *others = super().choices(changelist)
        yield {**people, "display": "People"}
        yield from others


@admin.register(Submission)
class SubmissionAdmin(LargeTableAdmin):
    """Staff read submissions, mark them as handled and export them. Nobody adds one here."""

    list_display = ("created_at", "form", "handled_at", "handled_by")
    list_filter = (SenderFilter, "form", ("handled_at", admin.EmptyFieldListFilter), "created_at")
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
        unhandled = submissions.filter(handled_at__isnull=True)
        changed = unhandled.update(handled_at=timezone.now(), handled_by=request.user)
        self.message_user(request, f"Marked {format_count(changed, 'submission')} as handled.")

    @admin.action(description="Export selected submissions as CSV", permissions=["view"])
    def export_csv(self, request: HttpRequest, submissions: QuerySet[Submission]) -> StreamingHttpResponse:
        name = f"submissions-{timezone.now():%Y-%m-%d}.csv"
        response = StreamingHttpResponse(stream_csv(submissions), content_type="text/csv; charset=utf-8")
        response["Content-Disposition"] = f'attachment; filename="{name}"'
        response["Cache-Control"] = "private, no-store"
        return response
