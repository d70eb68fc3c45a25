"""What all operations of the OpenAPI document have in common: names, tags, credentials, errors, strict bodies.

At the end are steps after drf-spectacular, which has no settings for what they mend (decision 0019).
"""

import json
import re
from collections.abc import Collection, Iterator
from http import HTTPStatus
from typing import Any, Literal

from django.conf import settings
from django.http import StreamingHttpResponse
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent, force_instance, get_lib_doc_excludes
from drf_spectacular.utils import OpenApiResponse
from rest_framework import serializers

from config import paths
from config.api import errors
from config.api.negotiation import ChosenByPath, NdjsonRenderer
from config.api.schema_components import (
    EXAMPLES,
    REQUEST_PARAMETERS,
    RESPONSE_HEADERS,
    add_examples,
    header_references,
    share_parameters,
)
from config.api.serializers import QuerySerializer, ReadSerializer, StrictSerializer, WholeSerializer
from config.api.views import ACCEPTS_OF, HEADERS, ApiView, deprecation_of, has_comparison

ERROR_CODES = sorted({error.default_code for error in errors.every_error()})


class ErrorSerializer(serializers.Serializer):
    """The body of every error."""

    code = serializers.ChoiceField(choices=ERROR_CODES, help_text="What went wrong, for programs.")
    message = serializers.CharField(help_text="A sentence for people. It may change; the code does not.")
    meta = serializers.DictField(
        help_text="Always requestId. For validation_error: fields = {field path: [{code, message}]}, with position,"
        " word and suggestion for q, or failed as an import answers it; omitted, how many more fields are"
        " not valid. For unknown_parameter: fields, and parameters, the known ones. For"
        " precondition_failed: etag, the current one. For payload_too_large: maxBytes. For uri_too_long:"
        " maxLength. For deal_in_use: boards, their number. For limit_reached: limit, the maximum."
    )

    class Meta:
        ref_name = "Error"


def plumbing_classes() -> list[type]:
    """Return the classes whose docstrings are for programmers here, not for readers of the document."""
    return [*get_lib_doc_excludes(), ApiView, ReadSerializer, StrictSerializer, WholeSerializer, QuerySerializer]


class Refusal(OpenApiResponse):
    """The answer of errors that share a status. Its description names the code of each."""

    def __init__(self, *described: type[errors.ApiError]) -> None:
        self.errors = described
        lines = [f"`{error.default_code}`: {error.default_detail}" for error in described]
        super().__init__(ErrorSerializer, description="\n\n".join(lines))

    @property
    def name(self) -> str:
        """Return the name of its component: NotFound, or PermissionRefusedOrImpersonationReadOnly."""
        return "Or".join(error.__name__ for error in self.errors)


def refusals(*refused: type[errors.ApiError]) -> dict[int, Refusal]:
    """Return the errors that an operation has beside the common ones, for `responses` of `extend_schema`."""
    by_status: dict[int, list[type[errors.ApiError]]] = {}
    for error in dict.fromkeys(refused):
        by_status.setdefault(error.status_code, []).append(error)
    return {status: Refusal(*same_status) for status, same_status in by_status.items()}


Direction = Literal["request", "response"]

NO_FIELDS = {"type": "object", "additionalProperties": False}
"""The body of an operation that takes none: an empty object is accepted too."""

COMMON = (
    errors.BadRequest,
    errors.UnknownParameter,
    errors.UriTooLong,
    errors.InternalError,
    errors.ServiceUnavailable,
)
"""What every request can be refused with."""

OF_BODIES = (errors.LengthRequired, errors.PayloadTooLarge, errors.UnsupportedMediaType)
"""What a body can be refused with. A body that the document does not describe gets these too (RFC 9110 §9.3.1)."""

HEADERS_OF_STATUS = {
    HTTPStatus.UNAUTHORIZED: "WWW-Authenticate",
    HTTPStatus.NOT_MODIFIED: "ETag",
    HTTPStatus.TOO_MANY_REQUESTS: "Retry-After",
    HTTPStatus.SERVICE_UNAVAILABLE: "Retry-After",
}
NOT_MODIFIED = "Your copy, named by If-None-Match, is current."
SUCCESSES = {"200": "The answer.", "201": "It was created.", "202": "It will be done.", "204": "It was done."}


