"""The feed /boards.atom: the newest boards of a search, a theme or an event, for feed readers (RFC 4287)."""

from collections.abc import Iterator
from dataclasses import replace
from operator import attrgetter
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from boards.catalogue.deals import find_deals, find_news
from boards.catalogue.reading import Search
from boards.events.listing import list_events
from boards.events.reading import EVENT
from boards.models import Board
from boards.models.names import full_name_of
from boards.records import diagram_of
from boards.searching.parameters import parse_selection
from config.edge.limits.dear_reads import keep_permit
from config.values.words import format_count
from pages.search.gallery import filters_of
from pages.site.base import PageView, path_with_query
from pages.site.feeds import answer_feed

SIZE = 30


class BoardFeed(PageView):
    """GET /boards.atom with the filters of GET /api/boards → 200, the newest 30 entries, or 400.

    The boards of an event are one entry, unless the feed is of that event or finds one of its deals alone.
    """

    vary = ()

    def get(self, request: HttpRequest) -> HttpResponse:
        filters = filters_of(request.GET)
        about = ", ".join(value if name == "q" else f"{name} {value}" for name, value in filters.items())
        title = f"Bridge boards: {about}" if about else "Bridge boards"
        list_path, feed_path = (path_with_query(reverse(route), filters) for route in ("gallery", "feed"))
        selection = replace(parse_selection(request.GET), sort="newest")
        items = items_of(Search(selection, keep_permit))
        return answer_feed(title, list_path, feed_path, items)


def items_of(search: Search) -> Iterator[dict[str, Any]]:
    """Yield the entries of a feed as Django's feeds take them. One that is no longer published is left out.

    The dates of an event are those of its newest board: to ask all of them would be to read every table.
    """
    if EVENT in search.selection.filters:
        news = [[place] for place in find_deals(search, 0, SIZE).entries]
    else:
        news = find_news(search, SIZE)
    boards = Board.objects.published().select_related("deal").prefetch_related("themes")
    found = boards.in_bulk([deals[0].board_id for deals in news])
    events = list_events([deals[0].event_slug for deals in news if len(deals) > 1])
    for first, *others in news:
        board = found.get(first.board_id)
        if board and others and (listed := events.get(first.event_slug)):
            link = settings.PUBLIC_BASE_URL + reverse("event-page", args=[first.event_slug])
            yield {
                "title": str(listed.event),
                "link": link,
                "unique_id": link,
                "description": f"{format_count(listed.deals, 'deal')}, {format_count(listed.boards, 'table')}",
                "pubdate": board.published_at,
                "updateddate": board.updated_at,
            }
        elif board:
            categories = map(attrgetter("identifier"), board.themes.all())
            yield item_of_board(board, title=full_name_of(board, with_table=False), categories=categories)


def item_of_board(board: Board, **more: Any) -> dict[str, Any]:
    return {
        "link": settings.PUBLIC_BASE_URL + reverse("board-page", args=[board.pk]),
        "unique_id": board.pk.urn,
        "description": diagram_of(board).title,
        "pubdate": board.published_at,
        "updateddate": board.updated_at,
        **more,
    }
