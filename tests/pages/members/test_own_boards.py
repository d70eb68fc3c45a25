"""The list of a member's own boards, and its buttons. test_ownership.py has the rules."""

import re
from typing import Any
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import escape

from accounts.models import Account
from boards.identity import slug_of
from boards.models import Board, PublicationReview
from boards.services import bulk, reviews
from boards.services.reviews import ask_to_publish
from pages.members import own_boards
from pages.members.own_evenings import OwnEvening
from tests import factories
from tests.boards.admin.pages import messages_of, unsaid
from tests.boards.drafts import decline, draft_of
from tests.log_lines import Lines
from tests.members import signed_in
from tests.pages.opening import text_of
from tests.system.test_every_page import check_weight
from voting.models import Vote
from voting.services import cast_vote

pytestmark = pytest.mark.django_db

LIST = "/account/boards"


def evenings_at(client: Client, query: str = "") -> list[OwnEvening]:
    return client.get(f"{LIST}{query}").context["evenings"]


def names(client: Client, query: str = "") -> list[str]:
    return [own.board.title for evening in evenings_at(client, query) for own in evening.boards]


def press(client: Client, button: str, *boards: Board, query: str = "", **more: str) -> Any:
    return client.post(f"{LIST}{query}", {"do": button, "board": [str(board.pk) for board in boards], **more})


def test_a_member_sees_each_own_board_with_its_state_and_no_others(zia_client: Client, zia: Account) -> None:
    factories.board(owner=zia, title="Shown")
    draft_of(zia, title="<x>Draft</x>")
    waiting, refused = draft_of(zia, title="Waiting"), draft_of(zia, title="Refused")
    draft_of(factories.account(), title="Theirs")
    ask_to_publish(zia, [waiting.pk, refused.pk])
    decline(refused, sentence="Whose <i>deal</i> is this?")
    page, states = text_of(zia_client, LIST), ("<strong>Waits for staff</strong>", "<strong>Published</strong>")
    assert not unsaid(page, *states, *map(escape, ("<x>Draft</x>", "Whose <i>deal</i> is this?")))
    assert "Theirs" not in page
    assert set(names(zia_client)) == {"Shown", "<x>Draft</x>", "Waiting", "Refused"}
    found = {show: names(zia_client, f"?show={show}") for show in ("published", "waiting", "answered")}
    assert found == {"published": ["Shown"], "waiting": ["Waiting"], "answered": ["Refused"]}
    assert set(names(zia_client, "?show=drafts")) == {"Refused", "<x>Draft</x>"}
    assert zia_client.get(f"{LIST}?show=theirs").status_code == 400


FRIDAY = {"event": "Friday pairs", "date": "2026.11.20", "site": "Deventer"}
KEY = slug_of(*FRIDAY.values())


def evening_of(owner: Account, boards: int, tables: int, **values: Any) -> list[Board]:
    """Store drafts of an evening: so many boards, each played at so many tables."""
    return [
        draft_of(owner, seed=number, number=number, table=str(place), **{**FRIDAY, **values})
        for number in range(1, boards + 1)
        for place in range(1, tables + 1)
    ]


def test_an_evening_is_one_card_with_its_hands_and_numbers(zia_client: Client, zia: Account) -> None:
    drafts = evening_of(zia, 4, 5)
    bulk.publish_drafts([board.pk for board in drafts[:12]])
    reviews.let_wait([board.pk for board in drafts[12:15]])
    decline(*drafts[12:13])
    draft_of(zia, number=9, event="friday  pairs", date="2026.11.20", site="deventer", title="Spelt otherwise")
    draft_of(zia, number=7, title="Of no event")
    draft_of(factories.account(), number=1, **FRIDAY)
    others, evening = evenings_at(zia_client)
    assert (others.key, others.name, [own.name_in_evening for own in others.boards]) == (
        *("other", "Other boards"),
        ["Board 7, Of no event"],
    )
    assert evening.key == KEY
    counts = "5 boards, 21 results: 12 published, 2 waiting for staff, 7 drafts (1 answered by staff)."
    assert evening.counts_in_words == counts and list(evening.hands.values()) == [1, 2, 3]
    page = text_of(zia_client, LIST)
    assert not unsaid(
        page, counts, "The hands of board 1, board 2, board 3.", f'href="{LIST}?evening={KEY}">Tables (21)'
    )
    assert page.count("<pre>") == 4 and page.count('name="board"') == 1
    assert "friday  pairs" in page, "the latest spelling"
    (found,) = evenings_at(zia_client, "?show=drafts&q=friday")
    assert found.counts_in_words == "3 boards, 7 results: 7 drafts (1 answered by staff)."


