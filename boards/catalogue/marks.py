"""Marks in the list of all boards, so that a deep page costs what the first one costs. Only PostgreSQL needs any.

A mark says how many boards were published at its time or earlier. Newer boards leave it right, and a trigger moves it
when older boards come or go (migration 0004).
"""

from typing import Any

from django.db import connection, transaction

from boards.catalogue.facets import ALL

STEP = 1000
"""Boards between two marks: a page is read from at most so many entries of an index."""

PLACES = 5_201
"""The advisory lock that whoever publishes or unpublishes holds in shared mode (migration 0004)."""

IS_DUE = """
SELECT coalesce((SELECT sum(boards) FROM boards_facetcount WHERE facet = %(all)s AND other = %(all)s), 0)
    - coalesce((SELECT max(position) FROM boards_pagemark), 0) >= 2 * %(step)s
"""

ADD = """
INSERT INTO boards_pagemark (published_at, position)
SELECT published_at, max(position) FROM (
    SELECT listed.published_at, coalesce(newest.position, 0) + count(*) OVER (ORDER BY listed.published_at) AS position,
        row_number() OVER (ORDER BY listed.published_at) AS number
    FROM boards_boardfacet AS listed
    LEFT JOIN (SELECT published_at, position FROM boards_pagemark ORDER BY published_at DESC LIMIT 1) AS newest ON true
    WHERE facet = %(all)s AND listed.published_at > coalesce(newest.published_at, '-infinity')
) AS numbered
WHERE number %% %(step)s = 0
GROUP BY published_at
"""


def add_marks() -> None:
    """Mark every STEP-th board above the newest mark, once there are two steps of them.

    Nobody may be publishing meanwhile, since a board that is not yet committed would not be counted: so the lock is
    taken alone, or else the marks are left to whoever publishes next.
    """
    if connection.vendor != "postgresql":
        return
    parameters: dict[str, Any] = {"all": ALL, "step": STEP}
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(IS_DUE, parameters)
        if not cursor.fetchone()[0]:
            return
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [PLACES])
        if cursor.fetchone()[0]:
            cursor.execute(ADD, parameters)
