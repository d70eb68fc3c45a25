"""The story of a deal: its own title and commentary, which all its tables at an event have (decision 0056).

Each board stores it, as it stores the name of its event. Who changes it, changes it in all tables of the deal at the
event that have the same owner. A table that comes later takes from them what it does not say itself.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any
from uuid import UUID

from django.utils import timezone

from boards.models import Board

STORY = ("deal_title", "deal_commentary")
"""The columns of a story."""

COLUMNS = ("deal_id", "owner_id", "event", "date", "site", "published_at", *STORY)


def tables_of(board: Board) -> list[Board]:
    """Return the tables of the board's deal at its event that have its owner. A board of no event stands alone."""
    slug = board.event_slug
    of_deal = Board.objects.filter(deal=board.deal_id, owner=board.owner_id).order_by("pk").only(*COLUMNS)
    return [each for each in of_deal if each.pk == board.pk or (slug and each.event_slug == slug)]


def lock_tables(board_id: UUID, **conditions: Any) -> list[Board]:
    """Lock all tables of a board's deal of which this is true, the board too, in the order in which all lock boards."""
    board = Board.objects.filter(pk=board_id).only(*COLUMNS).first()
    ids = [table.pk for table in tables_of(board)] if board else []
    tables = Board.objects.filter(pk__in=ids, **conditions).order_by("pk").select_for_update()
    return list(tables.only(*COLUMNS))


def share_story(board: Board) -> list[UUID]:
    """Give all tables of the board's deal its story. Return the ids of those that had another: refresh them.

    Lock them before.
    """
    return give_story(tables_of(board), {name: getattr(board, name) for name in STORY})


def give_story(tables: Iterable[Board], story: Mapping[str, str]) -> list[UUID]:
    """Store a story in those tables that have another one. Return their ids."""
    changed = [each.pk for each in tables if any(getattr(each, name) != text for name, text in story.items())]
    Board.objects.filter(pk__in=changed).update(**story, updated_at=timezone.now())
    return changed


def join_stories(boards: Collection[Board]) -> list[UUID]:
    """Give boards that have come to another event, and the tables of their deals there, one story: the event's own.

    Where it has none, theirs is taken along. Return the ids of the tables that had another: refresh them.
    """
    come = {board.pk for board in boards}
    events = {(board.deal_id, board.owner_id, board.event_slug) for board in boards}
    deals, owners = {board.deal_id for board in boards}, {board.owner_id for board in boards}
    tables = Board.objects.filter(deal__in=deals, owner__in=owners).order_by("pk").only(*COLUMNS)
    met: dict[tuple[UUID, str | None, str], list[Board]] = defaultdict(list)
    for table in sorted(tables, key=lambda table: table.pk in come):  # the event's own first
        met[table.deal_id, table.owner_id, table.event_slug].append(table)
    changed: list[UUID] = []
    for key in events & met.keys():
        story = {name: next(filter(None, (getattr(table, name) for table in met[key])), "") for name in STORY}
        changed += give_story(met[key], story)
    return changed


def take_stories(boards: Collection[Board]) -> None:
    """Give new boards what their own stories lack, from stored tables of their deals and from each other. Not saved."""
    deals, owners = {board.deal_id for board in boards}, {board.owner_id for board in boards}
    stored = Board.objects.filter(deal__in=deals, owner__in=owners).exclude(deal_title="", deal_commentary="")
    stories: dict[tuple[UUID, str | None, str], dict[str, str]] = defaultdict(dict)
    for board in (*stored.order_by("pk").only(*COLUMNS), *boards):
        story = stories[board.deal_id, board.owner_id, board.event_slug]
        for name in STORY:
            if text := getattr(board, name):
                story.setdefault(name, text)
    for board in boards:
        for name, text in stories[board.deal_id, board.owner_id, board.event_slug].items():
            if board.event_slug and not getattr(board, name):
                setattr(board, name, text)
