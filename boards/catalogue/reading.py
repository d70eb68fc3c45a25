"""Reading boards of lists: which they are says the index (boards.search), and what readers get is stored JSON.

The SQL is the same for both databases. It is written by hand, since it is most of what the service does: the ORM takes
longer to write such a statement than the database to answer it. Values are parameters, so that PostgreSQL plans a
statement once.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple
from uuid import UUID

from django.conf import settings
from orjson import Fragment

from accounts.models import Account
from boards.catalogue.serializers import BoardSerializer
from boards.catalogue.stored_json import JSON_FORMAT, stored_json_renderer, write_own_vote
from boards.events.reading import as_uuid
from boards.models import Board
from boards.search.conditions import Condition
from boards.search.filters.parameters import BoardSelection
from boards.search.index.finding import IDS, Found, Reading, find_after, find_page
from boards.search.index.rows import Statement, adapt
from boards.search.index.top import find_top
from config.api.pagination import CursorPage, Page
from config.database import fetch_rows
from config.values.strict_json import dump_json
from themes.labels import LabelCache, get_label_cache, get_revision, latest_label_cache
from themes.models import Theme

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


Find = Callable[[Condition], Found]
"""Finds boards that meet a condition."""


class Row(NamedTuple):
    """A published board as it is stored for readers."""

    board_id: UUID | str
    json: str
    json_format: int
    up_votes: int
    down_votes: int

    @property
    def pk(self) -> UUID:
        return as_uuid(self.board_id)


class Selected(NamedTuple):
    """The boards of a page that the index found, and the labels at that moment."""

    found: Found
    labels: LabelCache


class BoardPage(NamedTuple):
    """A page of boards as finished JSON. `last` is the last board's number, and None on an empty page."""

    page: Page | CursorPage
    boards: Sequence[Any]
    last: int | None


def read_page(selection: BoardSelection, page_query: Mapping[str, Any], voter: Account | None = None) -> BoardPage:
    """Return a page of the selected boards. `page_query` is a parsed PageQuery.

    With a voter each board has this account's vote, which takes one more query.
    """
    page, size = page_query["page"], page_query["pageSize"]
    found, boards = read_found(selection, page_finder(selection, (page - 1) * size, size, reading_of(selection)), voter)
    return BoardPage(Page(page, size, found.total), boards, found.numbers[-1] if found.numbers else None)


def read_page_after(selection: BoardSelection, after: int, page_size: int, voter: Account | None = None) -> BoardPage:
    """Return so many of the selected boards as follow a number, newest first."""
    find = partial(find_after, number=after, limit=page_size, reading=reading_of(selection))
    found, boards = read_found(selection, find, voter)
    page = CursorPage(page_size, found.total, found.has_more)
    return BoardPage(page, boards, found.numbers[-1] if found.numbers else None)


def reading_of(selection: BoardSelection) -> Reading:
    return STORED if selection.published else IDS


def read_found(selection: BoardSelection, find: Find, voter: Account | None) -> tuple[Found, Sequence[Any]]:
    """Return what is found, and the boards for their readers: published ones, or drafts."""
    if selection.published:
        found, labels = select(selection, find)
        return found, finish([Row(*row) for row in found.rows], labels, voter)
    found = find(selection.condition(get_label_cache(get_revision())))
    drafts = Board.objects.drafts().with_details().in_bulk(found.ids)
    return found, represent_boards([drafts[pk] for pk in found.ids if pk in drafts], voter)


def represent_boards(boards: Sequence[Board], voter: Account | None) -> list[Any]:
    """Return boards of `with_details()`, drafts too, with the account's votes if there is one."""
    keys = [board.pk for board in boards]
    context = {"own_votes": Board.objects.filter(pk__in=keys).own_votes(voter)} if voter else {}
    return [*BoardSerializer(boards, many=True, context=context).data]


def read_board(board_id: UUID, voter: Account | None = None) -> Fragment | None:
    """Return a published board as finished JSON, or None when no published board has the id."""
    statement = board_statement(board_id)
    rows = fetch_rows(statement.sql, statement.parameters)
    if not rows:
        return None
    ((revision, *columns),) = rows
    return next(iter(finish([Row(*columns)], get_label_cache(revision), voter)), None)


def read_themes(board_id: UUID) -> list[Theme]:
    """Return the board's themes in the order of the interface. They are those that the process keeps."""
    statement = themes_statement(board_id)
    rows = fetch_rows(statement.sql, statement.parameters)
    ids = {UUID(str(theme_id)) for _, theme_id in rows}  # SQLite returns texts
    themes = get_label_cache(rows[0][0]).themes if rows else {}
    return [theme for pk, theme in themes.items() if pk in ids]


def page_finder(selection: BoardSelection, first_row: int, limit: int, reading: Reading) -> Find:
    find = find_top if selection.sort == "top" else find_page
    return partial(find, first_row=first_row, limit=limit, reading=reading)


def select(selection: BoardSelection, find: Find) -> Selected:
    """Return the boards that `find` finds. What it reads must be of boards that are published.

    The labels that this process has say which themes a filter means. When the statement finds that themes have
    changed since, and the filters now mean others, it is repeated.
    """
    labels = latest_label_cache()
    while True:
        condition = selection.condition(labels)
        found = find(condition)
        labels = get_label_cache(found.once)
        if selection.condition(labels) == condition:
            return Selected(found, labels)


def finish(rows: Sequence[Row], labels: LabelCache, voter: Account | None = None) -> list[Fragment]:
    """Render the rows' JSON. Make that anew which is stored in another format than this program's."""
    stale = [row.pk for row in rows if row.json_format != JSON_FORMAT]
    fresh = make_anew(stale, voter) if stale else {}
    votes = Board.objects.filter(pk__in=[row.pk for row in rows]).own_votes(voter) if voter and rows else {}
    renderer = stored_json_renderer(labels, settings.PUBLIC_BASE_URL)
    return [
        renderer.render(row.json, row.up_votes, row.down_votes, write_own_vote(votes.get(row.pk)) if voter else b"")
        if row.json_format == JSON_FORMAT
        else fresh[row.pk]
        for row in rows
        if row.json_format == JSON_FORMAT or row.pk in fresh
    ]


def make_anew(board_ids: Sequence[UUID], voter: Account | None) -> dict[UUID, Fragment]:
    """Return the JSON of those of the boards that are published still, from their columns."""
    boards = Board.objects.published().with_details().in_bulk(board_ids)
    answers = represent_boards([*boards.values()], voter)
    return {pk: Fragment(dump_json(answer)) for pk, answer in zip(boards, answers, strict=True)}
