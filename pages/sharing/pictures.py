"""GET /boards/{id}.png: the picture of a board, which other sites show of a link to it.

A picture costs 25 ms to draw. The latest are kept in the process by all that they say, so that a changed board has
another one. One is drawn at a time, and few wait for that: pictures take one core at most, and never all threads. What
a reader's pictures cost counts as reads, too (config.edge.limits.read_limit).
"""

from functools import lru_cache
from http import HTTPStatus
from threading import BoundedSemaphore, Lock
from uuid import UUID

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS
from django.http import HttpRequest, HttpResponse

from config.api.conditional import etag_of, make_conditional
from config.api.errors import TooManyRunning
from config.database import reading
from pages.sharing.sharing import PictureText, find_published, text_of
from pages.site.base import PageView

KEPT = 200
"""The pictures that a process keeps: 30 kB each."""

MAX_WAITING = 6
"""The pictures that are drawn or wait for it, each in one of the eight threads of a process."""

PATIENCE = 0.5
"""The seconds for which one more waits: a page of links asks for many pictures at once, and twenty take so long."""

places = BoundedSemaphore(MAX_WAITING)
drawing = Lock()


class BoardPicture(PageView):
    """GET /boards/{id}.png → 200, the board as a picture for links to it, or 404. A draft has none."""

    vary = ()

    def get(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        text = text_of(find_published(pk, "deal"))
        etag = etag_of(repr((settings.VERSION, text)).encode())  # a release may draw it another way
        response = make_conditional(request, HttpResponse(content_type="image/png", headers={"ETag": etag}))
        if response.status_code == HTTPStatus.OK:
            response.content = picture(text)
        return response


@lru_cache(maxsize=KEPT)
def picture(text: PictureText) -> bytes:
    """Return the picture as a PNG file. Raise TooManyRunning when too many wait for theirs."""
    from pages.sharing.picture_drawing import draw_picture  # here, since Pillow takes 11 MiB and 70 ms

    if not places.acquire(timeout=PATIENCE):
        reading.alias = DEFAULT_DB_ALIAS  # no replica has failed, and the primary need not be asked
        raise TooManyRunning("Many pictures are being drawn. Look again in a few seconds.")
    try:
        with drawing:
            return draw_picture(text)
    finally:
        places.release()
