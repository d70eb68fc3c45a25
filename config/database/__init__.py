"""The connection to the database: when it is still good, and how a frequent statement is prepared."""

from django.db import connection
from django.db.backends.utils import CursorWrapper


def prepared_cursor() -> CursorWrapper:
    """Return a cursor for a hand-written statement that runs often.

    PostgreSQL parses a statement's text once in each connection and keeps its plan (PREPARED_STATEMENTS). SQLite's
    module does so for every statement, so that the same code is right on both. Use it like `connection.cursor()`.

    PostgreSQL gets the values apart from the text. So the text must be the same each time, with %s for the values
    only; an unknown type needs a cast, as in `%s::text`; and a list is one parameter, `= ANY(%s)` instead of `IN %s`.
    The plan knows no values either: write a LIMIT as a literal.
    """
    if (prepared := getattr(connection, "prepared_cursor", None)) is not None:
        return prepared()
    return connection.cursor()
