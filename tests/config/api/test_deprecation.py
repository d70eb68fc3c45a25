"""A deprecated operation says so in its answers and in the OpenAPI document."""

from datetime import date
from typing import Any

import pytest
from django.http import HttpResponse
from drf_spectacular.generators import SchemaGenerator
from rest_framework.test import APIClient

from config.api.deprecation import deprecated
from tests.config.api import deprecated_views
from tests.service_client import ServiceClient

GUIDE_LINK = '<http://testserver/api/docs/versions#deprecation>; rel="deprecation"; type="text/html"'
NEXT_LINK = '</test/items?page=2>; rel="next"'


@pytest.fixture(autouse=True)
def _deprecated_routes(settings: Any) -> None:
    settings.ROOT_URLCONF = "tests.config.api.deprecated_views"
    settings.PUBLIC_READS = ["tests.config.api.deprecated_views.READ"]


def assert_announced(response: HttpResponse, link: str) -> None:
    assert response["Deprecation"] == "@1795305600"
    assert response["Sunset"] == "Wed, 01 Dec 2027 00:00:00 GMT"
    assert response["Link"] == link


def test_every_answer_of_a_deprecated_operation_says_from_when_and_until_when() -> None:
    client = APIClient()
    first = client.get("/test/items")
    assert first.status_code == 200
    assert_announced(first, f"{NEXT_LINK}, {GUIDE_LINK}")
    assert_announced(client.head("/test/items"), f"{NEXT_LINK}, {GUIDE_LINK}")
    known = client.get("/test/items", headers={"if-none-match": first["ETag"]})
    assert (known.status_code, known.content) == (304, b"")
    assert_announced(known, GUIDE_LINK)


def test_an_error_of_a_deprecated_operation_says_so_too_with_its_own_link() -> None:
    refused = APIClient().delete("/test/items")
    assert refused.status_code == 409
    assert_announced(refused, f'<{deprecated_views.REPLACEMENT}>; rel="deprecation"; type="text/html"')


@pytest.mark.parametrize(("method", "status"), [("put", 204), ("options", 204), ("post", 405)])
def test_other_operations_of_the_view_say_nothing(method: str, status: int) -> None:
    response = getattr(APIClient(), method)("/test/items")
    assert response.status_code == status
    assert not {"Deprecation", "Sunset", "Link"} & set(response.headers)


@pytest.mark.django_db
def test_a_deprecated_public_read_is_answered_in_front_of_django_as_by_django() -> None:
    in_front = ServiceClient()
    for _ in range(3):
        response = in_front.get("/test/items")
        assert (response.status_code, response.content) == (200, b'{"isOld":true}')
        assert_announced(response, f"{NEXT_LINK}, {GUIDE_LINK}")
        known = in_front.get("/test/items", headers={"if-none-match": response["ETag"]})
        assert known.status_code == 304
        assert_announced(known, GUIDE_LINK)


def test_the_document_names_deprecated_operations_and_their_headers() -> None:
    generator = SchemaGenerator(patterns=deprecated_views.urlpatterns)
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
