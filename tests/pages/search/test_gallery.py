"""GET /boards."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Account
from boards.models import Board
from boards.searching import filters
from boards.searching.filters import Filter, tagged
from config.api.serializers import shared_instance
from pages.search import filter_form
from tests import factories
from tests.pages.documents import Document
from tests.pages.opening import open_page, queries_of

pytestmark = pytest.mark.django_db

NOW = timezone.now()
SITE = "http://testserver"
FILE = "Download as one PBN file"


def gallery(client: Client, **query: Any) -> Document:
    return open_page(client, "/boards", filters="open", **query)


def refused(client: Client, query: str) -> Document:
    response = client.get(f"/boards?{query}")
    assert response.status_code == 400 and "ETag" not in response, query
    return Document(response)


def shown(page: Document) -> list[str]:
    return page.texts("h2")


def selected(page: Document) -> dict[str, str]:
    """Return the text of the selected option of each list in the form."""
    found, name = {}, ""
    for tag, attributes, text in page.elements:
        if tag == "select":
            name = attributes["name"]
        if tag == "option" and "selected" in attributes:
            found[name] = "".join(text)
    return found


@pytest.fixture
def boards(db: None) -> list[Board]:
    system, theme = factories.auction_system("acol"), factories.theme("stayman", labels={"en": "Stayman"})
    wanted = {"number": 2, "themes": (theme,), "owner": factories.account("ada")}
    other = factories.board(number=1, title="Other", votes=(5, 0))
    return [
        factories.board(title="Wanted", auction_system=system, **wanted),
        other,
        factories.board(title="Draft", published=False, **wanted),
    ]


@pytest.fixture
def series(db: None) -> None:
    for age in reversed(range(13)):
        factories.board(title=f"Board {age}", number=1)


FILTERS = {
    "theme": ("stayman", "Stayman"),
    "themeType": ("convention", "Convention"),
    "dealer": ("E", "East"),
    "vulnerability": ("NS", "North-South vulnerable"),
    "auctionSystem": ("acol", "acol"),
}


def test_it_shows_published_boards_newest_first_or_the_most_popular(client: Client, boards: list[Board]) -> None:
    blank = dict.fromkeys(FILTERS, "") | {"sort": "newest"}
    for page in (gallery(client), gallery(client, **blank)):
        assert (shown(page), selected(page)) == (["Wanted", "Other"], {})
        assert (page.canonical(), page.is_indexed()) == (f"{SITE}/boards", True)
        assert "2 boards" in page.texts("p")
        links = {"Wanted": f"/boards/{boards[0].pk}", "Stayman": "/themes/stayman", FILE: "/api/boards.pbn"}
        assert page.links().items() >= links.items()
    page = gallery(client, sort="top")
    assert (shown(page), selected(page)) == (["Other", "Wanted"], {"sort": "Most popular first"})


def test_a_filter_finds_what_the_api_and_the_file_have_and_stays_selected(client: Client, boards: list[Board]) -> None:
    for name, (value, label) in FILTERS.items():
        page = gallery(client, page=1, **{name: value})
        found = client.get("/api/boards", {name: value}).json()["boards"]
        assert shown(page) == [board["title"] for board in found] == ["Wanted"], name
        assert selected(page) == {name: label}
        assert page.canonical() == f"{SITE}/boards?{name}={value}"
        assert page.is_indexed() is (name == "theme"), name
        assert page.links()[FILE] == f"/api/boards.pbn?{name}={value}"
        assert client.get(page.links()[FILE]).getvalue().count(b"[Board ") == 1
    page = gallery(client, userId="ada", pageSize=5)
    assert (shown(page), "1 board of account ada" in page.texts("p")) == (["Wanted"], True)
    hidden = {found["name"]: found["value"] for found, _ in page.all("input", type="hidden")}  # of each form
    assert hidden == {"userId": "ada", "pageSize": "5"}


@pytest.fixture
def club(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Declare a filter without choices, as an app that is built on this one may."""
    declared = Filter(
        name="club",
        label="Club",
        help_text="The account of a club.",
        option="--club",
        condition=lambda name, labels: tagged("userId", [name]),
        is_stored=lambda name: Account.objects.filter(pk=name).exists(),
    )
    monkeypatch.setitem(filters.FILTERS, "club", declared)
    monkeypatch.setitem(filter_form.LIST_LABELS, "club", declared.label)
    shared_instance.cache_clear()
    yield
    monkeypatch.undo()
    shared_instance.cache_clear()


