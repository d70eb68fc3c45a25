"""Filters of the page /boards that name what nobody has. The form then says which names exist.

For a program it is no error: GET /api/boards finds nothing.
"""

from collections.abc import Mapping

from rest_framework import serializers

from boards.search.filters.declarations import FILTERS
from themes.labels import LabelCache

UNKNOWN = "unknown"
"""The code of the error. The form writes its words."""


def refuse_unknown(filters: Mapping[str, str], labels: LabelCache, *, found: int) -> None:
    """Raise ValidationError for each filter that names no theme, type, auction system or event.

    `found` is how many boards match: where there are some, all names exist. An account is never refused, since the
    answer would tell strangers who has one.
    """
    if found:
        return
    unknown = [
        name
        for name, value in filters.items()
        if not FILTERS[name].is_hidden and not FILTERS[name].exists(value, labels)
    ]
    if unknown:
        error = serializers.ErrorDetail("Nothing has this name.", code=UNKNOWN)
        raise serializers.ValidationError({name: [error] for name in unknown})
