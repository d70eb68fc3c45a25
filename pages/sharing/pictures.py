"""GET /boards/{id}.png and /events/{slug}/picture.png: the pictures that other sites show of a link.

A picture costs 25 ms to draw. The latest are kept in the process by all that they say, so that a changed board has
another one. One is drawn at a time, and few wait for that: pictures take one core at most, and never all threads. What
a reader's pictures cost counts as reads, too (config.edge.limits.read_limit).
"""

from functools import lru_cache
from http import HTTPStatus
from threading import BoundedSemaphore, Lock
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS
from django.http import Http404, HttpRequest, HttpResponse

from boards.events.counting import CountedEvent
from boards.events.reading import read_evening
from config.api.conditional import etag_of, make_conditional
from config.api.errors import TooManyRunning
from config.database import reading
from pages.presenters.events import EventView
from pages.sharing.evenings import EveningText, text_of_evening, text_of_large_event
from pages.sharing.sharing import PictureText, find_published, text_of
from pages.site.base import PageView

KEPT = 200
"""The pictures that a process keeps: 30 kB each."""

MAX_WAITING = 6
"""The pictures that are drawn or wait for it, each in one of the eight threads of a process."""

DEALS_READ = 40
"""The first deals of an event, among which those of its picture are chosen: those of a page."""

PATIENCE = 0.5
"""The seconds for which one more waits: a page of links asks for many pictures at once, and twenty take so long."""

places = BoundedSemaphore(MAX_WAITING)
drawing = Lock()


class PictureView(PageView):
    """The base of pictures: whoever has one already is told so without drawing it."""

    vary = ()

    def answer(self, request: HttpRequest, text: PictureText | EveningText) -> HttpResponse:
        etag = etag_of(repr((settings.VERSION, text)).encode())  # a release may draw it another way
        response = make_conditional(request, HttpResponse(content_type="image/png", headers={"ETag": etag}))
        if response.status_code == HTTPStatus.OK:
            response.content = picture(text)
        return response


class BoardPicture(PictureView):
    """GET /boards/{id}.png → 200, the board as a picture for links to it, or 404. A draft has none."""

    def get(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        return self.answer(request, text_of(find_published(pk, "deal")))


class EventPicture(EventView, PictureView):
    """GET /events/{slug}/picture.png → 200, the event as a picture for links to it, or 404. It tells of three deals.

    Of an event that is too large it tells of none.
    """

    def show(self, counted: CountedEvent, query: dict[str, Any]) -> HttpResponse:
        evening = read_evening(counted, 1, DEALS_READ)
        if evening is None:
            raise Http404
        return self.answer(self.request, text_of_evening(evening))

    def show_too_large(self, counted: CountedEvent) -> HttpResponse:
        return self.answer(self.request, text_of_large_event(counted.event))


@lru_cache(maxsize=KEPT)
def picture(text: PictureText | EveningText) -> bytes:
    """Return the picture as a PNG file. Raise TooManyRunning when too many wait for theirs."""
    from pages.sharing.picture_drawing import draw_evening, draw_picture  # here: Pillow takes 11 MiB and 70 ms

    if not places.acquire(timeout=PATIENCE):
        reading.alias = DEFAULT_DB_ALIAS  # no replica has failed, and the primary need not be asked
        raise TooManyRunning("Many pictures are being drawn. Try again in a few seconds.")
    try:
        with drawing:
            return draw_picture(text) if isinstance(text, PictureText) else draw_evening(text)
    finally:
        places.release()
