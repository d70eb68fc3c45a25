"""The query parameters of GET /api/boards: what they may be, and the boards they find.

The form that offers the same filters on the page /boards is boards.pages.filter_form.
"""

from typing import Any

from django.http import QueryDict
from rest_framework import serializers

from accounts.identifiers import PATTERN
from boards.models import Board
from boards.querysets import BoardQuerySet
from config.api.serializers import QuerySerializer
from config.values.identifiers import SLUG_PATTERN
from themes.models import Theme
from themes.querysets import ThemeQuerySet


def filter_field(help_text: str, pattern: str = SLUG_PATTERN) -> serializers.RegexField:
    """Return a field for a filter. An unknown value matches no board; one that breaks the pattern is refused."""
    return serializers.RegexField(
        rf"^(?:{pattern})\Z",
        required=False,
        allow_blank=True,
        help_text=help_text,
        error_messages={"invalid": "This is not a valid value. Give one value, without spaces."},
    )


class BoardFilters(QuerySerializer):
    theme = filter_field("A theme's id or identifier.")
    themeType = filter_field("A theme type, such as convention.")
    dealer = filter_field("N, E, S or W.")
    vulnerability = filter_field("None, NS, EW or All.")
    auctionSystem = filter_field("An auction system's identifier.")
    userId = filter_field("The owner's account id.", PATTERN)


class BoardQuery(BoardFilters):
    sort = serializers.ChoiceField(
        choices=["newest", "top"],
        default="newest",
        allow_blank=True,
        help_text="newest: newest first. top: by up minus down votes, then newest first.",
    )


def find_published_boards(query: QueryDict) -> BoardQuerySet:
    """Return the published boards that match the query parameters, in a total order."""
    parameters = BoardQuery.parse(query)
    boards = Board.objects.published().filter(**column_lookups(parameters))
    for themes in theme_querysets(parameters):
        boards = boards.under_themes(themes)
    return boards.top_first() if parameters["sort"] == "top" else boards.newest_first()


def column_lookups(parameters: dict[str, Any]) -> dict[str, str]:
    lookups = {
        "dealer": "dealer",
        "vulnerability": "vulnerability",
        "auctionSystem": "auction_system__identifier",
        "userId": "owner_id",
    }
    return {lookup: parameters[name] for name, lookup in lookups.items() if parameters.get(name)}


def theme_querysets(parameters: dict[str, Any]) -> list[ThemeQuerySet]:
    """Return one set of themes for each theme parameter. A board must have a theme of every set."""
    querysets = []
    if parameters.get("theme"):
        querysets.append(Theme.objects.with_id_or_identifier(parameters["theme"]))
    if parameters.get("themeType"):
        querysets.append(Theme.objects.filter(type=parameters["themeType"]))
    return querysets
