"""Swagger UI at /api/docs, whose button "Execute" is the first request that many integrators send."""

import json
from typing import Any

import pytest
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from boards.collections.services import CollectionEntry, Texts, create_collection
from config.api.schema_components import operations
from tests import factories
from tests.boards.events.evenings import SLUG, table
from tests.conformance.document import document

PUBLIC = [(name, each) for name, each in operations({"paths": document()["paths"]}) if {} in each["security"]]


@pytest.fixture
def ids(transactional_db: None) -> dict[str, str]:
    """Store what the public operations with an id or a slug in their path answer with. Return these by resource."""
    for pair, tricks in enumerate((9, 10, 10), 1):
        table(1, 1, "4S", "S", tricks, pair_ns=f"{pair}", pair_ew=f"{pair + 3}", scoring="MP")
    theme = factories.theme()
    board = factories.board(seed=5, number=3, calls="1NT Pass Pass Pass", themes=(theme,))
    texts = Texts("A lesson", visibility="public")
    collection, _ = create_collection(owner=factories.account(), texts=texts, places=[CollectionEntry(board.pk)])
    found = {"boards": board.pk, "collections": collection.pk, "events": SLUG, "themes": theme.pk}
    return {resource: str(key) for resource, key in found.items()}


def test_execute_is_answered_on_every_public_operation_without_a_field_that_one_must_clear(
    page: Page, live_server: LiveServer, ids: dict[str, str]
) -> None:
    """Fill in nothing but ids. A form is sent as its example has it. The document names another server."""
    assert document()["servers"][0]["url"] != live_server.url
    page.goto("/api/docs")
    assert len(PUBLIC) >= 20
    answered = {name: execute(page, operation, ids) for name, operation in PUBLIC}
    assert {name: status for name, status in answered.items() if status not in ("200", "201")} == {}


def execute(page: Page, operation: dict[str, Any], ids: dict[str, str]) -> str:
    """Press "Try it out" and "Execute". Return the status that is shown."""
    block = page.locator(f"#operations-{operation['tags'][0]}-{operation['operationId']}")
    block.locator(".opblock-summary-control").click()
    block.get_by_role("button", name="Try it out").click()
    for parameter in operation["parameters"]:
        if parameter.get("in") == "path":
            block.get_by_placeholder(parameter["name"], exact=True).fill(ids[operation["tags"][0]])
    if "requestBody" in operation:
        body = block.locator("textarea.body-param__text")
        sent = json.loads(body.input_value())
        body.fill(json.dumps(sent | {"boardId": ids["boards"]} if "boardId" in sent else sent))
    block.get_by_role("button", name="Execute").click()
    status = block.locator(".live-responses-table tr.response .response-col_status").inner_text().split()[0]
    block.locator(".opblock-summary-control").click()
    return status
