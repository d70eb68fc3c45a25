"""What holds for all pages about boards."""

from collections.abc import Iterator
from datetime import date
from itertools import count, product
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from boards.collections.services import CollectionEntry, Texts, create_collection
from boards.models import Board, BoardOfTheDay, Collection
from config.api.conditional import etag_of
from pages.site.guides import NAMES
from tests import factories
from tests.boards.events.evenings import table
from tests.boards.events.test_evening import PAGE, SHEET, solve
from tests.members import signed_in
from tests.pages.documents import Document
from tests.system.readers import make_world

pytestmark = pytest.mark.django_db

PUBLIC = "public, max-age=0, must-revalidate"
LABELLED = (
    *("/", "/boards", "/boards/{board}", "/boards/{board}?show=north", "/boards/{board}?step=3"),
    *("/practice/{board}?step=99", "/themes", "/themes/stayman", "/collections/{collection}"),
)
HTML = (
    *LABELLED,
    *("/boards/print", "/events", "/events/{event}", "/events/{event}/print", "/events/{event}/results"),
    "/events/{event}/ranking",
    *("/practice/{board}", "/practice/{board}?step=0&seat=north&said=1C", "/today"),
    *("/collections", "/collections/{collection}/print", "/lessons/{collection}/hand-out", "/class"),
)
PATHS = (
    *HTML,
    *("/boards/{board}.txt", "/boards/{board}/embed", "/boards/{board}/embed?step=3"),
    *("/today.atom", "/today/embed", "/collections/{collection}.atom", "/collections/{collection}/embed"),
    *(
        "/events/{event}?table=9",
        "/events/{event}/our",
        "/events/{event}/embed",
        "/boards/{board}/traveller/embed?pair=3",
    ),
    *("/oembed?url=http://testserver/boards/{board}", "/oembed?url=http://testserver/events/{event}"),
)
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
    create_collection(owner=factories.account("teacher"), texts=texts, places=[CollectionEntry(board.pk, "A note")])


def addresses(board: Board, *paths: str) -> Iterator[str]:
    collection = Collection.objects.get().pk
    for path in paths:
        yield path.format(board=board.pk, event=board.event_slug, collection=collection)


def test_a_page_may_be_stored_and_revalidated_with_or_without_a_trailing_slash(board: Board, client: Client) -> None:
    for path in addresses(board, *PATHS, *GUIDES, *FILES):
        response = client.get(path)
        assert (response.status_code, response["Cache-Control"]) == (200, PUBLIC), path
        assert response["ETag"] == etag_of(response.content), path
        assert "Set-Cookie" not in response and "Cookie" not in response.get("Vary", ""), path
        again = client.get(path, headers={"if-none-match": response["ETag"]})
        assert (again.status_code, again.content, again["ETag"]) == (304, b"", response["ETag"]), path
        assert again["Cache-Control"] == PUBLIC, path
        if "?" not in path and path not in ("/", *FILES):
            assert client.get(f"{path}/").content == response.content, path


def test_the_language_of_labels_follows_the_reader(board: Board, client: Client) -> None:
    for path in addresses(board, *LABELLED):
        english, french = (client.get(path, headers={"accept-language": it}) for it in ("de", "fr-CA, en;q=0.5"))
        assert "Accept-Language" in english["Vary"] and "Accept-Language" in french["Vary"], path
        assert "Le Stayman" not in english.content.decode(), path
        found = [each for tag in ("a", "option") for each in Document(french).all(tag)]
        assert ("fr", "Le Stayman") in [(attributes.get("lang", ""), text) for attributes, text in found], path
        assert english["ETag"] != french["ETag"], path


def test_a_page_is_well_formed_and_says_what_it_is(board: Board, client: Client) -> None:
    for path in addresses(board, *HTML, *GUIDES):
        page = Document(client.get(path))
        assert len(page.texts("h1")) == len(page.texts("title")) == 1, path
        assert page.canonical() == "http://testserver" + path.partition("?")[0]
        properties = {found["property"]: found["content"] for found in page.head() if "property" in found}
        assert properties["og:title"] and properties["og:description"], path
        assert properties["og:url"] == page.canonical()
        hidden = any(name in path for name in ("show", "step", "practice", "print", "results", "hand-out", "class"))
        assert page.is_indexed() is not hidden, path
        ids = [found["id"] for _, found, _ in page.elements if "id" in found]
        assert len(ids) == len(set(ids)), path
        scripts = {found["src"] for found, _ in page.all("script")}
        steps = {"/static/site/steps.js"} if "step" in path or "practice" in path else set()
        is_shared = any(found["id"].startswith("share-") for _, found, _ in page.elements if "id" in found)
        assert scripts == steps | ({"/static/site/share.js"} if is_shared else set()), path
        assert not [found for _, found, _ in page.elements if "style" in found], path


