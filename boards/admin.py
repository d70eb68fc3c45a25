from typing import Any, ClassVar

from django.contrib import admin, messages
from django.db import models
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html

from boards.catalogue.refreshing import refresh
from boards.diagrams import diagram_of
from boards.html_diagrams import render_html
from boards.models import Board
from boards.records import decode_call
from boards.services import publish_draft, unpublish_board
from config.admin.options import LargeTableAdmin
from config.values.words import format_count

DEAL_FIELDS = (
    "deal",
    "dealer",
    "vulnerability",
    "bidding",
    "contract",
    "declarer",
    "opening_lead",
    "play",
    "tricks",
    "room",
    "table",
    "home_team",
    "visit_team",
    "system_text",
)
RECORD_FIELDS = ("id", "owner", "up_votes", "down_votes", "published_at", "created_at", "updated_at")


@admin.register(Board)
class BoardAdmin(LargeTableAdmin):
    """Staff edit texts, board number, auction system and themes. Deal, auction and play come through the API only."""

    # An import keeps commentaries that are longer than the API takes. Staff must be able to save such a board.
    formfield_overrides = {**LargeTableAdmin.formfield_overrides, models.TextField: {"max_length": None}}
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
    readonly_fields = ("diagram", "page", *DEAL_FIELDS, *RECORD_FIELDS)
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
        ("Event", {"fields": ("event", "stage", "site", "date", "scoring")}),
        ("Deal, auction and play", {"fields": DEAL_FIELDS}),
        ("Record", {"fields": RECORD_FIELDS}),
    )
    actions = ("publish", "unpublish")

    class Media:
        css: ClassVar = {"all": ["boards/diagram.css"]}

    @admin.display(description="Hands")
    def diagram(self, board: Board) -> str:
        return render_html(diagram_of(board))

    @admin.display(description="Page")
    def page(self, board: Board) -> str:
        """Link to the board's page. Staff who are logged in may open it for a draft too."""
        text = "Open the board's page" if board.published_at else "Preview the draft's page"
        return format_html('<a href="{}">{}</a>', reverse("board-page", args=[board.pk]), text)

    @admin.display(description="Auction")
    def bidding(self, board: Board) -> str:
        return " ".join(decode_call(stored)["call"] for stored in board.auction or ()) or "–"

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Store the themes, which the admin does last, and then what readers get."""
        super().save_related(request, form, formsets, change)
        refresh([form.instance.pk])

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Board]) -> None:
        """Delete the boards one by one, because each must be locked before its votes."""
        for board in queryset:
            board.delete()

    @admin.action(description="Publish selected boards", permissions=["change"])
    def publish(self, request: HttpRequest, boards: QuerySet[Board]) -> None:
        published = sum(publish_draft(board) for board in boards)
        self.message_user(request, f"Published {format_count(published, 'board')}.", messages.SUCCESS)

    @admin.action(description="Unpublish selected boards", permissions=["change"])
    def unpublish(self, request: HttpRequest, boards: QuerySet[Board]) -> None:
        unpublished = sum(unpublish_board(board) for board in boards)
        self.message_user(request, f"Unpublished {format_count(unpublished, 'board')}.", messages.SUCCESS)
