"""A sheet of results for paper: the tables of each deal of an event, as a club hangs them up."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.http import Http404, HttpResponse
from django.urls import reverse

from boards.events.counting import CountedEvent
from boards.events.reading import MAX_TABLES, ListedDeal, MostTables, count_most_tables, read_evening, read_pars
from boards.events.tables import few_of
from bridge.double_dummy import Par
from pages.evenings.traveller import Traveller
from pages.presenters.events import EventView
from pages.site.base import PageNumberQuery, page_context

MAX_DEALS = 36
MAX_ROWS = 210
"""The deals and the tables of a page, which weighs less than 60 kB with either."""


class DealSheet(NamedTuple):
    """The tables of a deal, compared, and its par. `number` is the deal's number in the event, from 1."""

    deal: ListedDeal
    number: int
    traveller: Traveller
    par: Par | None


class ResultsSheet(EventView):
    """GET /events/{slug}/results?page → 200: the tables of each deal of an event with their scores, or 404."""

    query = PageNumberQuery
    noindex = True

    def show(self, counted: CountedEvent, query: dict[str, Any]) -> HttpResponse:
        stages = count_most_tables(counted.slug)
        most_tables = min(max((stage.tables for stage in stages.values()), default=0), MAX_TABLES)
        size = max(1, min(MAX_DEALS, MAX_ROWS // max(most_tables, 1)))  # as many deals as fill a page
        evening = read_evening(counted, query["page"], size) if most_tables else None
        if evening is None:
            raise Http404
        sheets = make_sheets(evening.deals, evening.page.first_row + 1, stages)
        context = {
            "evening": evening,
            "sheets": sheets,
            "has_teams": any(sheet.traveller.has_teams for sheet in sheets),
            "rules": dict.fromkeys(
                (column.name, column.rule) for sheet in sheets for column in sheet.traveller.columns
            ),
            **page_context(evening.page, reverse("event-results", args=[counted.slug])),
        }
        return self.render_page("evenings/results_sheet.html", context)


def make_sheets(deals: list[ListedDeal], first: int, stages: Mapping[str, MostTables]) -> list[DealSheet]:
    """Return the deals of a page, of which `first` is the number of the first one. `stages` count the whole event.

    Of a deal with more than MAX_TABLES tables those of the first account are shown, and none where these are too many,
    as on a board's page.
    """
    pars = read_pars(deals)
    sheets = []
    for number, deal in enumerate(deals, first):
        tables = few_of(deal.tables, MAX_TABLES)
        is_of_pairs = not deal.board.home_team  # teams need no number of others, as on a board's page
        most_results = stages[deal.stage_key].results if is_of_pairs and deal.stage_key in stages else 0
        traveller = Traveller(tables, deal.board.pk, most_results)
        sheets.append(DealSheet(deal, number, traveller, pars.get(deal.deal_id)))
    return sheets
