"""The query parameters of GET /api/boards: what they may be, and the boards they find.

The form that offers the same filters on the page /boards is boards.pages.filter_form.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.contrib.auth.models import AnonymousUser
from django.http import QueryDict
from rest_framework import serializers

from accounts.identifiers import PATTERN
from accounts.models import Account
from boards.catalogue.facets import facets_for
from boards.models import SEAT_CHOICES, VULNERABILITY_CHOICES, Board
from boards.querysets import BoardQuerySet
from config.api.errors import NotAuthenticated, PermissionRefused
from config.api.fields import ChoiceField
from config.api.serializers import QuerySerializer
from config.values.identifiers import SLUG_PATTERN
from themes.directory import get_directory, get_revision

ME = "me"
"""The value of userId that stands for the caller. No account has it as its id."""


def filter_field(help_text: str, pattern: str = SLUG_PATTERN) -> serializers.RegexField:
    """Return a field for a filter by a name, which staff or members choose.

    An unknown name matches no board. One that breaks the pattern is refused.
    """
    return serializers.RegexField(
        rf"^(?:{pattern})\Z",
        required=False,
        allow_blank=True,
        help_text=help_text,
        error_messages={"invalid": "This is not a valid value. Give one value, without spaces."},
    )


def choice_filter_field(help_text: str, choices: Sequence[tuple[str, str]]) -> ChoiceField:
    """Return a field for a filter whose values are fixed. The error for any other value lists them."""
    return ChoiceField(choices=choices, required=False, allow_blank=True, help_text=help_text)


class BoardFilters(QuerySerializer):
    theme = filter_field("A theme's id or identifier.")
    themeType = filter_field("A theme type, such as convention.")
    dealer = choice_filter_field("N, E, S or W.", SEAT_CHOICES)
    vulnerability = choice_filter_field("None, NS, EW or All.", VULNERABILITY_CHOICES)
    auctionSystem = filter_field("An auction system's identifier.")
    userId = filter_field("The owner's account id, or me for the boards of the token's account.", PATTERN)


class BoardQuery(BoardFilters):
    sort = ChoiceField(
        choices=["newest", "top"],
        default="newest",
        allow_blank=True,
        help_text="newest: newest first. top: by up minus down votes, then newest first.",
    )


class BoardListQuery(BoardQuery):
    published = serializers.ChoiceField(
        choices=["true", "false"],
        default="true",
        allow_blank=True,
        help_text="false: drafts instead of published boards. Members list their own, with userId=me; staff list all.",
    )


@dataclass(frozen=True)
class BoardSelection:
    """The boards that a query asks for. `filters` has the parameters of BoardFilters that are not blank."""

    filters: Mapping[str, str]
    sort: str
    published: bool = True

    def for_caller(self, caller: Account | AnonymousUser) -> "BoardSelection":
        """Return the selection with the caller's id for `userId=me`. Raise NotAuthenticated where nobody is `me`."""
        if self.filters.get("userId") != ME:
            return self
        if not caller.is_authenticated:
            raise NotAuthenticated(
                "userId=me needs a bearer token: send Authorization: Bearer <ACCESS_TOKEN>."
            )
        return replace(self, filters={**self.filters, "userId": caller.pk})


def parse_selection(query: QueryDict, query_class: type[BoardQuery] = BoardQuery) -> BoardSelection:
    """Return what the query parameters ask for. Raise ValidationError for those that are not valid."""
    parameters = query_class.parse(query)
    sort = parameters.pop("sort") or "newest"
    published = parameters.pop("published", "") != "false"
    filters = {name: value for name, value in parameters.items() if value}
    return BoardSelection(filters, sort, published)


def parse_list(query: QueryDict, caller: Account | AnonymousUser) -> BoardSelection:
    """Return what the query parameters of GET /api/boards ask for.

    Raise ValidationError for those that are not valid, and NotAuthenticated or PermissionRefused for drafts that the
    caller may not list: members list their own, and staff those of everybody.
    """
    selection = parse_selection(query, BoardListQuery).for_caller(caller)
    if selection.published:
        return selection
    if not caller.is_authenticated:
        raise NotAuthenticated
    if not caller.is_staff and selection.filters.get("userId") != caller.pk:
        raise PermissionRefused("You may list your own drafts only. Add userId=me.")
    return selection


def find_published_boards(selection: BoardSelection) -> BoardQuerySet:
    """Return the selected published boards in a total order, for answers of any length."""
    boards = Board.objects.published()
    if selection.filters:
        for alternatives in facets_for(selection.filters, get_directory(get_revision())):
            boards = boards.in_any_list(alternatives)
    return boards.top_first() if selection.sort == "top" else boards.newest_first()


def find_drafts(selection: BoardSelection) -> BoardQuerySet:
    """Return the selected drafts in a total order. They stand in no list, so their own columns are compared."""
    boards = Board.objects.drafts()
    directory = get_directory(get_revision())
    for name, value in selection.filters.items():
        if name == "theme":
            boards = boards.with_any_theme(pk__in=directory.theme_ids_named(value))
        elif name == "themeType":
            boards = boards.with_any_theme(type=value)
        elif name == "auctionSystem":
            boards = boards.filter(auction_system__in=directory.auction_system_ids_named(value))
        else:
            boards = boards.filter(**{DRAFT_COLUMNS[name]: value})
    return boards.top_created_first() if selection.sort == "top" else boards.newest_created_first()


DRAFT_COLUMNS = {"dealer": "dealer", "vulnerability": "vulnerability", "userId": "owner"}
"""The columns of a board that a filter compares as they are."""
