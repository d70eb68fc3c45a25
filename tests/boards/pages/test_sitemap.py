"""GET /sitemap.xml, GET /sitemap-{number}.xml and GET /robots.txt."""

from datetime import timedelta
from xml.etree import ElementTree

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from boards.models import Board
from boards.pages import sitemaps
from config.site.guides import NAMES
from tests import factories

pytestmark = pytest.mark.django_db

NOW = timezone.now()


def addresses(client: Client, path: str) -> list[str]:
    response = client.get(path)
    assert (response.status_code, response["Content-Type"]) == (200, "application/xml")
    tree = ElementTree.fromstring(response.getvalue())
    return [found.text or "" for found in tree.iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc")]


def boards(number: int) -> list[str]:
    """Store published boards, two at each time, and a draft. Return the published ones' addresses, oldest first."""
    times = [NOW + timedelta(minutes=age // 2) for age in range(number)]
    stored = [(time, factories.board(published_at=time).pk) for time in times]
    factories.board(published=False)
    return [f"http://testserver/boards/{pk}" for _, pk in sorted(stored)]


def test_a_sitemap_has_the_pages_and_the_published_boards_oldest_first(client: Client) -> None:
    factories.theme("stayman")
    for theme_type in ("convention", "lesson"):
        factories.theme("transfer", type=theme_type)
    published = boards(3)
    pages = [
        f"http://testserver{path}"
        for path in ("/", "/boards", "/today", "/events", "/themes", "/collections", "/forms")
    ]
    pages += [f"http://testserver/api/docs/{name}" for name in NAMES]
    themes = ("stayman", "convention/transfer", "lesson/transfer")
    pages += [f"http://testserver/themes/{path}" for path in themes]
    assert addresses(client, "/sitemap.xml") == ["http://testserver/sitemap-1.xml"]
    assert addresses(client, "/sitemap-1.xml") == pages + published


def test_the_sitemap_has_the_events_that_have_boards_and_says_when_a_board_was_changed(client: Client) -> None:
    board = factories.board(event="Friday pairs")
    factories.board(event="Saturday pairs", published=False)
    found = [address for address in addresses(client, "/sitemap-1.xml") if "/events/" in address]
    assert found == [f"http://testserver/events/{board.event_slug}"]
    text = client.get("/sitemap-1.xml").getvalue().decode()
    assert f"/boards/{board.pk}</loc><lastmod>{board.updated_at:%Y-%m-%dT%H:%M:%S}Z</lastmod>" in text


def test_many_boards_are_split_between_sitemaps_without_loss(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemaps, "MAX_BOARDS", 3)
    monkeypatch.setattr(sitemaps, "CHUNK_SIZE", 2)
    published = boards(7)
    paths = addresses(client, "/sitemap.xml")
    assert paths == [f"http://testserver/sitemap-{number}.xml" for number in (1, 2, 3)]
    parts = [addresses(client, path.removeprefix("http://testserver")) for path in paths]
    assert [len(part) for part in parts] == [10 + len(NAMES), 3, 1]
    assert parts[0][-3:] + parts[1] + parts[2] == published


def test_a_full_last_sitemap_is_not_followed_by_an_empty_one(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemaps, "MAX_BOARDS", 3)
    boards(3)
    assert len(addresses(client, "/sitemap.xml")) == 1
    assert client.get("/sitemap-2.xml").status_code == 404


def test_an_unknown_sitemap_is_not_found(client: Client) -> None:
    factories.board()
    for number in ("0", "2", "00", "-1", "9" * 30, "x", ""):
        assert client.get(f"/sitemap-{number}.xml").status_code == 404, number


def test_without_boards_the_sitemap_has_the_other_pages(client: Client) -> None:
    assert len(addresses(client, "/sitemap.xml")) == 1
    assert len(addresses(client, "/sitemap-1.xml")) == 7 + len(NAMES)


def test_the_sitemap_index_takes_one_query(client: Client) -> None:
    boards(3)
    with CaptureQueriesContext(connection) as queries:
        client.get("/sitemap.xml")
    assert len(queries) == 1
    assert Board.objects.count() == 4


def test_robots_txt_excludes_admin_and_api_and_names_the_sitemap(client: Client) -> None:
    lines = client.get("/robots.txt").content.decode().splitlines()
    assert lines[0] == "User-agent: *"
    assert {"Disallow: /admin/", "Disallow: /api/", "Allow: /api/boards/", "Allow: /api/docs"} < set(lines)
    assert lines[-1] == "Sitemap: http://testserver/sitemap.xml"
