from typing import ClassVar

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.loader import render_to_string

from boards.drawing import diagram_of
from boards.models import Board
from config.api.admin import UncountedAdmin


@admin.register(Board)
class BoardAdmin(UncountedAdmin):
    """Texts and themes are edited here; what was dealt, bid and played comes in through the API."""

    list_display = (
        "__str__",
        "board_number",
        "dealer",
        "vulnerability",
        "contract",
        "declarer",
        "owner",
        "published_at",
    )
    list_filter = ("dealer", "vulnerability", ("published_at", admin.EmptyFieldListFilter))
    list_select_related = ("owner",)
    search_fields = ("id", "title", "event", "deal__cards")
    autocomplete_fields = ("auction_system", "themes")
    readonly_fields = (
        "diagram",
        "id",
        "deal",
        "owner",
        "dealer",
        "vulnerability",
        "auction",
        "contract",
        "declarer",
        "opening_lead",
        "play",
        "tricks",
        "up_votes",
        "down_votes",
        "published_at",
        "created_at",
        "updated_at",
    )
    actions = ("publish", "unpublish")

    class Media:
        css: ClassVar = {"all": ["boards/diagram.css"]}

    @admin.display(description="The hands")
    def diagram(self, board: Board) -> str:
        return render_to_string("boards/diagram.html", {"diagram": diagram_of(board)})

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    @admin.action(description="Publish selected boards", permissions=["change"])
    def publish(self, request: HttpRequest, boards: QuerySet[Board]) -> None:
        changed = sum(board.publish() for board in boards)
        self.message_user(request, f"{changed} boards published.", messages.SUCCESS)

    @admin.action(description="Unpublish selected boards", permissions=["change"])
    def unpublish(self, request: HttpRequest, boards: QuerySet[Board]) -> None:
        changed = sum(board.unpublish() for board in boards)
        self.message_user(request, f"{changed} boards are drafts again.", messages.SUCCESS)
