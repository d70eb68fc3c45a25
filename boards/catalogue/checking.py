"""Comparing what is stored for readers with the boards, and mending it. `manage.py refresh_boards` calls it."""

from collections.abc import Collection, Iterator
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Count, Q

from boards.catalogue.marks import MARKS_LOCK, add_marks
from boards.catalogue.refreshing import make_row, refresh
from boards.catalogue.stored_json import JSON_FORMAT
from boards.models import Board, BoardFacet, Event, FacetCount, PageMark, PublishedBoard
from boards.querysets import BoardQuerySet
from config.database.advisory_locks import lock_until_commit

CHUNK = 50
"""The boards that one transaction locks. A vote on one of them waits until all are done, about 0.1 s."""

NAMES = {
    "postgresql": "jsonb_array_elements_text(stored.facets) AS {name}(value)",
    "sqlite": "json_each(stored.facets) AS {name}",
}
"""The names in a row's facets as a table."""
BINARY = {"postgresql": '"C"', "sqlite": "BINARY"}
"""The collation that compares texts as Python does."""

LISTS = """
SELECT one.value, stored.published_at, stored.board_id FROM boards_publishedboard AS stored, {one}
"""
COUNTS = """
SELECT one.value, two.value, count(*) FROM boards_publishedboard AS stored, {one}, {two}
WHERE (one.value COLLATE {binary} < two.value COLLATE {binary} OR (one.value = 'all' AND two.value = 'all'))
AND (one.value = 'all' OR 'event:' NOT IN (substr(one.value, 1, 6), substr(two.value, 1, 6)))
GROUP BY one.value, two.value
"""
STORED_LISTS = "SELECT facet, published_at, board_id FROM boards_boardfacet"
STORED_COUNTS = """
SELECT facet, other, sum(boards) FROM boards_facetcount GROUP BY facet, other HAVING sum(boards) <> 0
"""
WRONG_MARKS = """
SELECT count(*) FROM (
    SELECT position, count(board_id) OVER (ORDER BY published_at) AS counted FROM (
        SELECT published_at, board_id, NULL AS position FROM boards_publishedboard
        UNION ALL SELECT published_at, NULL, position FROM boards_pagemark
    ) AS entries
) AS marks WHERE position <> counted
"""


def boards_to_check() -> BoardQuerySet:
    """Return all boards that readers get or should get."""
    return Board.objects.filter(Q(published_at__isnull=False) | Q(published__isnull=False))


def boards_without_json() -> BoardQuerySet:
    """Return the published boards without JSON of this program's format, and the drafts that have one.

    Processes of an earlier version leave both behind when they run on after `migrate`.
    """
    has_json = Q(published__json_format=JSON_FORMAT)
    return Board.objects.filter(
        (Q(published_at__isnull=False) & ~has_json) | Q(published_at__isnull=True, published__isnull=False)
    )


def iterate_ids(boards: BoardQuerySet) -> Iterator[list[UUID]]:
    """Yield the boards' ids in lists of CHUNK."""
    last_id = UUID(int=0)
    while ids := list(boards.filter(pk__gt=last_id).order_by("pk").values_list("pk", flat=True)[:CHUNK]):
        yield ids
        last_id = ids[-1]


def check_rows(board_ids: Collection[UUID], *, mend: bool) -> int:
    """Compare these boards' stored rows with new ones. Return how many differ, or differed when they are mended.

    What seems to differ is compared again under the boards' locks, since a board may change between two queries.
    """
    if not (suspects := find_wrong_rows(board_ids)):
        return 0
    with transaction.atomic():
        list(Board.objects.filter(pk__in=suspects).order_by("pk").select_for_update().values_list("pk"))
        wrong = find_wrong_rows(suspects)
        if mend and wrong:
            refresh(wrong)
    return len(wrong)


