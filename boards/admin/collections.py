from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join

from boards.collections.services import lift, take_back
from boards.models import Collection
from boards.models.names import full_name_of
from config.admin.options import ReadOnlyAdmin
from config.edge.security.security_log import log_change
from config.values.words import format_count


@admin.register(Collection)
class CollectionAdmin(ReadOnlyAdmin):
    """Staff look at what others can read, take it back, and lift that again. Private ones are their owner's."""

    list_display = ("title", "owner", "visibility", "withheld_at", "published_at", "updated_at")
    list_filter = ("visibility",)
    list_select_related = ("owner",)
    search_fields = ("title", "owner__id")
    actions = ("take_back", "lift")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Collection]:
        private = Q(visibility=Collection.Visibility.PRIVATE, withheld_at=None)
        return super().get_queryset(request).exclude(private)

    def get_readonly_fields(self, request: HttpRequest, obj: Collection | None = None) -> list[str]:
        return [*super().get_readonly_fields(request, obj), "contents"]

    def has_take_back_permission(self, request: HttpRequest) -> bool:
        """Tell whether the group may take collections back: the right to change them, which no page here does."""
        return request.user.has_perm("boards.change_collection")

    @admin.display(description="Boards and notes")
    def contents(self, collection: Collection) -> str:
        entries = collection.entries.select_related("board")
        lines = ((full_name_of(entry.board) or entry.board_id, entry.note) for entry in entries)
        return format_html("<ol>{}</ol>", format_html_join("", "<li>{}<br>{}</li>", lines))

    @admin.action(description="Make selected collections private", permissions=["take_back"])
    def take_back(self, request: HttpRequest, collections: QuerySet[Collection]) -> None:
        changed = [each for each in collections if take_back(each.pk)]
        self.record(request, changed, "take back", "Made private.", "made private")

    @admin.action(description="Let owners share selected collections again", permissions=["take_back"])
    def lift(self, request: HttpRequest, collections: QuerySet[Collection]) -> None:
        changed = [each for each in collections if lift(each.pk)]
        self.record(request, changed, "let share", "Let its owner share it again.", "may be shared again")

    def record(self, request: HttpRequest, changed: list[Collection], change: str, message: str, outcome: str) -> None:
        log_change("collections_changed", change=change, collections=len(changed))
        for collection in changed:
            self.log_change(request, collection, message)
        self.message_user(request, f"{format_count(len(changed), 'collection')} {outcome}.")
