"""What other programs read of the site: GET /boards.atom, /sitemap.xml, /sitemap-{number}.xml and /robots.txt."""

from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.utils import timezone

from boards.models import Board
from pages.sharing import feed as pages
from pages.sharing import sitemaps
from pages.site.guides import NAMES
from tests import factories
from tests.boards.collections.stored import store
from tests.pages.opening import open_page, queries_of

pytestmark = pytest.mark.django_db

ATOM = "{http://www.w3.org/2005/Atom}"
NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)


def feed(client: Client, path: str = "/boards.atom", **query: str) -> ElementTree.Element:
    response = client.get(path, query)
    assert (response.status_code, response["Content-Type"]) == (200, "application/atom+xml; charset=utf-8")
    return ElementTree.fromstring(response.content)


def texts(root: ElementTree.Element, name: str) -> list[Any]:
    return [element.text for element in root.findall(f"{ATOM}entry/{ATOM}{name}")]


def test_the_newest_boards_of_a_search_come_first(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    assert pages.SIZE == 30
    monkeypatch.setattr(pages, "SIZE", 3)
    theme = factories.theme("stayman")
    for age in reversed(range(4)):
        factories.board(title=f"Aged {age} & <x>", published_at=NOON - timedelta(days=age), themes=(theme,))
    board = factories.board(title="Another", number=2)
    factories.board(title="A draft", published=False)
    root = feed(client)
    assert texts(root, "title") == ["Another", "Aged 0 & <x>", "Aged 1 & <x>"]
    assert texts(root, "id")[0] == f"urn:uuid:{board.pk}"
    root = feed(client, theme="stayman", q="dealer=north", sort="top")
    assert texts(root, "title")[0] == "Aged 0 & <x>"
    assert texts(root, "published")[0] == "2026-11-22T12:00:00+00:00"
    assert root.findtext(f"{ATOM}title") == "Bridge boards: theme stayman, dealer=north"
    links = {link.get("rel"): link.get("href") for link in root.findall(f"{ATOM}link")}
    assert links["self"].endswith("/boards.atom?theme=stayman&q=dealer%3Dnorth")
    assert root.findtext(f"{ATOM}author/{ATOM}name") == "Bridge Boards"
    assert texts(feed(client, q="level=7"), "title") == []
    assert client.get("/boards.atom?q=levl=7").status_code == 400


def test_the_tables_of_an_event_are_one_entry_that_leads_to_its_page(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("boards.catalogue.deals.ROUND", 5)
    friday = {"event": "Friday pairs", "date": "2026.11.20"}
    for seat in ("1", "2"):
        factories.board(seed=7, number=7, event="Saturday teams", table=seat)
    factories.board(title="Oldest")
    tables = []
    for age, deal in product(reversed(range(8)), (1, 2, 3)):
        if (age, deal) == (3, 1):
            factories.board(title="In between")
        at = {"table": f"{age}", "published_at": NOON - timedelta(minutes=age)}
        tables.append(factories.board(seed=deal, number=deal, **at, **friday))
    factories.board(title="Newest")
    changed = timezone.now() + timedelta(hours=1)
    Board.objects.filter(pk=tables[-1].pk).update(updated_at=changed)
    root = feed(client)
    one = "Board 7 of Saturday teams"
    assert texts(root, "title") == ["Newest", "Friday pairs, 20 November 2026", "In between", "Oldest", one]
    entry = root.findall(f"{ATOM}entry")[1]
    link = f"http://testserver/events/{tables[0].event_slug}"
    assert (texts(root, "id")[1], texts(root, "summary")[1]) == (link, "3 deals, 24 tables")
    assert entry.find(f"{ATOM}link").attrib["href"] == link
    assert (texts(root, "published")[1], texts(root, "updated")[1]) == (NOON.isoformat(), changed.isoformat())
    names = [f"Board {number} of Friday pairs, 20 November 2026" for number in (1, 2, 3)]
    assert sorted(texts(feed(client, event=tables[0].event_slug), "title")) == names
    few = queries_of(client, "/boards.atom")
    for deal in range(4, 30):
        factories.board(seed=deal, number=deal, published_at=NOON, **friday)
    assert queries_of(client, "/boards.atom") == few


def test_a_list_leads_to_its_feed(client: Client) -> None:
    factories.board()
    page = open_page(client, "/boards", q="dealer=north")
    (link,) = page.head(rel="alternate", type="application/atom+xml")
    assert page.links()["Feed of new boards"] == link["href"] == "/boards.atom?q=dealer%3Dnorth"


def test_a_character_that_xml_forbids_costs_nobody_the_feed(client: Client) -> None:
    board = factories.board(title="Nice\x01 squeeze \ufffe")
    collection = store(factories.account(), board, title="A \ufffe lesson", note="d\x01", visibility="public")
    for path in ("/boards.atom", f"/collections/{collection.pk}.atom"):
        assert len(texts(feed(client, path), "title")) == 1


# --- Sitemaps ------------------------------------------------------------------------------------------------


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
    """Store published boards and a draft. Return the published ones' addresses, oldest first."""
    stored = [factories.board() for _ in range(number)]
    factories.board(published=False)
    return [f"/boards/{board.pk}" for board in stored]


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
    for number in ("3", "0", "00", "-1", "9" * 30, "x", ""):
        assert client.get(f"/sitemap-{number}.xml").status_code == 404, number


def test_robots_txt_excludes_admin_and_api_and_names_the_sitemap(client: Client) -> None:
    lines = client.get("/robots.txt").content.decode().splitlines()
    assert lines[0] == "User-agent: *"
    assert {"Disallow: /admin/", "Disallow: /api/", "Allow: /api/boards/", "Allow: /api/docs"} < set(lines)
    assert lines[-1] == f"Sitemap: {SITE}/sitemap.xml"