def test_a_filter_without_choices_is_a_text(client: Client, boards: list[Board], club: None) -> None:
    def input_of(page: Document) -> dict[str, str]:
        ((found, _),) = page.all("input", id="club")
        return found

    assert input_of(gallery(client))["value"] == "" and not gallery(client).all("select", name="club")
    page = gallery(client, club="ada")
    assert shown(page) == ["Wanted"] and input_of(page)["value"] == "ada"
    for value, said in (("two words", "Give one value, without spaces."), ("nobody", "This name is unknown.")):
        page = refused(client, f"club={value}")
        assert (input_of(page)["value"], input_of(page)["aria-describedby"]) == (value, "club-error")
        assert any(said in text for text in page.texts("p", id="club-error")), value
    assert gallery(client, club="ada", dealer="N").links()["Without Club: ada"] == "/boards?dealer=N"


def test_a_theme_by_its_id_is_named_and_an_identifier_of_two_is_not(client: Client, boards: list[Board]) -> None:
    def seen(value: object) -> tuple[list[str], list[str], dict[str, str], str, str | None]:
        page = gallery(client, theme=value)
        path = page.canonical().removeprefix(f"{SITE}/boards?theme=")
        return shown(page), page.texts("h1"), selected(page), path, page.links().get("About this theme")

    theme = boards[0].themes.get()
    for value in (str(theme.pk), theme.pk.hex):
        stayman = (["Wanted"], ["Boards: Stayman"], {"theme": "Stayman"}, "stayman", "/themes/stayman")
        assert seen(value) == stayman
        assert gallery(client, theme=value).links()[FILE] == "/api/boards.pbn?theme=stayman"
    lesson = factories.theme("stayman", type="lesson", labels={"en": "Lesson 2"})
    assert seen("stayman") == (["Wanted"], ["Boards"], {"theme": "stayman"}, "stayman", None)
    assert seen(lesson.pk)[1:3] == (["Boards: Lesson 2"], {"theme": "Lesson 2"})
    assert seen(lesson.pk)[3:] == (str(lesson.pk), "/themes/lesson/stayman")


REFUSED = (
    *("theme=two+words", "dealer=a%00b", "dealer=Z", "vulnerability=%3Cb%3E", "vulnerability=Both", "sort=oldest"),
    *("userId=a+b", "page=0", "page=%D9%A5", "pageSize=101", "start=0", "start=-1", "start=2147483648", "view=list"),
)


def test_an_invalid_value_shows_the_form_with_an_error(client: Client) -> None:
    for query in REFUSED:
        page, name = refused(client, query), query.partition("=")[0]
        assert (shown(page), page.texts("title")) == (["Correct these filters"], ["Error: Boards · Bridge Boards"])
        assert (page.canonical(), page.is_indexed()) == (f"{SITE}/boards", False)
        fields = {found["name"]: found for found, _ in page.all("select")}
        if name in fields:
            assert fields[name]["aria-invalid"] == "true"
            (error,) = page.texts("p", id=fields[name]["aria-describedby"])
            assert any(address == f"#{name}" and error in text for text, address in page.links().items()), query
        else:
            assert any(text.startswith(f"{name}: ") for text in page.texts("li")), query


def test_a_wrong_search_is_said_once_beside_its_field(client: Client) -> None:
    page = refused(client, "q=nosuchword:5")
    (error,) = page.texts("p", id="q-error")
    assert error.startswith("Unknown search word: nosuchword.") and shown(page) == []
    ((field, _),) = page.all("input", id="q")
    assert field["aria-describedby"] == "q-error"
    assert shown(refused(client, "q=nosuchword:5&dealer=Z")) == ["Correct these filters"]


def test_a_refusal_keeps_what_was_sent_and_has_the_words_of_the_form(client: Client, boards: list[Board]) -> None:
    for value in ("nothing", factories.NOBODYS_ID):
        page = refused(client, f"theme={value}")
        assert page.texts("p", id="theme-error") == ["Choose one of these: Stayman."]
        assert selected(page) == {"theme": value}
    page = refused(client, "dealer=Z&vulnerability=Both")
    dealer, vulnerability = (text for text in page.texts("p") if text.startswith("Choose one"))
    assert dealer == "Choose one of these: North, East, South, West."
    assert vulnerability.startswith("Choose one of these: Neither side vulnerable, ")
    assert "Give this parameter once." in refused(client, "dealer=N&dealer=E").texts("p")


