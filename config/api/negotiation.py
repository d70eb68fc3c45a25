from collections.abc import Sequence
from typing import Any

from rest_framework.exceptions import NotAcceptable
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request


class Negotiation(DefaultContentNegotiation):
    """An Accept that cannot be parsed is a 406. Python raises a TypeError for "a*=…; a*0=…" (RFC 2231)."""

    def select_renderer(
        self, request: Request, renderers: Sequence[BaseRenderer], format_suffix: str | None = None
    ) -> Any:
        try:
            return super().select_renderer(request, renderers, format_suffix)
        except (TypeError, ValueError) as error:
            raise NotAcceptable from error


class TakesAnything(DefaultContentNegotiation):
    """The first renderer, whatever Accept says: a monitor asks how it likes."""

    def select_renderer(
        self, request: Request, renderers: Sequence[BaseRenderer], format_suffix: str | None = None
    ) -> Any:
        return renderers[0], renderers[0].media_type
