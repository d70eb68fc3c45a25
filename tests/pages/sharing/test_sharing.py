"""How a board travels: "Share" on its page, what its head tells other sites, and oEmbed."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.http import HttpResponse
from django.test import Client

from boards.models import Board
from tests import factories
from tests.pages.documents import Document
from tests.pages.opening import CALLS, open_page, page_of

pytestmark = pytest.mark.django_db

BASE = "http://testserver"
TITLE = 'A "title" & more'


@pytest.fixture(scope="module")
def board(rows_of_module: None) -> Board:
    return factories.board(seed=5, number=7, calls=CALLS, tricks=9, title=TITLE)


def oembed(client: Client, url: str, **more: Any) -> Any:
    return client.get("/oembed", {"url": url, **more})


def frame_of(markup: str) -> dict[str, str]:
    ((attributes, _),) = Document(HttpResponse(markup)).all("iframe")
    return attributes


def test_the_page_offers_its_address_a_frame_and_a_picture(client: Client, board: Board) -> None:
    page = page_of(client, board)
    address = f"{BASE}/boards/{board.pk}"
    assert "Share" in page.texts("summary")
    ((field, _),) = page.all("input", id="share-address")
    assert field["value"] == address and "readonly" in field
    (text,) = page.texts("textarea", id="share-frame")
    frame = frame_of(text)
    assert (frame["src"], frame["title"]) == (f"{address}/embed", TITLE)
    assert page.links()[f"{address}.png"] == f"{address}.png"
    assert {"share-address", "share-frame"} <= {found["for"] for found, _ in page.all("label")}


def test_a_step_or_hidden_hands_are_shared_as_they_are_and_have_no_picture(client: Client, board: Board) -> None:
    for query in ("show=south&step=2", "show=south", "step=3", "show=north%2Csouth&step=end"):
        page = page_of(client, board, f"?{query}")
        ((field, _),) = page.all("input", id="share-address")
        assert field["value"] == f"{BASE}/boards/{board.pk}?{query}"
        (link,) = page.head(rel="alternate", type="application/json+oembed")
        answer = client.get(link["href"].removeprefix(BASE)).json()
        for markup in (answer["html"], *page.texts("textarea", id="share-frame")):
            assert frame_of(markup)["src"] == f"{BASE}/boards/{board.pk}/embed?{query}"
        assert ".png" not in page.html and "thumbnail_url" not in answer, query


def test_the_head_has_a_picture_with_its_size_and_what_it_shows(client: Client, board: Board) -> None:
    page = page_of(client, board)
    said = {found["property"]: found["content"] for found in page.head() if "property" in found}
    assert said["og:image"] == f"{BASE}/boards/{board.pk}.png"
    assert (said["og:image:width"], said["og:image:height"]) == ("1200", "630")
    assert said["og:image:alt"] == "Board 7: dealer South, both sides vulnerable, with its four hands"
    assert (said["og:title"], said["og:description"]) == (TITLE, "Board 7: dealer South, both sides vulnerable")
    assert page.head(name="twitter:card")[0]["content"] == "summary_large_image"


def test_no_list_shows_or_loads_pictures(client: Client) -> None:
    board = factories.board(event="Friday pairs", themes=(factories.theme("stayman"),))
    for path in ("/", "/boards", "/themes/stayman", "/events", "/boards/print"):
        assert ".png" not in open_page(client, path).html, path
    images = open_page(client, f"/events/{board.event_slug}").all("img")
    assert [found["class"] for found, _ in images] == ["mark"]


def test_the_page_leads_to_the_answer_that_shows_it_no_larger_than_a_site_allows(client: Client, board: Board) -> None:
    address = f"{BASE}/boards/{board.pk}"
    (link,) = page_of(client, board).head(rel="alternate", type="application/json+oembed")
    assert link["href"].startswith(f"{BASE}/oembed?")
    assert parse_qs(urlsplit(link["href"]).query) == {"url": [address], "format": ["json"]}
    response = client.get(link["href"].removeprefix(BASE))
    assert (response.status_code, response["Content-Type"]) == (200, "application/json")
    answer = response.json()
    frame = frame_of(answer.pop("html"))
    thumbnail = {"thumbnail_url": f"{address}.png", "thumbnail_width": 1200, "thumbnail_height": 630}
    provider = {"provider_name": "Bridge Boards", "provider_url": f"{BASE}/", "cache_age": 86400}
    shown = {"type": "rich", "version": "1.0", "title": TITLE, "width": 640, "height": 620}
    assert answer == shown | provider | thumbnail
    expected = {"src": f"{address}/embed", "title": TITLE, "width": "640", "height": "620"}
    assert frame.items() >= expected.items()
    smaller = oembed(client, address, maxwidth=320, maxheight=1000).json()
    assert (smaller["width"], smaller["height"], "thumbnail_url" in smaller) == (320, 620, False)
    assert 'width="320" height="620"' in smaller["html"]
    assert oembed(client, address, maxwidth=1200, maxheight=630).json()["thumbnail_width"] == 1200


def test_addresses_as_people_paste_them_are_known_and_others_are_not_found(client: Client, board: Board) -> None:
    for more in ("", "/", "?utm_source=x", "#auction", "/?step=1#next"):
        for pk in (str(board.pk), str(board.pk).upper()):
            assert oembed(client, f"{BASE}/boards/{pk}{more}").status_code == 200, more
    path, draft = f"/boards/{board.pk}", factories.board(published=False)
    foreign = (path, f"https://evil.example{path}", f"{BASE}.evil.example{path}", f"{BASE}@evil.example{path}")
    unknown = (f"/boards/{draft.pk}", f"/boards/{factories.NOBODYS_ID}", f"/practice/{board.pk}", "/boards")
    other = [f"{path}{end}" for end in (".png", "/embed", "?step=x", "?step=1&step=2", "\n/")]
    for url in ("nothing", *foreign, *(f"{BASE}{each}" for each in (*unknown, *other))):
        response = oembed(client, url)
        assert (response.status_code, response.json()["code"]) == (404, "not_found"), url
        assert "evil" not in response.content.decode()


def test_every_error_is_json_and_names_the_parameter(client: Client) -> None:
    for query, field in (
        *(("", "url"), ("url=", "url"), ("url=x&url=y", "url"), ("url=x&format=yaml", "format")),
        *(("url=x&maxwidth=0", "maxwidth"), ("url=x&maxheight=ten", "maxheight")),
    ):
        response = client.get(f"/oembed?{query}")
        assert (response.status_code, response["Content-Type"]) == (400, "application/json"), query
        assert response.json()["code"] == "validation_error"
        assert set(response.json()["meta"]["fields"]) == {field}
    response = oembed(client, "x", format="xml")
    assert (response.status_code, response.json()["code"]) == (501, "not_implemented")
    response = client.post("/oembed")
    assert (response.status_code, response["Allow"]) == (405, "GET, HEAD, OPTIONS")
    assert response.json()["code"] == "method_not_allowed"
