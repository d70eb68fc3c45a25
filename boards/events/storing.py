"""Storing the names of events. boards.catalogue.refreshing calls it wherever boards are published."""

from collections.abc import Iterable

from boards.models import Board, Event
from bridge.dates import sort_key
from config.database.inserting import insert_rows


def store_events(boards: Iterable[Board]) -> None:
    """Store the events of these boards that are not stored yet.

    They are inserted in sorted order, so that two imports of the same events wait for each other instead of
    deadlocking. An event keeps the spelling of the first board that names it.
    """
    events = {slug: event_of(board) for board in boards if (slug := board.event_slug)}
    insert_rows([events[slug] for slug in sorted(events)], ignore_conflicts=True)


def event_of(board: Board) -> Event:
    """Return the event that the board's own texts name, not stored. Its slug is "" for a board without an event."""
    return Event(
        slug=board.event_slug,
        name=" ".join(board.event.split()),
        date=board.date,
        site=" ".join(board.site.split()),
        day=sort_key(board.date),
    )
