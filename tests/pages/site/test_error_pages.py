"""Errors outside the API are pages in the site's own frame."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as configured
from django.contrib.staticfiles import finders
from django.test import Client, RequestFactory

from config.api.errors import RateLimited, every_error
from config.edge.error_page import TITLES, answer_error
from tests import factories
from tests.config.admin.conftest import staff_client


def assert_page(response: Any, status: int) -> str:
    html: str = response.content.decode()
    assert (response.status_code, response["Content-Type"]) == (status, "text/html; charset=utf-8")
    assert response["Cache-Control"] == "no-store"
    assert '<link rel="stylesheet" href="/static/site/style.css">' in html
    assert '<a class="skip" href="#main">' in html
    return html


@pytest.mark.django_db
def test_a_page_that_is_missing_speaks_of_permission_only_where_somebody_can_sign_in() -> None:
    for path in ("/nothing", f"/boards/{factories.NOBODYS_ID}", "/events/nothing", "/themes/nothing"):
        page = assert_page(Client().get(path), 404)
        assert "There is no page at this address. Check the address." in page and "permission" not in page
    for path in ("/api/nothing", f"/api/boards/{factories.NOBODYS_ID}"):
        assert "or you have no permission to see it" in Client().get(path).json()["message"]
    assert "permission" in staff_client("admin").get("/admin/boards/nothing/1/").content.decode()


def test_a_refusal_of_the_edge_is_a_page_with_the_safety_headers() -> None:
    for status, path, headers in (
        *((411, "/forms/contact", {"transfer-encoding": "chunked"}), (400, "/nothing", {"host": "evil.example"})),
    ):
        response = Client().generic("POST", path, headers=headers)
        assert "evil" not in assert_page(response, status)
        assert "default-src 'self'" in response["Content-Security-Policy"]
        assert (response["X-Frame-Options"], response["X-Content-Type-Options"]) == ("DENY", "nosniff")


def test_an_error_page_of_every_status_has_a_heading_of_its_own() -> None:
    assert set(TITLES) == {error.status_code for error in every_error()}
    assert len(set(TITLES.values())) == len(TITLES)


def test_a_page_says_how_long_to_wait_in_its_header_and_in_words() -> None:
    for seconds, words in (("1", "Try again in 1 second."), ("37", "Try again in 37 seconds.")):
        response = answer_error(RequestFactory().get("/boards"), RateLimited(headers={"Retry-After": seconds}))
        assert words in assert_page(response, 429)
        assert response["Retry-After"] == seconds


def test_the_stylesheets_of_a_page_are_small_and_load_nothing_from_elsewhere() -> None:
    texts = [Path(str(finders.find(name))).read_text(encoding="utf-8") for name in STYLESHEETS]
    assert sum(len(text.encode()) for text in texts) <= 31_000
    assert not [text for text in texts if "http" in text or "@import" in text or "url(//" in text]


def test_no_template_has_anything_inline() -> None:
    for template in (Path(configured.BASE_DIR) / "templates").rglob("*.html"):
        text = template.read_text(encoding="utf-8")
        assert "<style" not in text and " style=" not in text and " on" + "click" not in text, template
        assert text.count("<script") == text.count("<script src="), template


STYLESHEETS = ("site/table.css", "site/hands.css", "site/style.css", "site/print.css")


def test_the_dark_scheme_changes_nothing_but_colours() -> None:
    """Hold what the browser tests rely on: they check a dark page by the rules of colour alone."""
    stylesheets = [Path(str(finders.find(name))) for name in STYLESHEETS]
    css = "".join(path.read_text(encoding="utf-8") for path in stylesheets)
    blocks = re.findall(r"prefers-color-scheme: dark\) \{\s*:root \{([^}]*)\}\s*\}", css)
    assert len(blocks) == css.count("prefers-color-scheme") > 0
    for declaration in ";".join(blocks).split(";"):
        assert re.fullmatch(r"\s*(--[a-z-]+: #[0-9a-f]{6})?\s*", declaration), declaration
