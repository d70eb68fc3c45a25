"""What GET /api/boards can be asked for."""

from typing import Any

from django.http import QueryDict
from rest_framework import serializers

from accounts.identifiers import PATTERN
from boards.models import Board
from boards.querysets import BoardQuerySet
from config.api.serializers import QuerySerializer
from themes.models import Theme
from themes.querysets import ThemeQuerySet

WORD = r"[A-Za-z0-9_-]{1,64}"


def word(help_text: str, pattern: str = WORD) -> serializers.RegexField:
    """A filter's value: an unknown one matches nothing, one that could never be known is an error."""
    return serializers.RegexField(
        rf"^(?:{pattern})\Z",
        required=False,
        allow_blank=True,
        help_text=help_text,
        error_messages={"invalid": "Nothing can be called that: give one value, without spaces."},
    )


class BoardFilters(QuerySerializer):
    theme = word("A theme's id or identifier.")
    themeType = word("A theme type, such as convention.")
    dealer = word("N, E, S or W.")
    vulnerability = word("None, NS, EW or All.")
    auctionSystem = word("An auction system's identifier.")
    userId = word("The owner's account id.", PATTERN)


class BoardQuery(BoardFilters):
    sort = serializers.ChoiceField(
        choices=["newest", "top"],
        default="newest",
        allow_blank=True,
        help_text="top: up minus down votes, then newest.",
    )


def published_boards(query: QueryDict) -> BoardQuerySet:
    """The published boards a query asks for, totally ordered."""
    asked = BoardQuery.parse(query)
    boards = Board.objects.published().filter(**column_filters(asked))
    for themes in theme_filters(asked):
        boards = boards.under_themes(themes)
    return boards.top_first() if asked["sort"] == "top" else boards.newest_first()


def column_filters(asked: dict[str, Any]) -> dict[str, str]:
    columns = {
        "dealer": "dealer",
        "vulnerability": "vulnerability",
        "auctionSystem": "auction_system__identifier",
        "userId": "owner_id",
    }
    return {column: asked[name] for name, column in columns.items() if asked.get(name)}


def theme_filters(asked: dict[str, Any]) -> list[ThemeQuerySet]:
    found = []
    if asked.get("theme"):
        found.append(Theme.objects.with_id_or_identifier(asked["theme"]))
    if asked.get("themeType"):
        found.append(Theme.objects.filter(type=asked["themeType"]))
    return found
