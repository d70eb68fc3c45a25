"""Slices of theme types, "type:convention". Each unites those of the themes of its type, which may be many.

A fold makes those of its segments, and once more when it holds the lock SEGMENTS alone and a theme has changed since.
Who changes a theme's type makes those of all segments anew and shares the lock until the commit. So each sees what the
other has done.
"""

from collections.abc import Collection, Iterable, Mapping

from django.db import connection

from boards.models import Slice
from boards.search.conditions import Tagged
from boards.search.index.bits import Bits, write
from boards.search.index.tail import SEGMENTS
from config.database.advisory_locks import lock_until_commit
from themes.models import Theme

OF_TYPE = "type:"

UNITE = f"""
INSERT INTO boards_slice (name, segment_id, bits)
SELECT '{OF_TYPE}' || theme.type, segment_id, bit_or(bits)
FROM boards_slice JOIN themes_theme AS theme ON boards_slice.name = 'theme:' || theme.id
"""


def of_type(name: str, theme_ids: Iterable[object]) -> Tagged:
    """Return the condition that a board has a theme of this type. These are the ids of all its themes."""
    return Tagged(tuple(f"theme:{theme_id}" for theme_id in theme_ids), united=OF_TYPE + name)


def united(bits: Mapping[str, Bits], length: int) -> dict[str, str]:
    """Return the slices of all theme types, made of those of the themes in Python."""
    ones: dict[str, int] = {}
    for theme_id, name in Theme.objects.values_list("pk", "type"):
        if part := bits.get(f"theme:{theme_id}"):
            ones[OF_TYPE + name] = ones.get(OF_TYPE + name, 0) | int(write(part, length), 2)
    return {name: f"{number:0{length}b}" for name, number in ones.items()}


def unite_in_segments(segment_ids: Collection[int]) -> None:
    """Make the slices of all theme types in these segments, which nobody else sees yet."""
    Slice.objects.filter(segment_id__in=segment_ids, name__startswith=OF_TYPE).delete()
    with connection.cursor() as cursor:
        cursor.execute(f"{UNITE} WHERE segment_id = ANY(%s) GROUP BY theme.type, segment_id", [[*segment_ids]])


def unite_types(names: Collection[str]) -> None:
    """Make the slices of these theme types anew in all segments: a theme has come to one of them, or left it."""
    if connection.vendor != "postgresql":
        return
    lock_until_commit(SEGMENTS, shared=True)
    Slice.objects.filter(name__in=[OF_TYPE + name for name in names]).delete()
    themes = Theme.objects.filter(type__in=names).values_list("pk", flat=True)
    slices = [f"theme:{pk}" for pk in themes]
    with connection.cursor() as cursor:
        cursor.execute(f"{UNITE} WHERE boards_slice.name = ANY(%s) GROUP BY theme.type, segment_id", [slices])
