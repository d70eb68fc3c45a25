"""Query parameters that no operation has.

A program that misspells one must not get all rows, nor write what it only asked about. Pages ignore them, since links
to pages get parameters from elsewhere.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Any

from django.http import QueryDict
from rest_framework.serializers import ValidationError

from config.api.errors import MAX_FIELDS, UnknownParameter, field_errors, show_name
from config.api.serializers import QuerySerializer
from config.values.words import nearest

Queries = Sequence[type[QuerySerializer]]

ADDED_BY_OTHERS = frozenset({"_", "fbclid", "gclid"})
"""What social networks and scripts add to any address, beside everything that begins with utm_. It passes."""

MEANT = """
q              search query text keyword keywords term filter find
updatedSince   since modifiedSince changedSince updatedAfter
dateFrom       from startDate date_from
dateTo         to until endDate date_to
page           offset start skip p pageNumber
after          cursor nextCursor since sinceId offset start startingAfter
pageSize       limit size count perPage per_page first max
limit          size count perPage per_page pageSize max
sort           order orderBy order_by ordering sortBy sort_by
vulnerability  vul vuln
userId         owner user account accountId author createdBy
owner          userId user account accountId author createdBy
theme          tag tags category topic convention
themeType      type types
types          type themeType
auctionSystem  system bidding biddingSystem card conventionCard
event          eventId tournament session
ids            id boardIds
boardIds       id ids boards
published      draft drafts
dryRun         preview test validate
"""
"""What programs write that know other services, or take the name of a field of the answer.

Each line has a parameter of ours and what it is called elsewhere, in any case. Of several that an address has the first
one is meant.
"""


def refuse_unknown(query: QueryDict, queries: Queries) -> None:
    """Raise UnknownParameter for the names in a query that none of the classes reads, with all else that is wrong."""
    known = names_of(tuple(queries))
    ours = [name for name in query if name not in ADDED_BY_OTHERS and not name.startswith("utm_")]
    unknown = [name for name in ours if name not in known]
    if not unknown:
        return
    fields: dict[str, Any] = {
        show_name(name): [{"code": "unknown_parameter", "message": advise(name, known)}]
        for name in unknown[:MAX_FIELDS]
    }
    invalid = dict(find_invalid(query, queries))
    omitted = len(unknown) + len(invalid) - MAX_FIELDS
    fields |= islice(invalid.items(), max(MAX_FIELDS - len(fields), 0))
    meta = {"fields": fields, "parameters": sorted(known)}
    raise UnknownParameter(meta={**meta, "omitted": omitted} if omitted > 0 else meta)


def find_invalid(query: QueryDict, queries: Queries) -> Iterator[tuple[str, Any]]:
    """Yield the known parameters that are not valid, each with what is wrong with it."""
    for each in queries:
        try:
            each.parse(query)
        except ValidationError as error:
            yield from field_errors(error.detail).items()


@cache
def meanings() -> dict[str, list[str]]:
    """Return the lines of MEANT by the other names, in lower case."""
    meant: dict[str, list[str]] = {}
    for ours, *others in map(str.split, MEANT.strip().splitlines()):
        for each in others:
            meant.setdefault(each.lower(), []).append(ours)
    return meant


@cache
def names_of(queries: tuple[type[QuerySerializer], ...]) -> frozenset[str]:
    return frozenset(name for each in queries for name in each.names())


def advise(name: str, known: frozenset[str]) -> str:
    """Return the sentence for an unknown name: what it may mean, or to leave it out."""
    meant = (each for each in meanings().get(name.lower(), ()) if each in known)
    match = next(meant, None) or nearest(name, known)
    return f"Did you mean {match}?" if match else "This address has no such parameter. Leave it out."
