"""How an evening travels: its frame and that of a board's tables, its picture, "Share" on its page, and oEmbed."""

from io import BytesIO

import pytest
from django.conf import LazySettings
from django.test import Client
from PIL import Image

from boards.models import Board, Event
from config.values.club import Club
from pages.sharing import pictures as serving
from pages.sharing.evenings import EveningText, text_of_evening
from pages.sharing.picture_drawing import draw_evening
from tests import factories
from tests.boards.events.evenings import SLUG, board, read, table
from tests.pages.documents import Document
from tests.pages.opening import open_page, queries_of, solve
from tests.pages.sharing.test_embed import may_be_framed, weight
from tests.pages.sharing.test_pictures import colours_in
from tests.pages.sharing.test_sharing import BASE, frame_of, oembed

pytestmark = pytest.mark.django_db

PAGE = f"/events/{SLUG}"
TRICKS = dict.fromkeys(("C", "D", "H", "S", "NT"), 7)
HOSTILE = "<script>alert(1)</script> Кубок"


@pytest.fixture(autouse=True)
def _no_pictures_are_kept() -> None:
    serving.picture.cache_clear()


def evening() -> list[Board]:
    """Store three deals: of board 2 both tables made the same, and board 3 has one table. Return board 1's tables."""
    tables = [table(1, 1, "4S", "S", tricks, table=str(number)) for number, tricks in enumerate((10, 8, 11), 1)]
    for number in ("1", "2"):
        table(2, 2, "1NT", "W", 7, table=number)
    table(3, 3, "3NT", "N", 9, table="1")
    return tables


def text() -> EveningText:
    return text_of_evening(read())


# --- Frames ----------------------------------------------------------------------------------------------------------


def test_the_frame_has_the_rows_of_the_page_and_its_links_open_a_tab(client: Client) -> None:
    evening()
    response, page = client.get(f"{PAGE}/embed"), open_page(client, PAGE)
    frame = Document(response)
    assert may_be_framed(response) and not frame.is_indexed() and frame.canonical() == f"{BASE}{PAGE}"
    assert (frame.texts("h1"), frame.texts("td")) == (["Friday pairs"], page.texts("td"))
    assert frame.all("base") == [({"target": "_blank"}, "")] and "Links open a new tab." in frame.html
    assert not [href for href in frame.links().values() if not href.startswith(("/boards/", "/events/"))]
    assert not frame.all("header") and not frame.all("script")
    for path in (f"{PAGE}/embed?side=north", "/events/nothing/embed"):
        assert not may_be_framed(client.get(path)), path
    queries = queries_of(client, f"{PAGE}/embed")
    table(1, 1, "4S", "S", 9, table="4"), table(4, 4, "4S", "S", 9)
    assert queries_of(client, f"{PAGE}/embed") == queries


