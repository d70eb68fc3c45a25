"""How errors are provoked that many operations have in common: what is changed in, or around, an accepted request."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.conf import settings
from django.db import OperationalError

from config.api.views import ApiView
from tests.conformance.examples.calls import JSON, Call
from tests.conformance.examples.world import World
from tests.factories import NOBODYS_ID

ANOTHER_ETAG = f'"{"0" * 32}"'


def with_header(name: str, value: str) -> Callable[[Call, World], Call]:
    return lambda call, world: replace(call, headers={**call.headers, name: value})


def unreadable(call: Call, world: World) -> Call:
    """Send half of a JSON body, or a length that is not a number where there is none."""
    if call.media_type == JSON and call.body:
        return replace(call, body=call.sent_body[0][:-1])
    return with_header("Content-Length", "many")(call, world)


def in_another_type(call: Call, world: World) -> Call:
    if call.body:
        return replace(call, media_type="application/x-www-form-urlencoded", body=call.sent_body[0])
    return with_header("Content-Encoding", "gzip")(call, world)


def of_nothing(call: Call, world: World) -> Call:
    """Name a row that does not exist."""
    last = list(call.path)[-1]
    return replace(call, path={**call.path, last: "nobody" if call.path[last] == "anna" else NOBODYS_ID})


def as_sam(impersonation_id: Callable[[World], str]) -> Callable[[Call, World], Call]:
    return lambda call, world: replace(
        with_header("X-Impersonation-Id", impersonation_id(world))(call, world), caller="sam"
    )


CHANGES: dict[str, Callable[[Call, World], Call]] = {
    "bad_request": unreadable, "impersonation_ended": as_sam(lambda world: NOBODYS_ID),
    "impersonation_read_only": as_sam(lambda world: world.impersonation),
    "invalid_api_key": with_header("X-API-Key", ""),
    "invalid_token": with_header("Authorization", "Bearer not.a.token"),
    "length_required": with_header("Transfer-Encoding", "chunked"),
    "not_acceptable": with_header("Accept", "image/webp"),
    "not_authenticated": lambda call, world: replace(call, caller=""), "not_found": of_nothing,
    "payload_too_large": with_header("Content-Length", str(10**9)),
    "precondition_failed": with_header("If-Match", ANOTHER_ETAG),
    "unknown_parameter": lambda call, world: replace(call, query={**call.query, "colour": "red"}),
    "unsupported_media_type": in_another_type,
    "uri_too_long": lambda call, world: replace(call, query={**call.query, "page": "1" * 8000}),
}  # fmt: skip
"""By error code. Where nobody need say who they are, a call is not authenticated that names an impersonation only."""


def bring_about(code: str, patch: pytest.MonkeyPatch) -> int:
    """Bring about an error that is none of the request's. Return how often a request is sent until it is refused."""
    if code == "rate_limited":
        patch.setattr(settings, "READ_RATE", "1/m")
        patch.setattr(settings, "FORM_RATE_PER_CLIENT", "1/m")
        return 2
    if code == "internal_error":
        patch.setattr(ApiView, "initial", raising(ZeroDivisionError()))
    elif code == "service_unavailable":
        patch.setattr(ApiView, "initial", raising(OperationalError("connection refused")))
    return 1


def raising(error: Exception) -> Callable[..., None]:
    def initial(*args: Any, **kwargs: Any) -> None:
        raise error

    return initial
