"""What the settings of the club change: its name in every place, its mark, colours, links, imprint and icons."""

from html import escape
from io import BytesIO
from typing import Any
from xml.etree import ElementTree

import pytest
from django.core import mail
from django.test import Client
from PIL import Image

from boards.models import Board
from config.values.club import Club, Link, read_club
from config.values.marks import make_mark
from forms.models import Submission
from forms.tasks import announce, make_mail
from pages.sharing.installing import short_name_of
from pages.sharing.picture_drawing import draw_icon, draw_picture
from pages.sharing.sharing import text_of
from pages.site.club import A_YEAR, MARK_POLICY
from tests import factories
from tests.config.values.test_club import SVG, png
from tests.forms.bodies import CONTACT
from tests.pages.opening import logged_in, open_page
from tests.routes import plain_pages

pytestmark = pytest.mark.django_db

ATOM = "{http://www.w3.org/2005/Atom}"
NAME = "Linden & Söhne Bridge"
WELCOME = "Friends at four.\nEvery <Friday>."
WEBSITE = Link("Our website", "https://linden.example/?a=b&c=d")
LINDEN = Club(NAME, make_mark(SVG("", "").encode()), "#12305a", "#0b2244", WELCOME, (WEBSITE,), "Linden e.V.\nMain St")


@pytest.fixture
def linden(settings: Any) -> Club:
    settings.CLUB = LINDEN
    return LINDEN


@pytest.fixture
def board() -> Board:
    return factories.board(seed=5, event="Friday pairs", date="2026.11.20", title="A title")


def places_of(board: Board) -> dict[str, str]:
    """Return what each place has that names who runs the service, but for plain pages."""
    guest, staff = Client(), logged_in(factories.account(role="admin"))
    places = {
        path: guest.get(path).content.decode()
        for path in (
            *(f"/boards/{board.pk}", f"/boards/{board.pk}/embed", f"/events/{board.event_slug}", "/nothing"),
            *("/boards.atom", "/today.atom", f"/oembed?url=http://testserver/boards/{board.pk}", "/admin/login/"),
            *(f"/events/{board.event_slug}/print", f"/events/{board.event_slug}/results"),
        )
    }
    places["/admin/"] = staff.get("/admin/").content.decode()
    submission = Submission.objects.create(form="contact", data=CONTACT)
    announce.call(str(submission.pk))
    places |= {"mail": str(mail.outbox.pop().subject), "copy": str(make_mail(submission).subject)}
    return places


def test_every_place_says_the_name_of_the_club_and_none_another(linden: Club, board: Board, settings: Any) -> None:
    settings.FORM_MAIL_TO = ["club@example.org"]
    client = Client()
    pages = {path: response for path in plain_pages() if (response := client.get(path)).status_code == 200}
    whole = {"/", "/boards", "/boards/print", "/events", "/forms", "/imprint", "/manifest.webmanifest", "/signed-out"}
    unnamed = {"/apple-touch-icon.png", "/boards.atom", "/club/colours.css", "/llms.txt", "/robots.txt", "/sitemap.xml"}
    pages["/signed-out"] = client.get("/signed-out")
    places = {path: response.content.decode() for path, response in pages.items() if path not in unnamed}
    assert whole <= places.keys()
    for place, text in (places | places_of(board)).items():
        assert NAME in text or escape(NAME) in text, place
        assert "Bridge Boards" not in text, place


def test_a_page_says_it_in_its_title_band_head_and_footer(linden: Club, client: Client, board: Board) -> None:
    page = open_page(client, "/")
    assert (page.texts("title"), page.texts("a", **{"class": "brand"})) == ([NAME], [NAME])
    assert page.texts("p", **{"class": "lead"})[0] == "Friends at four.Every <Friday>."
    said = {found.get("property", found.get("name")): found.get("content") for found in page.head()}
    assert said["og:site_name"] == said["og:title"] == NAME
    assert said["description"] == f"Bridge boards of {NAME}, by theme: deals, auctions and results."
    assert page.links().items() >= {WEBSITE.name: WEBSITE.address, "Imprint": "/imprint"}.items()
    assert "Linden e.V." in open_page(client, "/imprint").texts("p")[0]
    address = f"/events/{board.event_slug}"
    assert open_page(client, f"{address}/print").texts("h1") == [
        f"Hand records: Friday pairs, 20 November 2026 · {NAME}"
    ]
    assert open_page(client, f"{address}/results").texts("h1")[0].endswith(f" · {NAME}")
    feed = ElementTree.fromstring(client.get("/boards.atom").content)
    assert (feed.findtext(f"{ATOM}title"), feed.findtext(f"{ATOM}author/{ATOM}name")) == (
        f"Bridge boards · {NAME}",
        NAME,
    )
    frame = f"/boards/{board.pk}/embed"
    for path in ("/boards", frame, "/admin/login/"):
        assert open_page(client, path).texts("title")[0].endswith(NAME), path
    assert open_page(client, frame).texts("a")[-1] == f"On {NAME} (opens a new tab)"
    assert open_page(client, "/signed-out").texts("p")[0] == f"This browser is signed out of {NAME}."
    assert f"run {NAME}, join" in open_page(client, "/forms").head(name="description")[0]["content"]
    assert open_page(client, "/admin/login/").texts("a", **{"class": "brand"}) == [NAME]
    oembed = client.get("/oembed", {"url": f"http://testserver/boards/{board.pk}"}).json()
    assert oembed["provider_name"] == NAME


