from collections.abc import Collection
from typing import Any, ClassVar

from django.contrib import admin
from django.db import models
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html

from boards.admin.bulk import BulkChanges
from boards.admin.filters import PlayedFilter, PublishedFilter
from boards.admin.upload import UploadPages
from boards.catalogue.refreshing import refresh
from boards.diagrams import diagram_of
from boards.events.dates import in_words
from boards.html_diagrams import render_html
from boards.models import Board
from boards.names import heading_of, table_of
from boards.records import decode_call
from config.admin.options import LargeTableAdmin
from config.values.words import format_count
from deals.bridge.names import SEAT_NAMES, SUIT_SYMBOLS

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
class BoardAdmin(UploadPages, BulkChanges, LargeTableAdmin):
    """Staff edit texts, board number, auction system and themes. Deal, auction and play come in files or by the API."""

    # An import keeps commentaries that are longer than the API takes. Staff must be able to save such a board.
    formfield_overrides = {**LargeTableAdmin.formfield_overrides, models.TextField: {"max_length": None}}
    list_display = ("name", "board_number", "played", "outcome", "owner", "publication")
    list_filter = (PlayedFilter, PublishedFilter, "dealer", "vulnerability")
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

    class Media:
        css: ClassVar = {"all": ["boards/diagram.css", "boards/admin.css"]}

    @admin.display(description="Name", ordering="title")
    def name(self, board: Board) -> str:
        return board.title or heading_of(board) or "Untitled board"

    @admin.display(description="Event", ordering="event")
    def played(self, board: Board) -> str:
        """Tell boards of one number apart: "Friday pairs, 20 November 2026, Deventer, table 3"."""
        parts = (board.event, in_words(board.date), board.stage, board.site, *table_of(board))
        return ", ".join(filter(None, parts)) or "–"

    @admin.display(description="Contract", ordering="contract")
    def outcome(self, board: Board) -> str:
        contract = board.final_contract
        if contract is None:
            return "–"
        if contract.passed_out or contract.declarer is None:
            return "Passed out"
        symbol = SUIT_SYMBOLS.get(contract.denomination or "", "NT")
        return f"{contract.level}{symbol}{contract.doubled} {SEAT_NAMES[contract.declarer]}"

    @admin.display(description="Published", ordering="published_at")
    def publication(self, board: Board) -> str:
        return f"{board.published_at:%Y-%m-%d %H:%M}" if board.published_at else "Draft"

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

    def get_deleted_objects(
        self, objs: Collection[Board], request: HttpRequest
    ) -> tuple[list[Any], dict[str, int], set[str], list[Any]]:
        """Count what goes with a board: Django would list each vote, and ask for the right to delete votes."""
        votes = sum(board.up_votes + board.down_votes for board in objs)
        names = [
            f"{self.name(board)}, {format_count(board.up_votes + board.down_votes, 'vote')}" for board in objs
        ]
        return names, {"boards": len(objs), "votes": votes}, set(), []
