"""What the OpenAPI document says of every operation."""

import pytest

from config.api.openapi import openapi_document
from tests.routes import routes

PATHS = openapi_document()["paths"]
OPERATIONS = [(path, method) for path, methods in PATHS.items() for method in methods]


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_every_operation_names_its_errors(path: str, method: str) -> None:
    responses = PATHS[path][method]["responses"]
    assert responses.keys() >= {"400", "429", "503"}
    error = responses["400"]["content"]["application/json"]["schema"]
    assert error == {"$ref": "#/components/schemas/Error"}


@pytest.mark.parametrize(("path", "key"), [("/api/boards", "boards"), ("/api/deals", "deals")])
def test_a_page_is_one_object(path: str, key: str) -> None:
    document = openapi_document()
    schema = PATHS[path]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
    page = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    assert page["properties"].keys() == {key, "pagination"}


@pytest.mark.parametrize(
    "route", [r for r in routes() if r.path.startswith("/api/themes")], ids=lambda r: r.path
)
def test_a_public_read_needs_no_credentials(route) -> None:
    path = route.path.replace("<uuid:pk>", "{id}")
    assert {} in PATHS[path]["get"]["security"]


@pytest.mark.parametrize(
    ("path", "method", "status"),
    [
        ("/api/deals/{id}", "delete", "409"),
        ("/api/deals/{dealId}/boards/{id}", "patch", "409"),
        ("/api/impersonation/start", "post", "409"),
        ("/api/impersonation/stop", "post", "404"),
        ("/api/voting/{boardId}", "put", "404"),
    ],
)
def test_an_operation_names_what_it_alone_is_refused_with(path: str, method: str, status: str) -> None:
    error = PATHS[path][method]["responses"][status]["content"]["application/json"]["schema"]
    assert error == {"$ref": "#/components/schemas/Error"}


def test_the_export_takes_filters_and_no_order() -> None:
    names = {parameter["name"] for parameter in PATHS["/api/boards.pbn"]["get"]["parameters"]}
    assert names == {"theme", "themeType", "dealer", "vulnerability", "auctionSystem", "userId"}