def test_pages_link_to_the_first_and_the_next(client: Client, series: None) -> None:
    first, second, third = (gallery(client, dealer="N", pageSize=5, start=number) for number in (1, 6, 11))
    assert [shown(page) for page in (first, second, third)] == [
        [f"Board {age}" for age in ages] for ages in (range(5), range(5, 10), range(10, 13))
    ]
    assert "13 boards, 5 of them before this page" in second.texts("p")
    assert second.texts("title") == ["Boards, after the first 5 · Bridge Boards"]
    assert first.links()["Next page"] == "/boards?dealer=N&pageSize=5&start=6"
    assert second.links()["First page"] == "/boards?dealer=N&pageSize=5"
    assert "First page" not in first.links() and "Next page" not in third.links()
    assert second.canonical() == f"{SITE}/boards?dealer=N&pageSize=5&start=6"
    assert first.canonical() == f"{SITE}/boards?dealer=N&pageSize=5"
    assert [found["href"] for found in second.head(rel="next")] == ["/boards?dealer=N&pageSize=5&start=11"]


def test_a_page_by_its_number_is_the_page_that_begins_after_so_many_boards(client: Client, series: None) -> None:
    page = gallery(client, page=2)
    assert (shown(page), page.canonical()) == (["Board 12"], f"{SITE}/boards?start=13")
    assert shown(gallery(client, page=2, start=13)) == ["Board 12"]
    assert shown(gallery(client, page=3, pageSize=5)) == ["Board 10", "Board 11", "Board 12"]
    for name in ("page", "start"):
        page = gallery(client, **{name: 2_147_483_647})
        assert shown(page) == [] and page.links()["Go to the first page"] == "/boards"
        assert "13 boards, all of them before this page" in page.texts("p")


def test_an_empty_result_says_which_filter_to_drop_and_what_is_found_then(client: Client) -> None:
    weak = factories.theme("weak", labels={"en": "Weak", "fr": "Faible"})
    factories.board(number=1, themes=(weak,), event="Friday pairs", date="2026.11.20")
    factories.board(number=2, themes=(weak,))
    query = {"theme": "weak", "dealer": "S", "sort": "top"}
    page = Document(client.get("/boards", query, headers={"accept-language": "fr"}))
    assert "No boards match these filters." in page.texts("p")
    assert "Without Dealer: South 2 boards" in page.texts("li")
    assert page.links()["Without Dealer: South"] == "/boards?theme=weak&sort=top"
    assert "Without Theme: Faible" not in page.links()
    page = gallery(client, dateFrom="2026-11-21", dateTo="2026-11-22", dealer="N", userId="system")
    words = "Without Played from: 21 November 2026, Played to: 22 November 2026"
    assert f"{words} 1 board" in page.texts("li")
    assert page.links()[words] == "/boards?dealer=N&userId=system"
    assert gallery(client, userId="zia").links()["Without Account: zia"] == "/boards"
    page = gallery(client, dealer="S", vulnerability="EW", dateTo="2026-11-19")
    assert page.links()["Show all boards"] == "/boards"
    past = gallery(client, theme="weak", page=9)
    assert "Without Theme: Weak" not in past.links() and "Show all boards" not in past.links()


def test_signs_alone_find_nothing_and_the_page_says_what_to_write(client: Client) -> None:
    factories.board(number=1)
    page = gallery(client, q="-----")
    assert shown(
        page
    ) == [] and "Punctuation alone matches no boards. Write a word or a number, such as void or 3NT." in page.texts("p")
    assert page.links()["Without the condition: -----"] == "/boards"
    found = client.get("/api/boards", {"q": "-----"}).json()
    assert (found["pagination"]["totalCount"], found["meta"]["understood"]["query"]) == (0, "")


def test_only_an_empty_result_counts_other_boards(client: Client, boards: list[Board]) -> None:
    def queries(query: str) -> int:
        return queries_of(client, f"/boards?{query}")[f"/boards?{query}"]

    assert queries("dealer=E") == queries("dealer=E&vulnerability=NS")
    assert queries("dealer=S&filters=open") == queries("dealer=S") + 1  # the events that the form offers
    one, two = queries("dealer=S"), queries("dealer=S&theme=stayman")
    five = queries("dealer=S&theme=stayman&themeType=convention&auctionSystem=acol&userId=ada")
    assert (two - one, five - one) == (1, 2)  # three counts at most
    assert queries("dealer=S&theme=stayman&dateFrom=2026-11-20") == two + 1


def test_without_boards_the_page_says_so_and_one_without_a_title_is_named_by_its_number(client: Client) -> None:
    page = gallery(client)
    assert any(text.startswith("There are no boards yet.") for text in page.texts("p"))
    factories.board(number=7)
    assert shown(gallery(client)) == ["Board 7"]
    Board.objects.update(board_number=None)
    assert shown(gallery(client)) == ["Untitled board"]
