"""Events and their deals: stored where boards are published, by boards.catalogue.refreshing, and never for drafts."""

from collections.abc import Sequence

from boards.models import Board, Event, EventDeal, PublishedBoard
from boards.models.catalogue import spelling_of
from bridge.dates import sort_key
from config.database.inserting import insert_rows


def store_events(rows: Sequence[PublishedBoard]) -> None:
    """Store the events and the deals that these rows name, and give each row its stored deal. It is not saved.

    All are inserted in sorted order, so that two imports of the same evening wait for each other instead of
    deadlocking.
    """
    events = {event.pk: event for event in (event_of(row.board) for row in reversed(rows) if row.event_deal)}
    deals = {row.event_deal.key: row.event_deal for row in rows if row.event_deal}
    if not deals:
        return
    insert_rows([events[slug] for slug in sorted(events)], ignore_conflicts=True)
    insert_rows([deals[key] for key in sorted(deals)], ignore_conflicts=True)
    found = EventDeal.objects.filter(event__in=events, deal__in={deal.deal_id for deal in deals.values()})
    stored = {deal.key: deal for deal in found.select_related("event")}
    for row in rows:
        row.event_deal = stored[row.event_deal.key] if row.event_deal else None


def spell_events(rows: Sequence[PublishedBoard]) -> None:
    """Spell those events of these rows anew that a board spells otherwise. Call it after the rows are stored."""
    others = {
        row.event_slug
        for row in rows
        if row.event_deal and event_of(row.board).spelling != row.event_deal.event.spelling
    }
    if others:
        Event.objects.filter(pk__in=others).spell()


def event_of(board: Board) -> Event:
    """Return the event that the board's own texts name, not stored."""
    spelling = spelling_of(board.event, board.date, board.site)
    return Event(slug=board.event_slug, day=sort_key(board.date), **spelling)
