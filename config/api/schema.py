"""What all operations of the OpenAPI document have in common: names, tags, credentials, errors, strict bodies."""

import re
from typing import Any, Literal

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import force_instance, get_lib_doc_excludes
from drf_spectacular.utils import OpenApiResponse
from rest_framework import serializers
from rest_framework.settings import api_settings

from config import paths
from config.api import errors
from config.api.serializers import QuerySerializer, ReadSerializer, StrictSerializer, WholeSerializer
from config.api.views import ApiView


class ErrorSerializer(serializers.Serializer):
    """The body of every error."""

    code = serializers.ChoiceField(choices=sorted({error.default_code for error in errors.every_error()}))
    message = serializers.CharField(help_text="A sentence for people. It may change; the code does not.")
    meta = serializers.DictField(
        help_text="requestId always; fields = {field path: [{code, message}]} for a validation_error."
    )

    class Meta:
        ref_name = "Error"


def plumbing_classes() -> list[type]:
    """Return the classes whose docstrings are for programmers here, not for readers of the document."""
    return [
        *get_lib_doc_excludes(),
        ApiView,
        ReadSerializer,
        StrictSerializer,
        WholeSerializer,
        QuerySerializer,
    ]


def refusals(*refused: type[errors.ApiError]) -> dict[int, OpenApiResponse]:
    """Return the errors that an operation has beside the common ones, for `responses` of `extend_schema`."""
    return {error.status_code: describe(error) for error in refused}


def describe(error: type[errors.ApiError]) -> OpenApiResponse:
    return OpenApiResponse(ErrorSerializer, description=str(error.default_detail))


Direction = Literal["request", "response"]

COMMON = (errors.BadRequest, errors.NotAcceptable, errors.RateLimited, errors.ServiceUnavailable)
WITH_BODY = (errors.LengthRequired, errors.PayloadTooLarge, errors.UnsupportedMediaType)


class ApiSchema(AutoSchema):
    """Add the errors that every operation can have, name operations after their paths, and mark strict bodies."""

    def get_operation_id(self) -> str:
        """Return getBoardsByIdPbn for GET /api/boards/{id}.pbn: stable, and never the same for two operations."""
        named = self.path.removeprefix(paths.API).replace("{", "by_")
        return self.method.lower() + "".join(word.capitalize() for word in re.findall(r"[A-Za-z]+", named))

    def get_tags(self) -> list[str]:
        """Return the resource that the path is about: boards for /api/boards.pbn."""
        return [re.split(r"[/.]", self.path)[2]]

    def get_auth(self) -> list[dict[str, list[str]]]:
        """Return how a caller may identify itself. For a public read, add the choice to send no credentials."""
        schemes: list[dict[str, list[str]]] = super().get_auth()
        public = getattr(self.view, "public_read", False) and self.method == "GET"
        return [*schemes, {}] if public and {} not in schemes else schemes

    def _get_response_bodies(self, direction: Direction = "response") -> dict[str, Any]:
        """Add the common errors here, since an operation's own extend_schema replaces `get_response_serializers`."""
        bodies: dict[str, Any] = super()._get_response_bodies(direction)
        for error in self.common_errors():
            response = describe(error)
            code = str(error.status_code)
            # An error is JSON also where the route's own answer is a file.
            bodies.setdefault(
                code, self._get_response_for_code(response, code, media_types=["application/json"])
            )
        return dict(sorted(bodies.items()))

    def _map_serializer(self, serializer: Any, direction: Direction, bypass_extensions: bool = False) -> Any:
        """Say that a strict body takes no other keys. An answer does not say so: fields may be added to it.

        `optional_fields` of a serializer names the fields that only some of its answers have.
        """
        schema = super()._map_serializer(serializer, direction, bypass_extensions)
        for name in getattr(serializer, "optional_fields", ()):
            schema["required"].remove(name)
        if direction == "request" and isinstance(force_instance(serializer), StrictSerializer):
            schema["additionalProperties"] = False
        return schema

    def _insert_field_validators(self, field: serializers.Field, schema: dict[str, Any]) -> None:
        """Allow "" by anyOf, where the library writes oneOf.

        JSON Schema need not check formats, so "" may match both an e-mail address and the empty string.
        """
        super()._insert_field_validators(field, schema)
        if "oneOf" in schema:
            schema["anyOf"] = schema.pop("oneOf")

    def common_errors(self) -> list[type[errors.ApiError]]:
        common = list(COMMON)
        if self.method in ("POST", "PUT", "PATCH"):
            common += WITH_BODY
        if self.path.count("{"):
            common.append(errors.NotFound)
        if self.method == "PATCH":
            common.append(errors.PreconditionFailed)
        if self.view.get_authenticators():
            common.append(errors.NotAuthenticated)
        if api_settings.DEFAULT_PERMISSION_CLASSES and self.method not in ("GET", "HEAD"):
            common.append(errors.PermissionRefused)
        return common
