"""GET / and GET /themes."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from tests import factories
from tests.boards.pages.opening import open_page
from tests.config.site.documents import Document

pytestmark = pytest.mark.django_db

NOW = timezone.now()


def test_the_home_page_shows_the_three_newest_and_the_three_most_popular_boards(client: Client) -> None:
    for age in range(5):
        votes = (age, 0) if age else (2, 2)
        factories.board(title=f"Aged {age}", published_at=NOW - timedelta(days=age), votes=votes)
    factories.board(title="Draft", published=False, votes=(99, 0))
    top, newest = ["Aged 4", "Aged 3", "Aged 2"], ["Aged 0", "Aged 1", "Aged 2"]
    assert open_page(client, "/").texts("h3") == top + newest


def test_without_boards_or_up_votes_or_themes_the_pages_say_so(client: Client) -> None:
    assert "No board has been published yet." in open_page(client, "/").texts("p")
    assert "There are no themes yet." in open_page(client, "/themes").texts("p")
    factories.board(title="Disliked", votes=(1, 2))
    page = open_page(client, "/")
    assert (page.texts("h2"), page.texts("h3")) == (["Newest"], ["Disliked"])


def test_themes_are_grouped_by_type_with_the_number_of_their_boards_and_those_without_stand_apart(
    client: Client,
) -> None:
    two, one, drafts, _ = (factories.theme(name) for name in ("two", "one", "drafts", "none"))
    squeeze = factories.theme("squeeze", type="declarer_play", labels={"en": "Squeeze"})
    assert "No theme has a board yet." in open_page(client, "/themes").texts("p")
    factories.board(themes=(two, one))
    factories.board(themes=(two, squeeze))
    factories.board(themes=(drafts,), published=False)
    page = open_page(client, "/themes")
    assert page.texts("h2") == ["Convention", "Declarer play", "Themes without boards yet"]
    assert page.texts("li")[-5:] == ["one 1 board", "two 2 boards", "Squeeze 1 board", "drafts", "none"]
    links = {"two": "/themes/two", "Declarer play": "/boards?themeType=declarer_play"}
    assert page.links().items() >= links.items()
    home = open_page(client, "/")
    assert "two" in home.links() and "none" not in home.links() and "drafts" not in home.links()
    assert home.texts("h2")[-1] == "Themes"


def test_a_label_in_another_language_has_a_lang_attribute(client: Client) -> None:
    factories.theme("weak_two", labels={"en": "Weak two", "fr": "Deux faible", "x y": "odd"})
    response = client.get("/themes", headers={"accept-language": "fr-CA"})
    (found,) = [found for found, text in Document(response).all("a") if text == "Deux faible"]
    assert found == {"href": "/themes/weak_two", "lang": "fr"}
    english = Document(client.get("/themes", headers={"accept-language": "en-GB"}))
    assert english.links()["Weak two"] == found["href"]
