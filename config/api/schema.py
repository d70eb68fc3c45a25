"""The OpenAPI document: what every operation has in common is added here, once."""

import re
from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiResponse
from rest_framework import serializers
from rest_framework.settings import api_settings

from config.api import errors


class ErrorSerializer(serializers.Serializer):
    """The body of every answer that is no success."""

    code = serializers.ChoiceField(choices=sorted({error.code for error in errors.every_error()}))
    message = serializers.CharField(help_text="For people.")
    meta = serializers.DictField(
        help_text="requestId always; fields = {field path: [{code, message}]} for a validation_error."
    )

    class Meta:
        ref_name = "Error"


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

    def get_response_serializers(self) -> Any:
        declared: Any = super().get_response_serializers()
        responses = dict(declared) if isinstance(declared, dict) else {self.success_status(): declared}
        for error in self.common_errors():
            responses.setdefault(error.status, OpenApiResponse(ErrorSerializer, description=error.message))
        return responses

    def success_status(self) -> int:
        return {"POST": 201, "DELETE": 204}.get(self.method, 200)

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
