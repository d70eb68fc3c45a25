"""The rules: what must be true of an answer, and of a request that the service has accepted."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from http import HTTPStatus
from io import BytesIO
from typing import Any
from urllib.parse import parse_qs

from django.core.files.uploadhandler import MemoryFileUploadHandler
from django.http.multipartparser import MultiPartParser

from config import paths
from config.api.negotiation import is_text
from tests.conformance.document import Direction, Pointer, faults, find_path, look_up, read_text, resolve
from tests.conformance.exchange import Exchange

EXCLUDED = (f"{paths.API}/docs", f"{paths.API}/openapi.json")
"""The routes that are left out of the document on purpose, and all below them: they are the document and its guides."""

GENERIC_HEADERS = frozenset(
    {
        "allow", "cache-control", "content-length", "content-security-policy", "content-type",
        "cross-origin-opener-policy", "referrer-policy", "strict-transport-security", "vary", "x-content-type-options",
        "x-frame-options",
    }
)  # fmt: skip
"""Response headers that mean on every route what their standard says. All others stand in the document."""

ERROR: Pointer = ("components", "schemas", "Error")
BODY_HEADERS = frozenset({"content-encoding", "content-length", "content-type", "transfer-encoding"})
REFUSALS_OF_BODIES = (
    HTTPStatus.LENGTH_REQUIRED,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
)
EMPTY = (HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED)


def problems(exchange: Exchange) -> Iterator[str]:
    """Yield each contradiction between an exchange and the document."""
    if paths.is_under(exchange.path, *EXCLUDED):
        return
    method = "get" if exchange.method == "HEAD" else exchange.method.lower()
    found = find_path(exchange.path)
    if found is None or method not in found[0].methods:
        yield from problems_without_operation(exchange, is_path=found is not None)
        return
    item, parameters = found
    operation: Pointer = ("paths", item.template, method)
    yield from problems_of_answer(exchange, operation)
    if exchange.status < HTTPStatus.BAD_REQUEST:
        yield from problems_of_request(exchange, operation, parameters)


def problems_without_operation(exchange: Exchange, *, is_path: bool) -> Iterator[str]:
    """Check that what the document does not name is refused, and in the shape of every error."""
    if exchange.method == "OPTIONS" and exchange.status < HTTPStatus.BAD_REQUEST:
        if exchange.body:
            yield "OPTIONS is answered with a body"
    elif exchange.status < HTTPStatus.BAD_REQUEST:
        yield "the document has no such method" if is_path else "the document has no such path"
    elif exchange.method != "HEAD":
        yield from problems_of_json(exchange, ERROR)
    yield from undocumented_headers(exchange, look_up(("components", "headers")))


# --- The answer ----------------------------------------------------------------------------------------------


def problems_of_answer(exchange: Exchange, operation: Pointer) -> Iterator[str]:
    pointer = resolve((*operation, "responses", str(exchange.status)))
    response = look_up(pointer)
    if response is None and refuses_undescribed_body(exchange, operation):
        yield from problems_without_operation(exchange, is_path=True)
        return
    if response is None:
        yield f"the document does not list the status {exchange.status}"
        return
    yield from problems_of_headers(exchange, pointer)
    content = response.get("content", {})
    if exchange.method == "HEAD" or exchange.status in EMPTY:
        if exchange.body:
            yield "the answer may have no body"
        return
    media_type = exchange.headers.get("Content-Type", "").partition(";")[0]
    if not content:
        if exchange.body:
            yield "the document lists no body"
    elif media_type not in content:
        yield f"the document lists no {media_type or 'missing Content-Type'}, but {sorted(content)}"
    else:
        schema = (*pointer, "content", media_type, "schema")
        yield from problems_of_body(exchange, schema, media_type, direction_of(exchange, operation))
    yield from problems_of_code(exchange, response)


def direction_of(exchange: Exchange, operation: Pointer) -> Direction:
    """Tell whether the request has chosen the fields of the answer, by a parameter that says `x-fields-of`."""
    sent = parse_qs(exchange.query)
    count = len(look_up(operation).get("parameters", ()))
    parameters = [look_up(resolve((*operation, "parameters", str(index)))) for index in range(count)]
    chooses = any(each["name"] in sent and "x-fields-of" in each["schema"] for each in parameters)
    return "chosen" if chooses else "answered"


def refuses_undescribed_body(exchange: Exchange, operation: Pointer) -> bool:
    """Tell whether a body was refused that the document does not describe.

    A body of a GET or a DELETE has no meaning (RFC 9110 §9.3.1 and §9.3.5). One that is chunked, too large or encoded
    is refused all the same, as such a body is everywhere, and no operation lists that.
    """
    announced = not BODY_HEADERS.isdisjoint(exchange.sent_headers)
    return exchange.status in REFUSALS_OF_BODIES and announced and "requestBody" not in look_up(operation)


def problems_of_body(exchange: Exchange, pointer: Pointer, media_type: str, direction: Direction) -> Iterator[str]:
    if media_type == "application/json":
        yield from problems_of_json(exchange, pointer, direction)
    elif media_type == "application/x-ndjson":
        for line in exchange.body.splitlines():  # each is described, not all of them together
            yield from problems_of_json(replace(exchange, body=line), pointer, direction)
    else:
        yield from faults(pointer, exchange.body.decode(), "answered")


def problems_of_json(exchange: Exchange, pointer: Pointer, direction: Direction = "answered") -> Iterator[str]:
    try:
        value = json.loads(exchange.body)
    except ValueError:
        yield "the answer is not JSON"
        return
    yield from faults(pointer, value, direction)


def problems_of_code(exchange: Exchange, response: Mapping[str, Any]) -> Iterator[str]:
    """Check that the answer's description names the code of an error."""
    if exchange.status >= HTTPStatus.BAD_REQUEST and exchange.method != "HEAD":
        code = json.loads(exchange.body)["code"]
        if f"`{code}`" not in response["description"]:
            yield f"the description of {exchange.status} does not name {code}"


