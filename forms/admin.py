"""Submissions in the admin: the inbox of staff."""

from collections.abc import Callable, Iterator
from typing import Any, cast
from urllib.parse import quote

from django.contrib import admin, messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, StreamingHttpResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.http import require_POST

from accounts.models import Account
from boards.models import Board
from config.admin.options import LargeTableAdmin
from config.admin.waiting import Line, count, link_to_list
from config.values.web_addresses import WebAddressValidator
from config.values.words import format_age, format_count
from forms import reading
from forms.declarations import FORMS
from forms.exporting import stream_csv
from forms.fields import read_board_id
from forms.models import Submission
from forms.querysets import IS_WAITING, SubmissionQuerySet
from forms.services import mark_handled, reopen

HANDLED, REOPENED = "Marked as handled.", "Marked as not handled yet."


def staff_of(request: HttpRequest) -> Account:
    return cast(Account, request.user)  # the admin lets nobody else in


class SenderFilter(admin.SimpleListFilter):
    """Choose between people and robots. Robots' submissions are hidden until they are chosen."""

    title = "sender"
    parameter_name = "sentBy"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("robots", "Suspected robots"), ("all", "People and robots")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Submission]) -> QuerySet[Submission]:
        if self.value() == "all":
            return queryset
        return queryset.filter(is_suspected=self.value() == "robots")

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        """Call the first choice "People", since Django would call it "All"."""
        people, *others = super().choices(changelist)
        yield {**people, "display": "People"}
        yield from others


class HandledFilter(admin.SimpleListFilter):
    title = "state"
    parameter_name = "handled"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("no", "Not handled yet"), ("yes", "Handled")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Submission]) -> QuerySet[Submission]:
        if self.value() not in ("yes", "no"):
            return queryset
        return queryset.filter(handled_at__isnull=self.value() == "no")


class FormFilter(admin.SimpleListFilter):
    """Choose a form. Those that are declared are offered: looking for others would read the whole table."""

    title = "form"
    parameter_name = "form"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(form.name, form.title) for form in FORMS.values()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Submission]) -> QuerySet[Submission]:
        return queryset.filter(form=self.value()) if self.value() else queryset


@admin.register(Submission)
class SubmissionAdmin(LargeTableAdmin):
    """The inbox: staff read what visitors sent, mark it as handled and export it. Nobody adds or edits."""

    list_display = ("sender", "about", "received", "handling")
    list_display_links = ("about",)
    list_filter = (HandledFilter, SenderFilter, FormFilter, "created_at")
    list_select_related = ("handled_by",)
    ordering = (IS_WAITING.desc(), "-created_at", "id")
    search_fields = ("id", "data", "request_id")
    fields = readonly_fields = ("form", "created_at")
    actions = ("mark_handled", "export_csv")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    # --- The list

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        return super().changelist_view(request, {"title": "Messages", **(extra_context or {})})

    @admin.display(description="From")
    def sender(self, submission: Submission) -> str:
        sender, organisation = reading.sender_of(submission), reading.organisation_of(submission)
        if not organisation:
            return format_html("<bdi>{}</bdi>", sender)
        return format_html('<bdi>{}</bdi><br><bdi class="quiet">{}</bdi>', sender, organisation)

    @admin.display(description="Message")
    def about(self, submission: Submission) -> str:
        """Show subject and first words. What waits is bold, as in a mail program."""
        html = '<bdi class="{}">{}</bdi><br><bdi class="excerpt">{}</bdi>'
        state = "handled" if submission.handled_at else "waiting"
        return format_html(html, state, reading.subject_of(submission), reading.excerpt_of(submission))

    @admin.display(description="Received", ordering="created_at")
    def received(self, submission: Submission) -> str:
        return format_age(submission.created_at)

    @admin.display(description="Handled", ordering="handled_at")
    def handling(self, submission: Submission) -> str:
        if submission.handled_at is None:
            return "Not yet"
        who = submission.handled_by or "Somebody"  # the account may be gone
        return f"{who}, {format_age(submission.handled_at)}"

    @admin.action(description="Mark selected messages as handled", permissions=["change"])
    def mark_handled(self, request: HttpRequest, submissions: SubmissionQuerySet) -> None:
        changed = mark_handled(submissions, by=staff_of(request))
        self.log_handling(request, changed, HANDLED)
        self.message_user(request, f"Marked {format_count(len(changed), 'message')} as handled.", messages.SUCCESS)

    @admin.action(description="Export selected messages as CSV", permissions=["view"])
    def export_csv(self, request: HttpRequest, submissions: QuerySet[Submission]) -> StreamingHttpResponse:
        name = f"submissions-{timezone.now():%Y-%m-%d}.csv"
        response = StreamingHttpResponse(stream_csv(submissions), content_type="text/csv; charset=utf-8")
        response["Content-Disposition"] = f'attachment; filename="{name}"'
        response["Cache-Control"] = "private, no-store"
        return response

    # --- One message

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        page = describe_message(kwargs["obj"], staff_of(request))
        context |= {"page": page, "title": page["subject"], "subtitle": None}
        return super().render_change_form(request, context, *args, **kwargs)

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        return [
            path("<path:object_id>/handled/", wrap(require_POST(self.handled_view)), name="forms_submission_handled"),
            path("<path:object_id>/reopen/", wrap(require_POST(self.reopen_view)), name="forms_submission_reopen"),
            *super().get_urls(),
        ]

    def handled_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Mark a message as handled, unless it was marked before, and show it again with a link to the next."""
        submission = self.get_changeable_or_404(request, object_id)
        changed = mark_handled(Submission.objects.filter(pk=submission.pk), by=staff_of(request))
        self.log_handling(request, changed, HANDLED)
        if not changed:
            note = f"It was handled already: {self.handling(submission)}. Nothing has changed."
            self.message_user(request, note, messages.WARNING)
        return self.show_again(submission)

    def reopen_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Let a message wait again."""
        submission = self.get_changeable_or_404(request, object_id)
        changed = reopen(Submission.objects.filter(pk=submission.pk))
        self.log_handling(request, changed, REOPENED)
        return self.show_again(submission)

    @staticmethod
    def show_again(submission: Submission) -> HttpResponse:
        return HttpResponseRedirect(reverse("admin:forms_submission_change", args=[submission.pk]))

    @staticmethod
    def log_handling(request: HttpRequest, submissions: list[Submission], what: str) -> None:
        """Add to the history of each. It stays for longer than a message, so nothing that was typed is in it."""
        if submissions:
            LogEntry.objects.log_actions(staff_of(request).pk, submissions, CHANGE, what)


