"""Atom feeds of texts that anybody may have written."""

import re
from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape

FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no XML document may hold (XML 1.0 §2.2): one of them would cost all readers the feed."""


def answer_feed(
    title: str, path: str, feed_path: str, items: Iterable[dict[str, Any]], description: str = "", language: str = "en"
) -> HttpResponse:
    """Answer an Atom feed of the items, which are as Django's feeds take them, and of the page at `path`."""
    link, feed_url = settings.PUBLIC_BASE_URL + path, settings.PUBLIC_BASE_URL + feed_path
    title = f"{title} · {settings.CLUB.name}" if settings.CLUB.is_named else title
    # The club, since a feed must say who writes (RFC 4287 §4.1.1) and members are not named to all.
    about = {"author_name": settings.CLUB.name, "feed_url": feed_url, "language": language or None}
    feed = Atom1Feed(allowed(title), link, allowed(description), **about)
    for item in items:
        summary = escape(allowed(item["description"]))  # Django writes it as HTML.
        feed.add_item(**{**item, "title": allowed(item["title"]), "description": summary})
    return HttpResponse(feed.writeString("utf-8"), content_type="application/atom+xml; charset=utf-8")


def allowed(text: str) -> str:
    return FORBIDDEN.sub("", text)
