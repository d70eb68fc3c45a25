"""The SQL of a page of a list, of one board and of its themes. It is the same for PostgreSQL and SQLite.

It is written by hand, since these two are most of what the service does: the ORM takes longer to write such a statement
than the database to answer it. Values are parameters. Only the number of rows is part of the text, so that PostgreSQL
can plan a statement once and knows that few rows are wanted.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import Any
from uuid import UUID

from django.db import connection

from boards.catalogue.facets import ALL
from boards.events.dates import SHAPE, Period
from boards.events.reading import EVENT
from boards.models import Board

ROW = "(SELECT token FROM themes_labelrevision), board_id, json, json_format, up_votes, down_votes"
"""What is read of each board: the columns of boards.catalogue.reading.Row between the first and the last."""

IS_PUBLISHED = "board.published_at IS NOT NULL"
"""The condition on a board's own row. The stored rows alone do not know of a draft that SQL has made."""

SortKey = tuple[datetime, UUID]
"""When a board was published, and its id: its key in the order NEWEST."""

NEWEST = "published_at DESC, board_id DESC"
TOP = "score, published_at DESC, board_id"
"""The orders of a list, by the columns of the boards' keys."""


@dataclass
class Statement:
    """A part of a statement, or all of it, and its parameters in their order."""

    sql: str
    parameters: list[Any] = field(default_factory=list)


def board_statement(board_id: UUID) -> Statement:
    """Return the statement of one published board."""
    return Statement(
        f"""
        SELECT 1, {ROW}, NULL
        FROM boards_publishedboard JOIN boards_board AS board ON board.id = board_id AND {IS_PUBLISHED}
        WHERE board_id = %s
        """,
        adapt([board_id]),
    )


def themes_statement(board_id: UUID) -> Statement:
    """Return the statement of a board's themes: the revision of the labels and the theme's id in each row."""
    return Statement(
        """
        SELECT (SELECT token FROM themes_labelrevision), theme_id FROM boards_board_themes WHERE board_id = %s
        """,
        adapt([board_id]),
    )


def page_statement(total: Statement, listed: Statement, order: str) -> Statement:
    """Return the statement of the boards whose keys `listed` finds, in this order of its columns, and of their total.

    `total` begins the statement with a table `total`. It returns a row for each board, or a single one without a board
    for an empty page. A draft that still stands in a list has no json_format.
    """
    return Statement(
        f"""
        WITH {total.sql}
        SELECT boards, {ROW}, CAST(published_at AS text) AS moment
        FROM total LEFT JOIN (
            SELECT listed.*, json, CASE WHEN {IS_PUBLISHED} THEN json_format END AS json_format, up_votes, down_votes
            FROM ({listed.sql}) AS listed
            JOIN boards_publishedboard AS stored ON stored.board_id = listed.board_id
            JOIN boards_board AS board ON board.id = listed.board_id
        ) AS page ON 1 = 1
        ORDER BY {order}
        """,
        [*total.parameters, *listed.parameters],
    )


def total_of(facets: Sequence[Sequence[str]]) -> Statement:
    count = count_boards(facets)
    return Statement(f"total AS ({count.sql})", count.parameters)


def newest_page(facets: Sequence[Sequence[str]], first_row: int, limit: int) -> Statement:
    """Return the statement of a page of the boards that stand in one list of each element of `facets`, newest first."""
    listed = newest_boards(facets, first_row, limit) if facets else newest_of_all(first_row, limit)
    return page_statement(total_of(facets), listed, NEWEST)


def page_after(facets: Sequence[Sequence[str]], after: SortKey, limit: int) -> Statement:
    """Return the statement of the boards that follow a sort key, newest first. It costs what the first page costs."""
    lists = join_lists(facets, after)
    listed = Statement(
        f"SELECT board_id, published_at FROM {lists.sql} ORDER BY {NEWEST} LIMIT {limit:d}", lists.parameters
    )
    return page_statement(total_of(facets), listed, NEWEST)


