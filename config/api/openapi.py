"""The OpenAPI document and a page to read it with."""

from functools import cache
from typing import Any

from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.views import SpectacularSwaggerSplitView
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from config.api.negotiation import ChosenByPath
from config.api.views import ApiView


@cache
def openapi_document() -> dict[str, Any]:
    """Return the document, the same for everybody. Making it takes most of a second, so a process makes it once."""
    return SchemaGenerator().get_schema(request=None, public=True)


class OpenApiView(ApiView):
    """GET /api/openapi.json → 200, this API as an OpenAPI 3.1 document."""

    permission_classes = (AllowAny,)
    content_negotiation_class = ChosenByPath
    public_read = True
    schema = None

    def get(self, request: Request) -> Response:
        return Response(openapi_document())


class DocsView(ApiView, SpectacularSwaggerSplitView):
    """GET /api/docs → Swagger UI. Its script has an address of its own, so that a strict CSP allows it."""

    permission_classes = (AllowAny,)
    public_read = True
    url_name = "openapi"
    template_name = "api/docs.html"
    schema = None

    def check_parameters(self, request: Request) -> None:
        """Ignore unknown parameters, as all pages do."""
