from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.utils import quote
from django.db import transaction
from django.db.models import F, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.formats import localize
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.views.decorators.http import require_POST

from bridge.double_dummy import DoubleDummyTable, split_par_contract
from bridge.layout import Layout
from bridge.names import SEAT_NAMES, SUIT_SYMBOLS, format_call, format_ranks
from bridge.seats import Seat
from config.admin.options import ChangedFieldsForm, LargeTableAdmin, ReadOnlyAdmin
from config.admin.waiting import Line, count, link_to_list
from config.database.advisory_locks import lock_until_commit
from config.values.words import format_age
from deals.events.feed import read_latest
from deals.models import Deal, FeedEvent, WebhookDelivery, WebhookEndpoint
from deals.models import SolverStatus as Status
from deals.watching import loops_of_workers, trouble_of_solver, trouble_of_worker
from deals.webhooks.addresses import identify, validate_endpoint_url
from deals.webhooks.deliveries import request_test

ADDRESSES = 0x77656268
"""The advisory lock for adding an endpoint or changing its URL: "webh"."""


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
        rows = DoubleDummyTable(deal.double_dummy).tricks() if deal.double_dummy else {}
        lines = ((SEAT_NAMES[seat], write_tricks(tricks)) for seat, tricks in rows.items())
        return format_html_join("", "{}: {}<br>", lines) or SafeString("–")

    @admin.display(description="Par, by who is vulnerable")
    def pars(self, deal: Deal) -> SafeString:
        """Write North-South's score and the contracts. A par that depends on the dealer names the dealer."""
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


def in_words(event: FeedEvent.Type) -> str:
    """Return "Board votes changed"."""
    return event.label.capitalize()


def write_event_type(event_type: str) -> str:
    """Return "Board votes changed", or "Test"."""
    return "Test" if event_type == WebhookDelivery.TEST else in_words(FeedEvent.Type(event_type))


class WebhookEndpointForm(ChangedFieldsForm):
    event_types = forms.MultipleChoiceField(
        choices=[(event.value, in_words(event)) for event in FeedEvent.Type],
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=WebhookEndpoint._meta.get_field("event_types").help_text,
    )

    class Meta:
        model = WebhookEndpoint
        fields = ("url", "event_types", "is_enabled")

    def clean_url(self) -> str:
        """Refuse an address that another endpoint has. One that is stored twice already may keep it."""
        url: str = self.cleaned_data["url"]
        if "url" in self.changed_data:
            validate_endpoint_url(url)
            lock_until_commit(ADDRESSES)
            others = WebhookEndpoint.objects.exclude(pk=self.instance.pk).values_list("url", flat=True)
            if identify(url) in map(identify, others):
                raise forms.ValidationError("Another endpoint has this URL. Change that one instead.", code="unique")
        return url


@admin.register(WebhookEndpoint)
class WebhookEndpointAdmin(LargeTableAdmin):
    """Where events are sent. A secret is shown once, when it is made: who reads the page later cannot sign."""

    form = WebhookEndpointForm
    shown_in_words: ClassVar = {"event_types": "events"}
    list_display = ("url", "is_enabled", "last_success_at", "failures", "failing_since", "last_error")
    list_filter = ("is_enabled",)
    search_fields = ("url",)
    readonly_fields = (
        *("last_success_at", "failures", "failing_since", "last_error", "next_attempt", "secret_made_at"),
        *("created_at", "last_deliveries"),
    )
    fieldsets = (
        (None, {"fields": WebhookEndpointForm.Meta.fields}),
        ("Record", {"fields": readonly_fields[:-1]}),
        ("Last deliveries", {"fields": ("last_deliveries",)}),
    )
    add_fieldsets = ((None, {"fields": ("url", "event_types")}),)
    """What a person knows of a new one. The service makes the rest: the secret, and the place in the feed."""
    actions = ("rotate_secrets",)

    def get_fieldsets(self, request: HttpRequest, obj: WebhookEndpoint | None = None) -> Any:
        return super().get_fieldsets(request, obj) if obj else self.add_fieldsets

    @admin.display(description="Event types")
    def events(self, endpoint: WebhookEndpoint) -> str:
        return ", ".join(in_words(FeedEvent.Type(each)) for each in endpoint.event_types) or "All"

    @admin.display(description="Next attempt")
    def next_attempt(self, endpoint: WebhookEndpoint) -> str:
        return localize(endpoint.due_at) if endpoint.failures else "With the next event"

    @admin.display(description="Secret made")
    def secret_made_at(self, endpoint: WebhookEndpoint) -> str:
        return localize(endpoint.rotated_at or endpoint.created_at)

    @admin.display(description="Newest first")
    def last_deliveries(self, endpoint: WebhookEndpoint) -> SafeString:
        """Write a line for each: when, what, and the answer in words."""
        lines = (
            (
                localize(timezone.localtime(each.sent_at)) if each.sent_at else "Not yet",
                write_event_type(each.event_type),
                each.message_id,
                each.error or (f"Accepted with status {each.status}." if each.status else "Waiting for the worker."),
            )
            for each in endpoint.deliveries.order_by(F("sent_at").desc(nulls_first=True), "id")
        )
        return format_html_join("", "<p>{}: {} ({})<br>{}</p>", lines) or SafeString("None yet")

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(require_POST(self.test_view))
        return [path("<path:object_id>/test/", view, name="deals_webhookendpoint_test"), *super().get_urls()]

    def test_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Let the worker send a test message, for those who may change the endpoint. Show its page again."""
        with transaction.atomic():
            endpoint = self.get_changeable_or_404(request, object_id)
            if request_test(endpoint):
                self.log_change(request, endpoint, "Sent a test.")
                text, level = "The worker is sending the test. Reload the page to see the answer.", messages.SUCCESS
            else:
                text, level = "A test is waiting for the worker already.", messages.WARNING
        self.message_user(request, text, level)
        return HttpResponseRedirect(reverse("admin:deals_webhookendpoint_change", args=[quote(endpoint.pk)]))

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
        "Last heartbeat of the worker", format_age(last) if last else "never", note=trouble, is_trouble=bool(trouble)
    )
