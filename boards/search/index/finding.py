"""Finding boards: how many meet a condition, and which of them stand on a page, with what is read of each.

One statement does all of it, so in one snapshot. On PostgreSQL it combines slices and rows to the bits of the boards
found. SQLite has rows alone.

Slices cannot decide long auctions and phrases, and what a table won is decided by all tables of its deal: the boards
that may meet them are found first, and looked at.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeGuard
from uuid import UUID

from boards.events.reading import EventDeal, as_uuid
from boards.models import Board
from boards.models.index import SEGMENT_BITS
from boards.records import StoredCall
from boards.search.conditions import (
    AllOf,
    AnyOf,
    Between,
    Bid,
    Compared,
    Condition,
    Not,
    Tagged,
    Words,
    every,
    facts_of,
    leaves_of,
)
from boards.search.facts import DRAFT, PUBLISHED, Fact, number
from boards.search.index.comparing import MAX_COMPARED, compare_deals, decide
from boards.search.index.rows import Statement, over_rows
from boards.search.index.slices import EVERY, PART, found_tables
from boards.search.language.parsing import QueryError
from boards.search.subject import short_call
from boards.search.words import TEXTS, words_of
from config.api.errors import ServiceUnavailable
from config.database import fetch_rows, reading_connection

IS_PUBLISHED = Tagged((PUBLISHED,))
EITHER = Tagged((PUBLISHED, DRAFT))


class Reading(NamedTuple):
    """What a search reads of each board of a page: columns of `board` and of what is joined to it.

    The first column is NULL for a board that is left out. `once` is read in the same snapshot, without any board too.
    """

    columns: str = "board.id"
    joins: str = ""
    once: str = "NULL"


IDS = Reading()
NOTHING = Reading("NULL")
DEALS = Reading("event_slug, event_position", "LEFT JOIN boards_publishedboard AS stored ON stored.board_id = board.id")

NOTATION_OF_BOARD = number("notation")
PIECE = 20
"""The bits of a part that are looked at one by one, if there is a one among them."""

MAX_AUCTIONS = 50_000
"""The boards that are looked at for a long auction. It takes 20 µs for each."""

MAX_TEXTS = 25_000
"""The boards that are looked at for a phrase. It takes 40 µs for each, if texts are short."""

MAX_DOUBTED = 8
"""The doubted words of a search that are asked for, by a statement each."""

CHUNK = 2_000
"""The boards that are read at once to be looked at."""

MAX_NUMBER = SEGMENT_BITS * (2**31 - 1)
"""The last number whose segment a slice can have."""


class Found(NamedTuple):
    """How many boards meet a condition, and the numbers and the rows of those of a page. `has_more`: others follow."""

    total: int
    numbers: list[int]
    rows: list[tuple[Any, ...]]
    has_more: bool
    once: Any = None

    @property
    def ids(self) -> list[UUID]:
        """Return the ids of the boards, where these are the first column."""
        return [as_uuid(pk) for pk, *_ in self.rows]


def find_page(condition: Condition, first_row: int, limit: int, reading: Reading = IDS) -> Found:
    """Return the boards from `first_row` on, the newest first."""
    return find(resolved(condition), first_row, limit, None, reading)


def find_after(condition: Condition, number: int, limit: int, reading: Reading = IDS) -> Found:
    """Return the boards that follow a number, the newest first. `total` counts all that meet the condition."""
    return find(resolved(condition), 0, limit, number, reading)


def iterate_boards(condition: Condition, chunk: int, reading: Reading = IDS) -> Iterator[Found]:
    """Yield all boards that meet the condition, in pages. What slices cannot decide is looked through once."""
    condition = resolved(condition)
    found = find(condition, 0, chunk, None, reading)
    while found.numbers:
        yield found
        found = find(condition, 0, chunk, found.numbers[-1], reading)


def count_boards(condition: Condition) -> int:
    return count(resolved(condition))


def count(condition: Condition) -> int:
    tables = found_tables_of(condition)
    boards = "coalesce(sum(bit_count(bits)), 0)::integer" if is_postgresql() else "count(*)"
    return int(fetch_rows(f"{tables.sql} SELECT {boards} FROM found", tables.parameters)[0][0])


def is_postgresql() -> bool:
    return bool(reading_connection().vendor == "postgresql")


def resolved(condition: Condition) -> Condition:
    """Return the condition as the index can decide it. Raise ServiceUnavailable where it lacks facts of an update."""
    check_known(*facts_of(condition))
    condition = without_doubt(condition)
    return compared(resolve(condition, EITHER) if is_postgresql() else condition)


def without_doubt(condition: Condition) -> Condition:
    """Return the condition without the doubted words that no published board has which meets all else.

    All else is as much of it as the index decides. Other words are asked as any words are.
    """
    parts = condition.parts if isinstance(condition, AllOf) else (condition,)
    asked = [part for part in parts if not is_doubted(part)]
    for part in [*filter(is_doubted, parts)][:MAX_DOUBTED]:
        words = [Words(word) for word in part.phrase.split()]
        if count(every([IS_PUBLISHED, *filter(is_decided, asked), *words])):
            asked.append(replace(part, is_doubted=False))
    return every(asked)


def is_doubted(condition: Condition) -> TypeGuard[Words]:
    return isinstance(condition, Words) and condition.is_doubted


def resolve(condition: Condition, known: Condition) -> Condition:
    """Return the condition with the boards of each long auction and phrase, as far as they meet what is `known`."""
    match condition:
        case Bid() | Words() if not condition.is_decided:
            return replace(condition, numbers=look_through(condition, known))
        case AllOf(parts=parts):
            known = every([known, *filter(is_decided, parts)])
            return AllOf(tuple(resolve(part, known) for part in parts))
        case AnyOf(parts=parts):
            return AnyOf(tuple(resolve(part, known) for part in parts))
        case Not(part=part):
            return Not(resolve(part, known))
    return condition


def is_decided(condition: Condition) -> bool:
    """Tell whether the index decides the condition. Rows decide each auction and phrase, and SQLite has rows alone."""
    looked_up = Bid | Words | Compared if is_postgresql() else Compared
    return all(each.is_decided for each in leaves_of(condition) if isinstance(each, looked_up))


def compared(condition: Condition) -> Condition:
    """Return the condition with the boards of what tables won, as far as they meet all else that is asked.

    Where too many tables would be compared, those of the newest boards are, or QueryError is raised.
    """
    if is_decided(condition):
        return condition
    parts = condition.parts if isinstance(condition, AllOf) else (condition,)
    found = find(every([IS_PUBLISHED, *filter(is_decided, parts)]), 0, MAX_COMPARED, None, DEALS)
    deals = [*dict.fromkeys(EventDeal(*row) for row in found.rows if row[0])]
    is_whole = found.total <= MAX_COMPARED
    won = compare_deals(deals) if is_whole or is_of_newest(condition) else None
    while won is None and is_of_newest(condition):
        is_whole, deals = False, deals[: len(deals) * 3 // 4]
        won = compare_deals(deals)
    if won is None:
        message = f"This compares more than {MAX_COMPARED:,} tables with those of the same deals."
        hint = "Add a condition, such as event= or date=, or write ~ before it to compare the newest boards."
        raise QueryError("too_many_tables", f"{message} {hint}")
    decided = decide(condition, won)
    return decided if is_whole else every([decided, Compared("swing", numbers=tuple(won))])


def is_of_newest(condition: Condition) -> bool:
    """Tell whether all that is compared may be compared of the newest boards alone."""
    return all(leaf.is_of_newest for leaf in leaves_of(condition) if isinstance(leaf, Compared))


def look_through(condition: Bid | Words, known: Condition) -> tuple[int, ...]:
    """Return the numbers of the boards that meet both conditions. Raise QueryError where too many may do so."""
    limit = MAX_TEXTS if isinstance(condition, Words) else MAX_AUCTIONS
    found = find(every([known, condition]), 0, limit, None, NOTHING)
    if found.total > limit:
        raise too_many(condition)
    numbers: list[int] = []
    for start in range(0, len(found.numbers), CHUNK):
        boards = Board.objects.filter(number__in=found.numbers[start : start + CHUNK]).order_by()
        if isinstance(condition, Words):
            texts = boards.only("number", "auction", *TEXTS)
            numbers += [board.number for board in texts if f" {condition.phrase} " in words_of(board)]
        else:
            auctions = boards.values_list("number", "auction")
            numbers += [number for number, calls in auctions if has_calls(condition, calls or ())]
    return tuple(numbers)


def has_calls(condition: Bid, stored: Sequence[StoredCall]) -> bool:
    return re.search(condition.pattern, f"-{'-'.join(map(short_call, stored))}-") is not None


def too_many(condition: Bid | Words) -> QueryError:
    if isinstance(condition, Words):
        message = f'More than {MAX_TEXTS:,} boards have all words of "{condition.phrase}".'
        return QueryError("too_many_texts", f"{message} Add a condition, or leave the quotation marks away.")
    message = f"More than {MAX_AUCTIONS:,} auctions may have {condition.calls}."
    hint = "Write its beginning (^=), three calls of it that do not begin or end with ?, or add a condition."
    return QueryError("too_many_auctions", f"{message} {hint}")


def check_known(*facts: Fact | Tagged) -> None:
    """Raise ServiceUnavailable when boards of the index lack one of these facts, which came with an update.

    All other searches stay right meanwhile: what was known before is a part of what is known now.
    """
    newest = max(facts, key=lambda fact: fact.since, default=None)
    if newest and newest.since > 1 and count(lacking(newest.since)):
        raise ServiceUnavailable(
            f"Not all boards are indexed by {newest.name} yet, which came with an update. Search for it later, or by"
            " something else.",
            headers={"Retry-After": "60"},
        )


def lacking(notation: int) -> Condition:
    """Return the condition that an earlier notation has made a board's row."""
    return every([EITHER, Not(Between(NOTATION_OF_BOARD, low=notation))])


