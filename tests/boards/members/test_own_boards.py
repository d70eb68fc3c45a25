"""The list of a member's own boards, and its buttons."""

import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.html import escape

from accounts.models import Account
from boards import bulk, reviews
from boards.members import own_boards
from boards.models import Board, PublicationReview
from boards.ownership import ask_to_publish
from tests import factories
from tests.log_lines import Lines
from tests.members import signed_in
from voting.models import Vote
from voting.services import cast_vote

pytestmark = pytest.mark.django_db

LIST = "/account/boards"


def draft_of(owner: Account, **values: Any) -> Board:
    return factories.board(owner=owner, published=False, **values)


def names(client: Client, path: str = LIST) -> list[str]:
    return [own.board.title for own in client.get(path).context["boards"]]


def press(client: Client, button: str, *boards: Board, path: str = LIST, **more: str) -> Any:
    body = {"do": button, "board": [str(board.pk) for board in boards], **more}
    return client.post(path, body)


def said(client: Client) -> list[str]:
    return [str(message) for message in client.get(LIST).context["messages"]]


def test_a_member_sees_each_own_board_with_its_state_and_no_others(zia_client: Client, zia: Account) -> None:
    factories.board(owner=zia, title="Shown")
    draft_of(zia, title="<b>Draft</b>")
    waiting, refused = draft_of(zia, title="Waiting"), draft_of(zia, title="Refused")
    draft_of(factories.account(), title="Theirs")
    ask_to_publish(zia, [waiting.pk, refused.pk])
    reviews.decline([refused.pk], by="support", sentence="Whose <i>deal</i> is this?", looked_at=timezone.now())
    assert set(names(zia_client)) == {"Shown", "<b>Draft</b>", "Waiting", "Refused"}
    page = zia_client.get(LIST).content.decode()
    assert "Theirs" not in page and escape("<b>Draft</b>") in page
    assert "<strong>Waits for staff</strong>" in page and "<strong>Published</strong>" in page
    assert escape("Whose <i>deal</i> is this?") in page
    for show, expected in {
        "published": {"Shown"},
        "waiting": {"Waiting"},
        "answered": {"Refused"},
        "drafts": {"Refused", "<b>Draft</b>"},
    }.items():
        assert set(names(zia_client, f"{LIST}?show={show}")) == expected
    assert zia_client.get(f"{LIST}?show=theirs").status_code == 400


def test_the_list_goes_on_by_pages_with_as_many_queries_for_many_boards(
    zia_client: Client, zia: Account, monkeypatch: pytest.MonkeyPatch, django_assert_max_num_queries: Any
) -> None:
    monkeypatch.setattr(own_boards, "PAGE_SIZE", 9)
    for number in range(11):
        draft_of(zia, title=f"Board of {number}")
    with django_assert_max_num_queries(8):
        first = names(zia_client)
    second = names(zia_client, f"{LIST}?page=2")
    assert (len(first), len(second)) == (9, 2)
    assert first[0] == "Board of 10" and not set(first) & set(second)
    assert 'rel="next" href="/account/boards?page=2"' in zia_client.get(LIST).content.decode()
    assert "This page has no boards" in zia_client.get(f"{LIST}?page=3").content.decode()
    assert zia_client.get(f"{LIST}?page=0").status_code == 400


