"""The page of components: who sees it, and that it shows what the stylesheets have."""

from typing import Any

import pytest
from django.test import Client

from tests import factories
from tests.config.admin.conftest import staff_client
from tests.members import signed_in
from tests.pages.documents import Document

pytestmark = pytest.mark.django_db

SHOWN = (
    *("band", "card", "hands", "with-trick", "fan", "auction", "bids", "leads", "headline", "chip", "button", "second"),
    *("text-button", "evening", "rows", "double-dummy", "field", "field-with-error", "error-summary", "notice"),
    *("empty", "link-card", "deal-card", "says", "stepbar", "more", "reply", "hero", "page-head", "hidden-hand"),
)


def test_it_shows_each_component_and_is_not_indexed(client: Client) -> None:
    response = client.get("/design")
    page = Document(response)
    assert response["Cache-Control"] == "private, no-store" and not page.is_indexed()
    classes = {name for _, found, _ in page.elements for name in found.get("class", "").split()}
    assert set(SHOWN) - classes == set()


def test_only_staff_see_it_where_the_service_is_not_developed(client: Client, settings: Any) -> None:
    settings.DEVELOPMENT_SIGN_IN = False
    callers = (client, signed_in(factories.account(role="support")), staff_client("support"))
    assert [each.get("/design").status_code for each in callers] == [404, 404, 200]
