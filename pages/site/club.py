"""What the settings of the club show (config.values.club): its mark, its colours and its imprint."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse

from config.values.club import Club
from pages.site.base import PageView

A_YEAR = "public, max-age=31536000, immutable"
MARK_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""For whoever opens the mark as a page of its own."""


def show_club(request: HttpRequest) -> dict[str, Club]:
    """Give each template the club. Django's setting `context_processors` names this function."""
    return {"club": settings.CLUB}


class ClubFile(PageView):
    """A file that is kept for a year under an address with its version. It knows no session (ReadableRequest)."""

    vary = ()

    def answer(self, content: bytes | str, content_type: str, version: str, **headers: str) -> HttpResponse:
        if self.request.GET.get("v") == version:
            self.cache_control = A_YEAR
        return HttpResponse(content, content_type=content_type, headers=headers)


class MarkFile(ClubFile):
    """GET /club/mark.svg or /club/mark.png → 200, the mark of the club, or 404 where it has no such file."""

    def get(self, request: HttpRequest, kind: str) -> HttpResponse:
        mark = settings.CLUB.mark
        if mark is None or mark.kind != kind:
            raise Http404
        return self.answer(mark.content, mark.content_type, mark.version, **{"Content-Security-Policy": MARK_POLICY})


class ColoursFile(ClubFile):
    """GET /club/colours.css → 200, the colours of the club for light and dark pages. The policy allows no inline style.

    The admin has it always, other pages where the colours are not those of site/table.css.
    """

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.answer(settings.CLUB.colours, "text/css; charset=utf-8", settings.CLUB.colours_version)


class ImprintPage(PageView):
    """GET /imprint → 200, who is responsible for the site, or 404 where CLUB_IMPRINT has no text."""

    vary = ()

    def get(self, request: HttpRequest) -> HttpResponse:
        if settings.CLUB.imprint_path != request.path:
            raise Http404
        return self.render_page("site/imprint.html", {})