def test_the_tables_of_one_evening_are_listed_by_number_in_pages(
    zia_client: Client, zia: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_boards, "PAGE_SIZE", 14)
    evening_of(zia, 2, 12)
    draft_of(zia)
    page = zia_client.get(f"{LIST}?evening={KEY}")
    (evening,) = page.context["evenings"]
    assert [own.name_in_evening for own in evening.boards] == [
        *(f"Board 1, table {place}" for place in range(1, 13)),
        *("Board 2, table 1", "Board 2, table 2"),
    ]
    assert not unsaid(
        page,
        "<title>Friday pairs, 20 November 2026 · My boards",
        f'href="{LIST}?evening={KEY}&amp;page=2"',
        "Tables (24)",
    )
    assert len(evenings_at(zia_client, f"?evening={KEY}&page=2")[0].boards) == 10
    assert not unsaid(zia_client.get(f"{LIST}?evening=nothing"), "You have no boards of this evening")
    assert zia_client.get(f"{LIST}?evening={'x' * 65}").status_code == 400


def test_an_evening_offers_one_thing_to_do_by_its_state(zia_client: Client, zia: Account, settings: Any) -> None:
    events_page, take_back = f'href="/events/{KEY}"', 'value="withdraw" class="{}">Take all back'
    ask, opened, delete = (
        'value="publish">Ask staff to publish all',
        f'class="button" {events_page}',
        "Delete the drafts",
    )
    more = f'class="item" {events_page}'
    second, folded = take_back.format("second"), take_back.format("text-button")

    def offered() -> list[str]:
        page = text_of(zia_client, LIST)
        return [text for text in (ask, opened, second, more, folded, delete) if text in page]

    (board,) = evening_of(zia, 1, 1)
    assert offered() == [ask, delete]
    reviews.let_wait([board.pk])
    assert offered() == [second, delete]
    bulk.publish_drafts([board.pk])
    assert offered() == [opened, folded]
    evening_of(zia, 2, 1, stage="Final")
    assert offered() == [ask, more, folded, delete]
    settings.MEMBER_PUBLISHING = "open"
    assert 'value="publish">Publish all' in text_of(zia_client, LIST)
    settings.MEMBER_PUBLISHING = "off"
    assert offered() == [opened, folded, delete] and 'value="publish"' not in text_of(zia_client, LIST)


def test_a_press_for_an_evening_changes_all_of_its_boards_in_the_list_and_no_others(
    zia_client: Client, zia: Account
) -> None:
    boards = evening_of(zia, 2, 2)
    draft_of(zia)
    theirs = draft_of(factories.account(), **FRIDAY)
    answer = press(zia_client, "publish", evening=KEY, query="?q=board+2")
    assert answer["Location"] == f"{LIST}?q=board+2"
    assert set(PublicationReview.objects.values_list("pk", flat=True)) == {board.pk for board in boards[2:]}
    press(zia_client, "withdraw", evening=KEY)
    assert not PublicationReview.objects.exists()
    asked = press(zia_client, "delete", evening=KEY, query=f"?evening={KEY}").content.decode()
    assert "Delete 4 drafts?" in asked and f'name="evening" value="{KEY}"' in asked and Board.objects.count() == 6
    gone = press(zia_client, "delete", evening=KEY, confirmed="yes", query=f"?evening={KEY}")
    assert gone["Location"] == f"{LIST}?evening={KEY}"
    assert not unsaid(zia_client.get(gone["Location"]), "Deleted 4 boards.", "You have no boards of this evening")
    for key in ("nothing", "", "' OR 1=1 --"):
        press(zia_client, "delete", evening=key, confirmed="yes")
    assert Board.objects.count() == 2 and Board.objects.filter(pk=theirs.pk).exists()


def test_the_page_of_an_upload_says_who_publishes(zia_client: Client, settings: Any) -> None:
    for settings.MEMBER_PUBLISHING, words in (
        ("open", "You publish them when you like."),
        ("review", "staff review each evening before readers see it"),
        ("off", "Only staff publish boards here."),
    ):
        assert words in text_of(zia_client, f"{LIST}/upload"), words