def problems_of_headers(exchange: Exchange, pointer: Pointer) -> Iterator[str]:
    documented = look_up(pointer).get("headers", {})
    yield from undocumented_headers(exchange, documented)
    sent = {name.lower(): value for name, value in exchange.headers.items()}
    for name in documented:
        header = resolve((*pointer, "headers", name))
        if name.lower() not in sent:
            if look_up(header).get("required"):
                yield f"the answer has no {name}"
            continue
        value = read_text((*header, "schema"), sent[name.lower()])
        yield from (f"{name}: {fault}" for fault in faults((*header, "schema"), value, "answered"))


def undocumented_headers(exchange: Exchange, documented: Mapping[str, Any]) -> Iterator[str]:
    known = GENERIC_HEADERS | {name.lower() for name in documented}
    for name in exchange.headers:
        if name.lower() not in known and not name.lower().startswith("access-control-"):
            yield f"the document lists no header {name}"


# --- The request ---------------------------------------------------------------------------------------------


def problems_of_request(exchange: Exchange, operation: Pointer, path_values: Mapping[str, str]) -> Iterator[str]:
    query = parse_qs(exchange.query, keep_blank_values=True)
    texts: dict[str, Mapping[str, list[str]]] = {
        "path": {name: [value] for name, value in path_values.items()},
        "query": query,
        "header": {name: [value] for name, value in exchange.sent_headers.items()},
    }
    for index in range(len(look_up(operation).get("parameters", ()))):
        yield from problems_of_parameter(resolve((*operation, "parameters", str(index))), texts)
    yield from problems_of_credentials(exchange, operation)
    if exchange.sent_body is not None:
        yield from problems_of_sent_body(exchange, exchange.sent_body, (*operation, "requestBody"))


def problems_of_parameter(pointer: Pointer, texts: Mapping[str, Mapping[str, list[str]]]) -> Iterator[str]:
    parameter = look_up(pointer)
    name, place = parameter["name"], parameter["in"]
    values = texts[place].get(name.lower() if place == "header" else name, [])
    if not values and parameter.get("required"):
        yield f"accepted without the {place} parameter {name}"
    if len(values) > 1 and "x-repeatable" not in parameter["schema"]:
        yield f"accepted {name} more than once"
    for text in values:
        value = read_text((*pointer, "schema"), text)
        yield from (
            f"accepted {place} parameter {name}: {fault}" for fault in faults((*pointer, "schema"), value, "sent")
        )


def problems_of_credentials(exchange: Exchange, operation: Pointer) -> Iterator[str]:
    sent = {"apiKey": "x-api-key" in exchange.sent_headers}
    sent["http"] = exchange.sent_headers.get("authorization", "").lower().lstrip().startswith("bearer")
    schemes = look_up(("components", "securitySchemes"))
    choices = look_up(operation).get("security", [{}])
    if not any(all(sent[schemes[name]["type"]] for name in choice) for choice in choices):
        yield "accepted without the credentials that the document asks for"


def problems_of_sent_body(exchange: Exchange, sent_body: bytes, pointer: Pointer) -> Iterator[str]:
    body = look_up(pointer)
    if not sent_body:
        if body and body.get("required"):
            yield "accepted without the body that the document asks for"
        return
    if exchange.method in ("GET", "HEAD", "DELETE"):
        return  # Such a body has no meaning (RFC 9110 §9.3.1 and §9.3.5), and none is read.
    sent_type = exchange.sent_headers.get("content-type", "")
    media_type = sent_type.partition(";")[0].strip().lower()
    if body and "application/octet-stream" in body["content"] and not is_text(media_type):
        return  # Such a file is bytes, whatever its type.
    if body is None or media_type not in body["content"]:
        yield f"accepted a body of {media_type}, which the document does not list"
        return
    schema = (*pointer, "content", media_type, "schema")
    if media_type == "multipart/form-data":
        value: Any = read_form(sent_body, sent_type, resolve(schema))
    elif media_type == "application/json" or media_type.endswith("+json"):
        value = json.loads(sent_body)
    else:
        value = sent_body.decode("latin-1")
    yield from (f"accepted body: {fault}" for fault in faults(schema, value, "sent"))


def read_form(sent_body: bytes, sent_type: str, schema: Pointer) -> dict[str, Any]:
    """Return the fields of a multipart form by name. A file is a text here."""
    meta = {"CONTENT_TYPE": sent_type, "CONTENT_LENGTH": str(len(sent_body))}
    handler = MemoryFileUploadHandler()
    handler.activated = True
    fields, files = MultiPartParser(meta, BytesIO(sent_body), [handler]).parse()
    values = {name: read_text((*schema, "properties", name), text) for name, text in fields.items()}
    return {**values, **dict.fromkeys(files, "")}
