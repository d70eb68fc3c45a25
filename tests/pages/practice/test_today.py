"""GET /today, /today.atom and /today/embed."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from boards.models import Board, BoardOfTheDay, PracticeAnswer
from boards.records import diagram_of
from bridge.contract import Contract
from bridge.names import format_ranks
from bridge.seats import Seat
from pages.practice import today
from pages.practice.daily import latest_days
from tests import factories
from tests.pages.documents import Document
from tests.pages.opening import CALLS, open_page, queries_of
from tests.pages.sharing.test_embed import may_be_framed, weight
from tests.pages.sharing.test_feed_and_sitemap import ATOM, feed, texts

pytestmark = pytest.mark.django_db

TODAY = datetime.now(UTC).date()
SECRETS = ("A spoiler", "Stayman", "What happened", "no trump", "NT", "North:", "East:", "West:")


def without_bids(page: Document) -> str:
    """Return the page without its forms: the bidding box has all that may be called."""
    return re.sub(r"<form.*?</form>", "", page.html.replace("\ufe0e", ""), flags=re.DOTALL)


def chosen(days_ago: int = 0, **values: Any) -> Board:
    board = factories.board(**{"number": 7, "calls": CALLS, "student": "S", **values})
    BoardOfTheDay.objects.create(day=TODAY - timedelta(days=days_ago), board=board)
    return board


def test_page_and_frame_show_one_hand_and_lead_to_practice_and_to_the_board(client: Client) -> None:
    theme = factories.theme("stayman", labels={"en": "Stayman"})
    board = chosen(title="A spoiler", difficulty="beginner", themes=(theme,), commentary="What happened.")
    for path in ("/today", "/today/embed", "/today/embed?show=north,east&step=3"):
        response = client.get(path)
        page = Document(response)
        assert [secret for secret in SECRETS if secret in without_bids(page)] == [], path
        assert "South: spades" in page.html
        is_frame = path != "/today"
        if is_frame:
            assert "Difficulty: beginner. You are South." in page.texts("p")
            answer, look = (page.links()[f"{name} (opens a new tab)"] for name in ("Answer it", "Look at it"))
            assert (answer, look) == (f"/practice/{board.pk}?step=0", f"/boards/{board.pk}")
        assert page.canonical() == "http://testserver/today"
        assert (page.is_indexed(), may_be_framed(response)) == (not is_frame, is_frame)
        assert not is_frame or weight(page) <= 30_000
    page = open_page(client, "/today")
    assert f"Hand of the day · {TODAY:%A} {TODAY.day} {TODAY:%B}" in page.texts("p")
    assert page.texts("h1") == ["You are South. What do you call?"]
    assert page.all("form", method="post", action=f"/practice/{board.pk}?step=0")
    assert any(text.endswith("dealer South, both sides vulnerable") for text in page.texts("p"))
    (text,) = page.texts("textarea", id="share-frame")
    assert 'src="http://testserver/today/embed" title="Hand of the day"' in text
    (link,) = page.head(rel="alternate", type="application/atom+xml")
    assert link["href"] == "/today.atom"
    assert open_page(client, "/").links()["Today"] == "/today"


def test_page_and_frame_ask_what_south_is_asked_and_tell_nothing_more(client: Client) -> None:
    """Look for the later calls, the contract, the result and every suit of the other hands."""
    calls = "1H X 2H 3C Pass 3NT Pass Pass Pass"
    board = chosen(seed=5, number=4, calls=calls, tricks=10, title="A spoiler", commentary="What happened.")
    frame, page = (open_page(client, path) for path in ("/today/embed", "/today"))
    for shown in (frame, page):
        cells = [text.replace("\ufe0e", "") for text in shown.texts("td")]
        assert cells == ["1♥one heart", "Xdouble", "2♥two hearts", "?next"]
        assert "What do you call?" in shown.html
        suits = {seat: board.deal.layout.suits(seat).values() for seat in Seat}
        others = {format_ranks(ranks) for seat in "NEW" for ranks in suits[Seat(seat)] if {*ranks} & {*"AKQJ"}}
        others = {ranks for ranks in others if len(ranks) > 2}
        told = (*others, "A spoiler", "What happened", "3♣", "NT", "no trump", "Contract", "Made", "made")
        assert [text for text in told if text in without_bids(shown)] == []
        assert diagram_of(board).hands["south"].in_words in shown.html


def test_a_board_of_the_day_that_has_lost_its_auction_shows_the_hand_alone(client: Client) -> None:
    board = factories.board(number=4, contract=Contract.parse("3NT", Seat.NORTH), tricks=10, opening_lead="")
    BoardOfTheDay.objects.create(day=TODAY, board=board)
    for path in ("/today", "/today/embed"):
        page = open_page(client, path)
        assert "No auction is recorded." in page.texts("p") and "NT" not in page.html
        assert [name for name in ("North:", "East:", "West:") if name in page.html] == []


def test_without_one_for_today_it_shows_the_latest_with_its_date(client: Client) -> None:
    page = open_page(client, "/today")
    assert any(text.startswith("No board has been chosen yet.") for text in page.texts("p"))
    assert client.get("/today/embed").status_code == 404
    assert texts(feed(client, "/today.atom"), "title") == []
    board = chosen(days_ago=2)
    page = open_page(client, "/today")
    assert page.links()["Show the call"] == f"/practice/{board.pk}?said=-&step=0#answer"
    assert "There is no board for today. This is the latest." in page.texts("p")
    shown = TODAY - timedelta(days=2)
    assert f"Hand of the day · {shown:%A} {shown.day} {shown:%B}" in page.texts("p")


def test_the_published_days_before_have_names_and_take_no_query_of_their_own(client: Client) -> None:
    chosen()
    for age in range(1, 11):
        chosen(days_ago=age, title=f"Aged {age} <x>")
    page, paths = open_page(client, "/today"), ("/today", "/today.atom", "/today/embed")
    queries = {"/today": 2, "/today.atom": 2, "/today/embed": 1}
    assert queries_of(client, *paths) == queries, "however many days there are"
    assert [name for name in page.links() if name.startswith("Aged")] == [f"Aged {n} <x>" for n in range(1, 8)]
    Board.objects.get(title="Aged 1 <x>").unpublish()
    links = open_page(client, "/today").links()
    assert "Aged 1 <x>" not in links and "Aged 8 <x>" in links


def test_the_feed_has_thirty_days_and_its_titles_tell_nothing(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    assert today.IN_FEED == 30
    monkeypatch.setattr(today, "IN_FEED", 3)
    boards = [chosen(days_ago=age, title="A spoiler") for age in range(5)]
    root = feed(client, "/today.atom")
    days = [TODAY - timedelta(days=age) for age in range(3)]
    assert texts(root, "title") == [f"Hand of the day, {day.day} {day:%B} {day.year}" for day in days]
    assert texts(root, "id")[1:] == [f"http://testserver/today#{day}" for day in days[1:]]
    links = [link.get("href") for link in root.findall(f"{ATOM}entry/{ATOM}link")]
    assert links == [f"http://testserver/boards/{board.pk}" for board in boards[:3]]
    assert "A spoiler" not in client.get("/today.atom").content.decode()


# --- What readers said, when the day is over


def answer(board: Board, **counts: int) -> None:
    """Count answers to the question that the board asks as the board of a day."""
    (day,) = (day for day in latest_days(9) if day.board == board)
    assert day.question
    rows = {"board": board, "question": day.question.key}
    PracticeAnswer.objects.bulk_create(PracticeAnswer(**rows, answer=said, count=n) for said, n in counts.items())


def told(client: Client, path: str) -> list[str]:
    """Return what a page says of answers, without the selectors that make a suit a text."""
    texts_of = [text.replace("\ufe0e", "") for text in open_page(client, path).texts("p")]
    return [text for text in texts_of if "at the table" in text]


def test_what_readers_said_is_told_on_the_day_after_and_never_before(client: Client) -> None:
    yesterday, board = chosen(days_ago=1, seed=1, calls="1C X 1NT Pass Pass Pass", number=4), chosen(seed=2)
    for each, counts in ((yesterday, {"Pass": 3, "2C": 1200, "2S": 12}), (board, {"1NT": 7, "2H": 8})):
        answer(each, **counts)
    for path in ("/", "/today", "/?said=2H"):
        page = open_page(client, path)
        sentence = "Readers said 2♣two clubs 1,200, 2♠two spades 12, Pass 3; at the table Pass."
        assert told(client, path) == [sentence], path
        heard = "South heard 1♣one club, Xdouble, 1NTone no trump."
        assert heard in [text.replace("\ufe0e", "") for text in page.texts("p")]
        assert "Yesterday" in page.texts("h2") and f"/boards/{yesterday.pk}" in page.links().values()
    entries = feed(client, "/today.atom").findall(f"{ATOM}entry")
    summaries, dates = ([entry.findtext(f"{ATOM}{name}", "") for entry in entries] for name in ("summary", "updated"))
    assert summaries[1].endswith("Readers said 2♣ 1,200, 2♠ 12, Pass 3; at the table Pass")
    assert "Readers" not in summaries[0] and dates == [f"{TODAY}T00:00:00+00:00"] * 2, "the day is over since midnight"
    BoardOfTheDay.objects.get(board=board).delete()
    assert [told(client, path) for path in ("/", "/today")] == [[], []], "it is still asked"


def test_a_day_is_not_told_while_another_table_of_its_deal_is_asked_and_nobody_is_no_number(client: Client) -> None:
    for days_ago, number in ((0, 7), (1, 7), (2, 8)):
        chosen(days_ago=days_ago, seed=number, table=str(days_ago), number=number)
    assert (told(client, "/today"), told(client, "/")) == ([], [])
    BoardOfTheDay.objects.filter(day=TODAY).delete()
    (sentence,) = told(client, "/today")
    assert sentence == "No reader answered; at the table Pass."
