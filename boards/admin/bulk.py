"""Changing many boards from their list: a page that says in numbers what will happen, and then the change in chunks.

A request goes on for MAX_SECONDS, which proxies wait for. Then the page says what is done, and has a button to go on.
Decision 0036 says why it is no task of the worker.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, cast
from uuid import UUID

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME, ActionForm
from django.contrib.admin.models import CHANGE, DELETION, LogEntry
from django.contrib.admin.options import IncorrectLookupParameters
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path, reverse
from django.utils import timezone

from boards.admin.filters import WAITING, PublishedFilter
from boards.forms import AnswerForm, ChosenEventForm, ChosenThemeForm
from boards.models import Board
from boards.querysets import BoardQuerySet
from boards.services import bulk, reviews
from boards.services.bulk import Numbers, Progress, SortKey
from config.admin.options import LargeTableAdmin, check_ids
from config.admin.site import MalformedRequest, commits_in_parts, refusal_page
from config.api.errors import ServiceUnavailable
from config.database.transactions import retried_transaction
from config.edge.limits import exports
from config.edge.security.security_log import acting_account, log_change
from config.values.words import format_count

MAX_SECONDS = 20
MAX_EXAMPLES = 5


@dataclass(frozen=True)
class BulkChange:
    """A change of many boards. `effects` are what `describe` says that it will do, and `change` does it to a chunk."""

    name: str
    question: str
    button: str
    done: str
    effects: Sequence[str]
    change: Callable[[Sequence[UUID], dict[str, Any]], list[Board]]
    form: type[forms.Form] = forms.Form
    permission: str = "change"

    def describe(self, numbers: Numbers) -> list[str]:
        counts = {
            "boards": format_count(numbers.boards, "board"),
            "drafts": format_count(numbers.drafts, "draft"),
            "published": format_count(numbers.published, "board"),
            "votes": format_count(numbers.votes, "vote"),
        }
        return [effect.format(numbers=numbers, **counts) for effect in self.effects]


EFFECTS_OF_CHANGING = (
    "{boards} will be changed.",
    "Already published, so readers see the change at once: {numbers.published:,}.",
)
CHANGES = {
    change.name: change
    for change in (
        BulkChange(
            name="publish",
            question="Publish {boards}?",
            button="Publish",
            done="Published",
            effects=(
                "{drafts} will be shown to readers, in the order of their files.",
                "A draft that was published before gets its date again.",
                "Already published, and left as they are: {numbers.published:,}.",
            ),
            change=lambda ids, chosen: reviews.publish_seen(ids, looked_at=chosen["until"]),
        ),
        BulkChange(
            name="accept",
            question="Publish {boards} of members?",
            button="Publish",
            done="Published",
            effects=(
                "{drafts} that members want to be published will be shown to readers.",
                "Boards that their owner has taken back or changed since you opened the list stay as they are.",
                "Changes of published boards are accepted on the page of each, which shows them.",
            ),
            change=lambda ids, chosen: reviews.publish_seen(ids, looked_at=chosen["until"], asked_only=True),
        ),
        BulkChange(
            name="decline",
            question="Answer the owners of {boards}",
            button="Send the answer",
            done="Answered for",
            effects=(
                "{boards} will stay as they are and leave the queue.",
                "Each owner sees this sentence beside the board, and can change the board and ask again.",
            ),
            change=lambda ids, chosen: reviews.decline(
                ids, by=acting_account(), sentence=chosen["sentence"], looked_at=chosen["until"]
            ),
            form=AnswerForm,
        ),
        BulkChange(
            name="unpublish",
            question="Unpublish {boards}?",
            button="Unpublish",
            done="Unpublished",
            effects=(
                "{published} will be hidden from readers and become drafts.",
                "Already drafts, and left as they are: {numbers.drafts:,}.",
                "Votes that stay: {numbers.votes:,}. A board that is published again has its votes and its date again.",
            ),
            change=lambda ids, chosen: bulk.unpublish_boards(ids),
        ),
        BulkChange(
            name="add-theme",
            question="Add a theme to {boards}",
            button="Add",
            done="Added the theme to",
            effects=EFFECTS_OF_CHANGING,
            change=lambda ids, chosen: bulk.add_theme(ids, chosen["theme"]),
            form=ChosenThemeForm,
        ),
        BulkChange(
            name="set-event",
            question="Set the event of {boards}",
            button="Set the event",
            done="Set the event of",
            effects=(*EFFECTS_OF_CHANGING, "Blank fields stay unchanged in each board."),
            change=lambda ids, chosen: bulk.set_texts(ids, chosen["texts"]),
            form=ChosenEventForm,
        ),
        BulkChange(
            name="delete",
            question="Delete {boards}?",
            button="Delete",
            done="Deleted",
            effects=(
                "{boards} will be deleted for good. Published now: {numbers.published:,}.",
                "{votes} will be deleted with them. The deals stay.",
            ),
            change=lambda ids, chosen: bulk.delete_boards(ids),
            permission="delete",
        ),
    )
}


class OpenedForm(forms.Form):
    """When the list was opened, which its form holds (boards.admin.upload): nobody has seen what came later."""

    opened_at = forms.DateTimeField(label="", required=False, widget=forms.HiddenInput)


class SelectionForm(OpenedForm, ActionForm):
    """The form of the list's actions."""