class TopWay(Enum):
    """How the top boards of some lists are found. The database cannot know which way is the fastest."""

    SORT = "sort all boards of the lists"
    HASH = "read all keys of the lists, then go through the index board_top until enough of its boards are among them"
    WALK = "go through the index board_top and look each board up in the lists until enough are found"


def top_page(facets: Sequence[Sequence[str]], first_row: int, limit: int, way: TopWay) -> Statement:
    """Return the statement of a page of the same boards, in the order of the index board_top."""
    if way is TopWay.SORT:
        listed = sort_top_boards(facets, first_row, limit)
    else:
        condition = look_up(facets) if way is TopWay.WALK else be_among(facets)
        listed = walk_top_boards(condition, first_row, limit)
    return page_statement(total_of(facets), listed, TOP)


def changed_since(since: datetime) -> Statement:
    """Return the condition that a board was changed since. The index board_changed finds these boards."""
    return Statement("AND updated_at >= %s", adapt([since]))


BYTES = {"postgresql": '"C"', "sqlite": "BINARY"}
"""The collation that compares texts byte by byte."""


def played_in(played: Period) -> Statement:
    """Return the condition that a board was played in a period. The index board_played finds these boards."""
    date = f"date COLLATE {BYTES[connection.vendor]}"
    return Statement(
        f"AND {date} >= %s AND {date} <= %s AND date NOT IN (%s, %s) AND date LIKE %s",
        [played.lowest, played.highest, *played.excluded, SHAPE],
    )


def found_page(
    facets: Sequence[Sequence[str]], conditions: Sequence[Statement], order: str, first_row: int, limit: int
) -> Statement:
    """Return the statement of a page of those of these boards that meet the conditions, in the order NEWEST or TOP."""
    listed = Statement(f"SELECT * FROM found ORDER BY {order} LIMIT {limit:d} OFFSET %s", [first_row])
    return page_statement(found_boards(facets, conditions), listed, order)


def found_after(
    facets: Sequence[Sequence[str]], conditions: Sequence[Statement], after: SortKey, limit: int
) -> Statement:
    """Return the statement of those boards that follow a sort key, newest first."""
    listed = Statement(
        f"SELECT * FROM found WHERE (published_at, board_id) < (%s, %s) ORDER BY {NEWEST} LIMIT {limit:d}",
        adapt(after),
    )
    return page_statement(found_boards(facets, conditions), listed, NEWEST)


MAX_FOUND = 20_000
"""More boards that meet the conditions are not found first and then sorted: that takes 5 µs for each."""


def count_up_to_limit(conditions: Sequence[Statement]) -> Statement:
    """Return the query of how many boards meet the conditions, or one more than MAX_FOUND."""
    met = meet(conditions)
    return Statement(
        f"SELECT count(*) FROM (SELECT 1 FROM boards_board AS board WHERE {met.sql} LIMIT {MAX_FOUND + 1:d}) AS met",
        met.parameters,
    )


def walked_page(
    facets: Sequence[Sequence[str]],
    conditions: Sequence[Statement],
    order: str,
    first_row: int,
    limit: int,
    after: SortKey | None = None,
) -> Statement:
    """Return the statement of the same page as `found_page` or `found_after`, for conditions that many boards meet.

    It goes through the boards in their order until enough meet the conditions, which most do. CASE hides from
    PostgreSQL that an index could find them, the one by which they are counted.
    """
    lookups, met = look_up(facets), meet(conditions)
    further = Statement("AND (published_at, id) < (%s, %s)", adapt(after)) if after else Statement("")
    total = Statement(
        f"total AS (SELECT count(*) AS boards FROM boards_board AS board WHERE {met.sql} {lookups.sql})",
        [*met.parameters, *lookups.parameters],
    )
    listed = Statement(
        f"""
        SELECT {TOP_BOARD} FROM boards_board AS board
        WHERE published_at IS NOT NULL AND (CASE WHEN {met.sql} THEN 1 END) IS NOT NULL {lookups.sql} {further.sql}
        ORDER BY {order} LIMIT {limit:d} OFFSET %s
        """,
        [*met.parameters, *lookups.parameters, *further.parameters, first_row],
    )
    return page_statement(total, listed, order)