@pytest.mark.parametrize(
    ("mode", "button", "message"),
    [
        ("open", "Publish", "Published 2 boards."),
        ("review", "Ask staff to publish", "Asked staff to publish 2 boards."),
    ],
)
def test_ticked_boards_are_published_or_wait(
    mode: str,
    button: str,
    message: str,
    zia_client: Client,
    zia: Account,
    settings: Any,
    lines: Lines,
    django_capture_on_commit_callbacks: Any,
) -> None:
    settings.MEMBER_PUBLISHING = mode
    first, second, other = draft_of(zia), draft_of(zia), draft_of(zia)
    assert f">{button}</button>" in zia_client.get(LIST).content.decode()
    with django_capture_on_commit_callbacks(execute=True):
        response = press(zia_client, "publish", first, second)
    assert (response.status_code, response["Location"]) == (303, LIST)
    assert said(zia_client) == [message]
    done = Board.objects.published() if mode == "open" else Board.objects.filter(review__state="waiting")
    assert set(done) == {first, second}
    press(zia_client, "publish", first, other)
    assert "1 board needed no change." in said(zia_client)[0]
    (line,) = (line for line in lines.of("security") if line["event"] == "own_boards_changed")
    assert (line["change"], line["boards"], line["account"]) == ("publish", 2, "zia")


def test_where_members_do_not_publish_there_is_no_button_and_it_is_refused(
    zia_client: Client, zia: Account, settings: Any
) -> None:
    settings.MEMBER_PUBLISHING = "off"
    board = draft_of(zia)
    page = zia_client.get(LIST).content.decode()
    assert 'value="publish"' not in page and "Members do not publish boards here." in page
    assert 'value="publish"' not in zia_client.get(f"/boards/{board.pk}").content.decode()
    response = press(zia_client, "publish", board)
    assert response.status_code == 403 and "Members do not publish boards here." in response.content.decode()
    assert not Board.objects.published().exists() and not PublicationReview.objects.exists()


def test_all_boards_of_a_list_are_changed_with_one_press(
    zia_client: Client, zia: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_boards, "PAGE_SIZE", 2)
    for _ in range(3):
        draft_of(zia)
    shown = factories.board(owner=zia)
    page = zia_client.get(f"{LIST}?show=drafts").content.decode()
    assert "All 3 boards of this list" in page
    press(zia_client, "publish", path=f"{LIST}?show=drafts", all="yes")
    assert PublicationReview.objects.count() == 3
    press(zia_client, "withdraw", path=f"{LIST}?show=waiting", all="yes")
    assert not PublicationReview.objects.exists()
    assert Board.objects.published().get() == shown


