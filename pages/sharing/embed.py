"""A board in a frame on another site, and oEmbed (oembed.com, version 1.0), by which sites find the frames.

pages.evenings.frames has those of an event and of a board's tables.
"""

import re
from contextlib import suppress
from functools import cached_property
from html import escape
from http import HTTPStatus
from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.urls import reverse
from rest_framework import serializers

from boards.events import counting
from bridge.replay import calls_of
from config.api.errors import ApiError, NotFound, NotImplementedHere, TooManyRunning, log_refusal
from config.api.fields import ChoiceField
from config.api.pagination import NaturalField
from config.api.serializers import QuerySerializer
from config.edge.middleware import write_policy
from config.values.strict_json import dump_json
from pages.presenters.boards import AnnotatedCall, BoardDetail
from pages.presenters.playing import BoardPageQuery
from pages.presenters.tables import TableChoice
from pages.sharing.evenings import share_of_event
from pages.sharing.sharing import FRAME_SIZE, PICTURE_SIZE, Share, find_published, share_of, share_of_traveller
from pages.site.base import PageView

MAX_AUCTION = 5000
"""The bytes that an auction may take in a frame of 30 kB, by CALL_SIZE and NOTE_SIZE. The board's page has any."""

CALL_SIZE, NOTE_SIZE = 130, 180
"""The markup of a call, and of a footnote without its text, in bytes."""


class EmbeddedDetail(BoardDetail):
    """A board in a frame: without what its calls mean, or without its auction, where these would be too large."""

    @property
    def has_long_auction(self) -> bool:
        return self.size_of_calls > MAX_AUCTION

    @property
    def size_of_calls(self) -> int:
        return CALL_SIZE * len(calls_of(self.record))

    @cached_property
    def auction_table(self) -> list[list[AnnotatedCall | None]]:
        explanations = [call.explanation for call in calls_of(self.record) if call.explanation]
        size_of_notes = sum(NOTE_SIZE + len(escape(text).encode()) for text in explanations)
        rows = super().auction_table
        if self.size_of_calls + size_of_notes <= MAX_AUCTION:
            return rows
        return [[each and each._replace(footnote=0) for each in row] for row in rows]


class FramedPage(PageView):
    """A page that any site may show in a frame, as no other may be.

    Its answer to a reader who has it already says so too, or a browser would add the refusal to its copy. So does one
    that too much runs at once: the frame says it, and is looked at again.
    """

    vary = ()

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response = super().dispatch(request, *args, **kwargs)
        if response.status_code == HTTPStatus.OK:
            let_frame(response)
        if response.status_code == HTTPStatus.NOT_MODIFIED:
            response.xframe_options_exempt = True  # type: ignore[attr-defined]  # Django's name
        return response

    def refuse(self, error: ApiError) -> HttpResponse:
        if not isinstance(error, TooManyRunning):
            return super().refuse(error)
        response = self.render_page("sharing/embed_busy.html", {"error": error}, status=error.status_code)
        for name, value in {"Cache-Control": "no-store", **error.headers}.items():
            response[name] = value
        let_frame(response)
        return log_refusal(error, response)


def let_frame(response: HttpResponseBase) -> None:
    """Let any site show the answer in a frame."""
    response["Content-Security-Policy"] = write_policy({**settings.SECURE_CSP, "frame-ancestors": ["*"]})
    response.xframe_options_exempt = True  # type: ignore[attr-defined]  # Django's name


class BoardEmbed(FramedPage):
    """GET /boards/{id}/embed → 200, or 404 for a draft. `show` and `step` as on the board's page."""

    def get(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        query = BoardPageQuery.parse(request.GET)
        board = find_published(pk, "deal", "auction_system", "analysis")
        hands, step = query.get("show", ()), query.get("step")
        detail = EmbeddedDetail(board, (), (), hands, step)
        steps = detail.steps_on(reverse("board-embed", args=[pk]), show=",".join(hands))
        path = reverse("board-page", args=[pk])
        return self.render_page("sharing/embed.html", {"detail": detail, "steps": steps}, path=path)


BOARD = re.compile(r"/boards/([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})/?(?:\?([^#]*))?(?:#(.*))?")
EVENT = re.compile(r"/events/([-a-zA-Z0-9_]+)/?(?:\?([^#]*))?(?:#.*)?")
NO_BOUND = 2**31
NOT_SHARED = "Nothing on this site has this address. Send the address of a published board or event as url."


class OembedQuery(QuerySerializer):
    url = serializers.CharField()
    maxwidth = NaturalField(required=False, min_value=1)
    maxheight = NaturalField(required=False, min_value=1)
    format = ChoiceField(choices=["json"], default="json", allow_blank=True)


class OembedView(PageView):
    """GET /oembed?url=ADDRESS → 200, JSON with a frame for the board or the event at this address, or 404.

    The frame shows the hands and the step that the address names, with #traveller all tables of the board, and of an
    event the table. `maxwidth` and `maxheight` bound it. There is no XML: `format=xml` is a 501, as the standard says.
    """

    vary = ()

    def get(self, request: HttpRequest) -> HttpResponse:
        if request.GET.get("format") == "xml":
            raise NotImplementedHere("XML is not available. Request JSON, with format=json or without format.")
        query = OembedQuery.parse(request.GET)
        share = find_shared(query["url"])
        return HttpResponse(dump_json(describe(share, query)), content_type="application/json")


def find_shared(address: str) -> Share:
    """Return the board or the event at an address of this site. Raise NotFound for any other."""
    path = address.removeprefix(settings.PUBLIC_BASE_URL) if address.startswith(settings.PUBLIC_BASE_URL) else ""
    with suppress(Http404, serializers.ValidationError):
        if match := BOARD.fullmatch(path):
            return find_board(UUID(match[1]), QueryDict(match[2] or ""), match[3] or "")
        if match := EVENT.fullmatch(path):
            return find_event(match[1], QueryDict(match[2] or ""))
    raise NotFound(NOT_SHARED)


def find_board(pk: UUID, query: QueryDict, fragment: str) -> Share:
    board, shown = find_published(pk, "deal"), BoardPageQuery.parse(query)
    if fragment == "traveller" and not shown.get("show") and "step" not in shown:
        return share_of_traveller(board)
    return share_of(board, shown.get("show", ()), shown.get("step"))


def find_event(slug: str, query: QueryDict) -> Share:
    counted = counting.find_event(slug)
    if counted is None:
        raise Http404
    return share_of_event(counted.event, TableChoice.parse(query))


def describe(share: Share, query: dict[str, Any]) -> dict[str, Any]:
    """Return the answer: a frame no larger than it may be, and the picture if that is not too large."""
    widest, highest = query.get("maxwidth", NO_BOUND), query.get("maxheight", NO_BOUND)
    width, height = min(FRAME_SIZE[0], widest), min(FRAME_SIZE[1], highest)
    answer = {
        "type": "rich",
        "version": "1.0",
        "title": share.name,
        "provider_name": settings.CLUB.name,
        "provider_url": f"{settings.PUBLIC_BASE_URL}/",
        "cache_age": 86_400,
        "html": share.frame(width, height),
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
