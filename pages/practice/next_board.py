"""Which board a reader practises next: the list is walked from deal to deal, first through boards with an auction."""

from collections.abc import Collection, Sequence
from functools import partial
from uuid import UUID

from boards.catalogue.reading import PUBLISHED_IDS, select
from boards.events.reading import MAX_TABLES, neighbours
from boards.models import LAST_NUMBER, Board
from boards.records import record_of
from boards.search.conditions import Condition, every
from boards.search.filters.parameters import BoardSelection
from boards.search.index.finding import Found, Reading, find_after
from boards.search.language.queries import condition_of
from bridge.board import TEXTS
from bridge.decisions import CLEAR, first_question
from bridge.seats import Seat
from themes.labels import LabelCache, latest_label_cache

EASY = "easy"
"""The value of `order` that goes from the easiest boards to those whose difficulty is not known."""

DIFFICULTIES = TEXTS["difficulty"].choices
RANKS = {value: rank for rank, value in enumerate(DIFFICULTIES)}
EASY_FIRST = (*(f"difficulty={value}" for value in DIFFICULTIES), f"-difficulty={','.join(DIFFICULTIES)}")
"""Searches for the boards of each difficulty, and for those without one."""

AUCTIONS_FIRST = ("calls>=1", "-calls>=1")
"""Searches for the boards at which somebody can be asked, and for the others."""

EVERY_PUBLISHED_BOARD = BoardSelection({})
TABLES_AT_ONCE = 50
LOOKED_AT = 20
"""So many of the newest boards are looked at for the one that practice begins with."""


def find_board(
    selection: BoardSelection, after: UUID | None, order: str, seat: Seat | None
) -> tuple[UUID | None, LabelCache]:
    """Return the first of the selected boards, or the one that follows a board: the first if that one is gone.

    Return the themes as they were then, too. Of all boards, the first is one with a decision, of this seat if any.
    """
    board = Board.objects.published().filter(pk=after).first() if after else None
    searches: Sequence[str] = AUCTIONS_FIRST[1:] if board and not board.auction else AUCTIONS_FIRST
    if order == EASY:
        searches = EASY_FIRST[RANKS.get(board.difficulty, len(RANKS)) :] if board else EASY_FIRST
    elif board is None and selection == EVERY_PUBLISHED_BOARD and (first := find_first(seat)):
        return first, latest_label_cache()
    number, tables = (board.number, tables_of(board)) if board else (LAST_NUMBER, set())
    for search in searches:
        found, labels = find_deal(selection, search, number, tables)
        if found:
            break
        number = LAST_NUMBER
    return found, labels


def find_first(seat: Seat | None) -> UUID | None:
    """Return the newest board at which there is clearly something to decide, at this seat if one is named.

    Return None where that is none of the newest.
    """
    newest = partial(find_also, search=AUCTIONS_FIRST[0], number=LAST_NUMBER, limit=LOOKED_AT)
    ids = select(EVERY_PUBLISHED_BOARD, newest, PUBLISHED_IDS)[0].ids
    boards = Board.objects.published().select_related("deal", "auction_system").in_bulk(ids)
    questions = ((pk, first_question(record_of(boards[pk]), seat=seat)) for pk in ids if pk in boards)
    return next((pk for pk, question in questions if question and question.score >= CLEAR), None)


def find_deal(
    selection: BoardSelection, search: str, number: int, passed: Collection[UUID]
) -> tuple[UUID | None, LabelCache]:
    """Return the first board behind a number that is none of those to be passed by."""
    limit = 1
    while True:
        also = partial(find_also, search=search, number=number, limit=limit)
        found, labels = select(selection, also, PUBLISHED_IDS)
        board_id = next((pk for pk in found.ids if pk not in passed), None)
        if board_id or not found.numbers:
            return board_id, labels
        number, limit = found.numbers[-1], TABLES_AT_ONCE  # drafts that SQL has made are found until indexed


def find_also(condition: Condition, reading: Reading, search: str, number: int, limit: int) -> Found:
    """Return the boards behind a number that also meet a search of this module, which names no theme."""
    also = [condition_of(search, latest_label_cache(), None)] if search else []
    return find_after(every([condition, *also]), number, limit, reading)


def tables_of(board: Board) -> set[UUID]:
    """Return the boards that show the same deal at the same event, as many as a page shows of a deal."""
    tables = Board.objects.filter(
        deal=board.deal_id, event=board.event, date=board.date, site=board.site
    ).newest_first()
    return set(tables.values_list("pk", flat=True)[:MAX_TABLES])


def find_in_collection(boards: Sequence[UUID], after: UUID | None) -> UUID | None:
    """Return the first of these boards, or the one that follows a board: none where that is not among them."""
    row = boards.index(after) + 1 if after in boards else len(boards) if after else 0
    return boards[row] if row < len(boards) else None


def find_in_event(slug: str, after: UUID | None) -> UUID | None:
    """Return the first board of an event, or the one that follows a board there, at the same table if it was."""
    boards = Board.objects.of_event(slug)
    board = boards.filter(pk=after).first() if after else None
    found = neighbours(board)[1] if board else boards.first()
    return found.pk if found else None
