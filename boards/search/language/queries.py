"""The condition that a text means: the query parameter q."""

from datetime import UTC, date, datetime
from functools import lru_cache

from boards.search.conditions import EVERY_BOARD, Condition, OneOf, leaves_of
from boards.search.language.meaning import Reading
from boards.search.language.parsing import QueryError
from boards.search.language.suggesting import suggestions
from boards.search.language.understanding import understand
from themes.labels import LabelCache, get_label_cache, get_revision

MAX_VALUES = 1_000
"""The values that are compared in all, those of each hand that may be meant counted: what a search costs at most."""


def condition_of(text: str, labels: LabelCache, account_id: str | None) -> Condition:
    """Return what the text asks. Raise QueryError, which says at which word it is wrong, and what may be meant.

    A name that these labels do not have is looked up in those that the database has now.
    """
    today = datetime.now(UTC).date()
    try:
        return parse_query(text, labels, account_id, today)
    except QueryError as error:
        if error.code != "unknown_name":
            raise correct(error, text, labels, account_id, today) from None
    labels = get_label_cache(get_revision())
    try:
        return parse_query(text, labels, account_id, today)
    except QueryError as error:
        raise correct(error, text, labels, account_id, today) from None


def correct(error: QueryError, text: str, labels: LabelCache, account_id: str | None, today: date) -> QueryError:
    """Return the error with the first suggestion that is a query, if there is one."""
    for suggestion in suggestions(text, error):
        try:
            parse_query(suggestion, labels, account_id, today)
        except QueryError:
            continue
        return error.suggesting(suggestion)
    return error


@lru_cache(maxsize=16)  # a request asks for it three times: to refuse it, to search, and to compare labels
def parse_query(text: str, labels: LabelCache, account_id: str | None, today: date) -> Condition:
    """Return the condition that a text means. Raise QueryError when it is no query.

    Who may see a draft or a hidden board is not decided here: join the condition with one that says so.
    """
    try:
        tree = understand(text, labels, today).tree
        condition = EVERY_BOARD if tree is None else Reading(labels, account_id).read(tree)
    except QueryError as error:
        raise error.written_in(text) from None
    if count_values(condition) > MAX_VALUES:
        message = f"This asks for too much at once: for more than {MAX_VALUES:,} cards, shapes and other values."
        raise QueryError("too_many_conditions", message, 0, "")
    return condition


def count_values(condition: Condition) -> int:
    return sum(len(leaf.values) if isinstance(leaf, OneOf) else 1 for leaf in leaves_of(condition))
