"""What bodies and answers are: JSON that every store and reader can keep, and the renderer that a request asks for.

What some store or reader could not give back is refused before it is stored. One function writes all answers, so that
an ETag of data equals that of the body.
"""

from collections.abc import Sequence
from typing import IO, Any

from django.http.request import MediaType
from rest_framework.exceptions import NotAcceptable
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from config.api.errors import BadRequest
from config.values.strict_json import JsonError, dump_json, parse_json


def django_request_of(request: Request) -> Any:
    """Return the Django request, on which middleware and request checks find what a view or authentication notes.

    There is no public name for it. The maintainers say that this one stays (encode/django-rest-framework, pull request
    5771).
    """
    return request._request


class AcceptNegotiation(DefaultContentNegotiation):
    """The negotiation of most paths: a type to which Accept gives the quality 0 is not sent (RFC 9110 §12.4.2).

    REST framework takes every type that is listed, in the order of how exactly it is named.
    """

    def select_renderer(
        self, request: Request, renderers: Sequence[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        ranges = [parse_range(each) for each in self.get_accept_list(request)]
        acceptable = [each for each in renderers if not is_refused(each.media_type, ranges)]
        if not acceptable:
            raise NotAcceptable(available_renderers=renderers)
        return super().select_renderer(request, acceptable, format_suffix)


def parse_range(text: str) -> MediaType:
    """Return a range of Accept. One that cannot be parsed names no type, as in REST framework."""
    try:
        return MediaType(text)
    except ValueError:
        return MediaType("")


def is_refused(media_type: str, ranges: Sequence[MediaType]) -> bool:
    """Tell whether the range that names a type most exactly has the quality 0 (RFC 9110 §12.5.1)."""
    main, _, sub = media_type.partition("/")
    for named in ((main, sub), (main, "*"), ("*", "*")):
        if matching := [each.quality for each in ranges if (each.main_type, each.sub_type) == named]:
            return max(matching) == 0
    return False


class ChosenByPath(DefaultContentNegotiation):
    """The negotiation of a path whose ending names the type, such as .pbn: it has chosen, whatever Accept says."""

    def select_renderer(
        self, request: Request, renderers: Sequence[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        _ = request.query_params  # REST framework parses it first, and refuses one with too many parameters
        return renderers[0], renderers[0].media_type


def is_text(content_type: str) -> bool:
    """Tell whether a body of this type is JSON or a form, whose texts are decoded. Any other is a file: bytes."""
    media_type = content_type.partition(";")[0].strip().lower()
    return media_type.endswith(("/json", "+json", "/x-www-form-urlencoded")) or media_type.startswith("multipart/")


class StrictJSONParser(BaseParser):
    """Parse a JSON body. Raise BadRequest for what config.values.strict_json refuses."""

    media_type = "application/json"

    def parse(self, stream: IO[bytes], media_type: str | None = None, parser_context: Any = None) -> Any:
        try:
            return parse_json(stream.read())
        except JsonError as error:
            raise BadRequest(str(error)) from None


class MergePatchParser(StrictJSONParser):
    """Parse the JSON of a PATCH that names its kind (RFC 7396)."""

    media_type = "application/merge-patch+json"


class JSONRenderer(BaseRenderer):
    media_type = "application/json"
    format = "json"
    charset = None  # JSON is UTF-8 by definition (RFC 8259 §8.1)

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> bytes:
        return b"" if data is None else dump_json(data)


class NdjsonRenderer(JSONRenderer):
    """Names the type of a list as a stream, one JSON value a line. The view writes the stream itself."""

    media_type = "application/x-ndjson"
    format = "ndjson"