def find(condition: Condition, first_row: int, limit: int, after: int | None, reading: Reading) -> Found:
    page = page_of_bits if is_postgresql() else page_of_rows
    return fetch_page(page(condition, first_row, limit, after), reading, first_row + limit)


def fetch_page(page: Statement, reading: Reading, stop: int, order: str = "page.number DESC") -> Found:
    """Return what a statement finds that ends with the tables `counts` and `page`."""
    sql = f"""
        {page.sql}
        SELECT total, rest, {reading.once}, page.number, {reading.columns}
        FROM counts LEFT JOIN page ON true
        LEFT JOIN boards_board AS board ON board.number = page.number {reading.joins}
        ORDER BY {order}
    """
    rows = fetch_rows(sql, page.parameters)
    total, rest, once, *_ = rows[0]
    numbers = [row[3] for row in rows if row[3] is not None]
    return Found(total, numbers, [row[4:] for row in rows if row[4] is not None], rest > stop, once)


def found_tables_of(condition: Condition) -> Statement:
    """Return the table `found` of this database: of bits by segment, or of numbers."""
    if is_postgresql():
        return found_tables(condition)
    rows = over_rows(condition)
    return Statement(f"WITH found AS (SELECT number FROM boards_indexrow WHERE {rows.sql})", rows.parameters)


