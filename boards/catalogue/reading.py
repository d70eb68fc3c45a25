"""Reading published boards as finished JSON: a page of a list, or one board, each with one statement."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.conf import settings
from orjson import Fragment

from accounts.models import Account
from boards.catalogue import statements
from boards.catalogue.facets import facets_for
from boards.catalogue.statements import (
    MAX_HASHED,
    NEWEST,
    TOP,
    SortKey,
    Statement,
    TopWay,
    board_statement,
    changed_since,
    count_boards,
    count_up_to_limit,
    found_after,
    found_page,
    newest_page,
    page_after,
    played_in,
    themes_statement,
    top_page,
    walked_page,
)
from boards.catalogue.stored_json import JSON_FORMAT, stored_json_renderer, write_own_vote
from boards.filters.parameters import BoardSelection
from boards.models import Board
from boards.serializers import BoardSerializer
from config.api.cursors import Cursor, CursorPage
from config.api.pagination import Page
from config.database import fetch_rows
from config.values.strict_json import dump_json
from themes.label_cache import LabelCache, get_label_cache, get_revision, latest_label_cache
from themes.models import Theme


class Row(NamedTuple):
    """A board as the statements return it. An empty page is one row without a board.

    A draft that still stands in a list has no json_format: nobody is shown it, but the list goes on after it.
    """

    total_count: int
    revision: str | None
    board_id: Any
    json: str
    json_format: int | None
    up_votes: int
    down_votes: int
    published_at: Any

    @property
    def sort_key(self) -> SortKey:
        """Return what sorts the board in the list.

        A page has the times as texts, since that of its last board alone is needed. SQLite's have no time zone.
        """
        moment = datetime.fromisoformat(str(self.published_at))
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC), self.pk

    @property
    def pk(self) -> UUID:
        """Return the board's id, which SQLite returns as a text."""
        return self.board_id if isinstance(self.board_id, UUID) else UUID(self.board_id)


class Rows(NamedTuple):
    page: Page
    rows: list[Row]
    labels: LabelCache


class BoardPage(NamedTuple):
    """A page of boards as finished JSON. `last` is the last board's sort key, and None on an empty page."""

    page: Page | CursorPage
    boards: Sequence[Any]
    last: SortKey | None


def read_page(
    selection: BoardSelection, page_query: Mapping[str, Any], voter: Account | None = None
) -> BoardPage:
    """Return a page of the selected boards. `page_query` is a parsed PageQuery.

    With a voter each board has this account's vote, which takes one more query.
    """
    page, rows, labels = select_page(selection, page_query)
    return BoardPage(page, finish(rows, labels, voter), rows[-1].sort_key if rows else None)


def read_page_after(
    selection: BoardSelection, after: Cursor, page_size: int, voter: Account | None = None
) -> BoardPage:
    """Return so many of the selected boards as follow the cursor, newest first."""
    sort_key = (after.moment, after.id)
    found = select(selection, lambda facets: select_rows_after(facets, selection, sort_key, page_size + 1))
    rows = found.boards[:page_size]
    page = CursorPage(page_size, found.total_count, len(found.boards) > page_size)
    return BoardPage(page, finish(rows, found.labels, voter), rows[-1].sort_key if rows else None)


def read_board(board_id: UUID, voter: Account | None = None) -> Fragment | None:
    """Return a published board as finished JSON, or None when no published board has the id."""
    rows = execute(board_statement(board_id))
    return next(iter(finish(rows, get_label_cache(rows[0].revision), voter)), None) if rows else None


def read_themes(board_id: UUID) -> list[Theme]:
    """Return the board's themes in the order of the interface. They are those that the process keeps."""
    rows = query(themes_statement(board_id))
    ids = {UUID(str(theme_id)) for _, theme_id in rows}  # SQLite returns texts
    themes = get_label_cache(rows[0][0]).themes if rows else {}
    return [theme for pk, theme in themes.items() if pk in ids]


def select_page(selection: BoardSelection, page_query: Mapping[str, Any]) -> Rows:
    """Return the rows of a page, and the labels of their themes."""
    page, page_size = page_query["page"], page_query["pageSize"]
    first_row = (page - 1) * page_size
    found = select(selection, lambda facets: select_rows(facets, selection, first_row, page_size))
    return Rows(Page(page, page_size, found.total_count), found.boards, found.labels)


class Found(NamedTuple):
    total_count: int
    boards: list[Row]
    labels: LabelCache


