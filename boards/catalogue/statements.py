"""The SQL of stored boards: of some, of one, of a board's themes. It is the same for PostgreSQL and SQLite.

It is written by hand, since it is most of what the service does: the ORM takes longer to write such a statement than
the database to answer it. Values are parameters, so that PostgreSQL plans a statement once.
"""

from collections.abc import Sequence
from uuid import UUID

from django.db import connection

from boards.models import Board
from boards.search.index.rows import Statement, placeholders

STORED = """
SELECT (SELECT token FROM themes_labelrevision), board_id, json, json_format, up_votes, down_votes
FROM boards_publishedboard JOIN boards_board AS board ON board.id = board_id AND board.published_at IS NOT NULL
WHERE board_id
"""
"""The columns of boards.catalogue.reading.Row. The stored rows alone do not know of a draft that SQL has made."""


def boards_statement(board_ids: Sequence[UUID]) -> Statement:
    """Return the statement of these boards, as far as they are published, in any order."""
    ids = adapt(board_ids)
    if connection.vendor == "postgresql":
        return Statement(f"{STORED} = ANY(%s)", [ids])
    return Statement(f"{STORED} IN ({placeholders(ids)})", ids)


def themes_statement(board_id: UUID) -> Statement:
    """Return the statement of a board's themes: the revision of the labels and the theme's id in each row."""
    return Statement(
        """
        SELECT (SELECT token FROM themes_labelrevision), theme_id FROM boards_board_themes WHERE board_id = %s
        """,
        adapt([board_id]),
    )


def adapt(ids: Sequence[UUID]) -> list[UUID | str]:
    """Return ids as the database takes them: SQLite as texts."""
    return [Board._meta.pk.get_db_prep_value(board_id, connection) for board_id in ids]
