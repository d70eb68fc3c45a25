"""The list of boards in the admin: its columns and its filters."""

import re
from urllib.parse import urlencode
from uuid import UUID

import pytest
from django.test import Client

from boards.models import Board
from tests import factories
from tests.boards.admin.pages import LIST

pytestmark = pytest.mark.django_db


def listed(client: Client, query: str) -> set[str]:
    response = client.get(f"{LIST}?{query}")
    assert response.status_code == 200, response.content.decode()[-2000:]
    return {board.title for board in response.context["cl"].result_list}


def test_two_boards_of_one_number_can_be_told_apart(boss: Client) -> None:
    factories.board(number=7, event="Friday pairs", date="2026.11.20", site="Deventer")
    factories.board(number=7, event="Monday teams", room="Open", calls="Pass 1NT Pass Pass Pass")
    page = boss.get(LIST).content.decode()
    assert 'title="Friday pairs, 20 November 2026, Deventer"' in page
    assert '<span class="line">Monday teams</span><span class="line">open room</span>' in page
    assert page.count(">Board 7<") == 2
    assert re.search(r"1NT (North|East|South|West)", page)


@pytest.fixture
def _boards(db: None) -> None:
    stayman, slam = factories.theme("stayman"), factories.theme("slam")
    factories.board(title="one", event="Friday pairs", date="2026.11.20", themes=(stayman, slam))
    factories.board(title="two", event="FRIDAY teams", date="2026.11.21", themes=(slam,))
    factories.board(title="three", event="Monday pairs", date="2026.12.01", published=False)
    factories.board(title="four", date="2026.??.??")
    factories.board(title="five")


FOUND = (
    *(("event=friday", "one two"), ("event=pairs&published=yes", "one"), ("published=no", "three")),
    *(("published=maybe", "one two three four five"), ("played_from=2026-11-21", "two three"), ("event=100%25", "")),
    *(("played_until=2026-11-20", "one"), ("played_from=2026-11-20&played_until=2026-11-21", "one two")),
    ("played_from=2026-11-21&played_until=2026-11-20", ""),
    ("played_from=&played_until=&event=&theme=", "one two three four five"),
)


@pytest.mark.usefixtures("_boards")
def test_boards_are_filtered_by_event_date_and_publication_and_a_malformed_filter_is_refused(boss: Client) -> None:
    for query, titles in FOUND:
        assert listed(boss, query) == {*titles.split()}, query
    for query in ("theme=abc", "played_from=2026-13-01", f"event={'x' * 201}"):
        assert boss.get(f"{LIST}?{query}").status_code == 400, query


@pytest.mark.usefixtures("_boards")
def test_a_filter_by_date_and_a_search_leave_the_newest_boards(boss: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boards.admin.filters.MAX_FOUND", 1)
    by_date = "played_from=2026-11-20&played_until=2026-11-21"
    for query, count, newest in ((by_date, 2, "two"), (urlencode({"q": "-is:draft"}), 4, "five")):
        assert listed(boss, query) == {newest}
        page = boss.get(f"{LIST}?{query}").content.decode()
        assert f"{count} boards match. The list shows the newest 1." in page


@pytest.mark.usefixtures("_boards")
def test_boards_are_filtered_by_theme_beside_other_filters(boss: Client) -> None:
    slam = factories.Theme.objects.get(identifier="slam")
    assert listed(boss, f"theme={slam.pk}") == {"one", "two"}
    assert listed(boss, f"theme={slam.pk}&event=teams&dealer__exact=N&q=two") == {"two"}
    page = boss.get(f"{LIST}?theme={slam.pk}&published=yes&q=two&o=1&p=1").content.decode()
    form = page[page.index('class="board-filter"') :]
    sent = dict(re.findall(r'<input type="hidden" name="(\w+)" value="(\w+)">', form))
    assert sent == {"published": "yes", "q": "two", "o": "1"}
    assert f'<option value="{slam.pk}" selected>slam (convention)</option>' in form


def test_the_search_finds_each_word_in_the_texts_of_a_board_and_in_its_themes(boss: Client) -> None:
    weak = factories.theme("weak_two", labels={"en": "Weak twos", "nl": "Zwakke opening", "x": 7})
    factories.board(title="one", site="Deventer", commentary="Count the trumps.", stage="Final, part 3")
    factories.board(title="two", table="T12", home_team="Modena", visit_team="Aarhus")
    factories.board(title="three", themes=(weak, factories.theme("weak_notrump")))
    found = {
        "one": ("deventer", "trumps", "final", "DEVENTER trumps", '"count the trumps"'),
        "two": ("t12", "modena", "aarhus modena"),
        "three": ("weak_two", "zwakke", "weak", "zwakke three"),
        "": ("aarhus trumps", '"trumps the"', "nl", "100%"),
    }
    for title, searches in found.items():
        for words in searches:
            assert listed(boss, urlencode({"q": words})) == {title} - {""}, words
    assert boss.get(f"{LIST}?q=weak").context["cl"].result_count == 1


def test_a_deal_and_an_id_are_found_as_they_are_written(boss: Client) -> None:
    """Find an id whose parts say something to players too, such as 5c."""
    key = "619603e6-5c48-4840-a39b-259e1c7d87ec"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Board._meta.get_field("id"), "_get_default", lambda: UUID(key))
        board = factories.board(seed=5, title="one")
    factories.board(seed=6, title="two")
    assert str(board.pk) == key
    for words in (key, f" {key.upper()}", key[:13], board.deal.cards, board.deal.cards[:20]):
        assert listed(boss, urlencode({"q": words})) == {"one"}, words


def test_who_is_vulnerable_is_chosen_in_words(boss: Client) -> None:
    page = boss.get(LIST).content.decode()
    choices = ("Neither side", "North-South", "East-West", "Both sides")
    assert [f"{each} vulnerable" for each in choices if f"{each} vulnerable" not in page] == []
    factories.board(title="one", number=1)
    assert listed(boss, "vulnerability__exact=None") == {"one"} and listed(boss, "vulnerability__exact=NS") == set()


def test_the_search_takes_what_players_type_and_the_language_of_the_lists_and_finds_drafts_too(boss: Client) -> None:
    factories.board(title="made", calls="1NT Pass Pass Pass", tricks=7)
    factories.board(title="down", calls="1NT Pass Pass Pass", tricks=6, published=False)
    for query, titles in (("contract=1N", {"made", "down"}), ("result<0 opening=1N", {"down"}), ("is:draft", {"down"})):
        assert listed(boss, urlencode({"q": query})) == titles, query
    for words, titles in (("1NT going down", {"down"}), ("1NT made", {"made"}), ("opening 1NT", {"made", "down"})):
        assert listed(boss, urlencode({"q": words})) == titles, words
    read = boss.get(f"{LIST}?{urlencode({'q': '1NT going down'})}")
    assert "The search was read as contract=1NT is:down" in read.content.decode()
    for query, reason in (("(1NT", "is never closed"), ('"1NT', 'This " is never closed'), ("south(hcp>=x)", "x is")):
        response = boss.get(f"{LIST}?{urlencode({'q': query})}")
        (message,) = (str(each) for each in response.context["messages"])
        assert message.startswith("Search: ") and reason in message, message
        assert response.context["cl"].result_count == 0
    response = boss.get(f"{LIST}?{urlencode({'q': 'contrct=1N'})}")
    assert "Search: Unknown search word: contrct. Did you mean contract?" in response.content.decode()
    assert response.context["cl"].result_count == 0
