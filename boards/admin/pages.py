from collections.abc import Callable, Collection
from typing import Any, ClassVar

from django.contrib import admin
from django.db import models
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.formats import date_format, localize
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import capfirst

from boards.admin.bulk import BulkChanges
from boards.admin.filters import SEARCHED, PlayedFilter, PublishedFilter, VulnerabilityFilter, find_boards
from boards.admin.reviews import ReviewPage
from boards.admin.upload import UploadPages
from boards.catalogue.refreshing import refresh
from boards.drawing.auction_and_play import draw_auction, draw_play
from boards.drawing.html_diagrams import draw_outcome, render_html
from boards.drawing.symbols import card
from boards.models import Board
from boards.models.names import heading_of, table_of, title_of
from boards.records import IDENTIFYING, OF_EVENT, diagram_of, record_of
from boards.searching.filters import FILTERS
from boards.services.boards import renew_fingerprints
from boards.services.stories import STORY, lock_tables, share_story
from bridge.board import TEXTS
from bridge.dates import in_words
from bridge.names import SEAT_NAMES, SUIT_SYMBOLS
from config.admin.options import LargeTableAdmin
from config.values.words import format_count

EVENT_FIELDS = tuple(
    name for name, text in TEXTS.items() if text.shared and not (text.choices or text.of_table or name in STORY)
)
SHOWN_FIRST = ("diagram", "page", "request")
DEAL_FIELDS = (
    *("deal", "dealer", "vulnerability", "bidding", "result", "lead", "tricks_played"),
    *(name for name in IDENTIFYING if name not in EVENT_FIELDS),
    "system_text",
)
OWN_TEXTS = [name for name, text in TEXTS.items() if not (text.identifying or name in (*EVENT_FIELDS, *STORY))]
"""The texts that staff edit and that are the board's own, not its event's."""
STORY_IS_SHARED = "These texts are shared by all tables of the deal at this event that have the same owner."
HELP_TEXTS = {
    "date": "Year, month and day, such as 2026.11.21; unknown parts are question marks: 2026.11.??",
    "scoring": "How results are compared: IMP, MP (matchpoints) and others.",
}
"""What staff read beside a field where programs read how PBN has it."""
FILTERS_IN_WORDS = {"vulnerability": ("vulnerability", VulnerabilityFilter)}
RECORD_FIELDS = ("id", "owner", "up_votes", "down_votes", "published_at", "created_at", "updated_at")


def shown(description: str, draw: Callable[[Board], str]) -> Callable[["BoardAdmin", Board], str]:
    """Return what a row of a board's page shows, a dash for nothing."""
    return admin.display(description=description)(lambda _, board: draw(board) or "–")


