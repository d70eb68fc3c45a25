"""The filters of boards, each declared once.

GET /api/boards with its stream, drafts and files, the page /boards and export_boards are made from a declaration. Only
the search language is none of them.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from django.utils.text import capfirst
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.identifiers import PATTERN
from accounts.models import Account
from boards.events.reading import EVENT
from boards.models import Board
from bridge.names import SEAT_NAMES, vulnerability_in_words
from bridge.vulnerability import Vulnerability
from config.api.fields import ChoiceField
from config.api.schema import unless_blank
from config.values.identifiers import SLUG_PATTERN
from search.conditions import ChangedSince, Condition, OneOf, Tagged, played_between
from search.facts import choice
from themes.labels import LabelCache


class IsoField(serializers.Field):
    """A query parameter in a notation of ISO 8601, of which Python would read others too. "" counts as absent."""

    notation: re.Pattern[str]
    read: Callable[[str], date]

    def to_internal_value(self, data: str) -> date | None:
        if not data:
            return None
        if not self.notation.fullmatch(data):
            self.fail("invalid")
        try:
            return self.read(data)
        except (ValueError, OverflowError):
            self.fail("invalid")


@extend_schema_field(unless_blank({"type": "string", "format": "date"}))
class DayField(IsoField):
    notation = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
    read = staticmethod(date.fromisoformat)
    default_error_messages = {"invalid": "Give a day as in 2026-11-20: year, month and day."}


@extend_schema_field(unless_blank({"type": "string", "format": "date-time"}))
class MomentField(IsoField):
    """A moment (RFC 3339)."""

    notation = re.compile(
        r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?([Zz]|[+-][0-9]{2}:[0-9]{2})"
    )
    default_error_messages = {
        "invalid": "Give a moment as in 2026-11-22T12:00:00Z: date, T, time, and Z or an offset. Write + as %2B."
    }

    @staticmethod
    def read(text: str) -> datetime:
        return datetime.fromisoformat(text.upper()).astimezone(UTC)


@dataclass(frozen=True, kw_only=True)
class Filter:
    """A filter, whose `name` is the query parameter.

    `condition` is what it asks of a board. `is_stored` tells whether the database has a name that the labels do not
    have. `choices` are the only values, with a label for people; a day or a moment has a field of its own; else the
    form has a text. `label` heads it there; a filter with `is_hidden` has none in the form, and strangers are not told
    what exists. `option` is that of export_boards.
    """

    name: str
    label: str
    help_text: str
    option: str
    condition: Callable[[Any, LabelCache], Condition]
    is_stored: Callable[[str], bool] = lambda value: True
    choices: Mapping[str, str] | None = None
    pattern: str = SLUG_PATTERN
    field_class: type[serializers.Field] | None = None
    is_hidden: bool = False

    @property
    def is_day(self) -> bool:
        return self.field_class is DayField

    def exists(self, value: Any, labels: LabelCache) -> bool:
        """Tell whether anything has the name. Where nothing has, a page and a command say so."""
        return self.condition(value, labels) != Tagged(()) and self.is_stored(value)

    def field(self) -> serializers.Field:
        """Return the field of the query parameter. An unknown name matches no board; one that is none is refused."""
        options: dict[str, Any] = {"required": False, "help_text": self.help_text}
        if self.field_class:
            return self.field_class(**options)
        if self.choices:
            return ChoiceField(choices=[*self.choices.items()], allow_blank=True, **options)
        return serializers.RegexField(
            rf"^(?:{self.pattern})\Z",
            allow_blank=True,
            trim_whitespace=False,  # what is compared is what the address says
            error_messages={"invalid": "This is not a valid value. Give one value, without spaces."},
            **options,
        )


def tagged(name: str, values: Iterable[object]) -> Tagged:
    """Return the condition that a board has one of these values of a filter (boards.searching.subjects.tags_of)."""
    return Tagged(tuple(f"{name}:{value}" for value in values))


def by_column(name: str, help_text: str = "", choices: Mapping[str, str] | None = None) -> Filter:
    """Return the filter of a column with a few choices, which has its name. A blank one is found by no value.

    The help text and the labels are the column's, unless others are given.
    """
    column: Any = Board._meta.get_field(name)
    return Filter(
        name=name,
        label=name.capitalize(),
        help_text=help_text or column.help_text,
        option=f"--{name}",
        choices=choices or dict(column.choices),
        condition=lambda value, labels: OneOf(choice(name), (value,)),
    )


VULNERABILITIES = {each.value: capfirst(vulnerability_in_words(each)) for each in Vulnerability}

FILTERS = {
    each.name: each
    for each in (
        Filter(
            name=EVENT,
            label="Event",
            help_text="An event's slug, such as eventSlug of a board. GET /api/events lists the events.",
            option="--event",
            condition=lambda slug, labels: tagged(EVENT, [slug]),
            is_stored=lambda slug: Board.objects.of_event(slug).exists(),
        ),
        Filter(
            name="theme",
            label="Theme",
            help_text="A theme's id or identifier.",
            option="--theme",
            condition=lambda name, labels: tagged("theme", labels.theme_ids_named(name)),
        ),
        Filter(
            name="themeType",
            label="Theme type",
            help_text="A theme type, such as convention.",
            option="--theme-type",
            condition=lambda name, labels: tagged("theme", labels.theme_ids_of_type(name)),
        ),
        by_column("dealer", "N, E, S or W.", SEAT_NAMES),
        by_column("vulnerability", "None, NS, EW or All.", VULNERABILITIES),
        by_column("difficulty"),
        Filter(
            name="auctionSystem",
            label="Auction system",
            help_text="An auction system's identifier.",
            option="--auction-system",
            condition=lambda name, labels: tagged("auctionSystem", labels.auction_system_ids_named(name)),
        ),
        Filter(
            name="userId",
            label="Account",
            help_text="The owner's account id, or me for the boards of the token's account.",
            option="--user",
            pattern=PATTERN,
            condition=lambda account_id, labels: tagged("userId", [account_id]),
            is_stored=lambda account_id: Account.objects.filter(pk=account_id).exists(),
            is_hidden=True,
        ),
        Filter(
            name="dateFrom",
            label="Played from",
            help_text="A day. Finds the boards that were played then or later. One whose day or month is not known is"
            " found when all days that it may be are.",
            option="--date-from",
            condition=lambda day, labels: played_between(day, None),
            field_class=DayField,
        ),
        Filter(
            name="dateTo",
            label="Played to",
            help_text="A day. Finds the boards that were played then or earlier, in the same way.",
            option="--date-to",
            condition=lambda day, labels: played_between(None, day),
            field_class=DayField,
        ),
        Filter(
            name="updatedSince",
            label="Changed since",
            help_text="A moment (RFC 3339). Finds the boards that were changed then or later. Votes change no board.",
            option="--updated-since",
            condition=lambda moment, labels: ChangedSince(moment),
            field_class=MomentField,
            is_hidden=True,
        ),
    )
}
"""The filters by their names, in the order of the form and of the document."""