def page_of_rows(condition: Condition, first_row: int, limit: int, after: int | None) -> Statement:
    found = found_tables_of(condition)
    further = "" if after is None else f"WHERE number < {after:d}"
    sql = f"""
        {found.sql},
        counts AS (SELECT (SELECT count(*) FROM found) AS total, (SELECT count(*) FROM found {further}) AS rest),
        page AS (SELECT number FROM found {further} ORDER BY number DESC LIMIT {limit:d} OFFSET {first_row:d})
    """
    return Statement(sql, found.parameters)


def page_of_bits(condition: Condition, first_row: int, limit: int, after: int | None) -> Statement:
    """Return the tables of a page. The bits from a cursor's on are no part of it."""
    found, rest, total = found_tables(condition), Statement("found"), "sum(ones)"
    if after is not None:
        segment, place = divmod(min(after, MAX_NUMBER), SEGMENT_BITS)
        before = f"CASE WHEN segment = %s THEN bits & ~({EVERY} >> %s) ELSE bits END"
        rest = Statement(
            f"(SELECT segment, {before} AS bits FROM found WHERE segment <= %s)", [segment, place, segment]
        )
        total = "(SELECT sum(bit_count(bits)) FROM found)"
    sql = f"""
        {found.sql},
        counted AS MATERIALIZED ({counted_bits(rest.sql)}),
        counts AS (
            SELECT coalesce({total}, 0)::integer AS total, coalesce(sum(ones), 0)::integer AS rest FROM counted
        ),
        {tables_of_numbers("page", limit)}
    """
    return Statement(sql, [*found.parameters, *rest.parameters, *[first_row + limit, first_row] * 3, first_row])


def counted_bits(bits: str) -> str:
    """Return the SQL of a table's bits with how many ones each segment has, and how many are newer."""
    return f"""
        SELECT segment, bits, ones, sum(ones) OVER (ORDER BY segment DESC) - ones AS before
        FROM (SELECT segment, bits, bit_count(bits)::integer AS ones FROM {bits} AS rest) AS each
    """


def tables_of_numbers(name: str, limit: int, start: str = "%s", stop: str = "%s") -> str:
    """Return the table of so many numbers of the ones of `counted` from one place to before another, the newest first.

    Of the segments in which the page begins and ends, the ones of each part are counted, then those of each piece of
    these parts. Bits are looked at one by one in the pieces that are left. Its parameters are the two places, `stop`
    first, three times, and `start`.
    """

    def within(table: str, step: int, length: int, before: str) -> str:
        """Return the parts of so many bits, of those of the table's, that have a one of the page, and newer ones."""
        return f"""
            SELECT first + place AS first, substring(bits, place + 1, {step}) AS bits, before FROM (
                SELECT first, bits, place, before + bit_count(substring(bits, place + {step + 1})) AS before
                FROM {table}, generate_series(0, {length - 1}, {step}) AS place WHERE {before} OFFSET 0
            ) AS each
            WHERE before < {stop} AND before + bit_count(substring(bits, place + 1, {step})) > greatest({start}, before)
        """

    segments = f"(SELECT segment::bigint * {SEGMENT_BITS} AS first, bits, ones, before FROM counted) AS segments"
    return f"""
        parts AS MATERIALIZED (
            {within(segments, PART, SEGMENT_BITS, f"before < {stop} AND before + ones > {start}")}
        ),
        pieces AS MATERIALIZED ({within("parts", PIECE, PART, "true")}),
        {name} AS (
            SELECT first + place AS number FROM pieces, generate_series(0, {PIECE - 1}) AS place
            WHERE get_bit(bits, place) = 1
            ORDER BY 1 DESC LIMIT {limit:d} OFFSET (SELECT greatest(0, {start} - min(before)) FROM pieces)
        )
    """