class RunForm(forms.Form):
    """What a page of a change sends back: which boards are meant, and how far the change has come."""

    select_across = forms.BooleanField(required=False)
    until = forms.DateTimeField()
    after_time = forms.DateTimeField(required=False)
    after_id = forms.UUIDField(required=False)
    changed = forms.IntegerField(min_value=0)
    seen = forms.IntegerField(min_value=0)


@dataclass(frozen=True)
class Run:
    """A change of the boards that somebody has selected, and how far it has come.

    Boards that come after `until`, when the list was opened, are left alone: nobody has seen them.
    """

    change: BulkChange
    boards: BoardQuerySet
    selected: Sequence[str]
    state: dict[str, Any]
    """What RunForm has."""

    @classmethod
    def begin(cls, change: BulkChange, boards: QuerySet[Board], request: HttpRequest) -> "Run":
        opened = OpenedForm(request.POST)
        until = opened.cleaned_data["opened_at"] if opened.is_valid() else None
        state = {"select_across": is_across(request), "until": until or timezone.now(), "changed": 0, "seen": 0}
        return cls(change, cast(BoardQuerySet, boards), selected_in(request), state)

    @classmethod
    def parse(cls, change: BulkChange, boards: QuerySet[Board], request: HttpRequest) -> "Run":
        """Return the run that a page sent. Raise MalformedRequest for what no page sends."""
        form = RunForm(request.POST)
        if not form.is_valid():
            raise MalformedRequest
        check_ids(Board, selected_in(request))
        boards = boards.filter(created_at__lte=form.cleaned_data["until"])
        if not is_across(request):
            boards = boards.filter(pk__in=selected_in(request))
        return cls(change, cast(BoardQuerySet, boards), selected_in(request), form.cleaned_data)

    @property
    def after(self) -> SortKey | None:
        """Return what sorts the last board that is done, None before the first and after the last."""
        moment, pk = self.state.get("after_time"), self.state.get("after_id")
        return SortKey(moment, pk) if moment and pk else None

    def add(self, progress: Progress) -> "Run":
        moment, pk = progress.last or (None, None)
        counted = {name: self.state[name] + getattr(progress, name) for name in ("changed", "seen")}
        return replace(self, state={**self.state, **counted, "after_time": moment, "after_id": pk})

    def hidden_fields(self) -> list[tuple[str, str]]:
        texts = {
            name: value.isoformat() if isinstance(value, datetime) else str(value)
            for name, value in self.state.items()
            if value is not None
        }
        texts["select_across"] = "1" if self.state["select_across"] else ""
        return [*texts.items(), *((ACTION_CHECKBOX_NAME, pk) for pk in self.selected)]

    @property
    def result(self) -> str:
        """Say what is done: "Unpublished 9,748 boards. 12 boards needed no change."."""
        unchanged = self.state["seen"] - self.state["changed"]
        rest = f" {format_count(unchanged, 'board')} needed no change." if unchanged else ""
        return f"{self.change.done} {format_count(self.state['changed'], 'board')}.{rest}"


def is_across(request: HttpRequest) -> bool:
    """Tell whether all boards that the list would show are meant, not only the ticked ones."""
    return request.POST.get("select_across") == "1"


def selected_in(request: HttpRequest) -> list[str]:
    return [] if is_across(request) else request.POST.getlist(ACTION_CHECKBOX_NAME)


