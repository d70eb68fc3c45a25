"""What search engines are told: which pages there are (sitemaps.org) and which to leave alone (RFC 9309)."""

from collections.abc import Iterator
from datetime import UTC, datetime
from uuid import UUID

from django.conf import settings
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse

from boards.models import Board
from config.site.pages import PageView
from themes.models import Theme

BOARDS = 45_000
"""In one sitemap. Of the 50,000 addresses it may have, the first has the other pages too."""

CHUNK = 2000
NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
PAGES = ("/", "/boards", "/themes", "/forms")


class SitemapIndexView(PageView):
    """GET /sitemap.xml → 200: where the sitemaps are. Costs one count."""

    vary = ()

    def get(self, request: HttpRequest) -> HttpResponse:
        sitemaps = range(1, max(1, -(-Board.objects.published().count() // BOARDS)) + 1)
        lines = (
            f"<sitemap><loc>{settings.PUBLIC_BASE_URL}/sitemap-{n}.xml</loc></sitemap>" for n in sitemaps
        )
        body = "\n".join((f"<sitemapindex {NAMESPACE}>", *lines, "</sitemapindex>\n"))
        return HttpResponse(body, content_type="application/xml")


class SitemapView(PageView):
    """GET /sitemap-{number}.xml → 200, streamed, or 404. The oldest boards come first, and so stay where they are."""

    vary = ()

    def get(self, request: HttpRequest, number: int) -> StreamingHttpResponse:
        first = (number - 1) * BOARDS
        boards = Board.objects.published().oldest_first()
        if not 0 <= first < 2**31 or (first and not boards[first : first + 1].exists()):
            raise Http404
        return StreamingHttpResponse(sitemap(first), content_type="application/xml")


class RobotsView(PageView):
    """GET /robots.txt → 200."""

    vary = ()

    def get(self, request: HttpRequest) -> HttpResponse:
        lines = (
            "User-agent: *",
            "Disallow: /admin/",
            "Disallow: /api/",
            "Allow: /api/docs",
            "Allow: /api/openapi.json",
            "Allow: /api/boards/",
            f"Sitemap: {settings.PUBLIC_BASE_URL}/sitemap.xml",
        )
        return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


def sitemap(first: int) -> Iterator[bytes]:
    yield f"<urlset {NAMESPACE}>\n".encode()
    if not first:
        themes = (
            f"/boards?theme={pk}"
            for pk in Theme.objects.ordered_by_type().values_list("pk", flat=True)[:4000]
        )
        yield "".join(entry(path) for path in (*PAGES, *themes)).encode()
    for chunk in walk(first):
        yield "".join(entry(f"/boards/{pk}", changed) for pk, _, changed in chunk).encode()
    yield b"</urlset>\n"


def entry(path: str, changed: datetime | None = None) -> str:
    modified = f"<lastmod>{changed.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}</lastmod>" if changed else ""
    return f"<url><loc>{settings.PUBLIC_BASE_URL}{path}</loc>{modified}</url>\n"


def walk(first: int) -> Iterator[list[tuple[UUID, datetime | None, datetime]]]:
    """One sitemap's boards: id, publication and change. By key, so that no chunk is dear."""
    boards = Board.objects.published().oldest_first().values_list("pk", "published_at", "updated_at")
    left = BOARDS
    chunk = list(boards[first : first + CHUNK])
    while chunk:
        yield chunk
        left -= len(chunk)
        pk, moment, _ = chunk[-1]
        after = Q(published_at__gt=moment) | Q(published_at=moment, pk__lt=pk)
        chunk = list(boards.filter(after)[: min(CHUNK, left)])
