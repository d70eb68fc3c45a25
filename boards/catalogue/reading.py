"""Reading boards of lists: which they are says the index (boards.search), and what readers get is stored JSON."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Generic, NamedTuple, Protocol, TypeVar
from uuid import UUID

from django.conf import settings
from orjson import Fragment

from accounts.models import Account
from boards.catalogue.statements import boards_statement, themes_statement
from boards.catalogue.stored_json import JSON_FORMAT, stored_json_renderer, write_own_vote
from boards.filters.parameters import BoardSelection
from boards.models import Board
from boards.search.conditions import Condition
from boards.search.index.finding import Found, find_after, find_page
from boards.search.index.keys import id_of, make_key
from boards.search.index.top import find_top
from boards.serializers import BoardSerializer
from config.api.cursors import Cursor, CursorPage
from config.api.pagination import Page
from config.database import fetch_rows
from config.values.strict_json import dump_json
from themes.label_cache import LabelCache, get_label_cache, get_revision, latest_label_cache
from themes.models import Theme

Find = Callable[[Condition], Found]
"""Finds boards that meet a condition."""


class Row(NamedTuple):
    """A published board as `boards_statement` returns it."""

    revision: str
    board_id: UUID | str
    json: str
    json_format: int
    up_votes: int
    down_votes: int

    @property
    def pk(self) -> UUID:
        """Return the board's id, which SQLite returns as a text."""
        return self.board_id if isinstance(self.board_id, UUID) else UUID(self.board_id)


class Stored(Protocol):
    """What is read of a board that is found, and the revision of the labels at that moment."""

    @property
    def revision(self) -> str: ...


StoredRow = TypeVar("StoredRow", bound=Stored)


class Selected(NamedTuple, Generic[StoredRow]):
    """The boards of a page: what the index found, and of these boards those that are still published."""

    found: Found
    rows: list[StoredRow]
    labels: LabelCache


class BoardPage(NamedTuple):
    """A page of boards as finished JSON. `last` is the last board's key, and None on an empty page."""

    page: Page | CursorPage
    boards: Sequence[Any]
    last: bytes | None


def read_page(selection: BoardSelection, page_query: Mapping[str, Any], voter: Account | None = None) -> BoardPage:
    """Return a page of the selected boards. `page_query` is a parsed PageQuery.

    With a voter each board has this account's vote, which takes one more query.
    """
    page, size = page_query["page"], page_query["pageSize"]
    found, boards = read_found(selection, page_finder(selection, (page - 1) * size, size), voter)
    return BoardPage(Page(page, size, found.total), boards, found.keys[-1] if found.keys else None)


def read_page_after(
    selection: BoardSelection, after: Cursor, page_size: int, voter: Account | None = None
) -> BoardPage:
    """Return so many of the selected boards as follow the cursor, newest first."""
    key = make_key(after.moment, after.id)
    found, boards = read_found(selection, partial(find_after, key=key, limit=page_size), voter)
    page = CursorPage(page_size, found.total, found.has_more)
    return BoardPage(page, boards, found.keys[-1] if found.keys else None)


def read_found(selection: BoardSelection, find: Find, voter: Account | None) -> tuple[Found, Sequence[Any]]:
    """Return what is found, and the boards for their readers: published ones, or drafts."""
    if selection.published:
        selected = select(selection, find, read_rows)
        return selected.found, finish(selected.rows, selected.labels, voter)
    found = find(selection.condition(get_label_cache(get_revision())))
    return found, represent_boards(read_drafts(found.keys), voter)


def read_drafts(keys: Sequence[bytes]) -> list[Board]:
    """Return the boards of these keys that are still drafts, in their order."""
    drafts = Board.objects.drafts().with_details().in_bulk(list(map(id_of, keys)))
    return [drafts[pk] for pk in map(id_of, keys) if pk in drafts]


def represent_boards(boards: Sequence[Board], voter: Account | None) -> list[Any]:
    """Return boards of `with_details()`, drafts too, with the account's votes if there is one."""
    keys = [board.pk for board in boards]
    context = {"own_votes": Board.objects.filter(pk__in=keys).own_votes(voter)} if voter else {}
    return [*BoardSerializer(boards, many=True, context=context).data]


def read_board(board_id: UUID, voter: Account | None = None) -> Fragment | None:
    """Return a published board as finished JSON, or None when no published board has the id."""
    rows = read_rows([board_id])
    return next(iter(finish(rows, get_label_cache(rows[0].revision), voter)), None) if rows else None


def read_themes(board_id: UUID) -> list[Theme]:
    """Return the board's themes in the order of the interface. They are those that the process keeps."""
    statement = themes_statement(board_id)
    rows = fetch_rows(statement.sql, statement.parameters)
    ids = {UUID(str(theme_id)) for _, theme_id in rows}  # SQLite returns texts
    themes = get_label_cache(rows[0][0]).themes if rows else {}
    return [theme for pk, theme in themes.items() if pk in ids]


def page_finder(selection: BoardSelection, first_row: int, limit: int) -> Find:
    find = find_top if selection.sort == "top" else find_page
    return lambda condition: find(condition, first_row, limit)


def select(
    selection: BoardSelection, find: Find, read: Callable[[Sequence[UUID]], list[StoredRow]]
) -> Selected[StoredRow]:
    """Return what `read` reads of the published boards that `find` finds.

    The labels that this process has say which themes a filter means. When the statement finds that themes have
    changed since, and the filters now mean others, it is repeated.
    """
    labels = latest_label_cache()
    while True:
        condition = selection.condition(labels)
        found = find(condition)
        rows = read(list(map(id_of, found.keys)))
        labels = get_label_cache(rows[0].revision if rows else get_revision())
        if selection.condition(labels) == condition:
            return Selected(found, rows, labels)


def read_rows(board_ids: Sequence[UUID]) -> list[Row]:
    """Return the rows of these boards, in this order, as far as they are published."""
    if not board_ids:
        return []
    statement = boards_statement(board_ids)
    rows = {row.pk: row for row in (Row(*columns) for columns in fetch_rows(statement.sql, statement.parameters))}
    return [rows[pk] for pk in board_ids if pk in rows]


def finish(rows: Sequence[Row], labels: LabelCache, voter: Account | None = None) -> list[Fragment]:
    """Render the rows' JSON. Make that anew which is stored in another format than this program's."""
    stale = [row.pk for row in rows if row.json_format != JSON_FORMAT]
    fresh = Board.objects.published().with_details().in_bulk(stale) if stale else {}
    votes = Board.objects.filter(pk__in=[row.pk for row in rows]).own_votes(voter) if voter and rows else {}
    context = {"own_votes": votes} if voter else {}
    renderer = stored_json_renderer(labels, settings.PUBLIC_BASE_URL)
    return [
        renderer.render(row.json, row.up_votes, row.down_votes, write_own_vote(votes.get(row.pk)) if voter else b"")
        if row.json_format == JSON_FORMAT
        else Fragment(dump_json(BoardSerializer(fresh[row.pk], context=context).data))
        for row in rows
        if row.json_format == JSON_FORMAT or row.pk in fresh
    ]
