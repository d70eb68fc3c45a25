"""The pages about events: /events, and /events/{slug} with the boards and the matches of one."""

from collections.abc import Sequence
from http import HTTPStatus
from itertools import groupby
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from boards.events.counting import CountedEvent
from boards.events.listing import DealResults, ListedEvent, read_events, read_neighbours
from boards.events.matches import Match, Standings, find_matches, find_standings
from boards.events.reading import Evening, ListedDeal, read_evening, read_pars, read_team_deals
from boards.events.tables import Table
from boards.identity import whole_stage
from bridge.dates import in_words
from bridge.double_dummy import Par
from pages.presenters.events import EventView
from pages.presenters.tables import TableChoice, TableQuery, choices_of
from pages.sharing.evenings import share_of_event
from pages.site.base import PageNumberQuery, PageView, page_context, path_with_query

EVENTS_OF_PAGE = 50
DEALS_OF_PAGE = 40
MAX_MATCHES = 60
"""The deals and the matches of a page of an event. With both it weighs less than 60 kB."""

MAX_STANDINGS = 400
"""The teams times the rounds of standings that are shown."""

MAX_CHOICES = 60
"""The tables of an event that are listed to choose one."""


class EveningRow(NamedTuple):
    """A deal of an evening, what came of it at its tables, and its par where it is computed.

    `chosen_name` names the table that the reader has chosen, and `chosen` is it, unless it did not play the deal.
    """

    deal: ListedDeal
    results: DealResults
    par: Par | None
    chosen_name: str = ""
    chosen: Table | None = None


class EventsPage(PageView):
    """GET /events?page → 200: the events by month, the latest first, or 404 past the last page."""

    section = "events"

    def get(self, request: HttpRequest) -> HttpResponse:
        number = PageNumberQuery.parse(request.GET)["page"]
        page, events = read_events({"page": number, "pageSize": EVENTS_OF_PAGE})
        if number > 1 and not events:
            raise Http404
        months = [(month, list(group)) for month, group in groupby(events, key=month_of)]
        context = {"months": months, **page_context(page, reverse("events-page"))}
        return self.render_page("evenings/events.html", context, path=context["path"])


class EventQuery(PageNumberQuery, TableQuery):
    """A page of an event, seen from a table."""


class EventPage(EventView):
    """GET /events/{slug}?page → 200: the boards of an event in the order of their numbers, each deal once, or 404.

    ?table=3, ?room=Open and ?pair=7 have the board, the contract and the score of one table in each row.
    """

    query = EventQuery
    status_of_too_large = HTTPStatus.OK

    def show(self, counted: CountedEvent, query: dict[str, Any]) -> HttpResponse:
        slug, choice = counted.slug, TableChoice.of(query)
        evening = read_evening(counted, query["page"], DEALS_OF_PAGE)
        if evening is None:
            raise Http404
        rows = rows_of(evening, choice)
        path = reverse("event-page", args=[slug])
        matches = matches_of(evening, slug)
        context = {
            "evening": evening,
            "neighbours": read_neighbours(evening.event),
            "description": f"The boards of {evening.event}, with contracts and results.",
            "rows": rows,
            "matches": matches[:MAX_MATCHES],
            "standings": standings_of(evening, slug, matches),
            "more_matches": len(matches) - MAX_MATCHES,
            "has_results": any(row.results.scored for row in rows),
            "diagrams": path_with_query(reverse("gallery"), {"event": slug}),
            **describe_choice(evening, choice, rows),
            **page_context(evening.page, path, **choice.parameters),
        }
        self.noindex = bool(choice.name)
        return self.render_page("evenings/event.html", context, path=page_context(evening.page, path)["path"])


def rows_of(evening: Evening, choice: TableChoice) -> list[EveningRow]:
    """Return a row for each deal of a page, with the table that is chosen, if any."""
    pars, name = read_pars(evening.deals), choice.name
    return [
        EveningRow(deal, DealResults(deal.tables), pars.get(deal.deal_id), name, choice.find(deal.tables))
        for deal in evening.deals
    ]


def describe_choice(evening: Evening, choice: TableChoice, rows: Sequence[EveningRow]) -> dict[str, Any]:
    """Return what evenings/event_share.html takes: how to share the event, and how to choose a table or another one.

    `asked` is what a field asks for: the team, the pair or the table, as the first board has it.
    """
    deals, is_known = [deal.tables for deal in evening.deals], any(row.chosen for row in rows)
    choices = []
    if choice.name:
        choices = choice.alternatives(deals) if is_known else choices_of(deals, choice)
    first = deals[0][0]
    known = {"team": first.home_team, "pair": first.pair_ns or first.pair_ew, "table": first.table}
    return {
        "share": share_of_event(evening.event, choice if is_known else TableChoice()),
        "choice": choice,
        "is_known": is_known,
        "asked": next(filter(known.get, known), "") if evening.boards > evening.page.total_count else "",
        "choices": [(each, path_with_query("", each.parameters)) for each in choices[:MAX_CHOICES]],
        "more_choices": len(choices[MAX_CHOICES:]),
    }


def matches_of(evening: Evening, slug: str) -> list[Match]:
    """Return the matches of the stages that have a board on this page.

    The first and the last stage of a page may go on beyond it. They are read as a whole, since a match counts all its
    boards.
    """
    deals = evening.deals
    if evening.page.total_pages > 1:
        ends = [whole_stage(deal.stage_key) for deal in (deals[0], deals[-1])]
        between = [deal for deal in deals if whole_stage(deal.stage_key) not in ends]
        deals = [*between, *read_team_deals(slug, *ends)]
    return find_matches(deals)


def standings_of(evening: Evening, slug: str, matches: Sequence[Match]) -> Standings | None:
    """Return the standings of all rounds, on the first page of an event with matches in several stages."""
    if evening.page.page > 1 or len({match.stage_key for match in matches}) < 2:
        return None
    is_whole = evening.page.total_pages == 1
    found = find_standings(matches if is_whole else find_matches(read_team_deals(slug)))
    return found if found and len(found.teams) * len(found.rounds) <= MAX_STANDINGS else None


def parameters_of(match: Match) -> dict[str, str]:
    """Return what names a match in addresses."""
    stage = {"stage": match.stage} if match.stage else {}
    return {"home": match.home, "visit": match.visit, **stage}


def month_of(listed: ListedEvent) -> str:
    """Return the month or the year of an event's date, in words, and "Without a date" when it is not known."""
    year, month = listed.event.day[:4], listed.event.day[5:7]
    if not year:
        return "Without a date"
    return in_words(f"{year}.{month}.??" if month != "00" else f"{year}.??.??")
