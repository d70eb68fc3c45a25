"""GET /today, /today.atom and /today/embed."""

from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree as ET

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from boards.models import Board, BoardOfTheDay
from boards.pages.travel import today
from tests import factories
from tests.boards.pages.test_embed import may_be_framed, weight
from tests.boards.pages.test_feed import ATOM, texts
from tests.config.site.documents import Document

pytestmark = pytest.mark.django_db

BID = "1NT Pass 3NT Pass Pass Pass"
TODAY = datetime.now(UTC).date()


def chosen(days_ago: int = 0, **values: object) -> Board:
    board = factories.board(number=7, calls=BID, **values)
    BoardOfTheDay.objects.create(day=TODAY - timedelta(days=days_ago), board=board)
    return board


def test_it_shows_one_hand_and_leads_to_practice_and_to_the_board(client: Client) -> None:
    theme = factories.theme("stayman", labels={"en": "Stayman"})
    board = chosen(title="A spoiler", difficulty="beginner", themes=(theme,), commentary="What happened.")
    page = Document(client.get("/today"))
    links = page.links()
    assert links["Practise it"] == f"/practice/{board.pk}"
    assert links["Look at it"] == f"/boards/{board.pk}"
    assert "Difficulty: beginner. You are South." in page.texts("p")
    assert page.texts("time") == [f"{TODAY:%A}, {TODAY.day} {TODAY:%B} {TODAY.year}"]
    assert "Dealer South, both sides vulnerable" in page.texts("p")
    for secret in ("A spoiler", "Stayman", "What happened", "no trump", "3NT", "North:", "East:", "West:"):
        assert secret not in page.html
    assert "South: spades" in page.html
    assert page.canonical() == "http://testserver/today" and page.is_indexed()


def test_before_the_first_it_says_so(client: Client) -> None:
    page = Document(client.get("/today"))
    assert any(text.startswith("No board has been chosen yet.") for text in page.texts("p"))
    assert client.get("/today/embed").status_code == 404
    assert texts(ET.fromstring(client.get("/today.atom").content), "title") == []


def test_without_one_for_today_it_shows_the_latest_with_its_date(client: Client) -> None:
    board = chosen(days_ago=2)
    page = Document(client.get("/today"))
    assert page.links()["Look at it"] == f"/boards/{board.pk}"
    assert "There is no board for today. This is the latest." in page.texts("p")
    assert page.all("time", datetime=str(TODAY - timedelta(days=2)))


def test_the_days_before_have_names_and_one_that_is_unpublished_is_left_out(client: Client) -> None:
    chosen()
    for age in range(1, 11):
        chosen(days_ago=age, title=f"Aged {age} <b>")
    page = Document(client.get("/today"))
    assert [name for name in page.links() if name.startswith("Aged")] == [f"Aged {n} <b>" for n in range(1, 8)]
    Board.objects.get(title="Aged 1 <b>").unpublish()
    links = Document(client.get("/today")).links()
    assert "Aged 1 <b>" not in links and "Aged 8 <b>" in links


def test_the_feed_has_thirty_days_and_its_titles_tell_nothing(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    assert today.IN_FEED == 30
    monkeypatch.setattr(today, "IN_FEED", 3)
    boards = [chosen(days_ago=age, title="A spoiler") for age in range(5)]
    response = client.get("/today.atom")
    assert response["Content-Type"] == "application/atom+xml; charset=utf-8"
    root = ET.fromstring(response.content)
    titles = texts(root, "title")
    assert len(titles) == 3
    assert titles[0] == f"Board of the day, {TODAY.day} {TODAY:%B} {TODAY.year}"
    assert texts(root, "id")[1] == f"http://testserver/today#{TODAY - timedelta(days=1)}"
    links = [entry.find(f"{ATOM}link").get("href") for entry in root.findall(f"{ATOM}entry")]
    assert links == [f"http://testserver/boards/{board.pk}" for board in boards[:3]]
    assert "A spoiler" not in response.content.decode()


def test_the_frame_hides_what_the_page_hides_and_leads_to_the_frame_of_this_board(client: Client) -> None:
    theme = factories.theme("stayman", labels={"en": "Stayman"})
    board = chosen(title="A spoiler", difficulty="expert", themes=(theme,), commentary="What happened.")
    for query in ("", "?show=north,east,south,west&step=3"):
        response = client.get(f"/today/embed{query}")
        assert response.status_code == 200 and may_be_framed(response)
        page = Document(response)
        for secret in ("A spoiler", "Stayman", "What happened", "no trump", "NT", "North:", "East:", "West:"):
            assert secret not in page.html, (query, secret)
        assert "South: spades" in page.html and "Difficulty: expert. You are South." in page.texts("p")
        assert page.links()["Look at it"] == f"/boards/{board.pk}/embed"
        assert page.links()["Practise it (opens a new tab)"] == f"/practice/{board.pk}"
        assert page.canonical() == "http://testserver/today" and weight(page) <= 30_000


def test_the_page_offers_its_frame_and_its_feed_and_the_home_page_leads_to_it(client: Client) -> None:
    chosen()
    page = Document(client.get("/today"))
    (text,) = page.texts("textarea", id="share-frame")
    assert 'src="http://testserver/today/embed" title="Board of the day"' in text
    (link,) = page.head(rel="alternate", type="application/atom+xml")
    assert link["href"] == "/today.atom"
    assert Document(client.get("/")).links()["Board of the day"] == "/today"


def test_it_takes_one_query_however_many_days_there_are(client: Client) -> None:
    for age in range(4):
        chosen(days_ago=age, auction_system=factories.auction_system())
    for path in ("/today", "/today.atom", "/today/embed"):
        with CaptureQueriesContext(connection) as captured:
            assert client.get(path).status_code == 200
        assert len(captured) == 1, path
