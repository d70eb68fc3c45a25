"""The SQL of stored boards: of those of a page, of one, of a board's themes. It is the same for both databases.

It is written by hand, since it is most of what the service does: the ORM takes longer to write such a statement than
the database to answer it. Values are parameters, so that PostgreSQL plans a statement once.
"""

from uuid import UUID

from boards.models import Board
from boards.search.index.finding import Reading
from boards.search.index.rows import Statement, adapt

REVISION = "(SELECT token FROM themes_labelrevision)"
IS_STORED = "stored.board_id = board.id AND board.published_at IS NOT NULL"
"""The stored rows alone do not know of a draft that SQL has made."""

COLUMNS = "stored.board_id, json, json_format, up_votes, down_votes"
"""The columns of boards.catalogue.reading.Row."""


def of_published(columns: str) -> Reading:
    """Return what reads columns of published boards and of what is stored of them, and the revision of the labels."""
    return Reading(columns, f"LEFT JOIN boards_publishedboard AS stored ON {IS_STORED}", REVISION)


STORED = of_published(COLUMNS)
PUBLISHED_IDS = of_published("stored.board_id")


def board_statement(board_id: UUID) -> Statement:
    """Return the statement of a published board: the revision of the labels, and COLUMNS."""
    return Statement(
        f"""
        SELECT {REVISION}, {COLUMNS} FROM boards_publishedboard AS stored JOIN boards_board AS board ON {IS_STORED}
        WHERE stored.board_id = %s
        """,
        [adapt(Board, "id", board_id)],
    )


def themes_statement(board_id: UUID) -> Statement:
    """Return the statement of a board's themes: the revision of the labels and the theme's id in each row."""
    return Statement(
        f"SELECT {REVISION}, theme_id FROM boards_board_themes WHERE board_id = %s", [adapt(Board, "id", board_id)]
    )
