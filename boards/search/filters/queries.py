"""The query parameter q: a text of the search language, and what it asks of a board (boards.search.language)."""

from functools import lru_cache
from typing import Any

from boards.search.conditions import AllOf, Condition, Tagged
from boards.search.facts import DRAFT
from boards.search.language.errors import QueryError
from boards.search.language.queries import parse_query
from boards.search.language.values import Names
from config.api.errors import ValidationFailed
from themes.labels import LabelCache, get_label_cache, get_revision


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
