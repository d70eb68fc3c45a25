from typing import ClassVar

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html

from boards.drawing import diagram_of
from boards.models import Board
from boards.records import call_of
from config.admin.options import LargeTableAdmin


@admin.register(Board)
class BoardAdmin(LargeTableAdmin):
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
        *(
            "diagram",
            "page",
            "bidding",
            "deal",
            "dealer",
            "vulnerability",
            "contract",
            "declarer",
            "opening_lead",
        ),
        *(
            "play",
            "tricks",
            "id",
            "owner",
            "up_votes",
            "down_votes",
            "published_at",
            "created_at",
            "updated_at",
        ),
    )
    fieldsets = (
        (
            None,
            {
                "fields": (
                    "diagram",
                    "page",
                    "title",
                    "board_number",
                    "auction_system",
                    "themes",
                    "commentary",
                )
            },
        ),
        ("Where it was played", {"fields": ("event", "site", "date", "scoring")}),
        (
            "What was dealt, bid and played",
            {
                "fields": (
                    *("deal", "dealer", "vulnerability", "bidding", "contract", "declarer"),
                    *("opening_lead", "play", "tricks"),
                )
            },
        ),
        (
            "Record",
            {
                "fields": (
                    *("id", "owner", "up_votes", "down_votes"),
                    *("published_at", "created_at", "updated_at"),
                )
            },
        ),
    )
    actions = ("publish", "unpublish")

    class Media:
        css: ClassVar = {"all": ["boards/diagram.css"]}

    @admin.display(description="The hands")
    def diagram(self, board: Board) -> str:
        return render_to_string("boards/diagram.html", {"diagram": diagram_of(board)})

    @admin.display(description="Its page")
    def page(self, board: Board) -> str:
        """A draft is shown to staff who are logged in, and to nobody else but its owner."""
        text = "As everybody sees it" if board.published_at else "As it will be seen, once it is published"
        return format_html('<a href="{}">{}</a>', reverse("board-page", args=[board.pk]), text)

    @admin.display(description="Auction")
    def bidding(self, board: Board) -> str:
        return " ".join(call_of(stored)["call"] for stored in board.auction or ()) or "–"

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
