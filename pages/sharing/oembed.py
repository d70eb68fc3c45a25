"""oEmbed (oembed.com, version 1.0): other sites ask for the markup that shows a board from its address."""

import re
from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse, QueryDict
from rest_framework import serializers

from boards.models import Board
from config.api.errors import NotFound, NotImplementedHere
from config.api.fields import ChoiceField
from config.api.pagination import NaturalField
from config.api.serializers import QuerySerializer
from config.database.rows import find_by_key
from config.values.strict_json import dump_json
from pages.presenters.stepping import BoardPageQuery
from pages.sharing.sharing import FRAME_SIZE, PICTURE_SIZE, Share, share_of
from pages.site.base import PageView

BOARD = re.compile(r"/boards/([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})/?(?:\?([^#]*))?(?:#.*)?")
CACHE_SECONDS = 86_400
NO_BOUND = 2**31
NO_BOARD = "No published board has this address. Send the address of a board's page on this site as url."

NO_XML = "There is no XML here. Ask for JSON, with format=json or without format."


class OembedQuery(QuerySerializer):
    url = serializers.CharField()
    maxwidth = NaturalField(required=False, min_value=1)
    maxheight = NaturalField(required=False, min_value=1)
    format = ChoiceField(choices=["json"], default="json", allow_blank=True)


class OembedView(PageView):
    """GET /oembed?url=ADDRESS → 200, JSON with a frame for the board at this address, or 404.

    The frame shows the hands and the step that the address names. `maxwidth` and `maxheight` bound it. There is no XML:
    `format=xml` is a 501, as the standard says.
    """

    vary = ()

    def get(self, request: HttpRequest) -> HttpResponse:
        if request.GET.get("format") == "xml":
            raise NotImplementedHere(NO_XML)
        query = OembedQuery.parse(request.GET)
        share = find_shared(query["url"])
        return HttpResponse(dump_json(describe(share, query)), content_type="application/json")


def find_shared(address: str) -> Share:
    """Return the board at an address of this site. Raise NotFound for any other."""
    base, path = settings.PUBLIC_BASE_URL, address.removeprefix(settings.PUBLIC_BASE_URL)
    match = BOARD.fullmatch(path) if address.startswith(base) else None
    board = find_by_key(Board, UUID(match[1]), "deal") if match else None
    if match is None or board is None or board.published_at is None:
        raise NotFound(NO_BOARD)
    try:
        shown = BoardPageQuery.parse(QueryDict(match[2] or ""))
    except serializers.ValidationError:
        raise NotFound(NO_BOARD) from None
    return share_of(board, shown.get("show", ()), shown.get("step"))


def describe(share: Share, query: dict[str, Any]) -> dict[str, Any]:
    """Return the answer: a frame no larger than it may be, and the picture if that is not too large."""
    widest, highest = query.get("maxwidth", NO_BOUND), query.get("maxheight", NO_BOUND)
    width, height = min(FRAME_SIZE[0], widest), min(FRAME_SIZE[1], highest)
    answer = {
        "type": "rich",
        "version": "1.0",
        "title": share.name,
        "provider_name": "Bridge Boards",
        "provider_url": f"{settings.PUBLIC_BASE_URL}/",
        "cache_age": CACHE_SECONDS,
        "html": share.frame_of_size(width, height),
        "width": width,
        "height": height,
    }
    if share.picture_address and PICTURE_SIZE[0] <= widest and PICTURE_SIZE[1] <= highest:
        answer |= {
            "thumbnail_url": share.picture_address,
            "thumbnail_width": PICTURE_SIZE[0],
            "thumbnail_height": PICTURE_SIZE[1],
        }
    return answer
