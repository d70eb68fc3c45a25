"""Headers and examples of the OpenAPI document. Each is described once, and operations refer to it.

`python3 dev.py openapi` records the examples in examples.json with tests/conformance/examples: requests and answers of
a running service. A test fails when the service answers otherwise.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from drf_spectacular.utils import OpenApiParameter

from config.api.fields import CANONICAL_UUID
from config.values.request_id import MAX_REQUEST_ID_LENGTH

TEXT = {"type": "string"}
SECONDS = {"type": "integer", "minimum": 1}
MEDIA_TYPES = "The types of body that the address accepts. Sent when the type of a body was refused."
ETAG = {"type": "string", "pattern": '^"[0-9a-f]+"$'}


def header(description: str, schema: dict[str, Any], *, required: bool = True) -> dict[str, Any]:
    return {"description": description, "required": required, "schema": schema}


RESPONSE_HEADERS: dict[str, dict[str, Any]] = {
    "Accept-Patch": header(MEDIA_TYPES, TEXT, required=False),
    "Accept-Post": header(MEDIA_TYPES, TEXT, required=False),
    "Content-Disposition": header("The name under which to save the file.", TEXT),
    "ETag": header(
        "A strong validator of this representation: the same for the same bytes. Send it back in If-None-Match to read"
        " again only what has changed, or in If-Match to change only what you have read.",
        ETAG,
    ),
    "Link": header(
        "The addresses of the first, previous, next and last page (RFC 8288). There is no previous page of the first"
        " one and no next page of the last one.",
        TEXT,
    ),
    "Location": header(
        "The address of what the answer shows.",
        {"type": "string", "format": "uri"},
    ),
    "RateLimit": header(
        "The posts left (r), and the seconds until the count starts again (t). Absent if no limit is set.",
        TEXT,
        required=False,
    ),
    "RateLimit-Policy": header(
        "The limit on posts: q posts in w seconds. Absent if no limit is set.",
        TEXT,
        required=False,
    ),
    "Retry-After": header("Repeat the request after this many seconds, not earlier.", SECONDS),
    "WWW-Authenticate": header("The credentials that the address takes (RFC 9110 §11.6.1).", TEXT),
    "X-Impersonated-User-Id": header(
        "The account that the request was answered as. Sent only during an impersonation.",
        TEXT,
        required=False,
    ),
    "X-Request-Id": header(
        "The id of this request in the service's log. Tell it to the operator when something fails.",
        {"type": "string", "minLength": 1, "maxLength": MAX_REQUEST_ID_LENGTH},
    ),
}
"""Headers of answers by name. One that is required is never absent where an operation names it."""

REQUEST_HEADERS: dict[str, dict[str, Any]] = {
    "If-Match": {
        "description": "The ETag that you have read, or several. If the current one differs, the answer is a 412 and"
        " nothing changes. * matches any.",
        "schema": TEXT,
    },
    "If-None-Match": {
        "description": "The ETag that you have, or several. If one is current, the answer is a 304 without a body.",
        "schema": TEXT,
    },
    "X-Impersonation-Id": {
        "description": "The id of your running impersonation. You are answered as the impersonated account, and may"
        " only read.",
        # Not "format": "uuid": generated clients put their UUID objects into headers, where only texts can be sent.
        "schema": {"type": "string", "pattern": f"^{CANONICAL_UUID.pattern}$"},
    },
    "X-Request-Id": {
        "description": f"Your own id of this request: up to {MAX_REQUEST_ID_LENGTH} letters, digits, dots, - and _. It"
        " is sent back and logged. Anything else is ignored, and the service makes an id.",
        "schema": TEXT,
    },
}
"""Headers of requests by name. None of them is required."""
REQUEST_PARAMETERS = {
    name: {"name": name, "in": "header", "required": False, **described} for name, described in REQUEST_HEADERS.items()
}


NOT_OF_STREAMS = frozenset({"ETag", "Link"})
"""Headers that a streamed answer does not have: its end is not known when it begins."""


def header_references(*names: str, may_stream: bool = False) -> dict[str, dict[str, Any]]:
    """Return the headers of an answer. Where one of its media types is streamed, some of them may be absent."""
    headers: dict[str, dict[str, Any]] = {name: {"$ref": f"#/components/headers/{name}"} for name in names}
    if may_stream:
        headers |= {name: {**RESPONSE_HEADERS[name], "required": False} for name in NOT_OF_STREAMS & {*names}}
    return headers


def sends(name: str, *statuses: int) -> OpenApiParameter:
    """Return what `parameters` of `extend_schema` takes for a header that an operation sends, always or with these."""
    assert name in RESPONSE_HEADERS
    return OpenApiParameter(name, str, OpenApiParameter.HEADER, response=list(statuses) if statuses else True)


FILE = Path(__file__).with_name("examples.json")
RECORDED_BASE_URL = "https://boards.example"
"""The address of the service in the file. The document has that of this service in its place."""

EXAMPLES = "#/components/examples/"


def add_examples(document: dict[str, Any]) -> None:
    """Put the recorded examples into the document. An operation without any stays as it is: a test will tell.

    Parameters have none: Swagger UI would send it, and a condition or an id of another service is refused.
    """
    text = FILE.read_text(encoding="utf-8").replace(RECORDED_BASE_URL, settings.PUBLIC_BASE_URL)
    recorded: dict[str, Any] = json.loads(text)
    components = document["components"]
    components["examples"] = recorded["errors"]
    components["headers"] = with_example(components["headers"], recorded["headers"])
    for name, operation in operations(document):
        if examples := recorded["operations"].get(name):
            add_to_operation(operation, examples, recorded["headers"])


def share_parameters(document: dict[str, Any]) -> None:
    """Describe once each parameter of a query or a header that is the same in all operations that have it."""
    found: dict[str, list[dict[str, Any]]] = {}
    for _, operation in operations(document):
        for parameter in operation["parameters"]:
            if parameter["in"] != "path":
                found.setdefault(parameter["name"], []).append(parameter)
    shared = {name: same[0] for name, same in found.items() if same.count(same[0]) == len(same) > 1}
    document["components"]["parameters"] = dict(sorted(shared.items()))
    for _, operation in operations(document):
        operation["parameters"] = [
            {"$ref": f"#/components/parameters/{one['name']}"} if one == shared.get(one["name"]) else one
            for one in operation["parameters"]
        ]


def operations(document: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each operation with its name: "GET /api/boards", or for a webhook "POST board.published"."""
    for section in ("paths", "webhooks"):
        for path, item in document.get(section, {}).items():
            for method, operation in item.items():
                yield f"{method.upper()} {path}", operation


def add_to_operation(operation: dict[str, Any], examples: Mapping[str, Any], headers: Mapping[str, Any]) -> None:
    add_to_content(operation.get("requestBody", {}), examples["request"])
    for status, response in operation["responses"].items():
        add_to_content(response, examples["answers"].get(status, {}))
        inline = {name: header for name, header in response.get("headers", {}).items() if "$ref" not in header}
        response.get("headers", {}).update(with_example(inline, headers))


def add_to_content(described: dict[str, Any], examples: Mapping[str, Any]) -> None:
    for media_type, media in described.get("content", {}).items():
        if media_type in examples:
            media["examples"] = examples[media_type]


def with_example(described: Mapping[str, Any], examples: Mapping[str, Any]) -> dict[str, Any]:
    """Return copies of headers by name, with the recorded value of each."""
    return {name: {**one, "example": examples[name]} if name in examples else one for name, one in described.items()}
