"""GET / and GET /themes."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from tests import factories
from tests.config.site.documents import Document

pytestmark = pytest.mark.django_db

NOW = timezone.now()


def test_the_home_page_shows_the_three_newest_and_the_three_most_popular_boards(client: Client) -> None:
    for age in range(5):
        votes = (age, 0) if age else (2, 2)
        factories.board(title=f"Aged {age}", published_at=NOW - timedelta(days=age), votes=votes)
    factories.board(title="Draft", published=False, votes=(99, 0))
    page = Document(client.get("/"))
    top, newest = ["Aged 4", "Aged 3", "Aged 2"], ["Aged 0", "Aged 1", "Aged 2"]
    assert page.texts("h3") == top + newest


def test_without_up_votes_the_home_page_calls_no_board_popular(client: Client) -> None:
    factories.board(title="Disliked", votes=(1, 2))
    page = Document(client.get("/"))
    assert (page.texts("h2"), page.texts("h3")) == (["Newest"], ["Disliked"])


def test_without_boards_the_home_page_says_so(client: Client) -> None:
    page = Document(client.get("/"))
    assert "No board has been published yet." in page.texts("p")


def test_themes_are_grouped_by_type(client: Client) -> None:
    stayman = factories.theme("stayman", labels={"en": "Stayman"})
    squeeze = factories.theme("squeeze", type="declarer_play", labels={"en": "Squeeze"})
    factories.board(themes=(stayman, squeeze, factories.theme("weak_two", labels={"en": "Weak two"})))
    page = Document(client.get("/themes"))
    assert page.texts("h2") == ["Convention", "Declarer play"]
    assert page.links()["Stayman"] == "/themes/stayman"
    assert page.links()["Declarer play"] == "/boards?themeType=declarer_play"


def test_each_theme_has_the_number_of_its_boards_and_those_without_stand_apart(client: Client) -> None:
    two, one, drafts, _ = (factories.theme(name) for name in ("two", "one", "drafts", "none"))
    assert "No theme has a board yet." in Document(client.get("/themes")).texts("p")
    factories.board(themes=(two, one))
    factories.board(themes=(two,))
    factories.board(themes=(drafts,), published=False)
    page = Document(client.get("/themes"))
    assert page.texts("li")[-4:] == ["one 1 board", "two 2 boards", "drafts", "none"]
    assert page.texts("h2") == ["Convention", "Themes without boards yet"]


def test_the_home_page_leads_to_the_themes_that_have_boards(client: Client) -> None:
    busy, empty = factories.theme("busy"), factories.theme("empty", type="defence")
    factories.board(themes=(busy,))
    factories.board(themes=(empty,), published=False)
    page = Document(client.get("/"))
    assert "busy" in page.links() and "empty" not in page.links()
    assert page.texts("h2")[-1] == "Themes"


def test_a_label_in_another_language_has_a_lang_attribute(client: Client) -> None:
    labels = {"en": "Weak two", "fr": "Deux faible", "x y": "odd"}
    factories.theme("weak_two", labels=labels)
    response = client.get("/themes", headers={"accept-language": "fr-CA"})
    (found,) = [found for found, text in Document(response).all("a") if text == "Deux faible"]
    assert found == {"href": "/themes/weak_two", "lang": "fr"}
    english = Document(client.get("/themes", headers={"accept-language": "en-GB"}))
    assert english.links()["Weak two"] == found["href"]


def test_without_themes_the_page_says_so(client: Client) -> None:
    assert "There are no themes yet." in Document(client.get("/themes")).texts("p")


def test_hostile_labels_and_types_are_nothing_but_text(client: Client) -> None:
    hostile = "<script>alert(1)</script>"
    factories.board(themes=(factories.theme("x", labels={"en": hostile}),))
    for path in ("/", "/themes"):
        page = Document(client.get(path))
        assert not page.all("script")
        assert hostile in page.links()
