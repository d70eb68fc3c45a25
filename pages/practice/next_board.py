"""Which board a reader practises next: the list is walked from deal to deal, first through boards with an auction."""

from collections.abc import Collection, Sequence
from contextlib import nullcontext
from functools import partial
from uuid import UUID

from boards.catalogue.reading import PUBLISHED_IDS, Search
from boards.events.reading import MAX_TABLES, neighbours
from boards.models import LAST_NUMBER, Board
from boards.records import record_of
from boards.searching.parameters import BoardSelection
from bridge.board import TEXTS
from bridge.decisions import CLEAR, first_question
from bridge.seats import Seat
from search.conditions import Between, Condition, Not, OneOf, every
from search.facts import choice, number
from search.index.finding import find_after
from search.index.pages import Found, Reading
from themes.labels import LabelCache, latest_label_cache

EASY = "easy"
"""The value of `order` that goes from the easiest boards to those whose difficulty is not known."""

DIFFICULTIES = TEXTS["difficulty"].choices
RANKS = {value: rank for rank, value in enumerate(DIFFICULTIES)}
DIFFICULTY = choice("difficulty")
EASY_FIRST: Sequence[Condition] = (
    *(OneOf(DIFFICULTY, (value,)) for value in DIFFICULTIES),
    Not(OneOf(DIFFICULTY, tuple(DIFFICULTIES))),
)
"""The boards of each difficulty, and those without one."""

HAS_CALLS = Between(number("calls"), low=1)
AUCTIONS_FIRST = (HAS_CALLS, Not(HAS_CALLS))
"""The boards at which somebody can be asked, and the others."""

EVERY_PUBLISHED_BOARD = BoardSelection({})
TABLES_AT_ONCE = 50
LOOKED_AT = 20
"""So many of the newest boards are looked at for the one that practice begins with."""


def find_board(selected: Search, after: UUID | None, order: str, seat: Seat | None) -> tuple[UUID | None, LabelCache]:
    """Return the first of the selected boards, or the one that follows a board: the first if that one is gone.

    Return the themes as they were then, too. Of all boards, the first is one with a decision, of this seat if any.
    """
    board = Board.objects.published().filter(pk=after).first() if after else None
    starts_anywhere = board is None and order != EASY and selected.selection == EVERY_PUBLISHED_BOARD
    if starts_anywhere and (first := find_first(seat)):
        return first, latest_label_cache()
    last, tables = (board.number, tables_of(board)) if board else (LAST_NUMBER, set())
    for kind in kinds_from(board, order):
        found, labels = find_deal(selected, kind, last, tables)
        if found:
            break
        last = LAST_NUMBER
    return found, labels


def kinds_from(board: Board | None, order: str) -> Sequence[Condition]:
    """Return the kinds of boards in this order, from that of a board on."""
    if order == EASY:
        return EASY_FIRST[RANKS.get(board.difficulty, len(RANKS)) :] if board else EASY_FIRST
    return AUCTIONS_FIRST[1:] if board and not board.auction else AUCTIONS_FIRST


def find_first(seat: Seat | None) -> UUID | None:
    """Return the newest board at which there is clearly something to decide, at this seat if one is named.

    Return None where that is none of the newest.
    """
    newest = partial(find_also, also=HAS_CALLS, number=LAST_NUMBER, limit=LOOKED_AT)
    ids = Search(EVERY_PUBLISHED_BOARD, nullcontext).select(newest, PUBLISHED_IDS)[0].ids
    boards = Board.objects.published().select_related("deal", "auction_system").in_bulk(ids)
    questions = ((pk, first_question(record_of(boards[pk]), seat=seat)) for pk in ids if pk in boards)
    return next((pk for pk, question in questions if question and question.score >= CLEAR), None)


def find_deal(
    selected: Search, kind: Condition, number: int, passed: Collection[UUID]
) -> tuple[UUID | None, LabelCache]:
    """Return the first board of a kind behind a number that is none of those to be passed by."""
    limit = 1
    while True:
        also = partial(find_also, also=kind, number=number, limit=limit)
        found, labels = selected.select(also, PUBLISHED_IDS)
        board_id = next((pk for pk in found.ids if pk not in passed), None)
        if board_id or not found.numbers:
            return board_id, labels
        number, limit = found.numbers[-1], TABLES_AT_ONCE  # drafts that SQL has made are found until indexed


def find_also(condition: Condition, reading: Reading, also: Condition, number: int, limit: int) -> Found:
    """Return the boards behind a number that also meet another condition."""
    return find_after(every([condition, also]), number, limit, reading)


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