@pytest.mark.parametrize(("mode", "published"), [("review", "Asked staff to publish"), ("open", "Published")])
def test_each_press_for_all_boards_goes_on_where_the_one_before_ended(
    mode: str, published: str, zia_client: Client, zia: Account, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MEMBER_PUBLISHING = mode
    monkeypatch.setattr("boards.bulk.MAX_KEYS", 2)
    declined, second, *_ = [draft_of(zia) for _ in range(5)]
    reviews.let_wait([declined.pk])
    reviews.decline([declined.pk], by="support", sentence="Whose deal is this?", looked_at=timezone.now())
    more = "There are more: press the button again to go on."
    for button, done in (("publish", published), ("withdraw", "Took back")):
        sentences = []
        for _ in range(3):
            press(zia_client, button, all="yes")
            sentences += said(zia_client)
        assert sentences == [
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
    assert "Delete 1 draft?" in page and "1 vote that readers gave" in page and "1 published board will stay" in page
    assert re.findall(r'name="board" value="([^"]+)"', page) == [str(board.pk), str(shown.pk)]
    assert press(zia_client, "delete", board, shown, confirmed="yes").status_code == 303
    assert list(Board.objects.all()) == [shown]


def test_nothing_ticked_and_nonsense_change_nothing(zia_client: Client, zia: Account) -> None:
    board = draft_of(zia)
    assert press(zia_client, "publish").status_code == 303
    assert said(zia_client)[-1] == "Tick the boards first."
    assert press(zia_client, "shred", board).status_code == 400
    for nonsense in ("1", "' OR 1=1", "\x00", "🂡" * 100):
        assert zia_client.post(LIST, {"do": "delete", "confirmed": "yes", "board": nonsense}).status_code == 400
    assert Board.objects.count() == 1 and not PublicationReview.objects.exists()


def test_boards_of_others_are_passed_over_by_every_button(zia_client: Client, settings: Any) -> None:
    settings.MEMBER_PUBLISHING = "open"
    other = factories.account()
    theirs, shown = draft_of(other, title="Secret"), factories.board(owner=other)
    before = list(Board.objects.order_by("pk").values())
    for button in ("publish", "withdraw", "delete"):
        press(zia_client, button, theirs, shown, confirmed="yes")
        assert "Secret" not in zia_client.get(LIST).content.decode()
    asked = press(zia_client, "delete", theirs, shown).content.decode()
    assert "Delete 0 drafts?" in asked and "Secret" not in asked and ">Delete</button>" not in asked
    assert list(Board.objects.order_by("pk").values()) == before


def test_a_post_leads_back_to_a_page_of_this_site_alone(zia_client: Client, zia: Account) -> None:
    board = draft_of(zia)
    path = f"/boards/{board.pk}"
    assert press(zia_client, "publish", board, next=path)["Location"] == path
    for elsewhere in ("https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"):
        assert press(zia_client, "publish", board, next=elsewhere)["Location"] == LIST


def test_posts_need_a_token_of_this_site(zia: Account) -> None:
    board = draft_of(zia)
    strict = signed_in(zia, enforce_csrf_checks=True)
    assert press(strict, "publish", board).status_code == 403
    assert strict.post(f"/boards/{board.pk}/edit", {"title": "x"}).status_code == 403
    assert not PublicationReview.objects.exists()


def test_the_page_of_a_board_says_to_its_owner_alone_how_it_stands(
    zia_client: Client, zia: Account, client: Client
) -> None:
    board = draft_of(zia, title="Mine")
    path = f"/boards/{board.pk}"
    page = zia_client.get(path)
    text = page.content.decode()
    assert "Only you and staff see it." in text and f'href="{path}/edit"' in text
    assert ">Ask staff to publish</button>" in text and page["Cache-Control"] == "private, no-store"
    assert press(zia_client, "publish", board, next=path)["Location"] == path
    assert "Waits for staff" in zia_client.get(path).content.decode()
    reviews.decline([board.pk], by="support", sentence="Whose deal is this?", looked_at=timezone.now())
    assert "Whose deal is this?" in zia_client.get(path).content.decode()
    other = signed_in(factories.account())
    assert client.get(path).status_code == other.get(path).status_code == 404
    reviews.publish_seen([board.pk], looked_at=timezone.now())
    for reader in (client, other):
        shown = reader.get(path).content.decode()
        assert (
            "/edit" not in shown and "Whose deal" not in shown and "account/boards" not in shown.partition("<main")[2]
        )
    assert "Report a problem" in client.get(path).content.decode()


def test_a_draft_is_deleted_from_its_page_after_a_question(zia_client: Client, zia: Account) -> None:
    draft, shown = draft_of(zia), factories.board(owner=zia)
    assert ">Delete</button>" not in zia_client.get(f"/boards/{shown.pk}").content.decode()
    assert ">Delete</button>" in zia_client.get(f"/boards/{draft.pk}").content.decode()
    asked = press(zia_client, "delete", draft, next=f"/boards/{draft.pk}").content.decode()
    assert "Delete 1 draft?" in asked and f"/boards/{draft.pk}" not in asked
    assert press(zia_client, "delete", draft, confirmed="yes")["Location"] == LIST
    assert list(Board.objects.all()) == [shown]


def test_who_is_not_signed_in_is_led_to_the_door(client: Client, zia: Account) -> None:
    board = draft_of(zia)
    for path in (LIST, f"{LIST}/upload", f"{LIST}/upload/{board.pk}", f"/boards/{board.pk}/edit"):
        assert client.get(path).status_code == 302
        assert client.post(path, {"do": "publish", "board": str(board.pk), "title": "x"}).status_code == 303
    assert not PublicationReview.objects.exists() and not Board.objects.exclude(title="").exists()
