"""The query parameters of GET /api/boards: what they may be, and what they ask for.

The form that offers the same filters on the page /boards is pages.search.filter_form.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.http import QueryDict
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.authentication import missing_token
from accounts.models import Account
from boards.models import Collection, CollectionBoard
from boards.searching.filters import FILTERS
from config.api.errors import PermissionRefused
from config.api.fields import MAX_IDS, ChoiceField, IdsField, UUIDField
from config.api.pagination import (
    MAX_PAGE,
    MAX_PAGE_SIZE,
    NOT_OF_THIS_LIST,
    CursorPageQuery,
    NumberCursor,
    NumberCursorField,
    refused_cursor,
)
from config.api.schema import unless_blank
from config.api.serializers import QuerySerializer
from search.conditions import AllOf, Among, Condition, Tagged, every
from search.facts import DRAFT, PUBLISHED
from search.language.parsing import MAX_CHARACTERS, QueryError
from search.language.queries import SearchText
from themes.labels import LabelCache, latest_label_cache

ME = "me"
"""The value of userId that stands for the caller. No account has it as its id."""


COLLECTION = "collection"
"""The parameter whose answers no cache keeps (boards.api.views)."""


@extend_schema_field({"type": "string", "maxLength": MAX_CHARACTERS})
class SearchField(serializers.Field):
    """A text of the search language. It is taken as it is: the language says what is wrong, and at which word."""

    def to_internal_value(self, data: str) -> str:
        return data


class BoardFilters(QuerySerializer):
    q = SearchField(
        required=False,
        help_text="What boards are to have, in the search language: `any(spades>=5 hearts>=4) contract=4S`. The guide"
        " to searching has all of it. A field error of q has the position and the word at which it is wrong.",
    )

    def get_fields(self) -> dict[str, serializers.Field]:
        """Return the fields of the filters, and the declared ones."""
        return {**{name: each.field() for name, each in FILTERS.items()}, **super().get_fields()}


@extend_schema_field(unless_blank({"type": "string", "format": "uuid"}))
class CollectionField(serializers.Field):
    """The id of a collection. "" counts as absent."""

    def to_internal_value(self, data: str) -> UUID | None:
        return UUIDField().run_validation(data) if data else None


class ApiFilters(BoardFilters):
    """The filters, and the boards that a program knows from elsewhere.

    Pages have none of these: a collection has addresses of its own, where its boards are in its order.
    """

    ids = IdsField(
        required=False,
        help_text=f"Board ids (uuids), {MAX_IDS} at most, separated by commas. They do not set the order. Without"
        " pageSize all of them are on one page.",
    )
    collection = CollectionField(
        required=False,
        help_text="A collection's id. Finds those of its boards that are there for you, in the order of `sort` and not"
        " of the collection, which GET /api/collections/{id} has. One that you may not read has no boards.",
    )


class BoardQuery(BoardFilters):
    sort = ChoiceField(
        choices=["newest", "top"],
        default="newest",
        allow_blank=True,
        help_text="newest: newest first. top: by up minus down votes, then newest first.",
    )


class BoardListQuery(ApiFilters, BoardQuery):
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
        "Boards that are added meanwhile neither repeat nor hide others; with sort=top, votes may.",
    )


@dataclass(frozen=True)
class BoardSelection:
    """The boards that a query asks for. `filters` has the values of FILTERS by their names.

    `search` is the text of q, None without one, and `account_id` the caller's. The boards are those that are in each
    list of `among`, and in the `collection`: `for_caller` makes such a list of it.
    """

    filters: Mapping[str, Any]
    sort: str = "newest"
    published: bool = True
    search: SearchText | None = None
    account_id: str | None = None
    among: tuple[tuple[UUID, ...], ...] = ()
    collection: UUID | None = None

    def condition(self, labels: LabelCache) -> Condition:
        """Return what it asks of a board. The labels say which themes and systems a name means.

        Raise QueryError where `search` is not a query, or asks for drafts among published boards.
        """
        parts: list[Condition] = [Tagged((PUBLISHED if self.published else DRAFT,))]
        parts += [FILTERS[name].condition(value, labels) for name, value in self.filters.items()]
        parts += map(Among, self.among)
        if self.search:
            searched = self.search.condition(labels, self.account_id)
            if self.published and asks_for_drafts(searched):
                raise QueryError("draft", "Drafts are in the list of drafts alone: add published=false.")
            parts.append(searched)
        return every(parts)

    @property
    def letter(self) -> str:
        """Return the letter of the list in cursors: a cursor of drafts is not one of published boards.

        A cursor of sort=top has a capital one. Its number is not a board's, but that of the boards before it.
        """
        letter = "p" if self.published else "d"
        return letter.upper() if self.sort == "top" else letter

    def for_caller(self, caller: Account | AnonymousUser) -> "BoardSelection":
        """Return the selection with the caller's id for `userId=me`, and the boards of a collection for its id.

        One that the caller may not read has none, like an unknown one. Raise NotAuthenticated where nobody is `me`.

        Raise QueryError where q is not a query, before anything is sent.
        """
        selection = replace(self, account_id=caller.pk if caller.is_authenticated else None)
        if self.filters.get("userId") == ME:
            if not caller.is_authenticated:
                raise missing_token("userId=me needs a bearer token: send Authorization: Bearer <ACCESS_TOKEN>.")
            selection = replace(selection, filters={**self.filters, "userId": caller.pk})
        if self.collection:
            readable = Collection.objects.readable_by(caller).filter(pk=self.collection)
            entries = CollectionBoard.objects.filter(collection__in=readable)
            board_ids = tuple(entries.values_list("board_id", flat=True))
            selection = replace(selection, among=(*self.among, board_ids), collection=None)
        selection.condition(latest_label_cache())
        return selection


def parse_selection(
    query: QueryDict, query_class: type[BoardFilters] = BoardQuery, text: SearchText | None = None
) -> BoardSelection:
    """Return what the query parameters ask for. Raise ValidationError for those that are not valid.

    `text` is that of q where the caller has read it already.
    """
    parameters = query_class.parse(query)
    sort = parameters.pop("sort", "") or "newest"
    published = parameters.pop("published", "") != "false"
    q = parameters.pop("q", "")
    search = (text or SearchText(q)) if q else None
    ids, collection = parameters.pop("ids", ()), parameters.pop("collection", None)
    check_days(parameters.get("dateFrom"), parameters.get("dateTo"))
    filters = {name: value for name, value in parameters.items() if value}
    among = (tuple(ids),) if ids else ()
    return BoardSelection(filters, sort, published, search, among=among, collection=collection)


def check_days(first: date | None, last: date | None) -> None:
    """Raise ValidationError when the last day is before the first."""
    if first and last and last < first:
        reason = f"Give {first} or a later day, as dateFrom says."
        raise serializers.ValidationError({"dateTo": [serializers.ErrorDetail(reason, code="invalid")]})


def asks_for_drafts(condition: Condition) -> bool:
    """Tell whether only a draft can meet the condition."""
    if isinstance(condition, AllOf):
        return any(map(asks_for_drafts, condition.parts))
    return condition == Tagged((DRAFT,))


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
    """Return the parsed BoardPageQuery. A page has all ids that are given, unless its size is given too.

    Raise ValidationError for a cursor that does not fit what is selected.
    """
    parameters = BoardPageQuery.parse_for(query, selection.letter)
    if query.get("ids") and "pageSize" not in query:
        parameters["pageSize"] = MAX_PAGE_SIZE
    if (after := parameters.get("after")) and selection.sort == "top":
        if not after.letter:
            parameters["after"] = NumberCursor(selection.letter, 0)
        elif after.number > MAX_PAGE * MAX_PAGE_SIZE:
            raise refused_cursor(NOT_OF_THIS_LIST)
    return parameters
