"""Lists for people show a deal once, however many tables of its event they have."""

import random
from datetime import timedelta
from itertools import chain, product
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from django.utils import timezone

from boards.catalogue import deals as walk
from boards.catalogue.reading import read_cards
from boards.models import Board
from bridge.names import DENOMINATIONS
from pages.drawing.deals import draw_row
from pages.presenters.deal_cards import DealCard
from pages.templatetags.page_parts import deal_cards
from search.index.folding import fold_all
from tests import factories
from tests.pages.documents import Document
from tests.pages.opening import open_page, queries_of, solve

pytestmark = pytest.mark.django_db

NOW = timezone.now()


def evening(deals: int, tables: int, event: str = "Friday pairs", first: int = 1, **values: Any) -> list[Board]:
    """Store an event. At table 1 four spades went down one, at each further table they won a trick more."""

    def store(table: int, number: int) -> Board:
        played = {"calls": "4S Pass Pass Pass", "tricks": min(8 + table, 13), "table": f"{event[0]}{table}"}
        at = {"event": event, "date": "2026.11.20", "published_at": NOW + timedelta(minutes=table, seconds=number)}
        return factories.board(seed=number, number=number, **(played | at | values))

    return [store(*place) for place in product(range(1, tables + 1), range(first, first + deals))]


def all_pages(client: Client, **query: Any) -> list[list[str]]:
    """Return the names of the cards of each page from the first to the last."""
    page = open_page(client, "/boards", **query)
    pages = [page.texts("h2")]
    while address := page.links().get("Next page"):
        assert parse_qs(urlsplit(address).query).keys() == {*query, "start"}
        page = open_page(client, address)
        pages.append(page.texts("h2"))
    return pages


def outcomes(page: Document) -> list[str]:
    return page.texts("p", **{"class": "deal-outcome"})


def test_a_deal_of_many_tables_has_one_card_with_its_best_and_worst_score_and_par(client: Client) -> None:
    evening(1, 5)
    solve(420, "NS 4S", **dict.fromkeys(DENOMINATIONS, 6))
    page = open_page(client, "/boards")
    assert page.texts("h2") == ["Board 1 of Friday pairs, 20 November 2026"]
    assert "5 boards of 1 deal" in page.texts("p")
    assert outcomes(page) == ["5 results: N-S +510 to −50, par +420"]
    assert page.links()["5 results"].endswith("#traveller")
    traveller = open_page(client, page.links()["5 results"].partition("#")[0])
    assert "The board at 5 tables" in traveller.texts("h2")
    for tricks, line in ((10, "5 results: N-S +420, par +420"), (None, "5 results, par +420")):
        Board.objects.update(tricks=tricks)
        assert outcomes(open_page(client, "/boards")) == [line]


def test_a_deal_of_one_table_looks_as_any_board(client: Client) -> None:
    evening(1, 1, room="Open")
    page = open_page(client, "/boards")
    assert page.texts("h2") == ["Board 1 of Friday pairs, 20 November 2026open room, table F1"]
    (outcome,) = outcomes(page)
    assert "four spades by North" in outcome
    assert not any("results" in text for text in outcomes(page))


def test_the_same_cards_at_another_event_are_another_deal_and_so_are_boards_of_none(client: Client) -> None:
    evening(1, 2)
    evening(1, 2, event="Saturday teams")
    for room in ("Open", "Closed"):
        factories.board(seed=1, number=1, room=room)
    assert len(open_page(client, "/boards").texts("h2")) == 4


