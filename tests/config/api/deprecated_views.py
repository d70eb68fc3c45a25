"""A URLconf of its own: operations that are deprecated, as nothing of the service is today, and one that is not."""

import re
from datetime import date
from http import HTTPStatus
from typing import Any

from django.urls import path
from drf_spectacular.utils import OpenApiTypes, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from config.api.deprecation import deprecated
from config.api.errors import Conflict
from config.api.views import ApiView
from config.edge.serving.public_reads import Document, PublicRead
from config.values.strict_json import dump_json

OLD = {"isOld": True}
REPLACEMENT = "https://testserver/api/docs/versions#items"


class ItemViewSet(ApiView, ViewSet):
    """GET /test/items → 200, deprecated, in pages. DELETE → 409, deprecated. PUT → 204."""

    permission_classes = (AllowAny,)
    authentication_classes = ()
    public_read = True

    @extend_schema(responses=OpenApiTypes.OBJECT)
    @deprecated(on=date(2026, 11, 22), sunset=date(2027, 12, 1))
    def list(self, request: Request) -> Response:
        return Response(OLD, headers={"Link": '</test/items?page=2>; rel="next"'})

    @extend_schema(request=None, responses={204: None})
    def update(self, request: Request) -> Response:
        return Response(status=HTTPStatus.NO_CONTENT)

    @deprecated(on=date(2026, 11, 22), sunset=date(2027, 12, 1), link=REPLACEMENT)
    @extend_schema(responses={204: None})
    def destroy(self, request: Request) -> Response:
        raise Conflict


def make(match: re.Match[str], query: Any) -> Document:
    """Return what a read in front of Django would send: the page's own Link, and nothing of the deprecation."""
    return Document(dump_json(OLD), (("Link", '</test/items?page=2>; rel="next"'),))


READ = PublicRead(re.compile("/test/items"), make)

items = ItemViewSet.as_view({"get": "list", "put": "update", "delete": "destroy"})
urlpatterns = [path("test/items", items, name="test-items")]
