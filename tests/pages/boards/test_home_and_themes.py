"""GET /, GET /themes, GET /themes/{identifier} and GET /themes/{type}/{identifier}."""

import pytest
from django.test import Client
from django.utils import timezone

from boards.catalogue.refreshing import refresh
from boards.models import Board
from bridge.double_dummy import DoubleDummyTable
from bridge.names import DENOMINATIONS
from deals.models import Deal
from pages.boards import themes
from tests import factories
from tests.pages.documents import Document
from tests.pages.opening import open_page, queries_of
from themes.models import Theme

pytestmark = pytest.mark.django_db

NOW = timezone.now()
DESCRIPTION = {"en": "It asks for a major.\n\nIt finds the fit.", "fr": "On demande une majeure."}


def test_without_boards_or_up_votes_or_themes_the_pages_say_so(client: Client) -> None:
    assert any(text.startswith("No board has been published yet.") for text in open_page(client, "/").texts("p"))
    assert any(text.startswith("There are no themes yet.") for text in open_page(client, "/themes").texts("p"))
    factories.board(title="Disliked", votes=(1, 2))
    page = open_page(client, "/")
    assert (page.texts("h2"), page.texts("h3")) == (["Newest boards"], ["Disliked"])


def test_themes_are_grouped_by_type_and_those_without_boards_stand_apart(client: Client) -> None:
    two, one, drafts, _ = (factories.theme(name) for name in ("two", "one", "drafts", "none"))
    squeeze = factories.theme("squeeze", type="declarer_play", labels={"en": "Squeeze"})
    assert any(text.startswith("No theme has boards yet.") for text in open_page(client, "/themes").texts("p"))
    factories.board(themes=(two, one))
    factories.board(themes=(two, squeeze))
    factories.board(themes=(drafts,), published=False)
    page = open_page(client, "/themes")
    assert page.texts("h2") == ["Convention", "Declarer play"]
    assert "Themes without boards yet (2)" in page.texts("summary")
    assert page.texts("li")[-7:-2] == ["one 1 board", "two 2 boards", "Squeeze 1 board", "drafts", "none"]
    links = {"two": "/themes/two", "Declarer play": "/boards?themeType=declarer_play"}
    assert page.links().items() >= links.items()


# --- A theme -------------------------------------------------------------------------------------------------


@pytest.fixture
def stayman() -> Theme:
    labels = {"en": "Stayman", "fr": "Le Stayman", "nl": "Stayman-conventie"}
    return factories.theme("stayman", labels=labels, description=DESCRIPTION)


def fill(theme: Theme, boards: int) -> None:
    for age in reversed(range(boards)):
        factories.board(title=f"Aged {age}", themes=(theme,))