def meet(conditions: Sequence[Statement]) -> Statement:
    """Return the condition that a board is published and meets the conditions."""
    sql = " ".join(("published_at IS NOT NULL", *(condition.sql for condition in conditions)))
    return Statement(sql, [parameter for condition in conditions for parameter in condition.parameters])


def found_boards(facets: Sequence[Sequence[str]], conditions: Sequence[Statement]) -> Statement:
    """Return the tables `found` and `total` of the boards that meet the conditions.

    All of them are found by the index of a condition, then counted and sorted: a reader asks for the changes since its
    last request, or for the evenings of some weeks, which are few.
    """
    met, lookups = meet(conditions), look_up(facets)
    return Statement(
        f"""
        found AS MATERIALIZED (SELECT {TOP_BOARD} FROM boards_board AS board WHERE {met.sql} {lookups.sql}),
        total AS (SELECT count(*) AS boards FROM found)
        """,
        [*met.parameters, *lookups.parameters],
    )


def adapt(values: Sequence[Any]) -> list[Any]:
    """Return moments and ids as the database takes them: SQLite as texts."""
    fields = {datetime: Board._meta.get_field("published_at"), UUID: Board._meta.pk}
    return [fields[type(value)].get_db_prep_value(value, connection) for value in values]


def count_boards(facets: Sequence[Sequence[str]]) -> Statement:
    """Return the query of how many boards there are. The count of up to two lists is stored, but for an event's."""
    if is_count_stored(facets):
        pair = sorted([*(name for (name,) in facets), ALL, ALL][:2])
        return Statement(
            "SELECT coalesce(sum(boards), 0) AS boards FROM boards_facetcount WHERE facet = %s AND other = %s",
            pair,
        )
    lists = join_lists(facets)
    return Statement(f"SELECT count(*) AS boards FROM {lists.sql}", lists.parameters)


def is_count_stored(facets: Sequence[Sequence[str]]) -> bool:
    if len(facets) > 2 or any(len(alternatives) != 1 for alternatives in facets):
        return False
    return len(facets) < 2 or not any(map(is_event, facets))


def is_event(alternatives: Sequence[str]) -> bool:
    return len(alternatives) == 1 and alternatives[0].startswith(f"{EVENT}:")


def newest_boards(facets: Sequence[Sequence[str]], first_row: int, limit: int) -> Statement:
    """Return the query of the keys of a page, newest first."""
    lists = join_lists(facets)
    return Statement(
        f"""
        SELECT board_id, published_at FROM {lists.sql}
        ORDER BY published_at DESC, board_id DESC LIMIT {limit:d} OFFSET %s
        """,
        [*lists.parameters, first_row],
    )


def newest_of_all(first_row: int, limit: int) -> Statement:
    """Return the query of the keys of a page of all boards. It begins at the next newer mark, however deep the page is.

    A mark at position P has P boards at and below it, and the page begins above `total - first_row` boards.
    """
    mark = "FROM boards_pagemark WHERE position >= (SELECT boards FROM total) - %s ORDER BY position LIMIT 1"
    return Statement(
        f"""
        SELECT board_id, published_at FROM boards_boardfacet
        WHERE facet = %s AND published_at <= coalesce((SELECT published_at {mark}), '9999-12-31')
        ORDER BY published_at DESC, board_id DESC LIMIT {limit:d}
        OFFSET %s + coalesce((SELECT position - (SELECT boards FROM total) {mark}), 0)
        """,
        [ALL, first_row, first_row, first_row],
    )


TOP_BOARD = "board.id AS board_id, published_at, down_votes - up_votes AS score"


def walk_top_boards(condition: Statement, first_row: int, limit: int) -> Statement:
    """Return the query of the keys of a page, which asks of each board in the index whether it is in the lists."""
    return Statement(
        f"""
        SELECT {TOP_BOARD} FROM boards_board AS board WHERE published_at IS NOT NULL {condition.sql}
        ORDER BY score, published_at DESC, board_id LIMIT {limit:d} OFFSET %s
        """,
        [*condition.parameters, first_row],
    )


