"""What holds for all pages about boards."""

from datetime import date
from itertools import count
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from boards.collections.services import Place, Texts, create_collection
from boards.models import Board, BoardOfTheDay, Collection
from config.api.conditional import etag_of
from config.site.guides import NAMES
from tests import factories
from tests.config.site.documents import Document

pytestmark = pytest.mark.django_db

PUBLIC = "public, max-age=0, must-revalidate"
LABELLED = (
    "/",
    "/boards",
    "/boards/{board}",
    "/boards/{board}?show=north",
    "/boards/{board}?step=3",
    "/practice/{board}?step=99",
    "/themes",
    "/themes/stayman",
    "/collections/{collection}",
)
UNLABELLED = (
    *("/boards/print", "/events", "/events/{event}", "/events/{event}/print", "/events/{event}/results"),
    *("/practice/{board}", "/practice/{board}?step=0&seat=north&said=1C", "/today"),
    *("/collections", "/collections/{collection}/print"),
)
HTML = (*LABELLED, *UNLABELLED)
PATHS = (
    *HTML,
    *("/boards/{board}.txt", "/boards/{board}/embed", "/boards/{board}/embed?step=3"),
    *("/today.atom", "/today/embed", "/collections/{collection}.atom", "/collections/{collection}/embed"),
    "/oembed?url=http://testserver/boards/{board}",
)
READ_ONLY = tuple(path for path in PATHS if not path.startswith("/practice/"))
GUIDES = tuple(f"/api/docs/{name}" for name in NAMES)
FILES = ("/robots.txt", "/sitemap.xml", "/llms.txt", *(f"{path}.md" for path in GUIDES))


@pytest.fixture
def board() -> Board:
    theme = factories.theme("stayman", labels={"en": "Stayman", "fr": "Le Stayman"})
    calls = "1NT Pass 2C Pass 2S Pass 4S Pass Pass Pass"
    texts = {"title": "A title", "event": "Friday pairs", "date": "2026.11.20"}
    board = factories.board(seed=5, calls=calls, tricks=9, themes=(theme,), votes=(2, 1), **texts)
    BoardOfTheDay.objects.create(day=date(2026, 11, 20), board=board)
    collect(board)
    return board


def collect(board: Board) -> None:
    texts = Texts("A lesson", description="About fits.", language="en", visibility="public")
    create_collection(owner=factories.account("teacher"), texts=texts, places=[Place(board.pk, "A note")])


def address(path: str, board: Board) -> str:
    collection = Collection.objects.get().pk if "{collection}" in path else ""
    return path.format(board=board.pk, event=board.event_slug, collection=collection)


