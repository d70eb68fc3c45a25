"""The query parameters of GET /api/boards: what they may be, and what they ask for.

The form that offers the same filters on the page /boards is pages.search.filter_form.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import QueryDict
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.authentication import missing_token
from accounts.models import Account
from boards.search.conditions import Between, ChangedSince, Condition, Tagged, every
from boards.search.facts import DRAFT, PUBLISHED, number
from boards.search.filters.declarations import FILTERS, asks_for_drafts, condition_of
from boards.search.language.parsing import MAX_CHARACTERS
from bridge.dates import Days, days_between
from config.api.errors import PermissionRefused, ValidationFailed
from config.api.fields import ChoiceField
from config.api.pagination import CursorPageQuery, NumberCursorField, refused_cursor
from config.api.schema import unless_blank
from config.api.serializers import QuerySerializer
from themes.labels import LabelCache, latest_label_cache

ME = "me"
"""The value of userId that stands for the caller. No account has it as its id."""

# ASCII digits only. Python would also read other digits, a date without a time, and a time without an offset.
RFC_3339 = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?([Zz]|[+-][0-9]{2}:[0-9]{2})"
)


@extend_schema_field(unless_blank({"type": "string", "format": "date-time"}))
class MomentField(serializers.Field):
    """A query parameter that is a moment (RFC 3339). "" counts as absent."""

    default_error_messages = {
        "invalid": "Give a moment as in 2026-11-22T12:00:00Z: date, T, time, and Z or an offset. Write + as %2B."
    }

    def to_internal_value(self, data: str) -> datetime | None:
        if not data:
            return None
        if not RFC_3339.fullmatch(data):
            self.fail("invalid")
        try:
            return datetime.fromisoformat(data.upper()).astimezone(UTC)
        except (ValueError, OverflowError):
            self.fail("invalid")


DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@extend_schema_field(unless_blank({"type": "string", "format": "date"}))
class DayField(serializers.Field):
    """A query parameter that is a day. "" counts as absent."""

    default_error_messages = {"invalid": "Give a day as in 2026-11-20: year, month and day."}

    def to_internal_value(self, data: str) -> date | None:
        if not data:
            return None
        if not DAY.fullmatch(data):
            self.fail("invalid")
        try:
            return date.fromisoformat(data)
        except ValueError:
            self.fail("invalid")


@extend_schema_field({"type": "string", "maxLength": MAX_CHARACTERS})
class SearchField(serializers.Field):
    """A text of the search language. It is taken as it is: the language says what is wrong, and at which word."""

    def to_internal_value(self, data: str) -> str:
        return data


class BoardFilters(QuerySerializer):
    dateFrom = DayField(
        required=False,
        help_text="A day. Finds the boards that were played then or later. One whose day or month is not known is found"
        " when all days that it may be are.",
    )
    dateTo = DayField(
        required=False, help_text="A day. Finds the boards that were played then or earlier, in the same way."
    )
    updatedSince = MomentField(
        required=False,
        help_text="A moment (RFC 3339). Finds the boards that were changed then or later. Votes change no board.",
    )

    q = SearchField(
        required=False,
        help_text="What boards are to have, in the search language: `any(spades>=5 hearts>=4) contract=4S`. The guide"
        " to searching has all of it. A field error of q has the position and the word at which it is wrong.",
    )

    def get_fields(self) -> dict[str, serializers.Field]:
        """Return the fields of the filters by a value, and the declared ones."""
        return {**{name: each.field() for name, each in FILTERS.items()}, **super().get_fields()}


class BoardQuery(BoardFilters):
    sort = ChoiceField(
        choices=["newest", "top"],
        default="newest",
        allow_blank=True,
        help_text="newest: newest first. top: by up minus down votes, then newest first.",
    )


class BoardListQuery(BoardQuery):
    published = ChoiceField(
        choices=["true", "false"],
        default="true",
        allow_blank=True,
        help_text="false: drafts instead of published boards. Members list their own, with userId=me; staff list all.",
    )


class BoardPageQuery(CursorPageQuery):
    after = NumberCursorField(
        required=False,
        help_text="A cursor, instead of a page: the nextCursor of an earlier answer, or nothing for the first boards. "
        "Boards that are added meanwhile neither repeat nor hide others. Only for sort=newest.",
    )


def played_in(days: Days) -> Condition:
    """Return the condition that a board was certainly played on these days."""
    first, last = number("playedFrom"), number("playedTo")
    return every([Between(first, low=days.first), Between(last, high=days.last)])


@dataclass(frozen=True)
class BoardSelection:
    """The boards that a query asks for. `filters` has those parameters of BoardFilters that are a value.

    `search` is the text of q, and `account_id` the caller's.
    """

    filters: Mapping[str, str]
    sort: str = "newest"
    published: bool = True
    updated_since: datetime | None = None
    played: Days | None = None
    search: str = ""
    account_id: str | None = None

    def condition(self, labels: LabelCache) -> Condition:
        """Return what it asks of a board. The labels say which themes and systems a name means.

        Raise ValidationFailed where `search` is no query.
        """
        parts: list[Condition] = [Tagged((PUBLISHED if self.published else DRAFT,))]
        parts += [FILTERS[name].condition(value, labels) for name, value in self.filters.items()]
        if self.updated_since:
            parts.append(ChangedSince(self.updated_since))
        if self.played:
            parts.append(played_in(self.played))
        if self.search:
            parts.append(self.check_search(condition_of(self.search, labels, self.account_id)))
        return every(parts)

    def check_search(self, condition: Condition) -> Condition:
        """Return the condition. Raise ValidationFailed when it is of drafts and these are published boards."""
        if self.published and asks_for_drafts(condition):
            reason = "Drafts are in the list of drafts alone: add published=false."
            raise ValidationFailed(meta={"fields": {"q": [{"code": "draft", "message": reason}]}})
        return condition

    @property
    def letter(self) -> str:
        """Return the letter of the list in cursors: a cursor of drafts is none of published boards."""
        return "p" if self.published else "d"

    def for_caller(self, caller: Account | AnonymousUser) -> "BoardSelection":
        """Return the selection with the caller's id for `userId=me`. Raise NotAuthenticated where nobody is `me`.

        Raise ValidationFailed where q is no query, before anything is sent.
        """
        selection = replace(self, account_id=caller.pk if caller.is_authenticated else None)
        if self.filters.get("userId") == ME:
            if not caller.is_authenticated:
                raise missing_token("userId=me needs a bearer token: send Authorization: Bearer <ACCESS_TOKEN>.")
            selection = replace(selection, filters={**self.filters, "userId": caller.pk})
        selection.condition(latest_label_cache())
        return selection


def parse_selection(query: QueryDict, query_class: type[BoardQuery] = BoardQuery) -> BoardSelection:
    """Return what the query parameters ask for. Raise ValidationError for those that are not valid."""
    parameters = query_class.parse(query)
    sort = parameters.pop("sort") or "newest"
    published = parameters.pop("published", "") != "false"
    updated_since = parameters.pop("updatedSince", None)
    played, search = pop_days(parameters), parameters.pop("q", "")
    filters = {name: value for name, value in parameters.items() if value}
    return BoardSelection(filters, sort, published, updated_since, played, search)


def pop_days(parameters: dict[str, Any]) -> Days | None:
    """Take the two days out of the parsed parameters. Raise ValidationError when the last one is before the first."""
    first, last = parameters.pop("dateFrom", None), parameters.pop("dateTo", None)
    if first and last and last < first:
        reason = f"Give {first} or a later day, as dateFrom says."
        raise serializers.ValidationError({"dateTo": [serializers.ErrorDetail(reason, code="invalid")]})
    return days_between(first, last) if first or last else None


def parse_list(query: QueryDict, caller: Account | AnonymousUser) -> BoardSelection:
    """Return what the query parameters of GET /api/boards ask for.

    Raise ValidationError for those that are not valid, and NotAuthenticated or PermissionRefused for drafts that the
    caller may not list: members list their own, and staff those of everybody.
    """
    selection = parse_selection(query, BoardListQuery).for_caller(caller)
    if selection.published:
        return selection
    if not caller.is_authenticated:
        raise missing_token()
    if not caller.is_staff and selection.filters.get("userId") != caller.pk:
        raise PermissionRefused("You may list your own drafts only. Add userId=me.")
    return selection


def parse_page(query: QueryDict, selection: BoardSelection) -> dict[str, Any]:
    """Return the parsed BoardPageQuery. Raise ValidationError for a cursor that does not fit what is selected."""
    parameters = BoardPageQuery.parse_for(query, selection.letter)
    if "after" in parameters and selection.sort == "top":
        raise refused_cursor("A vote moves boards in sort=top, so that order has no cursors. Use page, or sort=newest.")
    return parameters
