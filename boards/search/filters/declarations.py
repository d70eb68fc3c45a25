"""The filters of boards by a value, each declared once, and the parameter q, a text of the search language.

GET /api/boards with its stream, drafts and files, the page /boards and export_boards are made from a declaration. Days
and moments are in boards.search.filters.parameters.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rest_framework import serializers

from accounts.identifiers import PATTERN
from accounts.models import Account
from boards.events.reading import EVENT
from boards.models import Board
from boards.search.conditions import AllOf, Condition, OneOf, Tagged
from boards.search.facts import DRAFT, FACTS, Choice
from boards.search.language.parsing import QueryError
from boards.search.language.queries import parse_query
from boards.search.language.values import Names
from bridge.names import SEAT_NAMES, vulnerability_in_words
from bridge.vulnerability import Vulnerability
from config.api.errors import ValidationFailed
from config.api.fields import ChoiceField
from config.values.identifiers import SLUG_PATTERN
from themes.labels import LabelCache, get_label_cache, get_revision


def always(value: str, labels: LabelCache) -> bool:
    return True


@dataclass(frozen=True, kw_only=True)
class Filter:
    """A filter, whose `name` is the query parameter.

    `condition` is what it asks of a board. `exists` tells whether anything has the name: where nothing has, a page and
    a command say so. `choices` are the only values, with a label for people; without any the form has a text. `label`
    heads it there; a filter with `is_hidden` has none in the form, and strangers are not told what exists. `option` is
    that of export_boards.
    """

    name: str
    label: str
    help_text: str
    option: str
    condition: Callable[[str, LabelCache], Condition]
    exists: Callable[[str, LabelCache], bool] = always
    choices: Mapping[str, str] | None = None
    pattern: str = SLUG_PATTERN
    is_hidden: bool = False

    def field(self) -> serializers.Field:
        """Return the field of the query parameter. An unknown name matches no board; one that is none is refused."""
        options: dict[str, Any] = {"required": False, "allow_blank": True, "help_text": self.help_text}
        if self.choices:
            return ChoiceField(choices=[*self.choices.items()], **options)
        return serializers.RegexField(
            rf"^(?:{self.pattern})\Z",
            trim_whitespace=False,  # what is compared is what the address says
            error_messages={"invalid": "This is not a valid value. Give one value, without spaces."},
            **options,
        )


def tagged(name: str, values: Iterable[object]) -> Tagged:
    """Return the condition that a board has one of these values of a filter (boards.search.facts.tags_of)."""
    return Tagged(tuple(f"{name}:{value}" for value in values))


def by_column(name: str, help_text: str = "", choices: Mapping[str, str] | None = None) -> Filter:
    """Return the filter of a column with a few choices, which has its name. A blank one is found by no value.

    The help text and the labels are the column's, unless others are given.
    """
    column: Any = Board._meta.get_field(name)
    fact = FACTS[name]
    assert isinstance(fact, Choice)
    return Filter(
        name=name,
        label=name.capitalize(),
        help_text=help_text or column.help_text,
        option=f"--{name}",
        choices=choices or dict(column.choices),
        condition=lambda value, labels: OneOf(fact, (value,)),
    )


def vulnerability_label(vulnerability: Vulnerability) -> str:
    words = vulnerability_in_words(vulnerability)
    return words[0].upper() + words[1:]


FILTERS = {
    each.name: each
    for each in (
        Filter(
            name=EVENT,
            label="Event",
            help_text="An event's slug, such as eventSlug of a board. GET /api/events lists the events.",
            option="--event",
            condition=lambda slug, labels: tagged(EVENT, [slug]),
            exists=lambda slug, labels: Board.objects.of_event(slug).exists(),
        ),
        Filter(
            name="theme",
            label="Theme",
            help_text="A theme's id or identifier.",
            option="--theme",
            condition=lambda name, labels: tagged("theme", labels.theme_ids_named(name)),
            exists=lambda name, labels: bool(labels.theme_ids_named(name)),
        ),
        Filter(
            name="themeType",
            label="Theme type",
            help_text="A theme type, such as convention.",
            option="--theme-type",
            condition=lambda name, labels: tagged("theme", labels.theme_ids_of_type(name)),
            exists=lambda name, labels: name in labels.theme_types,
        ),
        by_column("dealer", "N, E, S or W.", SEAT_NAMES),
        by_column(
            "vulnerability", "None, NS, EW or All.", {each.value: vulnerability_label(each) for each in Vulnerability}
        ),
        by_column("difficulty"),
        Filter(
            name="auctionSystem",
            label="Auction system",
            help_text="An auction system's identifier.",
            option="--auction-system",
            condition=lambda name, labels: tagged("auctionSystem", labels.auction_system_ids_named(name)),
            exists=lambda name, labels: bool(labels.auction_system_ids_named(name)),
        ),
        Filter(
            name="userId",
            label="Account",
            help_text="The owner's account id, or me for the boards of the token's account.",
            option="--user",
            pattern=PATTERN,
            condition=lambda account_id, labels: tagged("userId", [account_id]),
            exists=lambda name, labels: Account.objects.filter(pk=name).exists(),
            is_hidden=True,
        ),
    )
}
"""The filters by their names, in the order of the form and of the document."""


def condition_of(text: str, labels: LabelCache, account_id: str | None) -> Condition:
    """Return what the text asks. Raise ValidationFailed, which says at which word it is wrong.

    A name that these labels do not have is looked up in those that the database has now.
    """
    try:
        return parse(text, labels, account_id)
    except QueryError as error:
        if error.code != "unknown_name":
            raise refused(error) from error
    try:
        return parse(text, get_label_cache(get_revision()), account_id)
    except QueryError as error:
        raise refused(error) from error


@lru_cache(maxsize=16)
def parse(text: str, labels: LabelCache, account_id: str | None) -> Condition:
    """Return what the text asks. A request asks for it three times: to refuse it, to search, and to compare labels."""
    return parse_query(text, names_of(labels, account_id))


def names_of(labels: LabelCache, account_id: str | None) -> Names:
    return Names(
        theme_ids=labels.theme_ids_named,
        auction_system_ids=labels.auction_system_ids_named,
        themes=lambda: labels.theme_ids_by_identifier,
        theme_ids_of_type=labels.theme_ids_of_type,
        theme_types=lambda: labels.theme_types,
        auction_systems=lambda: [system.identifier for system in labels.auction_systems.values()],
        account_id=account_id,
    )


def refused(error: QueryError) -> ValidationFailed:
    reason: dict[str, Any] = {
        "code": error.code,
        "message": error.message,
        "position": error.position,
        "word": error.word,
    }
    return ValidationFailed(meta={"fields": {"q": [reason]}})


def asks_for_drafts(condition: Condition) -> bool:
    """Tell whether only a draft can meet the condition."""
    if isinstance(condition, AllOf):
        return any(map(asks_for_drafts, condition.parts))
    return condition == Tagged((DRAFT,))