def find_wrong_rows(board_ids: Collection[UUID]) -> set[UUID]:
    """Return the ids of the boards whose stored row is missing, differs from a new one, or should not be there.

    A row whose event is not stored is wrong too.
    """
    rows = list(PublishedBoard.objects.filter(pk__in=board_ids))
    events = {"", *Event.objects.filter(pk__in={row.event_slug for row in rows}).values_list("pk", flat=True)}
    stored = {row.pk: content(row) for row in rows if row.event_slug in events}
    published = Board.objects.published().filter(pk__in=board_ids).with_details()
    fresh = {board.pk: content(make_row(board)) for board in published}
    unpublished = {row.pk for row in rows} - fresh.keys()
    return unpublished | {pk for pk in fresh if stored.get(pk) != fresh[pk]}


def content(row: PublishedBoard) -> tuple[Any, ...]:
    return row.published_at, row.facets, row.json, row.json_format, row.event_slug, row.event_position


def check_lists(*, mend: bool) -> list[str]:
    """Compare the lists, their counts and the marks with the stored rows. Return the names of the tables that differ.

    To mend them, nobody may publish or unpublish meanwhile. Whoever does so waits, and is refused (503) when it takes
    longer than a lock may.
    """
    if not mend or not find_wrong_tables():
        return find_wrong_tables()
    with transaction.atomic(), connection.cursor() as cursor:
        lift_time_limit()
        lock_until_commit(MARKS_LOCK)
        wrong = find_wrong_tables()
        if BoardFacet._meta.db_table in wrong:
            cursor.execute("DELETE FROM boards_boardfacet")
            cursor.execute(f"INSERT INTO boards_boardfacet (facet, published_at, board_id) {adapt(LISTS)}")
        if FacetCount._meta.db_table in wrong:
            cursor.execute("DELETE FROM boards_facetcount")
            cursor.execute(f"INSERT INTO boards_facetcount (facet, other, boards) {adapt(COUNTS)}")
        if PageMark._meta.db_table in wrong:
            cursor.execute("DELETE FROM boards_pagemark")
    return wrong


def find_wrong_tables() -> list[str]:
    """Return the names of the tables that do not agree with PublishedBoard."""
    queries = {
        BoardFacet: count_differences(STORED_LISTS, adapt(LISTS)),
        FacetCount: count_differences(STORED_COUNTS, adapt(COUNTS)),
        PageMark: WRONG_MARKS,
    }
    wrong = []
    with transaction.atomic(), connection.cursor() as cursor:
        lift_time_limit()
        for model, query in queries.items():
            cursor.execute(query)
            if cursor.fetchone()[0]:
                wrong.append(model._meta.db_table)
    return wrong


def count_differences(one: str, other: str) -> str:
    """Return the query of how many rows only one of two queries returns."""
    return f"""
        WITH one AS ({one}), other AS ({other})
        SELECT (SELECT count(*) FROM (SELECT * FROM one EXCEPT SELECT * FROM other) AS gone)
            + (SELECT count(*) FROM (SELECT * FROM other EXCEPT SELECT * FROM one) AS missing)
    """


def adapt(query: str) -> str:
    """Return the query in the database's own SQL."""
    names, binary = NAMES[connection.vendor], BINARY[connection.vendor]
    return query.format(one=names.format(name="one"), two=names.format(name="two"), binary=binary)


def lift_time_limit() -> None:
    """Let the statements of this transaction take as long as they need. A million boards stand in many lists."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL statement_timeout = 0")


def tidy_lists() -> int:
    """Merge the rows of each pair of lists, and add the marks that are missing. Return how many rows were removed.

    Rows that a transaction has locked are left to the next time, so that nobody waits.
    """
    several = FacetCount.objects.values("facet", "other").annotate(rows=Count("pk")).filter(rows__gt=1)
    removed = sum(merge_counts(*pair) for pair in list(several.values_list("facet", "other")))
    add_marks()
    return removed


@transaction.atomic
def merge_counts(facet: str, other: str) -> int:
    """Merge those rows of a pair that nobody has locked, and keep no row of zero. Return how many were removed."""
    rows = list(
        FacetCount.objects.select_for_update(skip_locked=True).filter(facet=facet, other=other).order_by("pk")
    )
    total = sum(row.boards for row in rows)
    kept = rows[:1] if total else []
    for row in kept:
        row.boards = total
        row.save(update_fields=["boards"])
    FacetCount.objects.filter(pk__in=[row.pk for row in rows[len(kept) :]]).delete()
    return len(rows) - len(kept)