def test_all_pages_together_have_each_deal_once_in_the_order_of_the_list(client: Client) -> None:
    evening(4, 3)
    evening(2, 2, event="Saturday teams", published_at=NOW + timedelta(hours=1))
    for number in range(3):
        factories.board(title=f"Alone {number}", published_at=NOW)
    choice = random.Random(7)
    for board in Board.objects.order_by("pk"):
        Board.objects.filter(pk=board.pk).update(up_votes=choice.randint(0, 3))
    orders = {"newest": Board.objects.newest_first(), "top": Board.objects.top_first()}
    for (sort, ordered), size in product(orders.items(), (1, 3, 5)):
        expected = [*dict.fromkeys(board.title or f"{board.board_number} {board.event}" for board in ordered)]
        pages = all_pages(client, pageSize=size, **({} if sort == "newest" else {"sort": sort}))
        names = [name.removeprefix("Board ").replace(" of ", " ").partition(",")[0] for name in chain(*pages)]
        assert names == expected, (sort, size)
        assert [len(page) for page in pages[:-1]] == [size] * (len(pages) - 1), (sort, size)


def test_a_filter_that_some_tables_meet_shows_their_deals_once_and_says_how_many_meet_it(client: Client) -> None:
    evening(4, 3)
    for number, board in enumerate(Board.objects.order_by("?")):
        Board.objects.filter(pk=board.pk).update(up_votes=number % 3)
    for is_folded, sort in product((False, True), ("newest", "top")):
        if is_folded:
            fold_all(rows=1)
        query = {"q": "result<=0", **({} if sort == "newest" else {"sort": sort})}
        pages = all_pages(client, pageSize=2, **query)
        assert [len(page) for page in pages] == [2, 2] and len({*chain(*pages)}) == 4, (sort, is_folded)
        page = open_page(client, "/boards", **query)
        assert "8 boards of 4 deals" in page.texts("p"), (sort, is_folded)
        lines = outcomes(page)
        assert "3 results, 2 of them found: N-S +450 to −50" in lines, (sort, is_folded)
        assert [line[:28] for line in lines] == ["3 results, 2 of them found: "] * 4