def test_it_shows_its_newest_boards(client: Client, stayman: Theme, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(themes, "NEWEST_DEALS", 3)
    fill(stayman, 4)
    factories.board(title="Draft", themes=(stayman,), published=False)
    factories.board(title="Another", themes=(factories.theme(),))
    page = open_page(client, "/themes/stayman")
    assert (page.texts("h1"), page.texts("title")) == (["Stayman"], ["Stayman · Bridge Boards"])
    assert page.texts("p")[:3] == ["Convention", "It asks for a major.", "It finds the fit."]
    assert page.texts("h3") == ["Aged 0", "Aged 1", "Aged 2"]
    # Revision, a page of the list, its deals, the boards with theirs, their themes, two counts, one of PostgreSQL's.
    assert queries_of(client, "/themes/stayman")["/themes/stayman"] <= 9
    links = page.links()
    files = {f"{kind.upper()} file": f"/api/boards.{kind}?theme=stayman" for kind in ("pbn", "lin")}
    expected = {"All 4 boards": "/boards?theme=stayman", "Convention": "/boards?themeType=convention", **files}
    assert links.items() >= expected.items()
    assert open_page(client, links["All 4 boards"]).texts("h1") == ["Boards: Stayman"]
    assert client.get(links["PBN file"]).getvalue().count(b"[Board ") == 4
    practice, newest = client.get(links["Practise these boards"]), Board.objects.get(title="Aged 0")
    assert practice["Location"] == f"/practice/{newest.pk}?theme={stayman.pk}"
    assert len(open_page(client, links["Print hand records"]).all("article")) == 4


def test_it_sums_up_difficulty_and_results(client: Client, stayman: Theme) -> None:
    played = [("expert", 10), ("beginner", 9), ("beginner", 8), ("", 11), ("", None)]
    for number, (difficulty, tricks) in enumerate(played):
        factories.board(seed=number, calls="4S Pass Pass Pass", tricks=tricks, difficulty=difficulty, themes=(stayman,))
    makes = DoubleDummyTable.from_tricks({seat: dict.fromkeys(DENOMINATIONS, 10) for seat in "NESW"})
    cards = [factories.layout(seed).cards for seed in (0, 1)]
    Deal.objects.filter(cards__in=cards).update(double_dummy_status="done", double_dummy=makes.digits, par={})
    refresh([*Board.objects.values_list("pk", flat=True)])
    page = open_page(client, "/themes/stayman")
    (results,) = (text for text in page.texts("p") if text.startswith("Of "))
    assert results == (
        "Of 4 contracts with a result 2 made and 2 went down; 1 of those would make with all cards seen."
        " Count by contract and result"
    )
    links = page.links()
    assert links["Beginner 2"] == "/boards?theme=stayman&difficulty=beginner" and "Expert 1" in links
    for text, boards in (("Beginner 2", 2), ("1 of those", 1), ("Count by contract and result", 0)):
        assert len(open_page(client, links[text]).all("article")) == boards
    assert links["Practise from easy to hard"] == f"/practice?theme={stayman.pk}&order=easy"


def test_it_is_in_the_readers_language(client: Client, stayman: Theme) -> None:
    french = Document(client.get("/themes/stayman", headers={"accept-language": "fr-CA"}))
    assert french.all("h1") == [({"lang": "fr"}, "Le Stayman")]
    assert [(found["class"], found["lang"]) for found, _ in french.all("div", lang="fr")] == [("reading", "fr")]
    assert "On demande une majeure." in french.texts("p")
    dutch = Document(client.get("/themes/stayman", headers={"accept-language": "nl"}))
    assert dutch.all("h1") == [({"lang": "nl"}, "Stayman-conventie")]
    assert "It asks for a major." in dutch.texts("p"), "English, which no text in Dutch replaces"


def test_a_theme_without_boards_says_so(client: Client, stayman: Theme) -> None:
    page = open_page(client, "/themes/stayman")
    assert any(text.startswith("This theme has no boards yet.") for text in page.texts("p"))
    links = {"Other themes": "/themes", "Feed of its new boards": "/boards.atom?theme=stayman"}
    assert page.texts("h2") == [] and page.links().items() >= links.items()
    assert not any(text.startswith(("Difficulty", "Of ")) for text in page.texts("p"))


def test_a_theme_without_a_description_is_summarised_for_search_engines(client: Client) -> None:
    factories.theme("finesse", labels={"en": "Finesse"})
    factories.theme("squeeze", description={"en": "Word " * 100})
    for name, summary in (("finesse", "Bridge boards about Finesse."), ("squeeze", f"{'Word ' * 39}Word…")):
        contents = [found.get("content") for found in open_page(client, f"/themes/{name}").head()]
        assert contents.count(summary) == 2  # description and og:description


def test_a_theme_has_one_canonical_address_and_none_of_another_type(client: Client, stayman: Theme) -> None:
    for path in (stayman.pk, stayman.pk.hex, str(stayman.pk).upper(), "convention/stayman"):
        page = open_page(client, f"/themes/{path}")
        assert (page.texts("h1"), page.canonical()) == (["Stayman"], "http://testserver/themes/stayman")
    like_an_id = factories.theme("cafe" * 8, labels={"en": "Café"}).identifier
    for unknown in ("lesson/stayman", f"convention/{stayman.pk}", like_an_id):
        assert client.get(f"/themes/{unknown}").status_code == 404
    path = open_page(client, "/themes").links()["Café"]
    assert path == f"/themes/convention/{like_an_id}"
    assert open_page(client, path).canonical() == f"http://testserver{path}"


def test_an_identifier_of_two_types_is_a_choice_between_them(client: Client, stayman: Theme) -> None:
    lesson = factories.theme("stayman", type="lesson", labels={"en": "Lesson 2"})
    fill(lesson, 1)
    page = open_page(client, "/themes/stayman")
    assert (page.texts("h2"), page.is_indexed()) == (["Convention", "Lesson"], False)
    assert page.texts("li")[-4:-2] == ["Stayman no boards yet", "Lesson 2 1 board"]
    page = open_page(client, page.links()["Lesson 2"])
    assert page.texts("h1") == ["Lesson 2"]
    assert page.canonical() == "http://testserver/themes/lesson/stayman"
    assert page.links()["PBN file"] == f"/api/boards.pbn?theme={lesson.pk}"
