"""The numbers of boards, which sort every list and stand for boards in the index: the greatest is the newest."""

from django.db import connection

from search.models import BitsField, new_version  # noqa: F401  (migration 0001 has them from here)

TAKE = {
    "postgresql": """
        SELECT min(number), max(number)
        FROM (SELECT nextval('boards_board_number_seq') AS number FROM generate_series(1, %s)) AS taken
    """,
    "sqlite": """
        UPDATE sqlite_sequence SET seq = seq + %s WHERE name = 'boards_board_number' RETURNING seq
    """,
}

LAST_NUMBER = 2**63 - 1
"""A number that is greater than each of a board."""


def take_numbers(count: int) -> range:
    """Return so many numbers that no board has had. They follow each other.

    Where somebody else takes one meanwhile, all are taken again: a number that nobody uses costs a bit of the index.
    """
    if not count:
        return range(0)
    while True:
        with connection.cursor() as cursor:
            cursor.execute(TAKE[connection.vendor], [count])
            last = (row := cursor.fetchone())[-1]
        if connection.vendor == "sqlite" or last - row[0] == count - 1:
            return range(last - count + 1, last + 1)
