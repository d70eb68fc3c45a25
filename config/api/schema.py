"""The OpenAPI document: what every operation has in common is added here, once."""

import re
from typing import Any, Literal

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import get_lib_doc_excludes
from drf_spectacular.utils import OpenApiResponse
from rest_framework import serializers
from rest_framework.settings import api_settings

from config.api import errors
from config.api.serializers import QuerySerializer, ReadSerializer, StrictSerializer, WholeSerializer
from config.api.views import ApiView


class ErrorSerializer(serializers.Serializer):
    """The body of every answer that is no success."""

    code = serializers.ChoiceField(choices=sorted({error.default_code for error in errors.every_error()}))
    message = serializers.CharField(help_text="For people.")
    meta = serializers.DictField(
        help_text="requestId always; fields = {field path: [{code, message}]} for a validation_error."
    )

    class Meta:
        ref_name = "Error"


def plumbing_classes() -> list[type]:
    """Classes whose docstrings are for programmers here, not for readers of the schema."""
    return [
        *get_lib_doc_excludes(),
        ApiView,
        ReadSerializer,
        StrictSerializer,
        WholeSerializer,
        QuerySerializer,
    ]


def refusals(*refused: type[errors.ApiError]) -> dict[int, OpenApiResponse]:
    """Describe what this operation alone is refused with, for `responses`."""
    return {error.status_code: describe(error) for error in refused}


def describe(error: type[errors.ApiError]) -> OpenApiResponse:
    return OpenApiResponse(ErrorSerializer, description=str(error.default_detail))


Direction = Literal["request", "response"]

COMMON = (errors.BadRequest, errors.NotAcceptable, errors.RateLimited, errors.ServiceUnavailable)
WITH_BODY = (errors.LengthRequired, errors.PayloadTooLarge, errors.UnsupportedMediaType)


class ApiSchema(AutoSchema):
    """Adds the errors every operation can answer with, and names operations after their paths."""

    def get_operation_id(self) -> str:
        """GET /api/boards/{id}.pbn → getBoardsByIdPbn: stable, and never the same for two operations."""
        named = self.path.removeprefix("/api").replace("{", "by_")
        return self.method.lower() + "".join(word.capitalize() for word in re.findall(r"[A-Za-z]+", named))

    def get_tags(self) -> list[str]:
        """/api/boards.pbn is about boards."""
        return [re.split(r"[/.]", self.path)[2]]

    def get_auth(self) -> list[dict[str, list[str]]]:
        """A public read needs no credentials, whatever its view asks of who writes."""
        schemes: list[dict[str, list[str]]] = super().get_auth()
        public = getattr(self.view, "public_read", False) and self.method == "GET"
        return [*schemes, {}] if public and {} not in schemes else schemes

    def _get_response_bodies(self, direction: Direction = "response") -> dict[str, Any]:
        """Here and not in `get_response_serializers`, which an operation's own extend_schema replaces."""
        bodies: dict[str, Any] = super()._get_response_bodies(direction)
        for error in self.common_errors():
            response = describe(error)
            code = str(error.status_code)
            # JSON also where the route's own answer is a file.
            bodies.setdefault(
                code, self._get_response_for_code(response, code, media_types=["application/json"])
            )
        return dict(sorted(bodies.items()))

    def _insert_field_validators(self, field: serializers.Field, schema: dict[str, Any]) -> None:
        """Allow "" by anyOf, where the library writes oneOf.

        JSON Schema need not check formats, so "" may match both an e-mail address and the empty string.
        """
        super()._insert_field_validators(field, schema)
        if "oneOf" in schema:
            schema["anyOf"] = schema.pop("oneOf")

    def common_errors(self) -> list[type[errors.ApiError]]:
        found = list(COMMON)
        if self.method in ("POST", "PUT", "PATCH"):
            found += WITH_BODY
        if self.path.count("{"):
            found.append(errors.NotFound)
        if self.method == "PATCH":
            found.append(errors.PreconditionFailed)
        if self.view.get_authenticators():
            found.append(errors.NotAuthenticated)
        if api_settings.DEFAULT_PERMISSION_CLASSES and self.method not in ("GET", "HEAD"):
            found.append(errors.PermissionRefused)
        return found
