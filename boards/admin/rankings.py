from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from boards.models import EventRanking
from config.admin.options import ReadOnlyAdmin


@admin.register(EventRanking)
class EventRankingAdmin(ReadOnlyAdmin):
    """Staff look at the rankings that came with files. One that is wrong is deleted, or sent again."""

    list_display = ("event_slug", "stage_key", "owner", "unit", "updated_at")
    list_select_related = ("owner",)
    search_fields = ("event_slug", "owner__id")

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return request.user.has_perm("boards.delete_eventranking")
