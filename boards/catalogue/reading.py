"""Reading boards of lists: which they are says the index (search), and what readers get is stored JSON.

The SQL is the same for both databases. It is written by hand, since it is most of what the service does: the ORM takes
longer to write such a statement than the database to answer it. Values are parameters, so that PostgreSQL plans a
statement once.
"""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import partial
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from orjson import Fragment, loads

from accounts.models import Account
from boards.catalogue.stored_json import JSON_FORMAT, stored_json_renderer, write_own_vote
from boards.models import Board
from boards.searching.parameters import BoardSelection
from boards.serializers import BoardSerializer
from config.database import fetch_rows, reading_connection
from config.database.rows import as_uuid
from config.values.strict_json import dump_json
from deals.models import Deal
from search.conditions import NO_BOARD, Among, Condition
from search.index.finding import Permit, is_decided, resolved
from search.index.pages import Found, Reading, find
from search.index.rows import adapt, with_ids
from search.index.top import find_top
from themes.labels import LabelCache, get_label_cache, get_revision, latest_label_cache
from themes.models import Theme

REVISION = "(SELECT token FROM themes_labelrevision)"
IS_STORED = "stored.board_id = board.id AND board.published_at IS NOT NULL"
"""The stored rows alone do not know of a draft that SQL has made."""

COLUMNS = "stored.board_id, json, json_format, up_votes, down_votes"
"""What is read of a published board as it is stored for readers."""

Find = Callable[..., Found]
"""Finds boards that meet a resolved condition. `reading` says what is read of them, their ids else."""


def of_published(columns: str, joins: str = "") -> Reading:
    """Return what reads columns of published boards and of what is stored of them, and the revision of the labels."""
    return Reading(columns, f"LEFT JOIN boards_publishedboard AS stored ON {IS_STORED} {joins}", REVISION)


STORED = of_published(COLUMNS)
PUBLISHED_IDS = of_published("stored.board_id")


class Search:
    """A selection in one request: it is resolved once, for all of its pages and counts.

    `permit` is entered while boards are looked at or compared: `keep_permit` in a request, or `nullcontext` for what
    has a permit already, such as an export.
    """

    def __init__(self, selection: BoardSelection, permit: Permit) -> None:
        self.selection = selection
        self.permit = permit
        self.asked: Condition | None = None
        self.resolved: Condition = NO_BOARD

    @property
    def is_dear(self) -> bool:
        """Tell whether boards are looked at or compared for it."""
        return self.selection.search is not None and not is_decided(self.selection.condition(latest_label_cache()))

    def condition(self, labels: LabelCache) -> Condition:
        """Return what it asks of a board, resolved. Raise what `BoardSelection.condition` and `resolved` raise."""
        asked = self.selection.condition(labels)
        if asked != self.asked:
            self.resolved = resolved(asked, self.permit)
            self.asked = asked
        return self.resolved

    def select(self, find: Find, reading: Reading) -> tuple[Found, LabelCache]:
        """Return the boards that `find` finds, and the labels at that moment. `reading` is one of published boards.

        The labels that this process has say which themes a filter means. When the statement finds that themes have
        changed since, and the filters now mean others, it is repeated.
        """
        labels = latest_label_cache()
        while True:
            condition = self.condition(labels)
            found = find(condition, reading=reading)
            labels = get_label_cache(found.once)
            if self.condition(labels) is condition:
                return found, labels


def page_finder(selection: BoardSelection, first_row: int, limit: int) -> Find:
    return partial(find_top if selection.sort == "top" else find, first_row=first_row, limit=limit)


def read_found(search: Search, find: Find, voter: Account | None) -> tuple[Found, Sequence[Any]]:
    """Return what is found, and the boards for their readers as finished JSON: published ones, or drafts.

    With a voter each board has this account's vote, which takes one more query.
    """
    if search.selection.published:
        found, labels = search.select(find, STORED)
        return found, [*finish(found.rows, labels, voter).values()]
    found = find(search.condition(get_label_cache(get_revision())))
    drafts = Board.objects.drafts().with_details().in_bulk(found.ids)
    return found, represent_boards([drafts[pk] for pk in found.ids if pk in drafts], voter)


def represent_boards(boards: Sequence[Board], voter: Account | None) -> list[Any]:
    """Return boards of `with_details()`, drafts too, with the account's votes if there is one."""
    keys = [board.pk for board in boards]
    context = {"own_votes": Board.objects.filter(pk__in=keys).own_votes(voter)} if voter else {}
    return [*BoardSerializer(boards, many=True, context=context).data]


def read_board(board_id: UUID, voter: Account | None = None) -> Fragment | None:
    """Return a published board as finished JSON, or None when no published board has the id."""
    sql = f"""
        SELECT {REVISION}, {COLUMNS} FROM boards_publishedboard AS stored JOIN boards_board AS board ON {IS_STORED}
        WHERE stored.board_id = %s
    """
    rows = fetch_rows(sql, [adapt(Board, "id", board_id)])
    if not rows:
        return None
    ((revision, *row),) = rows
    return next(iter(finish([row], get_label_cache(revision), voter).values()), None)


