"""Which renderer an answer gets, without parsing an Accept header that leaves no choice."""

from collections.abc import Sequence

from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

Renderer = tuple[BaseRenderer, str]


class ContentNegotiation(DefaultContentNegotiation):
    def select_renderer(
        self, request: Request, renderers: Sequence[BaseRenderer], format_suffix: str | None = None
    ) -> Renderer:
        """Return the view's first renderer to a reader who takes anything, or names its type alone. Else negotiate."""
        refuse_too_many_parameters(request)
        first = renderers[0]
        accepted = request.META.get("HTTP_ACCEPT", "*/*")
        if format_suffix is None and accepted in ("*/*", first.media_type):
            return first, first.media_type
        return super().select_renderer(request, renderers, format_suffix)


class ChosenByPath(DefaultContentNegotiation):
    """The negotiation of a path whose ending names the type, such as .pbn: it has chosen, whatever Accept says."""

    def select_renderer(
        self, request: Request, renderers: Sequence[BaseRenderer], format_suffix: str | None = None
    ) -> Renderer:
        refuse_too_many_parameters(request)
        return renderers[0], renderers[0].media_type


def refuse_too_many_parameters(request: Request) -> None:
    """Parse the query, on routes that read none too. Raise TooManyFieldsSent for one with too many parameters."""
    _ = request.query_params
