from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join

from boards.models import EventRanking
from bridge.formats.rankings import GivenPlace
from config.admin.options import ReadOnlyAdmin


@admin.register(EventRanking)
class EventRankingAdmin(ReadOnlyAdmin):
    """Staff look at the rankings that came with files. One that is wrong is deleted, or sent again."""

    list_display = ("event", "stage", "owner", "unit", "updated_at")
    list_select_related = ("event", "owner")
    search_fields = ("event__name", "owner__id")
    fields = (*list_display, "ranking")

    def get_readonly_fields(self, request: HttpRequest, obj: EventRanking | None = None) -> list[str]:
        return [*super().get_readonly_fields(request, obj), "stage", "ranking"]

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return request.user.has_perm("boards.delete_eventranking")

    @admin.display(description="Stage", ordering="stage_key")
    def stage(self, ranking: EventRanking) -> str:
        return ranking.stage_key or "The whole event"

    @admin.display(description="Pairs")
    def ranking(self, ranking: EventRanking) -> str:
        places = [GivenPlace(*values) for values in ranking.places]
        lines = ((each.rank, each.pair, each.side, "–" if each.points is None else each.points) for each in places)
        return format_html("<ul>{}</ul>", format_html_join("", "<li>{}. {} {}: {}</li>", lines))