def test_mark_and_colours_are_on_pages_in_frames_and_in_the_admin(linden: Club, client: Client, board: Board) -> None:
    staff = logged_in(factories.account(role="admin"))
    for page in (
        *(open_page(client, path) for path in ("/", "/forms", f"/boards/{board.pk}/embed", "/admin/login/")),
        *(open_page(staff, path) for path in ("/admin/", "/")),
    ):
        assert linden.colours_path in [found["href"] for found in page.head(rel="stylesheet")]
        assert [found["href"] for found in page.head(rel="icon")] == [linden.mark_path]
        assert {found["src"] for found, _ in page.all("img")} <= {linden.mark_path}
    for path, kind in (
        (linden.mark_path, "image/svg+xml; charset=utf-8"),
        (linden.colours_path, "text/css; charset=utf-8"),
    ):
        for reader in (client, staff):
            response = reader.get(path)
            assert (response.status_code, response["Content-Type"], response["Cache-Control"]) == (200, kind, A_YEAR)
            assert (response["X-Content-Type-Options"], "Set-Cookie" in response) == ("nosniff", False)
        assert client.get(path, headers={"if-none-match": response["ETag"]})["Cache-Control"] == A_YEAR, path
        assert "immutable" not in client.get(path.partition("?")[0])["Cache-Control"], path
    assert client.get(linden.mark_path)["Content-Security-Policy"] == MARK_POLICY
    assert client.get("/club/mark.png").status_code == 404


def test_a_picture_has_the_name_the_accent_and_a_mark_that_is_a_png(board: Board, settings: Any) -> None:
    pictures = []
    for club in (Club(), Club(NAME), Club(NAME, accent="#12305a"), Club(NAME, make_mark(png(90, 30)), "#12305a")):
        settings.CLUB = club
        pictures.append(draw_picture(text_of(board)))
    assert len({*pictures}) == 4
    image = Image.open(BytesIO(pictures[3])).convert("RGB")
    assert image.getpixel((5, 5)) == image.getpixel((70, 570)) == (0x12, 0x30, 0x5A)
    settings.CLUB = Club("橋" * 60)
    assert draw_picture(text_of(board))


def test_a_phone_finds_a_manifest_with_icons_of_the_club(linden: Club, client: Client, settings: Any) -> None:
    page = open_page(client, "/")
    (manifest,) = page.head(rel="manifest")
    response = client.get(manifest["href"])
    assert response["Content-Type"] == "application/manifest+json"
    answer = response.json()
    expected = {
        "name": NAME,
        "short_name": "Linden &",
        "start_url": "/",
        "display": "standalone",
        "theme_color": "#0b2244",
    }
    assert answer.items() >= expected.items()
    assert answer["icons"][-1] == {"src": linden.mark_path, "sizes": "any", "type": "image/svg+xml"}
    for address, size in [
        ("/apple-touch-icon.png", "180x180"),
        *((icon["src"], icon["sizes"]) for icon in answer["icons"][:-1]),
    ]:
        image = Image.open(BytesIO(client.get(address).content))
        found = (image.format, "{}x{}".format(*image.size), image.getpixel((1, 1)))
        assert found == ("PNG", size, (0x0B, 0x22, 0x44)), address
    assert client.get("/club/icon-64.png").status_code == 404
    settings.CLUB = Club(NAME, make_mark(png(9, 9)))
    assert [icon["type"] for icon in client.get(manifest["href"]).json()["icons"]] == ["image/png", "image/png"]
    drawn = [draw_icon(club, 180) for club in (settings.CLUB, Club(NAME), Club("Other"), Club("橋牌"))]
    assert len({*drawn}) == 4
    names = ("Bridge Boards", "A club", "Bridgevereinigung")
    assert [short_name_of(name) for name in names] == ["Bridge", "A club", "Bridgeverein"]


def test_without_settings_nothing_is_shown_of_a_club(client: Client, board: Board) -> None:
    page = open_page(client, "/")
    assert (page.texts("title"), page.texts("a", **{"class": "brand"})) == (["Bridge Boards"], ["Bridge Boards"])
    assert not page.texts("p", **{"class": "lead"})
    assert not [found for found in page.head(rel="stylesheet") if "/club/" in found["href"]]
    assert [found["href"] for found in page.head(rel="icon")] == ["/static/site/icon.svg"]
    assert page.head(name="description")[0]["content"].startswith("Contract bridge boards to look at, by theme: deals")
    assert "Imprint" not in page.links()
    for path in ("/imprint", "/club/mark.svg", "/club/mark.png"):
        assert client.get(path).status_code == 404, path
    assert open_page(client, f"/events/{board.event_slug}/print").texts("h1")[0].endswith("2026")


def test_an_imprint_elsewhere_is_a_link_and_no_page(client: Client, settings: Any) -> None:
    settings.CLUB = read_club(imprint="https://linden.example/imprint")
    assert open_page(client, "/").links()["Imprint"] == "https://linden.example/imprint"
    assert client.get("/imprint").status_code == 404
