"""What a phone needs to put the site among its programs: a manifest and icons. Nothing works without a network."""

from functools import lru_cache
from textwrap import shorten
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from config.values.club import Club
from config.values.strict_json import dump_json
from pages.site.base import PageView

MANIFEST_SIZES = (192, 512)
APPLE_SIZE = 180
"""Of the icon that iPhones look for at /apple-touch-icon.png, where no page names another."""

GROUND = "#f6f5ef"
SHORT_NAME = 12
"""The letters that fit below an icon."""


class ManifestView(PageView):
    """GET /manifest.webmanifest → 200, the name, the colours and the icons of the club (w3.org/TR/appmanifest)."""

    vary = ()

    def get(self, request: HttpRequest) -> HttpResponse:
        return HttpResponse(dump_json(describe(settings.CLUB)), content_type="application/manifest+json")


def describe(club: Club) -> dict[str, Any]:
    icons = [
        {"src": reverse("club-icon", args=[size]), "sizes": f"{size}x{size}", "type": "image/png"}
        for size in MANIFEST_SIZES
    ]
    if club.mark is None or club.mark.kind == "svg":
        icons.append({"src": club.mark_path, "sizes": "any", "type": "image/svg+xml"})
    return {
        "name": club.name,
        "short_name": short_name_of(club.name),
        "id": "/",
        "start_url": "/",
        "display": "standalone",
        "theme_color": club.band,
        "background_color": GROUND,
        "icons": icons,
    }


def short_name_of(name: str) -> str:
    """Return the words of a name that fit below an icon, or the letters of the first."""
    return shorten(name, SHORT_NAME, placeholder="") or name[:SHORT_NAME]


class IconFile(PageView):
    """GET /club/icon-192.png, /club/icon-512.png or /apple-touch-icon.png → 200, an icon of the club.

    404 for any other size.
    """

    vary = ()

    def get(self, request: HttpRequest, size: int) -> HttpResponse:
        if size not in (*MANIFEST_SIZES, APPLE_SIZE):
            raise Http404
        return HttpResponse(icon(settings.CLUB, size), content_type="image/png")


@lru_cache(maxsize=3)
def icon(club: Club, size: int) -> bytes:
    from pages.sharing.picture_drawing import draw_icon  # here, since Pillow takes 11 MiB and 70 ms

    return draw_icon(club, size)
