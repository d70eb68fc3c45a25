"""A deprecated operation says so in its answers and in the OpenAPI document. None of the service is one today."""

import re
from datetime import date
from http import HTTPStatus
from typing import Any

import pytest
from django.http import HttpResponse
from django.urls import path
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import OpenApiTypes, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.test import APIClient
from rest_framework.viewsets import ViewSet

from config.api.errors import Conflict
from config.api.views import ApiView, deprecated
from config.edge.serving.public_reads import Document, PublicRead
from config.values.strict_json import dump_json
from tests.service_client import ServiceClient

GUIDE_LINK = '<http://testserver/api/docs/versions#deprecation>; rel="deprecation"; type="text/html"'
NEXT_LINK = '</test/items?page=2>; rel="next"'


@pytest.fixture(autouse=True)
def _deprecated_routes(settings: Any) -> None:
    settings.ROOT_URLCONF = "tests.config.api.test_deprecation"
    settings.PUBLIC_READS = ["tests.config.api.test_deprecation.READ"]


def assert_announced(response: HttpResponse, link: str) -> None:
    assert response["Deprecation"] == "@1795305600"
    assert response["Sunset"] == "Wed, 01 Dec 2027 00:00:00 GMT"
    assert response["Link"] == link


@pytest.mark.django_db
def test_every_answer_of_a_deprecated_operation_says_from_when_and_until_when() -> None:
    for client in (APIClient(), *[ServiceClient()] * 3):  # by Django and in front of it
        response = client.get("/test/items")
        assert (response.status_code, response.content) == (200, b'{"isOld":true}')
        assert_announced(response, f"{NEXT_LINK}, {GUIDE_LINK}")
        assert_announced(client.head("/test/items"), f"{NEXT_LINK}, {GUIDE_LINK}")
        known = client.get("/test/items", headers={"if-none-match": response["ETag"]})
        assert (known.status_code, known.content) == (304, b"")
        assert_announced(known, GUIDE_LINK)
    refused = APIClient().delete("/test/items")
    assert refused.status_code == 409
    assert_announced(refused, f'<{REPLACEMENT}>; rel="deprecation"; type="text/html"')


def test_other_operations_of_the_view_say_nothing() -> None:
    for method, status in (("PUT", 204), ("OPTIONS", 204), ("POST", 405)):
        response = APIClient().generic(method, "/test/items")
        assert response.status_code == status
        assert not {"Deprecation", "Sunset", "Link"} & set(response.headers), method


def test_the_document_names_deprecated_operations_and_their_headers() -> None:
    generator = SchemaGenerator(patterns=urlpatterns)
    operations = generator.get_schema(request=None, public=True)["paths"]["/test/items"]
    assert [method for method, operation in operations.items() if operation.get("deprecated")] == ["get", "delete"]
    for method in ("get", "delete"):
        for response in operations[method]["responses"].values():
            assert {"Deprecation", "Sunset", "Link"} <= response["headers"].keys()
    assert "Sunset" not in operations["put"]["responses"]["204"]["headers"]


def test_a_sunset_that_comes_too_soon_is_refused() -> None:
    with pytest.raises(ValueError, match="180 days"):
        deprecated(on=date(2026, 1, 1), sunset=date(2026, 6, 29))
    deprecated(on=date(2026, 1, 1), sunset=date(2026, 6, 30))


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