class BulkChanges(LargeTableAdmin):
    """The actions of the list of boards.

    What can be taken back is done at once for the boards that are ticked on a page. Everything else asks before.
    """

    action_form = SelectionForm
    actions = ("publish", "decline", "unpublish", "add_theme", "set_event", "delete_selected")

    @admin.action(description="Publish selected boards", permissions=["change"])
    def publish(self, request: HttpRequest, boards: QuerySet[Board]) -> HttpResponseBase | None:
        """Publish drafts. Of the list of those that wait publish only what still does."""
        name = "accept" if request.GET.get(PublishedFilter.parameter_name) == WAITING else "publish"
        return self.change_or_ask(request, CHANGES[name], boards)

    @admin.action(description="Answer the owners of selected boards", permissions=["change"])
    def decline(self, request: HttpRequest, boards: QuerySet[Board]) -> HttpResponseBase:
        return self.ask(request, Run.begin(CHANGES["decline"], boards, request))

    @admin.action(description="Unpublish selected boards", permissions=["change"])
    def unpublish(self, request: HttpRequest, boards: QuerySet[Board]) -> HttpResponseBase | None:
        return self.change_or_ask(request, CHANGES["unpublish"], boards)

    @admin.action(description="Add a theme to selected boards", permissions=["change"])
    def add_theme(self, request: HttpRequest, boards: QuerySet[Board]) -> HttpResponseBase:
        return self.ask(request, Run.begin(CHANGES["add-theme"], boards, request))

    @admin.action(description="Set the event of selected boards", permissions=["change"])
    def set_event(self, request: HttpRequest, boards: QuerySet[Board]) -> HttpResponseBase:
        return self.ask(request, Run.begin(CHANGES["set-event"], boards, request))

    @admin.action(description="Delete selected boards", permissions=["delete"])
    def delete_selected(self, request: HttpRequest, boards: QuerySet[Board]) -> HttpResponseBase:
        """Ask. Django's own action of this name would list every board and every vote."""
        return self.ask(request, Run.begin(CHANGES["delete"], boards, request))

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.bulk_view)
        return [path("change/<slug:name>/", view, name="boards_board_bulk"), *super().get_urls()]

    def change_or_ask(
        self, request: HttpRequest, change: BulkChange, boards: QuerySet[Board]
    ) -> HttpResponseBase | None:
        run = Run.begin(change, boards, request)
        if is_across(request):
            return self.ask(request, run)
        self.finish(request, self.proceed(request, run, {}, seconds=float("inf")))
        return None

    @commits_in_parts
    def bulk_view(self, request: HttpRequest, name: str) -> HttpResponseBase:
        """Change the boards that a page of `ask` has named. Show the page again when a field is wrong."""
        change = CHANGES.get(name)
        if change is None or request.method != "POST":
            raise Http404
        if not getattr(self, f"has_{change.permission}_permission")(request):
            raise PermissionDenied
        run = Run.parse(change, self.listed_boards(request), request)
        form = change.form(request.POST)
        if not form.is_valid():
            return self.ask(request, run, form)
        chosen = {**form.cleaned_data, "texts": getattr(form, "texts", {})}
        try:
            with exports.staff_permit():
                run = self.proceed(request, run, chosen, seconds=MAX_SECONDS)
        except ServiceUnavailable as error:
            return refusal_page(request, error, title="Nothing was changed")
        if run.after:
            return self.ask(request, run, form)
        self.finish(request, run)
        of_waiting = request.GET.get(PublishedFilter.parameter_name) == WAITING and name in ("accept", "decline")
        return HttpResponseRedirect(reverse("admin:boards_board_waiting") if of_waiting else self.list_url(request))

    def listed_boards(self, request: HttpRequest) -> QuerySet[Board]:
        """Return the boards that the list shows with these filters, on all of its pages."""
        try:
            return self.get_changelist_instance(request).get_queryset(request)
        except IncorrectLookupParameters as error:  # a page of the list that there is not
            raise MalformedRequest from error

    def proceed(self, request: HttpRequest, run: Run, chosen: dict[str, Any], *, seconds: float) -> Run:
        """Change boards until all are done or the time is up. Each chunk is in the admin's log with its change."""
        flag = DELETION if run.change.permission == "delete" else CHANGE
        message = f"{run.change.button}, from the list of boards."

        def change(board_ids: Sequence[UUID]) -> list[Board]:
            return run.change.change(board_ids, {**chosen, "until": run.state["until"]})

        logged = with_history(request, change, message, flag)
        return run.add(bulk.run(run.boards, logged, after=run.after, seconds=seconds))

    def finish(self, request: HttpRequest, run: Run) -> None:
        log_change("boards_changed", change=run.change.name, boards=run.state["changed"])
        self.message_user(request, run.result, messages.SUCCESS)

    def ask(self, request: HttpRequest, run: Run, form: forms.Form | None = None) -> HttpResponseBase:
        """Say in numbers what will happen, or what is done so far, with a button that does it, or goes on."""
        numbers = bulk.count_boards(run.boards)
        return self.show_page(
            request,
            "bulk",
            run.change.question.format(boards=format_count(numbers.boards, "board")),
            change=run.change,
            run=run,
            effects=run.change.describe(numbers),
            examples=run.boards[:MAX_EXAMPLES],
            others=format_count(numbers.boards - MAX_EXAMPLES, "other") * (numbers.boards > MAX_EXAMPLES),
            form=form or run.change.form(),
            action=f"{reverse('admin:boards_board_bulk', args=[run.change.name])}{query_of(request)}",
            back=self.list_url(request),
        )

    def list_url(self, request: HttpRequest) -> str:
        return f"{reverse('admin:boards_board_changelist')}{query_of(request)}"


def with_history(request: HttpRequest, change: bulk.Change, message: str, flag: int = CHANGE) -> bulk.Change:
    """Return a change of a chunk of boards that stands in the history of each in the admin."""

    @retried_transaction
    def change_and_log(board_ids: Sequence[UUID]) -> list[Board]:
        changed = change(board_ids)
        LogEntry.objects.log_actions(str(request.user.pk), changed, flag, message)
        return changed

    return change_and_log


def query_of(request: HttpRequest) -> str:
    """Return the filters of the list, without the page: it may not exist any more after the change."""
    query = request.GET.copy()
    query.pop("p", None)
    return f"?{query.urlencode()}" if query else ""
