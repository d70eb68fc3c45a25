from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from bridge.double_dummy import Table, split_par_contract
from bridge.layout import Layout
from bridge.names import SEAT_NAMES, SUIT_SYMBOLS, format_call, format_ranks
from bridge.seats import Seat
from config.admin.options import ChangedFieldsForm, LargeTableAdmin, ReadOnlyAdmin
from config.admin.waiting import Line, count, link_to_list
from config.values.words import format_age
from deals.events.feed import read_latest
from deals.models import Deal, FeedEvent, WebhookEndpoint
from deals.models import SolverStatus as Status
from deals.watching import loops_of_workers, trouble_of_solver, trouble_of_worker


@admin.register(Deal)
class DealAdmin(ReadOnlyAdmin):
    """The deals, to look at: they come in through the API, and their cards never change."""

    list_display = ("cards", "source_name", "double_dummy_status", "created_at")
    list_filter = ("double_dummy_status",)
    search_fields = ("cards", "source_name")
    shown_in_words: ClassVar = {"cards": "hands", "double_dummy": "tricks", "par": "pars"}

    @admin.display(description="Hands")
    def hands(self, deal: Deal) -> SafeString:
        """Write a line for each hand, and below them the deal as PBN has it, which programs read."""
        layout = Layout.from_canonical(deal.cards)
        lines = ((seat.full_name, write_hand(layout.suits(seat))) for seat in Seat)
        return format_html_join("", "{}: {}<br>", [*lines, ("PBN", deal.cards)])

    @admin.display(description="Tricks of each declarer")
    def tricks(self, deal: Deal) -> SafeString:
        rows = Table(deal.double_dummy).tricks() if deal.double_dummy else {}
        lines = ((SEAT_NAMES[seat], write_tricks(tricks)) for seat, tricks in rows.items())
        return format_html_join("", "{}: {}<br>", lines) or SafeString("–")

    @admin.display(description="Par, by who is vulnerable")
    def pars(self, deal: Deal) -> SafeString:
        """Write North-South's score and the contracts. A par that is valid for one dealer alone has that one behind."""
        lines = (
            (key, par["score"], ", ".join(map(write_par, par["contracts"]))) for key, par in (deal.par or {}).items()
        )
        return format_html_join("", "{}: {} ({})<br>", lines) or SafeString("–")


def write_hand(suits: Mapping[str, str]) -> str:
    return " ".join(f"{SUIT_SYMBOLS[suit]} {format_ranks(ranks) or '–'}" for suit, ranks in suits.items())


def write_par(text: str) -> str:
    """Write "EW 5DX-2" as "5♦X-2 EW"."""
    bid, rest, side = split_par_contract(text)
    return f"{format_call(bid)}{rest} {side}" if bid else "passed out"


def write_tricks(tricks: Mapping[str, int]) -> str:
    return ", ".join(f"{SUIT_SYMBOLS.get(name, name)} {number}" for name, number in tricks.items())


class WebhookEndpointForm(ChangedFieldsForm):
    event_types = forms.MultipleChoiceField(
        choices=FeedEvent.Type.choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=WebhookEndpoint._meta.get_field("event_types").help_text,
    )

    class Meta:
        model = WebhookEndpoint
        fields = ("url", "event_types", "is_enabled")


@admin.register(WebhookEndpoint)
class WebhookEndpointAdmin(LargeTableAdmin):
    """Where events are sent. A secret is shown once, when it is made: who reads the page later cannot sign."""

    form = WebhookEndpointForm
    shown_in_words: ClassVar = {"event_types": "events"}
    list_display = ("url", "is_enabled", "last_success_at", "failures", "failing_since", "last_error")
    list_filter = ("is_enabled",)
    search_fields = ("url",)
    readonly_fields = (
        "last_success_at",
        "failures",
        "failing_since",
        "last_error",
        "due_at",
        "rotated_at",
        "created_at",
    )
    fieldsets = (
        (None, {"fields": WebhookEndpointForm.Meta.fields}),
        ("Record", {"fields": readonly_fields}),
    )
    actions = ("rotate_secrets",)

    @admin.display(description="Event types")
    def events(self, endpoint: WebhookEndpoint) -> str:
        return ", ".join(endpoint.event_types) or "All"

    def save_model(self, request: HttpRequest, obj: WebhookEndpoint, form: Any, change: bool) -> None:
        """Begin a new endpoint at the end of the feed, and forget the failures of one that is changed."""
        if change:
            obj.start_again()
            obj.save(update_fields=[*form.changed_columns(), "failures", "failing_since", "last_error", "due_at"])
            return
        obj.position = read_latest().position
        super().save_model(request, obj, form, change)
        self.show_secret(request, obj)

    @admin.action(description="Make new secrets for selected endpoints", permissions=["change"])
    def rotate_secrets(self, request: HttpRequest, endpoints: QuerySet[WebhookEndpoint]) -> None:
        for endpoint in endpoints:
            endpoint.rotate_secret()
            self.show_secret(request, endpoint)

    def show_secret(self, request: HttpRequest, endpoint: WebhookEndpoint) -> None:
        message = f"The secret of {endpoint.url} is {endpoint.secret}. Copy it now: it is not shown again."
        self.message_user(request, message, messages.WARNING)


def waiting_deals(request: HttpRequest) -> Iterator[Line]:
    for what, status in (("Deals to solve", Status.PENDING), ("Deals that cannot be solved", Status.FAILED)):
        if url := link_to_list(request, Deal, double_dummy_status__exact=status):
            yield Line(what, count(Deal.objects.filter(double_dummy_status=status)), url)


def signs_of_life(request: HttpRequest) -> Iterator[Line]:
    """Tell when a worker last gave a sign of life, and what does not work."""
    last = max((loop["last"] for loop in loops_of_workers()), default=None)
    trouble = " ".join(filter(None, (trouble_of_worker(), trouble_of_solver())))
    yield Line(
        "The worker's last sign of life", format_age(last) if last else "never", note=trouble, is_trouble=bool(trouble)
    )
