"""How a board travels: "Share" on its page, what its head tells other sites, and oEmbed."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from boards.models import Board
from tests import factories
from tests.boards.pages.test_board_page import logged_in, page_of
from tests.config.site.documents import Document

pytestmark = pytest.mark.django_db

BASE = "http://testserver"
CALLS = "1NT Pass 3NT Pass Pass Pass"


@pytest.fixture(scope="module")
def board(rows_of_module: None) -> Board:
    return factories.board(seed=5, number=7, calls=CALLS, tricks=9, title='A "title" & more')


def oembed(client: Client, url: str, **more: Any) -> Any:
    return client.get("/oembed", {"url": url, **more})


def frame_of(markup: str) -> dict[str, str]:
    class Answer:
        content = markup.encode()

    ((attributes, _),) = Document(Answer()).all("iframe")
    return attributes


# --- On the board's page -------------------------------------------------------------------------------------


def test_the_page_offers_its_address_a_frame_and_a_picture(client: Client, board: Board) -> None:
    page = page_of(client, board)
    address = f"{BASE}/boards/{board.pk}"
    assert "Share" in page.texts("summary")
    ((field, _),) = page.all("input", id="share-address")
    assert field["value"] == address and "readonly" in field
    (text,) = page.texts("textarea", id="share-frame")
    frame = frame_of(text)
    assert (frame["src"], frame["title"]) == (f"{address}/embed", 'A "title" & more')
    assert page.links()[f"{address}.png"] == f"{address}.png"
    labelled = {found["for"] for found, _ in page.all("label")}
    assert {"share-address", "share-frame"} <= labelled


def test_a_page_with_hidden_hands_is_shared_as_it_is_and_has_no_picture(client: Client, board: Board) -> None:
    page = page_of(client, board, "?show=south&step=2")
    ((field, _),) = page.all("input", id="share-address")
    assert field["value"] == f"{BASE}/boards/{board.pk}?show=south&step=2"
    (text,) = page.texts("textarea", id="share-frame")
    assert frame_of(text)["src"] == f"{BASE}/boards/{board.pk}/embed?show=south&step=2"
    assert ".png" not in page.html
    ((field, _),) = page_of(client, board, "?step=end").all("input", id="share-address")
    assert field["value"].endswith("?step=end")


def test_a_draft_is_not_shared(client: Client) -> None:
    draft = factories.board(published=False, owner=factories.account("owner"))
    page = page_of(logged_in(draft.owner), draft)
    assert "Share" not in page.texts("summary")
    assert "oembed" not in page.html and "og:image" not in page.html


def test_the_head_has_a_picture_with_its_size_and_what_it_shows(client: Client, board: Board) -> None:
    page = page_of(client, board)
    said = {found["property"]: found["content"] for found in page.head() if "property" in found}
    assert said["og:image"] == f"{BASE}/boards/{board.pk}.png"
    assert (said["og:image:width"], said["og:image:height"]) == ("1200", "630")
    assert said["og:image:alt"] == "Board 7: dealer South, both sides vulnerable, with its four hands"
    assert said["og:title"] == 'A "title" & more'
    assert said["og:description"] == "Board 7: dealer South, both sides vulnerable"
    assert page.head(name="twitter:card")[0]["content"] == "summary_large_image"


def test_a_link_to_practice_gives_nothing_away(client: Client, board: Board) -> None:
    for query in ("", "?step=3", "?seat=east"):
        page = Document(client.get(f"/practice/{board.pk}{query}"))
        said = " ".join(found["content"] for found in page.head() if "content" in found)
        secrets = ("title", "no trump", "3NT", "North-South", "made", ".png")
        assert [secret for secret in secrets if secret in said] == [], query
        assert "oembed" not in page.html and ".png" not in page.html, query


def test_no_list_shows_or_loads_pictures(client: Client) -> None:
    board = factories.board(event="Friday pairs", themes=(factories.theme("stayman"),))
    for path in ("/", "/boards", "/themes/stayman", f"/events/{board.event_slug}", "/boards/print"):
        response = client.get(path)
        assert response.status_code == 200, path
        assert ".png" not in response.content.decode(), path


# --- oEmbed --------------------------------------------------------------------------------------------------


def test_the_page_leads_to_the_answer_that_shows_it(client: Client, board: Board) -> None:
    (link,) = page_of(client, board).head(rel="alternate", type="application/json+oembed")
    assert link["href"].startswith(f"{BASE}/oembed?")
    query = parse_qs(urlsplit(link["href"]).query)
    assert query == {"url": [f"{BASE}/boards/{board.pk}"], "format": ["json"]}
    response = client.get(link["href"].removeprefix(BASE))
    assert (response.status_code, response["Content-Type"]) == (200, "application/json")
    answer = response.json()
    html = answer.pop("html")
    assert answer == {
        "type": "rich",
        "version": "1.0",
        "title": 'A "title" & more',
        "provider_name": "Bridge Boards",
        "provider_url": f"{BASE}/",
        "cache_age": 86400,
        "width": 640,
        "height": 620,
        "thumbnail_url": f"{BASE}/boards/{board.pk}.png",
        "thumbnail_width": 1200,
        "thumbnail_height": 630,
    }
    frame = frame_of(html)
    assert (frame["src"], frame["width"], frame["height"]) == (f"{BASE}/boards/{board.pk}/embed", "640", "620")
    assert frame["title"] == 'A "title" & more'


def test_nothing_is_larger_than_the_site_allows(client: Client, board: Board) -> None:
    answer = oembed(client, f"{BASE}/boards/{board.pk}", maxwidth=320, maxheight=1000).json()
    assert (answer["width"], answer["height"]) == (320, 620)
    assert 'width="320" height="620"' in answer["html"]
    assert "thumbnail_url" not in answer
    answer = oembed(client, f"{BASE}/boards/{board.pk}", maxwidth=1200, maxheight=630).json()
    assert answer["thumbnail_width"] == 1200


def test_a_step_or_hidden_hands_of_the_address_are_those_of_the_frame(client: Client, board: Board) -> None:
    for query in ("?show=south", "?step=3", "?show=north%2Csouth&step=end"):
        page = page_of(client, board, query)
        (link,) = page.head(rel="alternate", type="application/json+oembed")
        answer = client.get(link["href"].removeprefix(BASE)).json()
        assert frame_of(answer["html"])["src"] == f"{BASE}/boards/{board.pk}/embed{query}"
        assert "thumbnail_url" not in answer


def test_addresses_as_people_paste_them_are_known(client: Client, board: Board) -> None:
    for more in ("", "/", "?utm_source=x", "#auction", "/?step=1#next"):
        for pk in (str(board.pk), str(board.pk).upper()):
            assert oembed(client, f"{BASE}/boards/{pk}{more}").status_code == 200, more


def test_other_addresses_are_not_found(client: Client, board: Board) -> None:
    draft = factories.board(published=False)
    for url in (
        "nothing",
        f"/boards/{board.pk}",
        f"https://evil.example/boards/{board.pk}",
        f"{BASE}.evil.example/boards/{board.pk}",
        f"{BASE}@evil.example/boards/{board.pk}",
        f"{BASE}/boards/{draft.pk}",
        f"{BASE}/boards/{factories.NOBODYS_ID}",
        f"{BASE}/boards/{board.pk}.png",
        f"{BASE}/boards/{board.pk}/embed",
        f"{BASE}/practice/{board.pk}",
        f"{BASE}/boards/{board.pk}?step=x",
        f"{BASE}/boards/{board.pk}?step=1&step=2",
        f"{BASE}/boards",
        f"{BASE}/boards/{board.pk}\n/",
    ):
        response = oembed(client, url)
        assert (response.status_code, response.json()["code"]) == (404, "not_found"), url
        assert "evil" not in response.content.decode()


def test_a_wrong_query_is_an_error_that_names_the_parameter(client: Client) -> None:
    for query, field in (
        ("", "url"),
        ("url=", "url"),
        ("url=x&format=yaml", "format"),
        ("url=x&maxwidth=0", "maxwidth"),
        ("url=x&maxheight=ten", "maxheight"),
        ("url=x&url=y", "url"),
    ):
        response = client.get(f"/oembed?{query}")
        assert (response.status_code, response["Content-Type"]) == (400, "application/json"), query
        assert response.json()["code"] == "validation_error"
        assert set(response.json()["meta"]["fields"]) == {field}


def test_every_error_is_json(client: Client) -> None:
    response = oembed(client, "x", format="xml")
    assert (response.status_code, response.json()["code"]) == (501, "not_implemented")
    response = client.post("/oembed")
    assert (response.status_code, response["Allow"]) == (405, "GET, HEAD, OPTIONS")
    assert response.json()["code"] == "method_not_allowed"
