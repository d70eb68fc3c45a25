"""Query parameters that no operation has.

A program that misspells one must not get all rows, nor write what it only asked about. Pages ignore them, since links
to pages get parameters from elsewhere.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import islice

from config.api.errors import MAX_FIELDS, UnknownParameter
from config.api.serializers import QuerySerializer
from config.values.words import nearest

Queries = Sequence[type[QuerySerializer]]

ADDED_BY_OTHERS = frozenset({"_", "fbclid", "gclid"})
"""What social networks and scripts add to any address, beside everything that begins with utm_. It passes."""

MEANT = {"cursor": "after", "nextCursor": "after", "limit": "pageSize", "per_page": "pageSize"}
"""What programs write that know other services, or take the name of a field of the answer."""


def refuse_unknown(query: Iterable[str], queries: Queries) -> None:
    """Raise UnknownParameter for the names in a query that none of the classes reads."""
    known = names_of(tuple(queries))
    ours = [name for name in query if name not in ADDED_BY_OTHERS and not name.startswith("utm_")]
    unknown = [name for name in ours if name not in known]
    if not unknown:
        return
    fields = {name: [{"code": "unknown_parameter", "message": advise(name, known)}] for name in unknown}
    meta = {"fields": dict(islice(fields.items(), MAX_FIELDS)), "parameters": sorted(known)}
    raise UnknownParameter(meta=meta)


@cache
def names_of(queries: tuple[type[QuerySerializer], ...]) -> frozenset[str]:
    return frozenset(name for each in queries for name in each.names())


def advise(name: str, known: frozenset[str]) -> str:
    """Return the sentence for an unknown name: what it may mean, or to leave it out."""
    meant = MEANT.get(name)
    match = meant if meant in known else nearest(name, known)
    return f"Did you mean {match}?" if match else "This address has no such parameter. Leave it out."