def test_a_long_evening_is_cut_in_the_frame_which_leads_to_all_boards(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening()
    assert "All 3 boards" not in open_page(client, f"{PAGE}/embed").links()
    monkeypatch.setattr("pages.evenings.frames.DEALS_OF_FRAME", 2)
    frame = open_page(client, f"{PAGE}/embed", table="1")
    assert frame.links()["All 3 boards"] == f"{PAGE}?table=1" and "Board 3" not in frame.links()


def test_the_frame_of_the_tables_has_all_of_them_and_marks_one(client: Client) -> None:
    first, second, _ = evening()
    path = f"/boards/{first.pk}/traveller/embed"
    for query, marked in (("", first), ("?table=2", second), ("?table=9", first)):
        response = client.get(path + query)
        frame = Document(response)
        assert may_be_framed(response) and len(frame.all("tbody")) == 1 and len(frame.all("tr")) == 4, query
        assert frame.texts("tr", **{"class": "here"})[0].startswith(f"Table {marked.table}, this board"), query
        assert frame.canonical() == f"{BASE}/boards/{marked.pk}"
    assert "+450" in frame.html and frame.texts("h1") == ["Board 1 of Friday pairs, 20 November 2026, The club"]
    few = queries_of(client, path)
    table(1, 1, "4S", "S", 9, table="4")
    assert queries_of(client, path) == few


def test_tables_that_are_alone_too_many_or_drafts(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    first, *_ = evening()
    alone = factories.board(number=1)
    monkeypatch.setattr("boards.events.reading.MAX_TABLES", 2)
    for pk in (alone.pk, first.pk):
        response = client.get(f"/boards/{pk}/traveller/embed")
        assert may_be_framed(response) and "No other tables are shown." in response.content.decode()
    first.unpublish()
    assert client.get(f"/boards/{first.pk}/traveller/embed").status_code == 404


def test_the_frames_of_large_evenings_weigh_no_more_than_a_page(client: Client) -> None:
    for deal in range(1, 37):
        table(deal, deal, "4SX", "S", 6, title="<" * 40), table(deal, deal, "4SX", "S", 9, table="2")
    for number in range(3, 51):
        last = table(36, 36, "4SX", "S", 6, table=str(number), pair_ns=str(number), pair_ew=str(number + 50))
    solve(-2220, "EW 7NT", "NS 3C", **TRICKS)
    weights = [weight(open_page(client, path)) for path in (f"{PAGE}/embed", f"/boards/{last.pk}/traveller/embed")]
    assert max(weights) <= 60_000


# --- "Share" and oEmbed ----------------------------------------------------------------------------------------------


def test_the_page_offers_its_address_a_frame_and_a_picture_and_tells_other_sites(client: Client) -> None:
    evening()
    for query, name in (("", ""), ("?table=2", ", Table 2")):
        page = open_page(client, PAGE + query)
        ((field, _),) = page.all("input", id="share-address")
        assert field["value"] == f"{BASE}{PAGE}{query}" and "readonly" in field
        (markup,) = page.texts("textarea", id="share-frame")
        framed = {"src": f"{BASE}{PAGE}/embed{query}", "title": f"Friday pairs, 20 November 2026, The club{name}"}
        assert frame_of(markup).items() >= framed.items()
        picture = f"{BASE}{PAGE}/picture.png"
        assert page.links()[picture] == picture
        said = {found["property"]: found["content"] for found in page.head() if "property" in found}
        assert said["og:image"] == picture and said["og:image:alt"].startswith(framed["title"])
        (link,) = page.head(rel="alternate", type="application/json+oembed")
        answer = client.get(link["href"].removeprefix(BASE)).json()
        assert frame_of(answer["html"]).items() >= framed.items()
        assert (answer["title"], answer["width"], answer["height"]) == (framed["title"], 640, 620)
        assert (answer["thumbnail_url"], answer["thumbnail_height"]) == (picture, 630)


def test_a_board_with_tables_offers_their_frame_unless_it_hides_them(client: Client) -> None:
    first, *_ = evening()
    address = f"{BASE}/boards/{first.pk}"
    (markup,) = open_page(client, f"/boards/{first.pk}").texts("textarea", id="share-tables")
    assert frame_of(markup)["src"] == f"{address}/traveller/embed"
    assert frame_of(oembed(client, f"{address}#traveller").json()["html"]) == frame_of(markup)
    assert not open_page(client, f"/boards/{first.pk}?show=south").all("textarea", id="share-tables")
    for hiding in ("?show=south", "?step=0"):
        html = oembed(client, f"{address}{hiding}#traveller").json()["html"]
        assert frame_of(html)["src"] == f"{address}/embed{hiding}"


def test_oembed_knows_an_event_as_people_paste_it_and_no_other(client: Client) -> None:
    evening()
    Event.objects.create(slug="empty", name="Empty", date="", site="", day="")
    for more in ("", "/", "?page=2&utm_source=x", "#boards", "/?table=1#boards"):
        assert oembed(client, f"{BASE}{PAGE}{more}").status_code == 200, more
    for path in ("/events/nothing", "/events/empty", "/events", f"{PAGE}/embed", f"{PAGE}/results", f"{PAGE}?side=x"):
        assert oembed(client, f"{BASE}{path}").status_code == 404, path
    assert oembed(client, f"https://evil.example{PAGE}").status_code == 404


# --- The picture -----------------------------------------------------------------------------------------------------


def test_the_picture_tells_of_the_deals_whose_tables_differ_most(client: Client, settings: LazySettings) -> None:
    evening()
    solve(420, "NS 4S", **TRICKS)
    said = text()
    assert (said.title, said.club.name) == ("Friday pairs", "Bridge Boards")
    assert said.facts == ("20 November 2026, The club", "3 boards, 6 results")
    assert [deal.name for deal in said.deals] == ["Board 1", "Board 2", "Board 3"]
    assert said.deals[0].facts == (
        ("Best for NS", "+450, 4♠ S"),
        ("Worst for NS", "-100, 4♠ S"),
        ("Par", "+420, 4♠ NS"),
    )
    assert [name for name, _ in said.deals[1].facts] == ["Score of NS", "Par"]
    settings.CLUB = Club("Łódź Bridge")
    assert text().club.name == "Lodz Bridge"
    settings.CLUB = Club("Кубок")
    assert text().club.name == ""


def test_the_picture_is_a_png_that_is_drawn_once_until_a_result_changes(client: Client) -> None:
    evening()
    path = f"{PAGE}/picture.png"
    first = client.get(path)
    assert (first.status_code, first["Content-Type"]) == (200, "image/png")
    assert first["Cache-Control"] == "public, max-age=0, must-revalidate"
    picture = Image.open(BytesIO(first.content))
    assert (picture.format, picture.size) == ("PNG", (1200, 630)) and len(first.content) <= 40_000
    assert client.get(path, headers={"if-none-match": first["ETag"]}).status_code == 304
    assert client.get(path).content == first.content and serving.picture.cache_info().misses == 1
    table(1, 1, "4S", "S", 5, table="4")
    changed = client.get(path)
    assert changed["ETag"] != first["ETag"] and changed.content != first.content
    assert client.get("/events/nothing/picture.png").status_code == 404


def test_nothing_that_an_evening_has_is_drawn_outside_of_its_picture(client: Client, settings: LazySettings) -> None:
    settings.CLUB = Club("W" * 60)
    names = {"event": "W" * 200, "site": "W" * 100}
    for tricks in (0, 13):
        slug = table(1, 99_999, "7NTXX", "S", tricks, **names).event_slug
    solve(-7600, "EW 7NTXX-13", **TRICKS)
    picture = draw_evening(text_of_evening(read(slug)))
    assert len(colours_in(picture, (1175, 20, 1200, 630))) == 1
    hostile = board(1, event=HOSTILE, site=HOSTILE)
    assert text_of_evening(read(hostile.event_slug))._replace(club="") == EveningText(
        "A bridge evening", ("20 November 2026", "1 board"), (), ""
    )
    assert client.get(f"/events/{hostile.event_slug}/picture.png").status_code == 200
