from collections.abc import Iterator
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

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