def test_words_find_boards_by_title_event_site_table_and_number(zia_client: Client, zia: Account) -> None:
    evening_of(zia, 12, 1)
    draft_of(zia, title="Count to 100%", number=30)
    for words, numbers in {
        "FRIDAY": range(1, 13),
        "deventer board 11": [11],
        "count": [30],
        "0%": [30],
        "pairs count": [],
        "30": [30],
        "table 1 30": [],
        "table 1 friday": range(1, 13),
        "table 2": [],
        "99999999999": [],
    }.items():
        found = names_in(evenings_at(zia_client, f"?{urlencode({'q': words})}"))
        assert found == [*numbers], words
    assert not unsaid(zia_client.get(f"{LIST}?q=nothing"), "No board of yours matches these words", 'value="nothing"')
    assert zia_client.get(f"{LIST}?q={'x' * 101}").status_code == 400


def names_in(evenings: list[OwnEvening]) -> list[int | None]:
    return [own.board.board_number for evening in evenings for own in evening.boards]


def test_the_list_goes_on_by_pages_with_as_many_queries_for_many_boards(
    zia_client: Client, zia: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_boards, "EVENINGS", 9)

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert evenings_at(zia_client)
        return len(captured)

    evening_of(zia, 1, 2)
    few = queries()
    for number in range(10):
        evening_of(zia, 1 + number % 3, 1, event=f"Club {number}")
    assert queries() <= few <= 9
    first, second = evenings_at(zia_client), evenings_at(zia_client, "?page=2")
    assert [evening.name for evening in first + second] == [*(f"Club {it}" for it in range(9, -1, -1)), "Friday pairs"]
    assert len(first) == 9 and 'rel="next" href="/account/boards?page=2"' in text_of(zia_client, LIST)
    assert "This page has no boards" in text_of(zia_client, f"{LIST}?page=3")
    assert zia_client.get(f"{LIST}?page=0").status_code == 400


def test_a_page_of_twelve_evenings_is_light(zia_client: Client, zia: Account) -> None:
    for number in range(12):
        evening_of(zia, 3, 2, event=f"Friday pairs, week {number}", site="The club house, Deventer")
    check_weight(zia_client, LIST)


def test_ticked_boards_are_published_or_wait(
    zia_client: Client, zia: Account, settings: Any, lines: Lines, django_capture_on_commit_callbacks: Any
) -> None:
    boards = Board.objects
    for settings.MEMBER_PUBLISHING, button, message, done in (
        ("open", "Publish", "Published 2 boards.", boards.published()),
        ("review", "Ask staff to publish", "Asked staff to publish 2 boards.", boards.filter(review__state="waiting")),
    ):
        first, second, other = draft_of(zia), draft_of(zia), draft_of(zia)
        assert f">{button}</button>" in text_of(zia_client, LIST)
        with django_capture_on_commit_callbacks(execute=True):
            response = press(zia_client, "publish", first, second)
        assert (response.status_code, response["Location"]) == (303, LIST)
        assert (messages_of(zia_client, LIST), set(done.all())) == ([message], {first, second})
        press(zia_client, "publish", first, other)
        assert "1 board needed no change." in messages_of(zia_client, LIST)[0]
    changes = [line for line in lines.of("security") if line["event"] == "own_boards_changed"]
    assert [(line["change"], line["boards"], line["account"]) for line in changes] == [("publish", 2, "zia")] * 2


def test_where_members_do_not_publish_there_is_no_button_and_it_is_refused(
    zia_client: Client, zia: Account, settings: Any
) -> None:
    settings.MEMBER_PUBLISHING = "off"
    board = draft_of(zia)
    for path in (LIST, f"/boards/{board.pk}"):
        assert 'value="publish"' not in text_of(zia_client, path)
    assert "Members do not publish boards here." in text_of(zia_client, LIST)
    response = press(zia_client, "publish", board)
    assert response.status_code == 403 and "Members do not publish boards here." in response.content.decode()


def test_all_boards_of_a_list_are_changed_with_one_press(zia_client: Client, zia: Account) -> None:
    drafts, shown = {draft_of(zia).pk for _ in range(3)}, factories.board(owner=zia)
    assert "All 3 boards of this list" in text_of(zia_client, f"{LIST}?show=drafts")
    press(zia_client, "publish", query="?show=drafts", all="yes")
    assert set(PublicationReview.objects.values_list("pk", flat=True)) == drafts
    press(zia_client, "withdraw", query="?show=waiting", all="yes")
    assert not PublicationReview.objects.exists()
    assert Board.objects.published().get() == shown