def look_up(facets: Sequence[Sequence[str]], board: str = "board", key: str = "board.id") -> Statement:
    """Return the conditions that the board, or the board of the list, is in one list of each element.

    The subqueries return values, since EXISTS would be planned as a join.
    """
    lookups = "".join(
        f"""
        AND (SELECT 1 FROM boards_boardfacet AS list WHERE list.facet IN ({placeholders(alternatives)})
            AND list.published_at = {board}.published_at AND list.board_id = {key} LIMIT 1) IS NOT NULL
        """
        for alternatives in facets
    )
    return Statement(lookups, [name for alternatives in facets for name in alternatives])


MAX_HASHED = 100_000
"""PostgreSQL makes a hash table of a subquery only when it expects few rows. TopWay.HASH is for far shorter lists."""


def be_among(facets: Sequence[Sequence[str]]) -> Statement:
    """Return the condition that `board` is in one list of each element, for which all their keys are read first.

    IS TRUE keeps PostgreSQL from planning a join.
    """
    lists = join_lists(facets)
    keys = f"SELECT board_id FROM {lists.sql} LIMIT {MAX_HASHED:d}"
    return Statement(f"AND (board.id IN ({keys})) IS TRUE", lists.parameters)


def sort_top_boards(facets: Sequence[Sequence[str]], first_row: int, limit: int) -> Statement:
    """Return the query of the keys of a page, which finds all boards of the lists first."""
    lists = join_lists(facets)
    return Statement(
        f"""
        WITH found AS MATERIALIZED (SELECT board_id FROM {lists.sql})
        SELECT {TOP_BOARD} FROM found JOIN boards_board AS board ON board.id = board_id AND {IS_PUBLISHED}
        ORDER BY score, published_at DESC, board.id LIMIT {limit:d} OFFSET %s
        """,
        [*lists.parameters, first_row],
    )


def join_lists(facets: Sequence[Sequence[str]], after: SortKey | None = None) -> Statement:
    """Return the FROM and WHERE of the boards in one list of each element, with columns board_id and published_at.

    With `after` only the boards that follow are found. Each list says so, so that each is read from there. An event
    has few boards, so each of them is looked up in the other lists.
    """
    events = [alternatives for alternatives in facets if is_event(alternatives)]
    if events and len(facets) > 1:
        others = [alternatives for alternatives in facets if alternatives is not events[0]]
        listed, lookups = join_lists(events[:1], after), look_up(others, "list0", "list0.board_id")
        return Statement(listed.sql + lookups.sql, [*listed.parameters, *lookups.parameters])
    single = [alternatives[0] for alternatives in facets if len(alternatives) == 1] or [ALL]
    several = [alternatives for alternatives in facets if len(alternatives) > 1]
    tables = [f"boards_boardfacet AS list{number}" for number, _ in enumerate(single)]
    conditions = [f"list{number}.facet = %s" for number, _ in enumerate(single)]
    conditions += [
        f"""
        EXISTS (
            SELECT 1 FROM boards_boardfacet AS one WHERE one.facet IN ({placeholders(alternatives)})
            AND one.published_at = list0.published_at AND one.board_id = list0.board_id
        )
        """
        for alternatives in several
    ]
    bounds = [
        f"(list{number}.published_at, list{number}.board_id) < (%s, %s)" for number, _ in enumerate(single)
    ]
    conditions += bounds if after else []
    joined = f"{tables[0]} " + " ".join(
        f"JOIN {table} USING (published_at, board_id)" for table in tables[1:]
    )
    return Statement(
        f"{joined} WHERE {' AND '.join(conditions)}",
        [
            *single,
            *(name for alternatives in several for name in alternatives),
            *(adapt(after) * len(single) if after else ()),
        ],
    )


def placeholders(values: Sequence[str]) -> str:
    return ", ".join(["%s"] * len(values))