@pytest.mark.parametrize("path", [*PATHS, *GUIDES, *FILES])
def test_a_page_may_be_stored_and_revalidated(path: str, board: Board, client: Client) -> None:
    path = address(path, board)
    response = client.get(path)
    assert (response.status_code, response["Cache-Control"]) == (200, PUBLIC)
    assert response["ETag"] == etag_of(response.content)
    assert "Set-Cookie" not in response and "Cookie" not in response.get("Vary", "")
    again = client.get(path, headers={"if-none-match": response["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", response["ETag"])
    assert again["Cache-Control"] == PUBLIC


@pytest.mark.parametrize("path", LABELLED)
def test_the_language_of_labels_follows_the_reader(path: str, board: Board, client: Client) -> None:
    path = address(path, board)
    english, french = (client.get(path, headers={"accept-language": it}) for it in ("de", "fr-CA, en;q=0.5"))
    assert "Accept-Language" in english["Vary"] and "Accept-Language" in french["Vary"]
    assert "Le Stayman" not in english.content.decode()
    assert ({"lang": "fr"}, "Le Stayman") in [
        ({"lang": found.get("lang", "")}, text) for tag in ("a", "option") for found, text in Document(french).all(tag)
    ]
    assert english["ETag"] != french["ETag"]


@pytest.mark.parametrize("path", [*HTML, *GUIDES])
def test_a_page_is_well_formed_and_says_what_it_is(path: str, board: Board, client: Client) -> None:
    page = Document(client.get(address(path, board)))
    assert len(page.texts("h1")) == len(page.texts("title")) == 1
    assert page.canonical() == "http://testserver" + address(path, board).partition("?")[0]
    properties = {found["property"]: found["content"] for found in page.head() if "property" in found}
    assert properties["og:title"] and properties["og:description"]
    assert properties["og:url"] == page.canonical()
    assert page.is_indexed() is not any(name in path for name in ("show", "step", "practice", "print", "results"))
    ids = [found["id"] for _, found, _ in page.elements if "id" in found]
    assert len(ids) == len(set(ids))
    scripts = {found["src"] for found, _ in page.all("script")}
    assert scripts == ({"/static/boards/stepping.js"} if "step" in path or "practice" in path else set())
    assert not [found for _, found, _ in page.elements if "style" in found]


@pytest.mark.parametrize("path", [*READ_ONLY, *GUIDES[:1], *FILES[:4]])
@pytest.mark.parametrize("method", ["HEAD", "OPTIONS", "POST", "PUT", "DELETE"])
def test_a_page_takes_no_method_but_reads(path: str, method: str, board: Board) -> None:
    response = Client(enforce_csrf_checks=True).generic(method, address(path, board))
    if method in ("HEAD", "OPTIONS"):
        assert (response.status_code, response.content) == (200, b"")
    else:
        assert (response.status_code, response["Allow"]) == (405, "GET, HEAD, OPTIONS")
    assert Board.objects.filter(pk=board.pk).exists()


@pytest.mark.parametrize("path", [path for path in (*PATHS, *GUIDES) if "?" not in path])
def test_a_trailing_slash_is_the_same_page(path: str, board: Board, client: Client) -> None:
    path = address(path, board)
    if path != "/":
        assert client.get(path + "/").content == client.get(path).content


HOSTILE = ["%00", "a%00b", "%ff", "%ed%a0%80", "'\"><script>", "%F0%9F%82%A1", "1" * 400, "..%2f", "%c0%80"]


@pytest.mark.parametrize("text", HOSTILE)
def test_no_address_crashes_a_page(text: str, board: Board, client: Client) -> None:
    paths = [
        f"/events/{text}",
        f"/boards/{text}",
        f"/boards/{text}.txt",
        f"/boards/{text}.png",
        f"/boards/{text}/embed",
        f"/oembed?url=http://testserver/boards/{text}",
        f"/boards/{board.pk}{text}",
        f"/sitemap-{text}.xml",
    ]
    paths += [f"/api/docs/{text}", f"/api/docs/{text}.md", f"/api/docs/tokens{text}"]
    paths += [f"{address(path, board)}{'&' if '?' in path else '?'}{text}={text}" for path in (*PATHS, GUIDES[0])]
    paths += [f"/themes/{text}", f"/themes/{text}/stayman", f"/themes/convention/{text}"]
    for path in paths:
        response = client.get(path)
        assert response.status_code in (200, 302, 400, 404), path
        assert "<script>" not in response.content.decode()


@pytest.mark.parametrize("header", ["\x00", "x" * 5000, "fr;q=é", "*", ",,,", "fr;q=9"])
def test_no_accept_language_crashes_a_page(header: str, board: Board, client: Client) -> None:
    for path in HTML:
        response = client.get(address(path, board), headers={"accept-language": header})
        assert response.status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "/events/nothing",
        "/events?page=2",
        "/boards/nothing",
        f"/boards/{factories.NOBODYS_ID}",
        "/boards/1/2",
        "/themes/nothing",
        f"/themes/{factories.NOBODYS_ID}",
        "/themes/nothing/nothing",
        "/themes/1/2/3",
        "/nothing",
    ],
)
def test_an_unknown_address_is_a_page_that_says_so(path: str, client: Client) -> None:
    response = client.get(path)
    assert (response.status_code, response["Content-Type"]) == (404, "text/html; charset=utf-8")
    assert Document(response).texts("h1") == ["There is no such page"]


@pytest.mark.parametrize("path", HTML)
def test_more_rows_take_no_more_queries(path: str, board: Board, client: Client) -> None:
    system, numbers = factories.auction_system(), count()

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert client.get(address(path, board)).status_code == 200
        return len(captured)

    def fill(rows: int) -> None:
        for _ in range(rows):
            themes = (*board.themes.all(), factories.theme(), factories.theme())
            values = {"auction_system": system, "themes": themes, "votes": (3, 1)}
            factories.board(calls="1NT Pass Pass Pass", event="Friday pairs", date="2026.11.20", **values)
            factories.board(event=f"Event {next(numbers)}")

    fill(2)
    few = queries()
    fill(15)
    assert queries() == few


@pytest.mark.parametrize("path", [*HTML, *GUIDES])
def test_a_page_with_its_styles_weighs_at_most_sixty_kilobytes(path: str, client: Client, reference_data: None) -> None:
    call_command("load_demonstration", verbosity=0)
    board = max(Board.objects.exclude(event=""), key=lambda board: len(board.auction or ()))
    collect(board)
    page = Document(client.get(address(path, board)))
    files = [found["href"] for found in page.head(rel="stylesheet")]
    files += [found["src"] for found, _ in page.all("script")]
    assert len(page.html.encode()) + sum(map(size_of, files)) <= 60_000


def size_of(static: str) -> int:
    return Path(finders.find(static.removeprefix("/static/"))).stat().st_size
