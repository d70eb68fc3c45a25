"""Which renderer an answer gets, without parsing an Accept header that leaves no choice."""

from collections.abc import Sequence

from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request


class ContentNegotiation(DefaultContentNegotiation):
    def select_renderer(
        self, request: Request, renderers: Sequence[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """Return the view's first renderer to a reader who takes anything, or names its type alone. Else negotiate."""
        first = renderers[0]
        accepted = request._request.META.get("HTTP_ACCEPT", "*/*")
        if format_suffix is None and accepted in ("*/*", first.media_type):
            return first, first.media_type
        return super().select_renderer(request, renderers, format_suffix)