def test_a_page_ends_where_no_more_boards_are_looked_at(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    evening(1, 1, first=2)
    evening(1, 9)
    monkeypatch.setattr(walk, "BATCHES", (2, 2))
    first, second, third = (open_page(client, "/boards", start=number) for number in (1, 5, 9))
    assert [len(page.texts("h2")) for page in (first, second, third)] == [1, 0, 1]
    assert first.links()["Next page"] == "/boards?start=5"
    assert second.links()["Go on to the next page"] == "/boards?start=9"
    assert "Next page" not in third.links()
    sheet = open_page(client, "/boards/print", start=5)
    assert "There are no more deals on this page." in sheet.texts("p")
    assert sheet.links()["Next page"] == "/boards/print?start=9"


def test_more_tables_than_a_page_reads_are_not_summed_up(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    evening(2, 3)
    monkeypatch.setattr("boards.catalogue.deals.MAX_RESULTS", 5)
    lines = outcomes(open_page(client, "/boards"))
    assert sorted("3 results" in line for line in lines) == [False, True]


def test_a_board_that_is_no_longer_published_is_neither_found_nor_summed_up(client: Client) -> None:
    boards = evening(2, 3)
    Board.objects.filter(pk__in=[board.pk for board in boards[:5]]).update(published_at=None)
    page = open_page(client, "/boards")
    assert page.texts("h2") == ["Board 2 of Friday pairs, 20 November 2026table F3"]
    assert not any("results" in text for text in outcomes(page))


def test_the_compact_list_has_a_row_a_deal_and_stays_on_further_pages(client: Client) -> None:
    evening(2, 3)
    factories.board(title="Alone <x>", number=5, calls="Pass Pass Pass Pass", published_at=NOW)
    solve(420, "NS 4S", **dict.fromkeys(DENOMINATIONS, 6))
    first = open_page(client, "/boards", pageSize=1)
    names, address = [], first.links()["Compact list"]
    while address:
        assert "view=compact" in address
        page = open_page(client, address)
        names += [text for text in page.links() if text.startswith(("Board ", "Alone"))]
        assert (page.all("article"), page.is_indexed()) == ([], False)
        assert page.all("input", type="hidden", name="view", value="compact")
        address = page.links().get("Next page", "")
    numbered = [f"Board {number} of Friday pairs, 20 November 2026" for number in (1, 2)]
    assert sorted(names) == ["Alone <x>", *numbered]
    page = open_page(client, "/boards", view="compact")
    rows = [text for text in page.texts("li") if "Dealer" in text]
    assert sorted(row.partition("Dealer ")[2] for row in rows) == [
        "E · Vul NS · 3 results: N-S +50 to −450 · par +420",
        "N · Vul NS · Passpassed out 0 · par +420",
        "N · Vul None · 3 results: N-S +450 to −50 · par +420",
    ]
    assert page.links()["Show the hands"] == "/boards"
    assert "view" not in page.links()["Download as one PBN file"]
    redirected = client.get("/boards?view=compact&add-contract=4S")
    assert redirected["Location"] == "/boards?q=contract%3D4S&view=compact"
    redirected = client.get("/boards?view=compact&pageSize=3&sort=top&q=3NT&dealer=N&add-contract=4S")
    assert redirected["Location"] == "/boards?dealer=N&q=3NT+contract%3D4S&sort=top&view=compact"


def test_the_home_page_shows_the_three_most_popular_deals_and_the_newest_where_none_is_liked(client: Client) -> None:
    evening(4, 2, event="Saturday teams")
    newest = open_page(client, "/")
    assert newest.texts("h2")[-1:] == ["Newest boards"] and len(newest.texts("h3")) == 3
    for title in ("Fourth", "Third"):
        factories.board(title=title, votes=(1, 0))
    evening(2, 4, votes=(3, 1))
    factories.board(title="A draft", published=False, votes=(99, 0))
    page = open_page(client, "/")
    names = page.texts("h3")
    assert len(names) == 3 and names[2] == "Third" and all("Friday pairs" in name for name in names[:2])
    assert "4 results: N-S +480 to −50" in page.texts("p") and "What the club liked" in page.texts("h2")


def test_a_theme_page_and_hand_records_show_each_deal_once_and_the_api_each_board(client: Client) -> None:
    evening(2, 3, themes=(factories.theme("stayman"),))
    assert sorted(open_page(client, "/boards/print").texts("h2")) == ["Board 1", "Board 2"]
    page = open_page(client, "/themes/stayman")
    assert len(page.texts("h3")) == 2 and "All 6 boards" in page.links()
    assert len(client.get("/api/boards?theme=stayman").json()["boards"]) == 6


def test_more_tables_take_no_more_queries(client: Client) -> None:
    paths = ("/", "/boards", "/boards?view=compact", "/boards?start=3&q=result<3")
    evening(3, 2)
    few = queries_of(client, *paths)
    evening(3, 4, event="Saturday teams", themes=(factories.theme(),))
    assert queries_of(client, *paths) == few


def test_a_card_has_what_its_board_has_by_one_statement(django_assert_num_queries: Any) -> None:
    themes = [factories.theme(name, type=kind) for name, kind in (("zeta", "a"), ("alpha", "b"), ("beta", "a"))]
    evening(2, 2, themes=tuple(themes[::-1]), votes=(2, 1), title="Safety play", opening_lead="HK", stage="Final")
    factories.board(number=7, calls="Pass Pass Pass Pass", room="Closed", pair_ns="3")
    solve(420, "NS 4S", **dict.fromkeys(DENOMINATIONS, 6))
    factories.board(published=False)
    ids = [*Board.objects.values_list("pk", flat=True)]
    read_cards(ids)  # and the labels
    with django_assert_num_queries(1):
        drawn = {pk: draw_list([DealCard(*card, ["en"])]) for pk, card in read_cards(ids).items()}
    boards = Board.objects.published().with_details()
    assert drawn == {board.pk: draw_list([DealCard(board, board.themes.all(), ["en"])]) for board in boards}


def draw_list(cards: list[DealCard]) -> str:
    return deal_cards(cards, 2) + "".join(map(draw_row, cards))