class ApiSchema(AutoSchema):
    """Add what all operations share: errors, headers, conditions, strict bodies.

    drf-spectacular has no public names for the steps that begin with "_" (tfranzel/drf-spectacular, pull request 46).
    """

    def is_deprecated(self) -> bool:
        return deprecation_of(self.handler()) is not None

    def handler(self) -> Any:
        """Return the method of the view that answers the operation."""
        return getattr(self.view, getattr(self.view, "action", None) or self.method.lower())

    def get_override_parameters(self) -> list[Any]:
        """Return the query parameters, beside what `extend_schema` names."""
        return [*self.view.queries_of(self.method)]  # type: ignore[attr-defined]  # each view is an ApiView

    def get_tags(self) -> list[str]:
        """Return the resource that the path is about: boards for /api/boards.pbn."""
        return [re.split(r"[/.]", self.path)[2]]

    def get_auth(self) -> list[dict[str, list[str]]]:
        """Return how a caller may identify itself. For a public read, add the choice to send no credentials."""
        schemes: list[dict[str, list[str]]] = super().get_auth()
        public = getattr(self.view, "public_read", False) and self.method == "GET"
        return [*schemes, {}] if public and {} not in schemes else schemes

    def _get_parameters(self) -> list[dict[str, Any]]:
        """Add the headers that the operation reads. Every operation reads X-Request-Id."""
        described = [self.describe_id(parameter) for parameter in super()._get_parameters()]
        names = ["X-Request-Id", *self.of_authenticators("request_headers")]
        if self.honours_if_match():
            names.append("If-Match")
        if self.method == "GET" and self.has_etag():
            names.append("If-None-Match")
        return [*described, *(dict(REQUEST_PARAMETERS[name]) for name in sorted(names))]

    def describe_id(self, parameter: dict[str, Any]) -> dict[str, Any]:
        """Return a parameter of the path with a description: {dealId}, and {id} in /api/deals/{id}, name a deal."""
        if parameter["in"] != "path" or parameter.get("description"):
            return parameter
        resource = re.search(rf"(\w+?)s/{{{parameter['name']}}}", self.path)
        named = parameter["name"].removesuffix("Id").removesuffix("_id")
        thing = resource[1] if resource and named == "id" else named
        return {**parameter, "description": f"The id of the {thing}."}

    def _get_request_body(self, direction: Direction = "request") -> dict[str, Any] | None:
        """Require a body that has fields. The library asks whether one of them is required: none is in a PATCH."""
        body: dict[str, Any] | None = super()._get_request_body(direction)
        if body is None or any(media["schema"] == NO_FIELDS for media in body["content"].values()):
            return body
        return {**body, "required": True}

    def _get_response_bodies(self, direction: Direction = "response") -> dict[str, Any]:
        """Add the common errors here, since an operation's own extend_schema replaces `get_response_serializers`."""
        bodies: dict[str, Any] = super()._get_response_bodies(direction)
        shared = {}
        for status, refusal in refusals(*self.own_errors(), *self.common_errors()).items():
            bodies[str(status)] = self.describe_refusal(refusal)
            shared[str(status)] = refusal.name
        if self.has_etag() and self.method == "GET":
            bodies["304"] = {**self._get_response_for_code(None, "304"), "description": NOT_MODIFIED}
            shared["304"] = "NotModified"
        for code, body in bodies.items():
            names = sorted({*body.get("headers", {}), *self.headers_of(int(code))})
            may_stream = NdjsonRenderer.media_type in body.get("content", {})
            body["headers"] = header_references(*names, may_stream=may_stream)
            body["description"] = body["description"] or SUCCESSES[code]
            if self.is_deprecated():
                body["headers"] = {**HEADERS, **body["headers"]}
            elif code in shared:
                bodies[code] = self.share(shared[code], body)
        return dict(sorted(bodies.items()))

    def describe_refusal(self, refusal: Refusal) -> dict[str, Any]:
        """Return the answer with an example of each code. It is JSON also where the route's own answer is a file."""
        status = str(refusal.errors[0].status_code)
        body: dict[str, Any] = self._get_response_for_code(refusal, status, media_types=["application/json"])
        codes = [error.default_code for error in refusal.errors]
        body["content"]["application/json"]["examples"] = {code: {"$ref": f"{EXAMPLES}{code}"} for code in codes}
        return body

    def share(self, name: str, body: dict[str, Any]) -> dict[str, str]:
        """Describe an answer once for all operations, with each header that one of them sends. Return a reference."""
        component = ResolvedComponent(name, ResolvedComponent.RESPONSE, body, object=name)
        self.registry.register_on_missing(component)
        described = self.registry[component].schema
        described["headers"] = dict(sorted({**described["headers"], **body["headers"]}.items()))
        reference: dict[str, str] = component.ref
        return reference

    def _map_serializer(self, serializer: Any, direction: Direction, bypass_extensions: bool = False) -> Any:
        """Say that a strict body takes no other keys. An answer does not say so: fields may be added to it.

        `optional_fields` of a serializer names the fields that only some of its answers have.
        """
        schema = super()._map_serializer(serializer, direction, bypass_extensions)
        if direction == "response":
            describe_as_answered(schema, getattr(serializer, "optional_fields", ()))
        if direction == "request" and isinstance(force_instance(serializer), StrictSerializer):
            schema["additionalProperties"] = False
        for name, field in getattr(force_instance(serializer), "fields", {}).items():
            if text := field.style.get("description"):
                described = schema["properties"][name]
                described["description"] = "\n\n".join(filter(None, [text, described.get("description")]))
        return schema

    def _insert_field_validators(self, field: serializers.Field, schema: dict[str, Any]) -> None:
        """Write a text with a format that may be "" as one string, where the library writes oneOf.

        Of that generators make an empty class (tfranzel/drf-spectacular, issue 1532).
        """
        super()._insert_field_validators(field, schema)
        match schema.get("oneOf"):
            case [rules, {"type": "string", "maxLength": 0}]:
                del schema["oneOf"]
                schema.update(unless_blank(rules))

    def headers_of(self, status: int) -> Iterator[str]:
        """Yield the names of the headers that answers with a status have, beside those the operation declares."""
        yield "X-Request-Id"
        yield from self.of_authenticators("response_headers")
        if status == HTTPStatus.UNSUPPORTED_MEDIA_TYPE and self.method in ACCEPTS_OF:
            yield ACCEPTS_OF[self.method]
        if status in HEADERS_OF_STATUS:
            yield HEADERS_OF_STATUS[HTTPStatus(status)]
        if status in (HTTPStatus.OK, HTTPStatus.CREATED, HTTPStatus.ACCEPTED) and self.has_etag():
            yield "ETag"

    def has_etag(self) -> bool:
        """Tell whether ApiView sends an ETag with an answer: never with a stream, whose end it does not know."""
        streams = self.handler().__annotations__.get("return") is StreamingHttpResponse
        methods = self.view.etag_methods  # type: ignore[attr-defined]  # each view is an ApiView
        return self.method in methods and not streams

    def honours_if_match(self) -> bool:
        """Tell whether If-Match is compared with what is stored. A change that does not compare it refuses it."""
        return self.has_etag() if self.method == "GET" else has_comparison(self.handler())

    def of_authenticators(self, what: str) -> list[Any]:
        """Return what the view's authenticators declare: their refusals, or the names of their headers."""
        declared = [each for one in self.view.get_authenticators() for each in getattr(one, what, ())]
        return list(dict.fromkeys(declared))

    def own_errors(self) -> list[type[errors.ApiError]]:
        """Return the errors that `refusals` has put among the operation's own answers."""
        answers: Any = self.get_response_serializers()  # its hint leaves out what `extend_schema` takes
        described = answers.values() if isinstance(answers, dict) else ()
        return [error for each in described if isinstance(each, Refusal) for error in each.errors]

    def common_errors(self) -> list[type[errors.ApiError]]:
        """Return what the service refuses on all routes that are like this one, and nothing that it never answers."""
        has_query = any(parameter["in"] == "query" for parameter in super()._get_parameters())
        is_change = self.method != "GET"
        some = {
            errors.ValidationFailed: self.method in ("POST", "PUT", "PATCH") or has_query,
            errors.NotAcceptable: not issubclass(self.view.content_negotiation_class, ChosenByPath),
            errors.RateLimited: not paths.is_under(self.path, *settings.READ_RATE_EXEMPT),
            errors.NotFound: "{" in self.path,
            errors.PreconditionFailed: is_change or self.honours_if_match(),
        }
        return [
            *(*COMMON, *self.of_authenticators("refusals")),
            *(OF_BODIES if self._get_request_body() else ()),
            *(error for error, is_possible in some.items() if is_possible),
            *(self.of_authenticators("refusals_of_changes") if is_change else ()),
        ]