def test_each_press_for_all_boards_goes_on_where_the_one_before_ended(
    zia_client: Client, zia: Account, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("boards.services.bulk.MAX_KEYS", 2)
    declined, second, *_ = [draft_of(zia) for _ in range(5)]
    reviews.let_wait([declined.pk])
    decline(declined)
    more = "There are more: press the button again to continue."
    for mode, button, done in (
        *(("review", "publish", "Asked staff to publish"), ("review", "withdraw", "Took back")),
        *(("open", "publish", "Published"), ("open", "withdraw", "Took back")),
    ):
        settings.MEMBER_PUBLISHING = mode
        for _ in range(3):
            press(zia_client, button, all="yes")
        assert messages_of(zia_client, LIST) == [
            f"{done} 2 boards. {more}",
            f"{done} 2 boards. 2 boards needed no change. {more}",
            f"{done} 1 board. 4 boards needed no change.",
        ]
    bulk.publish_drafts([declined.pk, second.pk])
    for _ in range(3):
        press(zia_client, "delete", all="yes", confirmed="yes")
    assert set(Board.objects.all()) == {declined, second}


def test_deleting_asks_in_numbers_and_deletes_drafts_alone(zia_client: Client, zia: Account) -> None:
    board, shown = factories.board(owner=zia), factories.board(owner=zia)
    cast_vote(account=factories.account(), board_id=board.pk, value=Vote.Value.UP)
    press(zia_client, "withdraw", board)
    asked = press(zia_client, "delete", board, shown)
    page = asked.content.decode()
    assert asked.status_code == 200 and Board.objects.count() == 2
    assert "Delete 1 draft?" in page and "Their 1 vote" in page and "1 published board will stay" in page
    assert re.findall(r'name="board" value="([^"]+)"', page) == [str(board.pk), str(shown.pk)]
    assert press(zia_client, "delete", board, shown, confirmed="yes")["Location"] == LIST
    assert list(Board.objects.all()) == [shown]
    draft = draft_of(zia)
    asked = press(zia_client, "delete", draft, next=f"/boards/{draft.pk}")  # from its page, which goes with it
    assert "Delete 1 draft?" in asked.content.decode() and f"/boards/{draft.pk}" not in asked.content.decode()


def test_nothing_ticked_and_nonsense_change_nothing(zia_client: Client, zia: Account) -> None:
    board = draft_of(zia)
    assert press(zia_client, "publish").status_code == 303
    assert messages_of(zia_client, LIST)[-1] == "Tick the boards first."
    assert press(zia_client, "shred", board).status_code == 400
    for nonsense in ("1", "' OR 1=1", "\x00", "🂡" * 100):
        assert zia_client.post(LIST, {"do": "delete", "confirmed": "yes", "board": nonsense}).status_code == 400
    assert Board.objects.count() == 1 and not PublicationReview.objects.exists()


def test_boards_of_others_are_passed_over_by_every_button(zia_client: Client, settings: Any) -> None:
    settings.MEMBER_PUBLISHING = "open"
    other = factories.account()
    theirs, shown = draft_of(other, title="Secret"), factories.board(owner=other)
    before = list(Board.objects.order_by("pk").values())
    asked = press(zia_client, "delete", theirs, shown).content.decode()
    assert "Delete 0 drafts?" in asked and "Secret" not in asked and ">Delete</button>" not in asked
    for button in ("publish", "withdraw", "delete"):
        press(zia_client, button, theirs, shown, confirmed="yes")
    assert list(Board.objects.order_by("pk").values()) == before


def test_a_post_leads_back_to_a_page_of_this_site_alone(zia_client: Client, zia: Account) -> None:
    board = draft_of(zia)
    elsewhere = ("https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)")
    for sent, path in ((f"/boards/{board.pk}", f"/boards/{board.pk}"), *((path, LIST) for path in elsewhere)):
        assert press(zia_client, "publish", board, next=sent)["Location"] == path


def test_posts_need_a_token_of_this_site(zia: Account) -> None:
    board = draft_of(zia)
    strict = signed_in(zia, enforce_csrf_checks=True)
    assert press(strict, "publish", board).status_code == 403
    assert strict.post(f"/boards/{board.pk}/edit", {"title": "x"}).status_code == 403
    assert not PublicationReview.objects.exists()