def select(selection: BoardSelection, read: Callable[[Sequence[Sequence[str]]], list[Row]]) -> Found:
    """Return the boards that `read` finds in the selection's lists.

    The labels that this process has say which themes a filter means. When the statement finds that themes have
    changed since, and the filters now mean others, it is repeated.
    """
    labels = latest_label_cache()
    while True:
        facets = facets_for(selection.filters, labels)
        rows = read(facets)
        labels = get_label_cache(rows[0].revision if rows else get_revision())
        if facets_for(selection.filters, labels) == facets:
            total = int(rows[0].total_count) if rows else 0
            return Found(total, [row for row in rows if row.board_id], labels)


def select_rows(
    facets: Sequence[Sequence[str]], selection: BoardSelection, first_row: int, limit: int
) -> list[Row]:
    """Return the boards that stand in one list of each element of `facets`: no row when one has no list at all."""
    if not all(facets):
        return []
    top = selection.sort == "top"
    if conditions := conditions_of(selection):
        page = found_page if are_few(conditions) else walked_page
        return execute(page(facets, conditions, TOP if top else NEWEST, first_row, limit))
    if not top:
        return execute(newest_page(facets, first_row, limit))
    return execute(top_page(facets, first_row, limit, way_to_top(facets, first_row + limit)))


def select_rows_after(
    facets: Sequence[Sequence[str]], selection: BoardSelection, after: SortKey, limit: int
) -> list[Row]:
    """Return the boards that follow a sort key, as `select_rows` returns a page."""
    if not all(facets):
        return []
    if conditions := conditions_of(selection):
        if are_few(conditions):
            return execute(found_after(facets, conditions, after, limit))
        return execute(walked_page(facets, conditions, NEWEST, 0, limit, after))
    return execute(page_after(facets, after, limit))


def conditions_of(selection: BoardSelection) -> list[Statement]:
    """Return what the selection asks of boards beside their lists."""
    since, played = selection.updated_since, selection.played
    return [*([changed_since(since)] if since else ()), *([played_in(played)] if played else ())]


def are_few(conditions: Sequence[Statement]) -> bool:
    """Tell whether so few boards meet the conditions that they are found first and then sorted."""
    return query(count_up_to_limit(conditions))[0][0] <= statements.MAX_FOUND


def way_to_top(facets: Sequence[Sequence[str]], wanted: int) -> TopWay:
    """Return the fastest way to so many of the top boards of these lists.

    Through the index of all boards `wanted * total / listed` are passed before enough are found. To pass one takes
    PostgreSQL 1 µs, with a lookup in the lists 4.5; to read and hash a key of the lists 0.4, and to sort its board 3.
    """
    if not facets:
        return TopWay.WALK
    (listed,), (total,) = query(count_boards(facets))[0], query(count_boards([]))[0]
    return fastest_way(int(listed), int(total), wanted)


def fastest_way(listed: int, total: int, wanted: int) -> TopWay:
    passed = wanted * total / max(1, listed)
    costs = {TopWay.SORT: 3 * listed, TopWay.WALK: 4.5 * passed}
    if listed <= MAX_HASHED // 4:  # Some more may be published before the statement reads the lists.
        costs[TopWay.HASH] = 0.4 * listed + passed
    return min(costs, key=costs.__getitem__)


def execute(statement: Statement) -> list[Row]:
    return [Row(*row) for row in query(statement)]


def query(statement: Statement) -> list[Any]:
    return fetch_rows(statement.sql, statement.parameters)


def finish(rows: Sequence[Row], labels: LabelCache, voter: Account | None = None) -> list[Fragment]:
    """Render the rows' JSON. Make that anew which is stored in another format than this program's.

    Leave out drafts, which have no format here and are not found among the published boards.
    """
    stale = [row.pk for row in rows if row.json_format != JSON_FORMAT]
    fresh = Board.objects.published().with_details().in_bulk(stale) if stale else {}
    votes = Board.objects.filter(pk__in=[row.pk for row in rows]).own_votes(voter) if voter and rows else {}
    context = {"own_votes": votes} if voter else {}
    renderer = stored_json_renderer(labels, settings.PUBLIC_BASE_URL)
    return [
        renderer.render(
            row.json, row.up_votes, row.down_votes, write_own_vote(votes.get(row.pk)) if voter else b""
        )
        if row.json_format == JSON_FORMAT
        else Fragment(dump_json(BoardSerializer(fresh[row.pk], context=context).data))
        for row in rows
        if row.json_format == JSON_FORMAT or row.pk in fresh
    ]