def test_a_page_takes_no_method_but_reads(board: Board) -> None:
    client = Client(enforce_csrf_checks=True)
    read_only = [path for path in PATHS if not path.startswith("/practice/")]
    for path, method in product(
        addresses(board, *read_only, *GUIDES[:1], *FILES[:4]), ("HEAD", "OPTIONS", "POST", "PUT", "DELETE")
    ):
        response = client.generic(method, path)
        if method in ("HEAD", "OPTIONS"):
            assert (response.status_code, response.content) == (200, b""), (method, path)
        else:
            assert (response.status_code, response["Allow"]) == (405, "GET, HEAD, OPTIONS"), (method, path)
    assert Board.objects.filter(pk=board.pk).exists()


def test_names_of_links_and_buttons_begin_with_the_words_that_one_sees() -> None:
    world = make_world()
    checked = 0
    for client, path in product((Client(), signed_in(world.ann.account)), world.pages()):
        response = client.get(path)
        if response.status_code == 200 and response["Content-Type"].startswith("text/html"):
            assert Document(response).mislabelled() == [], path
            checked += 1
    assert checked > 50


HOSTILE = ("%00", "a%00b", "%ff", "%ed%a0%80", "'\"><script>", "%F0%9F%82%A1", "1" * 400, "..%2f", "%c0%80")
WITH_TEXT = (
    *("/events/{0}", "/boards/{0}", "/boards/{0}.txt", "/boards/{0}.png", "/boards/{0}/embed", "/boards/{1}{0}"),
    *("/events/{0}/embed", "/events/{0}/picture.png", "/boards/{0}/traveller/embed", "/boards/{1}/traveller/{0}"),
    *("/oembed?url=http://testserver/boards/{0}", "/oembed?url=http://testserver/events/{0}", "/sitemap-{0}.xml"),
    *("/api/docs/{0}", "/api/docs/{0}.md", "/api/docs/tokens{0}"),
    *("/themes/{0}", "/themes/{0}/stayman", "/themes/convention/{0}"),
)


def test_no_address_and_no_accept_language_crashes_a_page(board: Board, client: Client) -> None:
    for text in HOSTILE:
        paths = [path.format(text, board.pk) for path in WITH_TEXT]
        paths += [f"{path}{'&' if '?' in path else '?'}{text}={text}" for path in addresses(board, *PATHS, GUIDES[0])]
        for path in paths:
            response = client.get(path)
            assert response.status_code in (200, 302, 400, 404), path
            assert "<script>" not in response.content.decode(), path
    for header, path in product(("\x00", "x" * 5000, "fr;q=é", "*", ",,,", "fr;q=9"), addresses(board, *HTML)):
        assert client.get(path, headers={"accept-language": header}).status_code == 200, (header, path)


def test_an_unknown_address_is_a_page_that_says_so(client: Client) -> None:
    nobody = factories.NOBODYS_ID
    for path in (
        *("/events/nothing", "/events?page=2", "/boards/nothing", f"/boards/{nobody}", "/boards/1/2", "/nothing"),
        *("/themes/nothing", f"/themes/{nobody}", "/themes/nothing/nothing", "/themes/1/2/3"),
    ):
        response = client.get(path)
        assert (response.status_code, response["Content-Type"]) == (404, "text/html; charset=utf-8"), path
        assert Document(response).texts("h1") == ["There is no such page"], path


def test_more_rows_take_no_more_queries(board: Board, client: Client) -> None:
    system, numbers = factories.auction_system(), count()

    def queries() -> dict[str, int]:
        made = {}
        for path in addresses(board, *HTML):
            with CaptureQueriesContext(connection) as captured:
                assert client.get(path).status_code == 200
            made[path] = len(captured)
        return made

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


# --- Weight ----------------------------------------------------------------------------------------------------------


MAX_PAGE, MAX_SHEET = 60_000, 85_000
"""Bytes of a page with its styles, before they are compressed, and of one for paper with 36 deals."""


def check_weight(client: Client, path: str) -> None:
    response = client.get(path)
    assert response.status_code == 200, path
    page = Document(response)
    files = [found["href"] for found in page.head(rel="stylesheet")]
    files += [found["src"] for found, _ in page.all("script")]
    assert len(page.html.encode()) + sum(map(size_of, files)) <= (
        MAX_SHEET if "Print this page" in page.html else MAX_PAGE
    ), path


def size_of(static: str) -> int:
    return Path(finders.find(static.removeprefix("/static/"))).stat().st_size


def test_a_page_with_its_styles_weighs_at_most_sixty_kilobytes(client: Client, reference_data: None) -> None:
    call_command("load_demonstration", verbosity=0)
    board = max(Board.objects.exclude(event=""), key=lambda board: len(board.auction or ()))
    collect(board)
    for path in addresses(board, *HTML, *GUIDES):
        check_weight(client, path)


def test_so_does_each_page_of_an_evening_of_thirty_tables(client: Client) -> None:
    teams = [f"Team of the town number {number}" for number in range(30)]
    for number in range(1, 33):
        for home, visit in zip(teams, [*teams[1::2], *teams[::2]], strict=True):
            tricks = 8 + (number + len(home)) % 4
            table(number, number, "4HX", "NESW"[number % 4], tricks, home_team=home, visit_team=visit, table=home)
    solve(**{name: ["NS 4SX-1", "EW 5H"] for name in ("None", "NS", "EW", "All")})
    for path in (PAGE, SHEET, f"{SHEET}?page=2"):
        check_weight(client, path)
