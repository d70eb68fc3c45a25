"""What search engines read: sitemaps of the pages (sitemaps.org) and robots.txt with what to leave out (RFC 9309)."""

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.urls import reverse

from boards.collections.reading import newest_collections
from boards.events.listing import latest_events
from boards.models import Board
from config.edge.limits.exports import stream
from config.paths import ACCOUNT, ADMIN, API, SIGN_IN
from pages.presenters.boards import boards_path, theme_path
from pages.site.base import PageView
from pages.site.guides import NAMES
from search.index.finding import IS_PUBLISHED, count_boards, find_page
from themes.labels import get_label_cache, get_revision

MAX_BOARDS = 44_000
"""The boards of one sitemap. It may have 50,000 addresses; the first one has the other pages and the themes too."""

MAX_THEMES = 4000
MAX_EVENTS = 900
"""The latest events, in the first sitemap. Links on /events lead to the others."""

MAX_COLLECTIONS = 900
"""The newest public collections, in the first sitemap. Links on /collections lead to the others."""

CHUNK_SIZE = 2000
NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
PAGES = ("home", "gallery", "today", "events-page", "themes-page", "collections-page", "form-index")


class SitemapIndexView(PageView):
    """GET /sitemap.xml → 200: the addresses of the sitemaps. It takes one count of the boards."""

    vary = ()

    def get(self, request: HttpRequest) -> HttpResponse:
        body = f"<sitemapindex {NAMESPACE}>\n"
        for number in range(1, max(1, -(-count_boards(IS_PUBLISHED) // MAX_BOARDS)) + 1):
            address = settings.PUBLIC_BASE_URL + reverse("sitemap", args=[number])
            body += f"<sitemap><loc>{address}</loc></sitemap>\n"
        return HttpResponse(f"{body}</sitemapindex>\n", content_type="application/xml")


class SitemapView(PageView):
    """GET /sitemap-{number}.xml → 200, streamed, or 404.

    The oldest boards come first, so that a board stays in its sitemap when others are published.
    """

    vary = ()

    def get(self, request: HttpRequest, number: int) -> StreamingHttpResponse:
        first = (number - 1) * MAX_BOARDS
        if first < 0 or (first and first >= count_boards(IS_PUBLISHED)):
            raise Http404
        return stream(request, "sitemaps", stream_sitemap(first), "application/xml")


class RobotsView(PageView):
    """GET /robots.txt → 200."""

    vary = ()

    def get(self, request: HttpRequest) -> HttpResponse:
        lines = (
            "User-agent: *",
            f"Disallow: {ADMIN}/",
            f"Disallow: {API}/",
            f"Disallow: {SIGN_IN}",
            f"Disallow: {ACCOUNT}",
            f"Allow: {reverse('docs')}",
            f"Allow: {reverse('openapi')}",
            f"Allow: {reverse('board-list')}/",
            f"Sitemap: {settings.PUBLIC_BASE_URL}{reverse('sitemap-index')}",
        )
        return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


def stream_sitemap(first: int) -> Iterator[bytes]:
    """Stream the sitemap that begins with the board at this position. The one at 0 has the other pages too."""
    yield f"<urlset {NAMESPACE}>\n".encode()
    if not first:
        labels, newest = get_label_cache(get_revision()), newest_collections(MAX_COLLECTIONS)
        themes = (theme_path(theme, labels) for theme in islice(labels.themes.values(), MAX_THEMES))
        guides = (reverse("guide", args=[name]) for name in NAMES)
        events = (reverse("event-page", args=[event.slug]) for event in latest_events(MAX_EVENTS))
        paths = (*map(reverse, PAGES), *guides, *themes, *events)
        yield "".join(map(url_element, paths)).encode()
        collections = ((reverse("collection-page", args=[each.pk]), each.updated_at) for each in newest)
        yield "".join(url_element(*each) for each in collections).encode()
    for chunk in iterate_chunks(first):
        yield "".join(url_element(f"{boards_path()}/{pk}", updated_at) for pk, _, updated_at in chunk).encode()
    yield b"</urlset>\n"


def url_element(path: str, updated_at: datetime | None = None) -> str:
    modified = f"<lastmod>{updated_at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}</lastmod>" if updated_at else ""
    return f"<url><loc>{settings.PUBLIC_BASE_URL}{path}</loc>{modified}</url>\n"


def iterate_chunks(first: int) -> Iterator[list[tuple[UUID, int, datetime]]]:
    """Yield one sitemap's boards as (id, number, updated_at), in lists of CHUNK_SIZE.

    The index says which board is the first. Each query continues after the last board by its number, so that no chunk
    costs more than the first.
    """
    boards = Board.objects.published().order_by("number").values_list("pk", "number", "updated_at")
    oldest = find_page(IS_PUBLISHED, max(0, count_boards(IS_PUBLISHED) - 1 - first), 1).numbers
    left = MAX_BOARDS
    chunk = list(boards.filter(number__gte=oldest[0])[:CHUNK_SIZE]) if oldest else []
    while chunk:
        yield chunk
        left -= len(chunk)
        _, last, _ = chunk[-1]
        chunk = list(boards.filter(number__gt=last)[: min(CHUNK_SIZE, left)])
