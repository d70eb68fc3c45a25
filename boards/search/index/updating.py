"""Facts that came with an update. Boards that an earlier version has indexed are indexed anew, and until then a search
for such a fact is refused. All other searches stay right: the rows and slices of what was known before are the same.
"""

from collections.abc import Iterator

from django.db import connection

from boards.models import IndexRow, Segment
from boards.search.conditions import AllOf, AnyOf, Between, Condition, Not, OneOf
from boards.search.facts import FORMATS, Fact
from boards.search.index.checking import find_old, mend
from config.api.errors import ServiceUnavailable


def check_known(condition: Condition, *facts: Fact) -> None:
    """Raise ServiceUnavailable when boards of the index lack one of these facts, or one that the condition is about."""
    newest = max((*facts, *facts_of(condition)), key=lambda fact: fact.since, default=None)
    if newest is None or newest.since == 1:
        return
    earlier = {"format__lt": newest.since * FORMATS}
    if Segment.objects.filter(**earlier).exists() or IndexRow.objects.filter(**earlier).exists():
        raise ServiceUnavailable(
            f"Not all boards are indexed by {newest.name} yet, which came with an update. Search for it later, or by"
            " something else.",
            headers={"Retry-After": "60"},
        )


def facts_of(condition: Condition) -> Iterator[Fact]:
    match condition:
        case Between(fact=fact) | OneOf(fact=fact):
            yield fact
        case AllOf(parts=parts) | AnyOf(parts=parts):
            for part in parts:
                yield from facts_of(part)
        case Not(part=part):
            yield from facts_of(part)


def keep_current() -> bool:
    """Index some boards anew that an earlier version has indexed. The worker calls it. Return whether there were any.

    SQLite would look at all boards each time: there an operator runs `index_boards --missing`.
    """
    if connection.vendor != "postgresql":
        return False
    keys = next(filter(None, find_old()), [])
    mend(keys)
    return bool(keys)
