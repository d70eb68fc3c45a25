"""Frames of an event and of a board's tables on other sites."""

from http import HTTPStatus
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from boards.events.counting import CountedEvent
from boards.events.reading import read_evening, read_surroundings
from boards.models.names import full_name_of
from pages.evenings.events import rows_of
from pages.evenings.traveller import Traveller
from pages.presenters.events import EventView
from pages.presenters.tables import TableChoice, TableQuery
from pages.sharing.embed import FramedPage
from pages.sharing.sharing import find_published
from pages.site.base import path_with_query

DEALS_OF_FRAME = 36
"""The deals of a frame: those of an evening, for nearly every club. The page of the event has more."""


class EventEmbed(EventView, FramedPage):
    """GET /events/{slug}/embed?table → 200: the results of its first deals, as on its page, or 404."""

    section = ""
    query = TableQuery
    template_of_too_large = "evenings/event_too_large_embed.html"
    status_of_too_large = HTTPStatus.OK

    def show(self, counted: CountedEvent, query: dict[str, Any]) -> HttpResponse:
        choice = TableChoice.of(query)
        evening = read_evening(counted, 1, DEALS_OF_FRAME)
        if evening is None:
            raise Http404
        page = reverse("event-page", args=[counted.slug])
        context = {
            "evening": evening,
            "rows": rows_of(evening, choice),
            "more": evening.page.total_count - len(evening.deals),
            "path": path_with_query(page, choice.parameters),
        }
        return self.render_page("evenings/event_embed.html", context, path=page)


class TravellerEmbed(FramedPage):
    """GET /boards/{id}/traveller/embed?table → 200: all tables of a published board's deal, or 404.

    The board's own row is marked, or that of the table that the address names.
    """

    def get(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        choice = TableChoice.parse(request.GET)
        board = find_published(pk)
        surroundings = read_surroundings(board)
        chosen = choice.find(surroundings.tables)
        key = chosen.pk if chosen else pk
        context = {
            "board": chosen or board,
            "name": full_name_of(board, with_table=False) or "Untitled board",
            "surroundings": surroundings,
            "traveller": Traveller(surroundings.tables, key, surroundings.most_results),
        }
        return self.render_page("evenings/traveller_embed.html", context, path=reverse("board-page", args=[key]))
