"""Marks in the list of all boards, so that a deep page costs what the first one costs. Only PostgreSQL needs any.

A mark says how many boards were published at its time or earlier. Newer boards leave it right, and a trigger moves it
when older boards come or go (boards/migrations).
"""

from typing import Any

from django.db import connection, transaction

from boards.catalogue.facets import ALL

STEP = 250
"""Boards between two marks: a page is read from at most so many entries of an index."""

MARKS_LOCK = 5_201
"""The advisory lock that whoever publishes or unpublishes holds in shared mode (boards/migrations)."""

GAPS = """
SELECT above, base, up_to FROM (
    SELECT coalesce(lag(published_at) OVER marked, '-infinity') AS above,
        coalesce(lag(position) OVER marked, 0) AS base, published_at AS up_to, position
    FROM (
        SELECT published_at, position FROM boards_pagemark
        UNION ALL SELECT 'infinity', sum(boards) FROM boards_facetcount WHERE facet = %(all)s AND other = %(all)s
    ) AS marks WINDOW marked AS (ORDER BY published_at)
) AS distances
WHERE position - base >= 2 * %(step)s AND up_to > (
    SELECT published_at FROM boards_boardfacet WHERE facet = %(all)s AND published_at > above
    ORDER BY published_at LIMIT 1 OFFSET %(step)s - 1
)
"""
"""Two neighbouring marks that have two steps between them, or the newest one and the end of the list.

An import lists each batch below the one before, and so below the marks that were added meanwhile. A gap in which
nearly all boards have one time cannot be divided, since a mark has a time.
"""

ADD = f"""
INSERT INTO boards_pagemark (published_at, position)
SELECT published_at, max(position) FROM (
    SELECT published_at, base + count(*) OVER (PARTITION BY base ORDER BY published_at) AS position,
        row_number() OVER (PARTITION BY base ORDER BY published_at) AS number
    FROM ({GAPS}) AS gaps, boards_boardfacet AS listed
    WHERE facet = %(all)s AND listed.published_at > above AND listed.published_at <= up_to
) AS numbered
WHERE number %% %(step)s = 0
GROUP BY published_at
ON CONFLICT (published_at) DO NOTHING
"""


def add_marks() -> None:
    """Mark every STEP-th board between two marks, and above the newest one, where there are two steps of them.

    Nobody may be publishing meanwhile, since a board that is not yet committed would not be counted: so the lock is
    taken alone, or else the marks are left to whoever publishes next.
    """
    if connection.vendor != "postgresql":
        return
    parameters: dict[str, Any] = {"all": ALL, "step": STEP}
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SELECT EXISTS ({GAPS})", parameters)
        if not cursor.fetchone()[0]:
            return
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [MARKS_LOCK])
        if cursor.fetchone()[0]:
            cursor.execute(ADD, parameters)
