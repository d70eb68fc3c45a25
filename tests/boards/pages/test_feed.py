"""GET /boards.atom: the newest boards of a search, for feed readers."""

from datetime import UTC, datetime, timedelta
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from django.test import Client

from boards.pages import feed as pages
from tests import factories
from tests.boards.collections.stored import store
from tests.boards.pages.opening import open_page

pytestmark = pytest.mark.django_db

ATOM = "{http://www.w3.org/2005/Atom}"
NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)


def feed(client: Client, path: str = "/boards.atom", **query: str) -> ET.Element:
    response = client.get(path, query)
    assert (response.status_code, response["Content-Type"]) == (200, "application/atom+xml; charset=utf-8")
    return ET.fromstring(response.content)


def texts(root: ET.Element, name: str) -> list[Any]:
    return [element.text for element in root.findall(f"{ATOM}entry/{ATOM}{name}")]


def test_the_newest_boards_of_a_search_come_first(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    assert pages.NEWEST == {"page": 1, "pageSize": 30}
    monkeypatch.setitem(pages.NEWEST, "pageSize", 3)
    theme = factories.theme("stayman")
    for age in range(4):
        factories.board(title=f"Aged {age} & <b>", published_at=NOON - timedelta(days=age), themes=(theme,))
    board = factories.board(title="Another", number=2)
    factories.board(title="A draft", published=False)
    root = feed(client)
    assert texts(root, "title") == ["Another", "Aged 0 & <b>", "Aged 1 & <b>"]
    assert texts(root, "id")[0] == f"urn:uuid:{board.pk}"
    root = feed(client, theme="stayman", q="dealer=north", sort="top")
    assert texts(root, "title")[0] == "Aged 0 & <b>"
    assert texts(root, "published")[0] == "2026-11-22T12:00:00+00:00"
    assert root.findtext(f"{ATOM}title") == "Bridge boards: theme stayman, dealer=north"
    links = {link.get("rel"): link.get("href") for link in root.findall(f"{ATOM}link")}
    assert links["self"].endswith("/boards.atom?theme=stayman&q=dealer%3Dnorth")
    assert root.findtext(f"{ATOM}author/{ATOM}name") == "Bridge Boards"
    assert texts(feed(client, q="level=7"), "title") == []
    assert client.get("/boards.atom?q=levl=7").status_code == 400


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