def waiting_messages(request: HttpRequest) -> Iterator[Line]:
    """Yield what visitors have sent and nobody has handled, for the start page."""
    if url := link_to_list(request, Submission, handled="no"):
        waiting = Submission.objects.waiting()
        yield Line("Messages to handle", count(waiting.filter(is_suspected=False)), url)
        robots = count(waiting.filter(is_suspected=True))
        yield Line("Messages of suspected robots", robots, f"{url}&sentBy=robots")


validate_web_address = WebAddressValidator(schemes=["http", "https"])


def describe_message(submission: Submission, reader: Account) -> dict[str, Any]:
    """Return a message as one reader sees it: links to other pages of the admin need the right to view them."""
    subject, email = reading.subject_of(submission), value_of(submission, "email", validate_email)
    page: dict[str, Any] = {
        "submission": submission,
        "subject": subject,
        "form": reading.title_of(submission.form),
        "age": format_age(submission.created_at),
        "answers": reading.answers(submission),
        "email": email,
        "reply_to": write_mailto(email, subject),
        "website": value_of(submission, "website", validate_web_address),
        "next": Submission.objects.after(submission),
    }
    if (board := find_board(submission)) is None:
        return page
    page["board"] = board
    page["answers"] = [answer for answer in page["answers"] if answer.name != "boardId"]  # shown as a link
    if reader.has_perm("boards.view_board"):
        page["board_in_admin"] = reverse("admin:boards_board_change", args=[board.pk])
    if reader.has_perm("themes.view_theme"):
        themes = board.themes.all()
        page["themes"] = [(str(theme), reverse("admin:themes_theme_change", args=[theme.pk])) for theme in themes]
    return page


def value_of(submission: Submission, name: str, validate: Callable[[str], None]) -> str:
    """Return a field that leads somewhere, "" when it does not: data may be of an older version."""
    value: Any = reading.fields_of(submission).get(name)
    try:
        validate(value if isinstance(value, str) else "")
    except ValidationError:
        return ""
    return value


def write_mailto(email: str, subject: str) -> str:
    """Return a link. All that was typed is encoded, so that it is an address and a subject and no more."""
    subject = "".join(mark for mark in f"Re: {subject}" if mark.isprintable())
    return f"mailto:{quote(email, safe='@')}?subject={quote(subject, safe='')}"


def find_board(submission: Submission) -> Board | None:
    """Return the board that is reported, also when it was made a draft since, None when it is gone."""
    named = reading.fields_of(submission).get("boardId")
    board_id = read_board_id(named) if isinstance(named, str) else None
    return Board.objects.filter(pk=board_id).first() if board_id else None
