"""GET /sitemap.xml, GET /sitemap-{number}.xml and GET /robots.txt."""

from datetime import timedelta
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.utils import timezone

from boards.models import Board
from boards.pages import sitemaps
from config.site.guides import NAMES
from tests import factories
from tests.boards.pages.opening import queries_of

pytestmark = pytest.mark.django_db

SITE = "http://testserver"
NOW = timezone.now()
PAGES = ("/", "/boards", "/today", "/events", "/themes", "/collections", "/forms")


def addresses(client: Client, path: str) -> list[str]:
    response = client.get(path)
    assert (response.status_code, response["Content-Type"]) == (200, "application/xml")
    tree = ElementTree.fromstring(response.getvalue())
    found = [each.text or "" for each in tree.iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc")]
    assert all(address.startswith(f"{SITE}/") for address in found)
    return [address.removeprefix(SITE) for address in found]


def boards(number: int) -> list[str]:
    """Store published boards, two at each time, and a draft. Return the published ones' addresses, oldest first."""
    times = [NOW + timedelta(minutes=age // 2) for age in range(number)]
    stored = [(time, factories.board(published_at=time).pk) for time in times]
    factories.board(published=False)
    return [f"/boards/{pk}" for _, pk in sorted(stored)]


def test_a_sitemap_has_the_pages_and_the_published_boards_oldest_first(client: Client) -> None:
    pages = [*PAGES, *(f"/api/docs/{name}" for name in NAMES)]
    assert addresses(client, "/sitemap.xml") == ["/sitemap-1.xml"]
    assert addresses(client, "/sitemap-1.xml") == pages
    factories.theme("stayman")
    for theme_type in ("convention", "lesson"):
        factories.theme("transfer", type=theme_type)
    published = boards(3)
    themes = [f"/themes/{path}" for path in ("stayman", "convention/transfer", "lesson/transfer")]
    assert addresses(client, "/sitemap.xml") == ["/sitemap-1.xml"]
    assert addresses(client, "/sitemap-1.xml") == pages + themes + published
    assert [*queries_of(client, "/sitemap.xml").values()] == [1]


def test_the_sitemap_has_the_events_that_have_boards_and_says_when_a_board_was_changed(client: Client) -> None:
    board = factories.board(event="Friday pairs")
    factories.board(event="Saturday pairs", published=False)
    found = [address for address in addresses(client, "/sitemap-1.xml") if "/events/" in address]
    assert found == [f"/events/{board.event_slug}"]
    text = client.get("/sitemap-1.xml").getvalue().decode()
    assert f"/boards/{board.pk}</loc><lastmod>{board.updated_at:%Y-%m-%dT%H:%M:%S}Z</lastmod>" in text


def test_many_boards_are_split_and_no_sitemap_is_empty(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemaps, "MAX_BOARDS", 3)
    monkeypatch.setattr(sitemaps, "CHUNK_SIZE", 2)
    published = boards(7)
    paths = addresses(client, "/sitemap.xml")
    assert paths == [f"/sitemap-{number}.xml" for number in (1, 2, 3)]
    parts = [addresses(client, path) for path in paths]
    assert [len(part) for part in parts] == [len(PAGES) + len(NAMES) + 3, 3, 1]
    assert parts[0][-3:] + parts[1] + parts[2] == published
    Board.objects.get(pk=published[-1].removeprefix("/boards/")).delete()
    assert len(addresses(client, "/sitemap.xml")) == 2, "the last one is full"
    assert client.get("/sitemap-3.xml").status_code == 404


def test_an_unknown_sitemap_is_not_found(client: Client) -> None:
    factories.board()
    for number in ("0", "2", "00", "-1", "9" * 30, "x", ""):
        assert client.get(f"/sitemap-{number}.xml").status_code == 404, number


def test_robots_txt_excludes_admin_and_api_and_names_the_sitemap(client: Client) -> None:
    lines = client.get("/robots.txt").content.decode().splitlines()
    assert lines[0] == "User-agent: *"
    assert {"Disallow: /admin/", "Disallow: /api/", "Allow: /api/boards/", "Allow: /api/docs"} < set(lines)
    assert lines[-1] == f"Sitemap: {SITE}/sitemap.xml"