@admin.register(Board)
class BoardAdmin(ReviewPage, UploadPages, BulkChanges, LargeTableAdmin):
    """Staff edit texts, board number, auction system and themes here, auction and play on /boards/{id}/correct."""

    # An import keeps commentaries that are longer than the API takes. Staff must be able to save such a board.
    formfield_overrides = {**LargeTableAdmin.formfield_overrides, models.TextField: {"max_length": None}}
    list_display = ("name", "no", "played", "outcome", "account", "publication")
    list_filter = (
        *(PlayedFilter, PublishedFilter),
        *(FILTERS_IN_WORDS.get(each.name, each.name) for each in FILTERS.values() if each.choices),
    )
    list_select_related = ("owner", "review")
    search_fields = SEARCHED
    search_help_text = "Words such as 5-5 majors, 3NT going down or Stayman, texts, or south(hcp>=15) is:draft"
    autocomplete_fields = ("auction_system", "themes")
    readonly_fields = (*SHOWN_FIRST, *DEAL_FIELDS, *RECORD_FIELDS)
    fieldsets = (
        (None, {"fields": (*SHOWN_FIRST, *OWN_TEXTS, "board_number", "auction_system", "themes", "commentary")}),
        ("The deal, at all its tables", {"fields": STORY, "description": STORY_IS_SHARED}),
        ("Event", {"fields": EVENT_FIELDS}),
        ("Deal, auction and play", {"fields": DEAL_FIELDS}),
        ("Record", {"fields": RECORD_FIELDS}),
    )

    shown_in_words: ClassVar = {"date": "day"}

    class Media:
        css: ClassVar = {"all": ["site/hands.css"]}

    @admin.display(description="Name", ordering="title")
    def name(self, board: Board) -> str:
        return title_of(board) or heading_of(board) or "Untitled board"

    @admin.display(description="No.", ordering="board_number", empty_value="–")
    def no(self, board: Board) -> int | None:
        """Return the number on the board: the column `number`, which sorts lists, tells people nothing."""
        return board.board_number

    @admin.display(description="Event", ordering="event")
    def played(self, board: Board) -> str:
        """Tell boards of one number apart: "Friday pairs", and below it "20 November 2026, table 3, Deventer".

        Each is one line, which a narrow column cuts at its end. The title has all of it.
        """
        details = filter(None, (in_words(board.date), *table_of(board), board.stage, board.site))
        lines = [line for line in (board.event, ", ".join(details)) if line]
        parts = format_html_join("", '<span class="line">{}</span>', ((line,) for line in lines))
        return format_html('<span title="{}">{}</span>', ", ".join(lines), parts) if lines else "–"

    @admin.display(description="Owner", ordering="owner")
    def account(self, board: Board) -> str:
        return format_html('<span title="{0}">{0}</span>', board.owner)

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
        review = getattr(board, "review", None)
        waits = f"waits since {localize(review.asked_at)}" if review and review.is_waiting else ""
        if board.published_at:
            return localize(board.published_at) + f", a change {waits}" * bool(waits)
        return capfirst(waits) or "Draft"

    @admin.display(description="Page")
    def page(self, board: Board) -> str:
        """Link to the board's page. Staff who are logged in may open it for a draft too."""
        text = "Open the board's page" if board.published_at else "Preview the draft's page"
        page, correction = (reverse(name, args=[board.pk]) for name in ("board-page", "board-correct"))
        return format_html(
            '<a href="{}">{}</a> – <a href="{}">Correct contract, auction and play</a>', page, text, correction
        )

    @admin.display(description="Request")
    def request(self, board: Board) -> str:
        """Say what the owner asks of staff, or what they answered."""
        review = getattr(board, "review", None)
        if review is None:
            return "–"
        if not review.is_waiting:
            return f"{review.answered_by_id} answered on {date_format(review.answered_at)}: {review.sentence}"
        address = reverse("admin:boards_board_review", args=[board.pk])
        text = '{} wants this board to be published. <a href="{}">Publish it or answer</a>'
        if review.is_change:
            text = '{} wants to change this board. <a href="{}">See what changes</a>'
        return format_html(text, board.owner, address)

    diagram = shown("Hands", lambda board: render_html(diagram_of(board)))
    bidding = shown("Auction", lambda board: draw_auction(record_of(board)))
    result = shown("Contract and result", lambda board: SafeString(draw_outcome(diagram_of(board))))
    lead = shown("Opening lead", lambda board: board.opening_lead and card(board.opening_lead))
    tricks_played = shown("Play", lambda board: draw_play(record_of(board)))
    day = shown("Date", lambda board: in_words(board.date))

    def get_readonly_fields(self, request: HttpRequest, obj: Board | None = None) -> list[str]:
        """Add the texts that files alone write: a form that had them would be an error of Django's."""
        of_files = (name for name in TEXTS if not Board._meta.get_field(name).editable)
        return [*dict.fromkeys((*super().get_readonly_fields(request, obj), *of_files))]

    def get_form(self, request: HttpRequest, obj: Board | None = None, change: bool = False, **kwargs: Any) -> Any:
        return super().get_form(request, obj, change, help_texts=HELP_TEXTS, **kwargs)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Board], search_term: str
    ) -> tuple[QuerySet[Board], bool]:
        return find_boards(request, queryset, search_term) if search_term else queryset, False

    def lock(self, row: Board) -> None:
        """Lock the other tables of its deal too, which get the story that staff write."""
        lock_tables(row.pk)

    def save_model(self, request: HttpRequest, obj: Board, form: Any, change: bool) -> None:
        """Save the texts. A board of another event is another board, which its fingerprint says."""
        if not OF_EVENT.isdisjoint(form.changed_data):
            renew_fingerprints([obj])
        super().save_model(request, obj, form, change)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Store the themes, which the admin does last, and then what readers get."""
        super().save_related(request, form, formsets, change)
        others = share_story(form.instance) if not {*STORY}.isdisjoint(form.changed_data) else []
        refresh([form.instance.pk, *others])

    def get_deleted_objects(
        self, objs: Collection[Board], request: HttpRequest
    ) -> tuple[list[Any], dict[str, int], set[str], list[Any]]:
        """Count what goes with a board: Django would list each vote, and ask for the right to delete votes."""
        votes = sum(board.up_votes + board.down_votes for board in objs)
        names = [f"{self.name(board)}, {format_count(board.up_votes + board.down_votes, 'vote')}" for board in objs]
        return names, {"boards": len(objs), "votes": votes}, set(), []
