"""The names that the tests' database would know."""

from datetime import date
from typing import Any, NamedTuple
from uuid import UUID

from accounts.models import AuctionSystem
from search.conditions import Between, Condition, OneOf
from search.facts import choice, number
from search.language.parsing import QueryError
from search.language.queries import parse_query
from themes.labels import LabelCache
from themes.management.commands.load_reference_data import read_data
from themes.models import Theme

THEMES = (("t1", "stayman", "convention"), ("t2", "stayman", "convention"), ("t3", "Squeeze", "declarer_play"))
SYSTEMS = {"acol": "acol", "5": "sayc"}
THEMES_BY_ID: Any = {pk: Theme(pk=pk, identifier=identifier, type=kind) for pk, identifier, kind in THEMES}
LABELS = LabelCache(
    None,
    THEMES_BY_ID,
    {pk: AuctionSystem(pk=pk, identifier=identifier) for pk, identifier in SYSTEMS.items()},
)


REFERENCE = LabelCache(
    None,
    {
        UUID(int=number): Theme(id=UUID(int=number), **{name: entry[name] for name in ("identifier", "type", "labels")})
        for number, entry in enumerate(read_data("themes", "themes.json")["themes"])
    },
    {
        entry["identifier"]: AuctionSystem(identifier=entry["identifier"], labels=entry["labels"])
        for entry in read_data("accounts", "auction_systems.json")
    },
)
"""The themes and auction systems that `load_reference_data` loads, with their labels in all languages."""

TODAY = date(2026, 11, 27)
"""A Friday."""


def parse(text: str) -> Condition:
    return parse_query(text, LABELS, "ada", TODAY)


class Reason(NamedTuple):
    """What an answer says of a text that is not a query."""

    code: str
    message: str
    position: int
    word: str


def refusal(text: str, account_id: str | None = "ada") -> Reason | None:
    """Return why the text is not a query, None for a query."""
    try:
        parse_query(text, LABELS, account_id, TODAY)
    except QueryError as error:
        (reason,) = error.meta["fields"]["q"]
        return Reason(**reason)
    return None


def error_of(text: str, account_id: str | None = "ada") -> Reason:
    reason = refusal(text, account_id)
    assert reason, f"{text} means {parse(text)}"
    return reason


def between(name: str, low: int | None = None, high: int | None = None) -> Between:
    return Between(number(name), low, high)


def one_of(name: str, *values: str) -> OneOf:
    return OneOf(choice(name), values)