def describe_as_answered(schema: dict[str, Any], optional_fields: Collection[str]) -> None:
    """Say that an answer has every field but the optional ones.

    Defaults are for what a request leaves out, and so is readOnly: a request has a schema of its own.
    """
    properties: dict[str, dict[str, Any]] = schema.get("properties", {})
    required = sorted(properties.keys() - set(optional_fields))
    if required:
        schema["required"] = required
    for described in properties.values():
        for one in (described, *described.get("anyOf", ())):
            one.pop("default", None)
            one.pop("readOnly", None)


def unless_blank(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a string that need not have its format or pattern while it is "".

    Generated clients take `if` and `then` for a plain string. Of a choice between two strings some make a class.
    """
    rules = {key: schema[key] for key in ("format", "pattern", "minLength") if key in schema}
    others = {key: value for key, value in schema.items() if key not in rules}
    return {**others, "if": {"minLength": 1}, "then": rules}


BLANK = {"$ref": "#/components/schemas/BlankEnum"}
NULL = {"$ref": "#/components/schemas/NullEnum"}
REFERENCE = "#/components/schemas/"


def finish_document(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Write choices so that JSON Schema and generators agree on them. Add what operations share, and examples."""
    schemas = result["components"]["schemas"]
    result = mend(result, schemas)
    text = json.dumps(result, default=str)  # some texts are lazy
    result["components"]["schemas"] = {
        name: schema
        for name, schema in result["components"]["schemas"].items()
        if name != "NullEnum" and ("enum" not in schema or f'"{REFERENCE}{name}"' in text)
    }
    result["components"] |= {"headers": RESPONSE_HEADERS}
    share_parameters(result)
    add_examples(result)
    return result


def mend(node: Any, schemas: dict[str, Any]) -> Any:
    """Return a copy of a part of the document with each schema mended."""
    if isinstance(node, list):
        return [mend(item, schemas) for item in node]
    if not isinstance(node, dict):
        return node
    copy = {key: mend(value, schemas) for key, value in node.items()}
    return drop_empty_labels(name_plainly(allow_nothing(copy, schemas)))


def allow_nothing(schema: dict[str, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    """Write a choice that may be "" as one list, and one that may be null as anyOf.

    The library writes oneOf with a type for nothing but "", which generators make a class of (tfranzel/drf-spectacular,
    issue 235). A oneOf that offers two objects stays.
    """
    choices = schema.get("oneOf")
    if not isinstance(choices, list) or all("$ref" in each and each not in (BLANK, NULL) for each in choices):
        return schema
    others = {key: value for key, value in schema.items() if key != "oneOf"}
    if BLANK in choices:
        named = schemas[choices[0]["$ref"].removeprefix(REFERENCE)]
        kinds, nothing = (["string", "null"], ["", None]) if NULL in choices else ("string", [""])
        return {"type": kinds, "enum": [*named["enum"], *nothing], **others}
    return {"anyOf": [{"type": "null"} if choice == NULL else choice for choice in choices], **others}


def name_plainly(schema: dict[str, Any]) -> dict[str, Any]:
    """Write {"allOf": [reference], …} as {reference, …}, which OpenAPI 3.1 allows."""
    match schema.get("allOf"):
        case [{"$ref": reference}]:
            return {"$ref": reference, **{key: value for key, value in schema.items() if key != "allOf"}}
    return schema


def drop_empty_labels(schema: dict[str, Any]) -> dict[str, Any]:
    """Take lines such as "* `in_use` - In Use" out of a description: their label says no more than the value.

    Others stay: GET /api/forms answers with them, and a program shows them as the choices of a form.
    """
    description = schema.get("description")
    if not isinstance(description, str) or "* `" not in description:
        return schema

    def keep(line: re.Match[str]) -> str:
        return "" if re.sub(r"[._]", " ", line[1]) == line[2].lower() or line[1] == line[2] else line[0]

    text = re.sub(r"(?m)^\* `(.*)` - (.*)$\n?", keep, description).strip()
    others = {key: value for key, value in schema.items() if key != "description"}
    return {**others, "description": text} if text else others
