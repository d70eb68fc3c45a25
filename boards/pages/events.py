"""The pages about events: /events, and /events/{slug} with the boards of one."""

from itertools import groupby
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from boards.events.dates import in_words
from boards.events.reading import Evening, ListedEvent, read_evening, read_events
from boards.events.serializers import paths_of
from boards.pages.gallery import path_with_query
from config.api.pagination import MAX_PAGE, NaturalField, Page
from config.api.serializers import QuerySerializer
from config.site.pages import PageView

EVENTS_OF_PAGE = 50
DEALS_OF_PAGE = 100


class PageNumberQuery(QuerySerializer):
    page = NaturalField(default=1, min_value=1, max_value=MAX_PAGE)


class EventsPage(PageView):
    """GET /events?page → 200: the events by month, the latest first, or 404 past the last page."""

    section = "events"

    def get(self, request: HttpRequest) -> HttpResponse:
        number = PageNumberQuery.parse(request.GET)["page"]
        found = read_events({"page": number, "pageSize": EVENTS_OF_PAGE})
        if number > 1 and not found.events:
            raise Http404
        months = [(month, list(events)) for month, events in groupby(found.events, key=month_of)]
        context = {"months": months, **page_context(found.page, reverse("events-page"))}
        return self.render_page("boards/events.html", context, path=context["path"])


class EventPage(PageView):
    """GET /events/{slug}?page → 200: the boards of an event in the order of their numbers, each deal once, or 404."""

    section = "events"

    def get(self, request: HttpRequest, slug: str) -> HttpResponse:
        number = PageNumberQuery.parse(request.GET)["page"]
        evening = read_evening(slug, number, DEALS_OF_PAGE)
        if evening is None:
            raise Http404
        context = {
            "evening": evening,
            "description": describe(evening),
            "stages": [
                (stage, list(deals))
                for stage, deals in groupby(evening.deals, key=lambda deal: deal.board.stage)
            ],
            "links": paths_of(slug),
            "diagrams": path_with_query(reverse("gallery"), {"event": slug}),
            **page_context(evening.page, reverse("event-page", args=[slug])),
        }
        return self.render_page("boards/event.html", context, path=context["path"])


def month_of(listed: ListedEvent) -> str:
    """Return the month or the year of an event's date, in words, and "Without a date" when it is not known."""
    year, month = listed.event.day[:4], listed.event.day[5:7]
    if not year:
        return "Without a date"
    return in_words(f"{year}.{month}.??" if month != "00" else f"{year}.??.??")


def describe(evening: Evening) -> str:
    """Say what the page is about, for search engines and for links to it."""
    return f"The boards of {evening.event}, with contracts and results."


def page_context(page: Page, path: str, parameters: dict[str, str] | None = None) -> dict[str, Any]:
    """Return the page, its own path, and those of the pages beside it. The first one has no number."""

    def path_of(number: int) -> str:
        return path_with_query(path, (parameters or {}) | ({"page": str(number)} if number > 1 else {}))

    paths = {relation: path_of(number) for relation, number in page.neighbours.items()}
    return {"page": page, "pages": paths, "path": path_of(page.page)}
