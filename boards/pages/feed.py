"""The feed /boards.atom: the newest boards of a search, a theme or an event, for feed readers (RFC 4287)."""

from dataclasses import replace

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from boards.catalogue.reading import select_page
from boards.filters.parameters import parse_selection
from boards.models import Board
from boards.models.names import full_name_of
from boards.pages.finding.gallery import filters_of, path_with_query
from boards.records import diagram_of
from config.site.feeds import Feed
from config.site.pages import PageView

NEWEST = {"page": 1, "pageSize": 30}


class BoardFeed(PageView):
    """GET /boards.atom with the filters of GET /api/boards → 200, the newest 30 boards, or 400."""

    vary = ()

    def get(self, request: HttpRequest) -> HttpResponse:
        filters = filters_of(request.GET)
        selected = select_page(replace(parse_selection(request.GET), sort="newest"), NEWEST)
        boards = Board.objects.published().select_related("deal").prefetch_related("themes")
        found = boards.in_bulk([row.pk for row in selected.rows])
        feed = Feed(
            title=title_of(filters),
            link=settings.PUBLIC_BASE_URL + path_with_query(reverse("gallery"), filters),
            description="",
            feed_url=settings.PUBLIC_BASE_URL + path_with_query(reverse("feed"), filters),
            language="en",
        )
        for board in (found[row.pk] for row in selected.rows if row.pk in found):
            feed.add_item(
                title=full_name_of(board),
                link=settings.PUBLIC_BASE_URL + reverse("board-page", args=[board.pk]),
                unique_id=board.pk.urn,
                description=diagram_of(board).title,
                pubdate=board.published_at,
                updateddate=board.updated_at,
                categories=[theme.identifier for theme in board.themes.all()],
            )
        return HttpResponse(feed.writeString("utf-8"), content_type="application/atom+xml; charset=utf-8")


def title_of(filters: dict[str, str]) -> str:
    """Return the name of the feed: what it is about, as the address says it."""
    about = ", ".join(value if name == "q" else f"{name} {value}" for name, value in filters.items())
    return f"Bridge boards: {about}" if about else "Bridge boards"
