from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

from django.contrib import admin, messages
from django.contrib.admin.utils import quote
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.html import format_html

from boards.admin.bulk import MAX_SECONDS, with_history
from boards.forms import RenameForm
from boards.models import Event
from boards.models.catalogue import spelling_of
from boards.services import bulk
from boards.services.evenings import Merged, Renaming, boards_of_event
from config.admin.options import ReadOnlyAdmin
from config.admin.site import commits_in_parts, refusal_page
from config.api.errors import ServiceUnavailable
from config.edge.limits import exports
from config.edge.security.security_log import log_change
from config.values.words import format_count

MAX_CLASHES = 12
"""The numbers of boards that a sentence lists."""


@admin.register(Event)
class EventAdmin(ReadOnlyAdmin):
    """Staff rename an event on its page, and make one of two. Its texts are those of its boards."""

    list_display = ("name", "played", "site")
    search_fields = ("name", "date", "site")
    fields = list_display
    ordering = ("-day", "name", "slug")
    actions = ("merge",)

    @admin.display(description="Date played", ordering="day")
    def played(self, event: Event) -> str:
        return event.date_in_words or "–"

    def get_readonly_fields(self, request: HttpRequest, obj: Event | None = None) -> list[str]:
        return [*self.fields]

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return request.user.has_perm("boards.view_board") or self.has_change_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Tell whether somebody may change boards, which is what renaming an event does."""
        return request.user.has_perm("boards.change_board")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Event]:
        return Event.objects.with_boards()

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Event | None:
        """Return an event, too, of which only drafts are left: a renaming that was broken off goes on there."""
        return Event.objects.filter(pk=object_id).first()

    @admin.action(description="Make one event of two selected ones", permissions=["change"])
    def merge(self, request: HttpRequest, events: QuerySet[Event]) -> HttpResponseBase | None:
        """Open the page of the first as if it were to get the texts of the second. It has a link for the reverse."""
        chosen = events[:3]
        if len(chosen) == 2:
            return HttpResponseRedirect(rename_path(*chosen))
        self.message_user(request, "Select the two events that are one.", messages.WARNING)
        return None

    @commits_in_parts
    def change_view(  # type: ignore[override]  # a refusal page is an HttpResponseBase too
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponseBase:
        """Ask for the new texts, say with GET what changes, and change it with POST if it is still what was shown."""
        if not self.has_change_permission(request):
            return super().change_view(request, object_id, form_url, extra_context)
        event = self.get_or_404(request, object_id)
        sent = request.POST or request.GET
        form = RenameForm(sent if "event" in sent else None, initial={**event.spelling, "event": event.name})
        renaming = Renaming(event, spelling_of(**form.texts)) if form.is_valid() else None
        if renaming and request.method == "POST":
            if renaming.counts.boards and sent.get("seen") == renaming.seen:
                return self.rename(request, renaming)
            text = "Nothing was renamed: boards of the event have changed in the meantime. Look at the numbers again."
            self.message_user(request, text, messages.WARNING)
        context = {"event": event, "form": form, "renaming": renaming}
        if renaming:
            context |= {"effects": [*describe(renaming)], "other_way": rename_path(renaming.to, event)}
        return self.show_page(request, "rename", f"Rename {event}", **context)

    def rename(self, request: HttpRequest, renaming: Renaming) -> HttpResponseBase:
        change = with_history(request, renaming.change, f"Renamed the event {renaming.event} to {renaming.to}.")
        try:
            with exports.staff_permit():
                changed = bulk.run(renaming.boards, change, seconds=MAX_SECONDS).changed
        except ServiceUnavailable as error:
            return refusal_page(request, error, title="Nothing was renamed")
        log_change("boards_changed", change="rename-event", boards=changed)
        done = f"Renamed {format_count(changed, 'board')}." if changed else "These boards were renamed already."
        if left := boards_of_event(renaming.event).exclude(**renaming.texts).count():
            are_left = f"{format_count(left, 'board')} {'is' if left == 1 else 'are'} left"
            text = f"{done} {are_left}: go on. What is done stays done if you stop here."
            self.message_user(request, text, messages.WARNING)
            return HttpResponseRedirect(rename_path(renaming.event, renaming.to))
        if renaming.counts.published:
            page = reverse("event-page", args=[renaming.to.slug])
            done = format_html('{} <a href="{}">{}</a>', done, page, renaming.to)
        self.message_user(request, done, messages.SUCCESS)
        return HttpResponseRedirect(reverse("admin:boards_event_changelist"))


def rename_path(event: Event, to: Event) -> str:
    """Return the address that shows what changes when an event gets the texts of another one."""
    texts = {"event": to.name, "date": to.date, "site": to.site}
    return f"{reverse('admin:boards_event_change', args=[quote(event.pk)])}?{urlencode(texts)}"


def describe(renaming: Renaming) -> Iterator[str]:
    """Say in numbers what a renaming does."""
    counts, others = renaming.counts, renaming.counts_of_others
    if not counts.boards:
        yield "No board is left that would get another name."
        return
    drafts = format_count(counts.boards - counts.published, "draft")
    boards, accounts = format_count(counts.boards, "board"), format_count(counts.accounts, "account")
    yield f"{boards} of {accounts} will be changed: {counts.published:,} published and {drafts}."
    if renaming.keeps_address:
        yield "Only the spelling changes. The address of the event stays."
        return
    yield "The event gets another address, and its old one leads nowhere. The addresses of its boards stay."
    if not others.boards:
        yield "No event has this name yet."
        return
    number = format_count(others.boards, "board")
    yield f"An event has this name, with {number}: the two become one, called {renaming.to}."
    if rankings := renaming.count_replaced_rankings():
        yield f"Deleted, since the event that stays has its own: {format_count(rankings, 'ranking')} of files."
    if renaming.merged:
        yield from describe_merged(renaming.merged)
    else:
        yield "The two have too many boards to compare them."


def describe_merged(merged: Merged) -> Iterator[str]:
    deals, tables = format_count(merged.deals, "deal"), format_count(merged.tables, "table")
    yield f"Readers will see {deals} and {tables} there."
    if merged.copies:
        copies = format_count(merged.copies, "table")
        yield f"Shown once, since two accounts have the same: {copies}."
    if merged.twice:
        twice = format_count(merged.twice, "table")
        yield f"Shown twice, since one account has the same in both events: {twice}. Delete one of each first."
    for owner_id, numbers in merged.clashes.items():
        more = f" and {len(numbers) - MAX_CLASHES} more" * (len(numbers) > MAX_CLASHES)
        listed = ", ".join(map(str, numbers[:MAX_CLASHES])) + more
        yield f"{owner_id} has different cards under the same number in the two: {listed}. Both will be shown."
