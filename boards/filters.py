"""The query parameters of GET /api/boards: what they may be, and the boards they find.

The form that offers the same filters on the page /boards is boards.pages.filter_form.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.http import QueryDict
from rest_framework import serializers

from accounts.identifiers import PATTERN
from boards.catalogue.facets import facets_for
from boards.models import SEAT_CHOICES, VULNERABILITY_CHOICES, Board
from boards.querysets import BoardQuerySet
from config.api.fields import ChoiceField
from config.api.serializers import QuerySerializer
from config.values.identifiers import SLUG_PATTERN
from themes.directory import get_directory, get_revision


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
    userId = filter_field("The owner's account id.", PATTERN)


class BoardQuery(BoardFilters):
    sort = ChoiceField(
        choices=["newest", "top"],
        default="newest",
        allow_blank=True,
        help_text="newest: newest first. top: by up minus down votes, then newest first.",
    )


@dataclass(frozen=True)
class BoardSelection:
    """The published boards that a query asks for. `filters` has the parameters of BoardFilters that are not blank."""

    filters: Mapping[str, str]
    sort: str


def parse_selection(query: QueryDict) -> BoardSelection:
    """Return what the query parameters ask for. Raise ValidationError for those that are not valid."""
    parameters = BoardQuery.parse(query)
    sort = parameters.pop("sort") or "newest"
    return BoardSelection({name: value for name, value in parameters.items() if value}, sort)


def find_published_boards(query: QueryDict) -> BoardQuerySet:
    """Return the published boards that match the query parameters, in a total order, for answers of any length."""
    selection = parse_selection(query)
    boards = Board.objects.published()
    if selection.filters:
        for alternatives in facets_for(selection.filters, get_directory(get_revision())):
            boards = boards.in_any_list(alternatives)
    return boards.top_first() if selection.sort == "top" else boards.newest_first()
