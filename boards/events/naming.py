"""The names of events: stored wherever boards are published, by boards.catalogue.refreshing, and never for drafts."""

from collections.abc import Iterable

from boards.models import Board, Event
from boards.models.catalogue import spelling_of
from bridge.dates import sort_key
from config.database.inserting import insert_rows


def store_events(boards: Iterable[Board]) -> None:
    """Store the events of these published boards, and spell those anew that a board spells otherwise.

    Call it after what readers get of the boards is stored. Events are inserted in sorted order, so that two imports of
    the same events wait for each other instead of deadlocking.
    """
    named = [event for event in map(event_of, boards) if event.slug]
    first = {event.slug: event for event in reversed(named)}
    insert_rows([first[slug] for slug in sorted(first)], ignore_conflicts=True)
    stored = Event.objects.in_bulk(first)
    others = {event.slug for event in named if event.spelling != stored[event.slug].spelling}
    if others:
        Event.objects.filter(pk__in=others).spell()


def event_of(board: Board) -> Event:
    """Return the event that the board's own texts name, not stored. Its slug is "" for a board without an event."""
    spelling = spelling_of(board.event, board.date, board.site)
    return Event(slug=board.event_slug, day=sort_key(board.date), **spelling)
