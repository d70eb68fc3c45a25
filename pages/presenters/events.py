"""What all pages of an event have in common: its tables are counted before they are read."""

from http import HTTPStatus
from typing import Any, ClassVar

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from boards.events.counting import MAX_EVENT_TABLES, CountedEvent, open_event
from boards.events.reading import EVENT
from config.api.serializers import QuerySerializer
from pages.site.base import PageView, path_with_query


class EventView(PageView):
    """The base of the pages of an event. `show` makes the page of a `query`, with a permit where the event is large.

    Of an event that is too large nothing is read: the answer is one sentence and a link to the list of its boards.
    """

    section = "events"
    query: ClassVar[type[QuerySerializer]] = QuerySerializer
    template_of_too_large: ClassVar[str] = "evenings/event_too_large.html"
    status_of_too_large: ClassVar[int] = HTTPStatus.NOT_FOUND

    def get(self, request: HttpRequest, slug: str) -> HttpResponse:
        query = self.query.parse(request.GET)
        counted = open_event(slug)
        if counted is None:
            raise Http404
        return self.show_too_large(counted) if counted.is_too_large else self.show(counted, query)

    def show(self, counted: CountedEvent, query: dict[str, Any]) -> HttpResponse:
        raise NotImplementedError  # each page shows something else of its event

    def show_too_large(self, counted: CountedEvent) -> HttpResponse:
        context = {
            "event": counted.event,
            "most_tables": f"{MAX_EVENT_TABLES:,}",
            "list_path": path_with_query(reverse("gallery"), {EVENT: counted.event.slug}),
        }
        return self.render_page(self.template_of_too_large, context, status=self.status_of_too_large)