def read_boards(board_ids: Sequence[UUID], voter: Account | None) -> dict[UUID, Any]:
    """Return by their ids those of the boards that the voter or, without one, everybody may see, drafts too."""
    search = Search(BoardSelection({}, among=(tuple(board_ids),)), nullcontext)
    found, labels = search.select(partial(find, first_row=0, limit=len(board_ids)), STORED)
    published = {as_uuid(pk): board for pk, board in finish(found.rows, labels, voter).items()}
    visible = Board.objects.visible_to(voter or AnonymousUser()).with_details()
    others = visible.in_bulk([pk for pk in board_ids if pk not in published])
    return published | dict(zip(others, represent_boards([*others.values()], voter), strict=True))


def read_themes(board_id: UUID) -> list[Theme]:
    """Return the board's themes in the order of the interface. They are those that the process keeps."""
    sql = f"SELECT {REVISION}, theme_id FROM boards_board_themes WHERE board_id = %s"
    rows = fetch_rows(sql, [adapt(Board, "id", board_id)])
    ids = {UUID(str(theme_id)) for _, theme_id in rows}  # SQLite returns texts
    themes = get_label_cache(rows[0][0]).themes if rows else {}
    return [theme for pk, theme in themes.items() if pk in ids]


NAMES_OF_CARD = (
    *("id", "deal_id", "board_number", "title", "deal_title", "event", "site", "date", "stage", "room", "table"),
    *("pair_ns", "pair_ew", "dealer", "vulnerability", "contract", "declarer", "opening_lead", "tricks"),
    *("up_votes", "down_votes"),
)
"""What a card of a list shows of a board, in the order of its columns."""


def read_cards(board_ids: Sequence[UUID]) -> dict[UUID, tuple[Board, list[Theme]]]:
    """Return those of the boards that are published, with NAMES_OF_CARD and the deal's par, and their themes in order.

    There is a row for each theme of a board. The ORM would write two statements anew, and read all columns.
    """
    wanted = with_ids(Among(tuple(board_ids)))
    sql = f"""
SELECT {REVISION}, theme.id, cards, par, {", ".join(f'board."{name}"' for name in NAMES_OF_CARD)}
FROM (SELECT * FROM boards_board WHERE {wanted.sql}) AS board JOIN deals_deal AS deal ON deal.id = board.deal_id
LEFT JOIN boards_board_themes AS themed ON themed.board_id = board.id
LEFT JOIN themes_theme AS theme ON theme.id = themed.theme_id
WHERE board.published_at IS NOT NULL ORDER BY theme.type, theme.identifier, theme.id
"""
    rows, alias = fetch_rows(sql, wanted.parameters), reading_connection().alias
    themes = get_label_cache(rows[0][0]).themes if rows else {}
    cards: dict[UUID, tuple[Board, list[Theme]]] = {}
    for _, theme_id, layout, par, *columns in rows:
        pk, deal_id = map(as_uuid, columns[:2])
        if pk not in cards:
            board = Board.from_db(alias, NAMES_OF_CARD, [pk, deal_id, *columns[2:]])
            board.deal = Deal.from_db(alias, ("id", "cards", "par"), [deal_id, layout, loads(par) if par else None])
            cards[pk] = board, []
        if theme_id and (theme := themes.get(as_uuid(theme_id))):
            cards[pk][1].append(theme)
    return cards


def finish(rows: Sequence[Sequence[Any]], labels: LabelCache, voter: Account | None) -> dict[Any, Fragment]:
    """Render the JSON of rows of COLUMNS, by the first column.

    Make that anew which is stored in another format than this program's.
    """
    stale = [as_uuid(pk) for pk, _, json_format, *_ in rows if json_format != JSON_FORMAT]
    fresh = make_anew(stale, voter) if stale else {}
    votes = Board.objects.filter(pk__in=[pk for pk, *_ in rows]).own_votes(voter) if voter and rows else {}
    renderer = stored_json_renderer(labels, settings.PUBLIC_BASE_URL)
    boards: dict[Any, Fragment] = {}
    for pk, json, json_format, up_votes, down_votes in rows:
        if json_format == JSON_FORMAT:
            own_vote = write_own_vote(votes.get(as_uuid(pk))) if voter else b""
            boards[pk] = renderer.render(json, up_votes, down_votes, own_vote)
        elif as_uuid(pk) in fresh:
            boards[pk] = fresh[as_uuid(pk)]
    return boards


def make_anew(board_ids: Sequence[UUID], voter: Account | None) -> dict[UUID, Fragment]:
    """Return the JSON of those of the boards that are published still, from their columns."""
    boards = Board.objects.published().with_details().in_bulk(board_ids)
    answers = represent_boards([*boards.values()], voter)
    return {pk: Fragment(dump_json(answer)) for pk, answer in zip(boards, answers, strict=True)}
