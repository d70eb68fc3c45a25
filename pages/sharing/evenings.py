"""How an event travels to other sites: its addresses, and what its picture says."""

from typing import NamedTuple

from django.urls import reverse

from boards.drawing.symbols import signed
from boards.events.counting import MAX_EVENT_TABLES
from boards.events.listing import DealResults
from boards.events.reading import Evening, ListedDeal, read_pars
from boards.events.tables import Table
from boards.models import Event
from bridge.double_dummy import Par
from bridge.names import format_call
from config.values.words import format_count
from pages.presenters.boards import format_par_contract
from pages.presenters.tables import TableChoice
from pages.sharing.sharing import ClubText, Share, spell, text_of_club

PICTURED = 3
"""The deals in the picture of an event."""


def share_of_event(event: Event, choice: TableChoice) -> Share:
    """Return how to share an event as it is seen from a table, or from none."""
    page, framed, picture = (
        reverse(route, args=[event.slug]) for route in ("event-page", "event-embed", "event-picture")
    )
    name = f"{event}, {choice.name}" if choice.name else str(event)
    return Share(name, page, framed, picture, choice.parameters)


class PicturedDeal(NamedTuple):
    """A card of the picture: the board, and up to three facts, each with its name."""

    name: str
    facts: tuple[tuple[str, str], ...]


class EveningText(NamedTuple):
    """What the picture of an event says: all that decides on its pixels."""

    title: str
    facts: tuple[str, ...]
    deals: tuple[PicturedDeal, ...]
    club: ClubText


def text_of_evening(evening: Evening) -> EveningText:
    """Return the text of an event: those deals of a page whose tables differ most, or the first ones with a par."""
    total = evening.page.total_count
    results = {deal.event_deal: DealResults(deal.tables) for deal in evening.deals}
    deals = sorted(evening.deals, key=lambda deal: -(results[deal.event_deal].spread or 0))
    pars = read_pars(deals)
    told = [deal for deal in deals if results[deal.event_deal].scored or deal.deal_id in pars][:PICTURED]
    counts = [format_count(total, "board")]
    if evening.boards > total:
        counts.append(format_count(evening.boards, "result"))
    pictured = tuple(picture_deal(deal, results[deal.event_deal], pars.get(deal.deal_id)) for deal in told)
    return describe(evening.event, ", ".join(counts), pictured)


def text_of_large_event(event: Event) -> EveningText:
    """Return the text of an event of which no table is read."""
    return describe(event, f"More than {MAX_EVENT_TABLES:,} results", ())


def describe(event: Event, counts: str, deals: tuple[PicturedDeal, ...]) -> EveningText:
    place = ", ".join(filter(None, (event.date_in_words, spell(event.site))))
    title = spell(event.name) or "A bridge evening"
    return EveningText(title, tuple(filter(None, (place, counts))), deals, text_of_club())


def picture_deal(deal: ListedDeal, results: DealResults, par: Par | None) -> PicturedDeal:
    number, facts = deal.board.board_number, []
    if results.best and results.worst and results.spread:
        facts += [("Best for NS", write_score(*results.best)), ("Worst for NS", write_score(*results.worst))]
    elif results.best:
        facts.append(("Score of NS", write_score(*results.best)))
    if par:
        facts.append(("Par", spell(f"{signed(par['score'])}, {format_par_contract(par['contracts'][0])}")))
    return PicturedDeal(f"Board {number}" if number else "Board", tuple(facts))


def write_score(score: int, table: Table) -> str:
    """Write a score with its contract, as in "+420, 4♠ S"."""
    played = table.final_contract
    if played is None or played.level is None:
        return spell(f"{signed(score)}, Pass")
    declarer = f" {played.declarer.value}" if played.declarer else ""
    return spell(f"{signed(score)}, {format_call(f'{played.level}{played.denomination}')}{played.doubled}{declarer}")
