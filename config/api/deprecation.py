"""Deprecated operations: each answer says so, by Deprecation (RFC 9745), Sunset (RFC 8594) and a Link."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any, TypeVar

from django.conf import settings
from django.http.response import HttpResponseBase
from django.utils.http import http_date

from config.paths import API

MIN_NOTICE = timedelta(days=180)
"""How long an operation is deprecated before it may go: at least this. The guide to versions promises it."""

GUIDE = f"{API}/docs/versions#deprecation"

HEADERS: dict[str, dict[str, Any]] = {
    "Deprecation": {
        "description": "The moment from which this operation is deprecated (RFC 9745).",
        "schema": {"type": "string", "pattern": "^@[0-9]+$"},
    },
    "Sunset": {
        "description": "The moment from which this operation may be gone (RFC 8594).",
        "schema": {"type": "string"},
    },
    "Link": {
        "description": 'With rel="deprecation": what to read about it. Other relations may stand beside it.',
        "schema": {"type": "string"},
    },
}
"""The headers as the OpenAPI document describes them, by name."""

Handler = TypeVar("Handler", bound=Callable[..., Any])


@dataclass(frozen=True)
class Deprecation:
    """From when an operation is deprecated, from when it may be gone, and the address of what to read about it."""

    on: date
    sunset: date
    link: str

    def announce(self, response: HttpResponseBase) -> HttpResponseBase:
        """Return the answer with the headers. A Link that it has already keeps its relations."""
        response["Deprecation"] = f"@{timestamp(self.on)}"
        response["Sunset"] = http_date(timestamp(self.sunset))
        link = f'<{self.link}>; rel="deprecation"; type="text/html"'
        response["Link"] = f"{response['Link']}, {link}" if "Link" in response else link
        return response


def deprecated(*, on: date, sunset: date, link: str = "") -> Callable[[Handler], Handler]:
    """Mark a method of an API view as deprecated, from the beginnings of these days in UTC.

    `link` says what replaces the operation; by default it is the guide to versions. Raise ValueError for a sunset that
    comes too soon.
    """
    if sunset - on < MIN_NOTICE:
        raise ValueError(f"{sunset} is less than {MIN_NOTICE.days} days after {on}: give clients that time.")

    def mark(handler: Handler) -> Handler:
        handler.deprecation = Deprecation(on, sunset, link or settings.PUBLIC_BASE_URL + GUIDE)  # type: ignore[attr-defined]  # read by deprecation_of
        return handler

    return mark


def deprecation_of(handler: Any) -> Deprecation | None:
    """Return what `deprecated` has left at a method of a view. Return None for any other method."""
    return getattr(handler, "deprecation", None)


def timestamp(day: date) -> int:
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp())
