"""Staff publish what members ask for, or answer with a sentence."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.admin.views.main import ChangeList
from django.contrib.auth.models import Group
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Account
from boards.models import Board, PublicationReview
from boards.ownership import ask_to_publish, digest_of, edit_board, withdraw
from deals.bridge.auction import Auction, Call
from deals.bridge.seats import Seat
from tests import factories
from tests.boards.admin.pages import LIST
from tests.boards.admin.test_bulk_changes import messages_of, send_form
from tests.config.admin.conftest import run_action, staff_client
from tests.config.admin.opened_pages import OpenedForm, open_page
from tests.log_lines import Lines

pytestmark = pytest.mark.django_db

WAITING = f"{LIST}?published=waiting"


@pytest.fixture
def helper(support_group: None, db: None) -> Client:
    """Return somebody from support, with the rights of the group as it is made."""
    return staff_client("support")


@pytest.fixture
def zia(db: None) -> Account:
    return factories.account("zia", display_name="Zia M")


def asked_by(owner: Account, **values: Any) -> Board:
    board = factories.board(owner=owner, published=False, **values)
    ask_to_publish(owner, [board.pk])
    return board


def page_of(board: Board) -> str:
    return f"{LIST}{board.pk}/review/"


def act_on_list(client: Client, action: str, *boards: Board) -> Any:
    sent = open_page(client, WAITING)
    selected = [str(board.pk) for board in boards]
    body = {**sent, "action": action, "_selected_action": selected, "index": "0"}
    return client.post(WAITING, body)


def sent_by_page(client: Client, board: Board) -> dict[str, Any]:
    page = client.get(page_of(board)).content.decode()
    return OpenedForm(page[page.index('class="preview-diagrams"') :]).sent


def states() -> dict[Any, str]:
    return dict(PublicationReview.objects.values_list("pk", "state"))


def test_the_list_of_what_waits_names_the_owner_and_since_when(helper: Client, zia: Account) -> None:
    waiting = asked_by(zia, title="Count")
    factories.board(published=False)
    page = helper.get(WAITING)
    assert list(page.context["cl"].result_list) == [waiting]
    text = page.content.decode()
    assert "Zia M" in text and "Waits since 20" in text
    start = helper.get("/admin/").content.decode()
    assert "Members&#x27; boards waiting" in start and "published=waiting" in start


def test_support_publishes_what_is_ticked_in_the_list(
    helper: Client, zia: Account, lines: Lines, django_capture_on_commit_callbacks: Any
) -> None:
    board, other = asked_by(zia), asked_by(zia)
    with django_capture_on_commit_callbacks(execute=True):
        assert act_on_list(helper, "publish", board).status_code == 302
    assert list(Board.objects.published()) == [board]
    assert states() == {other.pk: "waiting"}
    assert LogEntry.objects.get().object_id == str(board.pk)
    (line,) = (line for line in lines.of("security") if line["event"] == "boards_changed")
    assert (line["change"], line["boards"], line["account"]) == ("accept", 1, "the-support")


def test_what_was_changed_or_taken_back_since_the_list_was_opened_is_not_published(
    helper: Client, zia: Account
) -> None:
    changed, withdrawn, kept = asked_by(zia), asked_by(zia), asked_by(zia)
    sent = open_page(helper, WAITING)
    edit_board(zia, changed.pk, {"title": "Buy my book"}, seen=digest_of(changed))
    withdraw(zia, [withdrawn.pk])
    selected = [str(board.pk) for board in (changed, withdrawn, kept)]
    body = {**sent, "action": "publish", "_selected_action": selected, "index": "0"}
    helper.post(WAITING, body)
    assert list(Board.objects.published()) == [kept]
    withdrawn.refresh_from_db()
    edit_board(zia, withdrawn.pk, {"title": "Buy my book"}, seen=digest_of(withdrawn))
    helper.post(LIST, {**body, "_selected_action": [str(changed.pk), str(withdrawn.pk)]})
    assert list(Board.objects.published()) == [kept]


def test_all_that_wait_are_published_after_a_question(helper: Client, zia: Account) -> None:
    for _ in range(3):
        asked_by(zia)
    sent = open_page(helper, WAITING)
    body = {**sent, "action": "publish", "select_across": "1", "_selected_action": ["x"], "index": "0"}
    body["_selected_action"] = [str(Board.objects.all()[0].pk)]
    page = helper.post(WAITING, body)
    assert "3 drafts that members want to be published" in page.content.decode()
    late = asked_by(zia)
    send_form(helper, page)
    assert Board.objects.published().count() == 3
    assert states() == {late.pk: "waiting"}


def test_an_answer_needs_a_sentence_and_reaches_each_owner(helper: Client, zia: Account) -> None:
    boards = [asked_by(zia), asked_by(factories.account())]
    plain = factories.board(published=False)
    page = run_action(helper, "decline", *boards, plain)
    assert send_form(helper, page).status_code == 200
    assert set(states().values()) == {"waiting"}
    assert send_form(helper, page, sentence="<b>Whose</b> deal is this?").status_code == 302
    assert states() == {board.pk: "declined" for board in boards}
    assert {review.sentence for review in PublicationReview.objects.all()} == {"<b>Whose</b> deal is this?"}
    assert {review.answered_by_id for review in PublicationReview.objects.all()} == {"the-support"}
    assert messages_of(helper) == ["Answered for 2 boards. 1 board needed no change."]
    page_of_board = helper.get(f"{LIST}{boards[0].pk}/change/").content.decode()
    assert "&lt;b&gt;Whose&lt;/b&gt; deal is this?" in page_of_board


def test_the_page_of_a_board_that_waits_shows_it_and_publishes_it(helper: Client, zia: Account) -> None:
    board = asked_by(zia, title="<i>Count</i>", commentary="Draw <b>trumps</b>.")
    assert page_of(board) in helper.get(f"{LIST}{board.pk}/change/").content.decode()
    page = helper.get(page_of(board)).content.decode()
    assert "Zia M (zia) wants this board" in page and 'class="diagram"' in page
    assert "&lt;i&gt;Count&lt;/i&gt;" in page and "Draw &lt;b&gt;trumps&lt;/b&gt;." in page
    sent = sent_by_page(helper, board)
    assert helper.post(page_of(board), {**sent, "publish": "1"})["Location"] == WAITING
    assert list(Board.objects.published()) == [board]
    again = helper.post(page_of(board), {**sent, "publish": "1"}, follow=True).content.decode()
    assert "Nothing was done" in again and "it is published" in again


def test_the_page_of_a_board_answers_and_shows_what_was_changed_meanwhile(helper: Client, zia: Account) -> None:
    board = asked_by(zia)
    sent = sent_by_page(helper, board)
    edit_board(zia, board.pk, {"title": "Something else"}, seen=digest_of(board))
    again = helper.post(page_of(board), {**sent, "publish": "1"}, follow=True).content.decode()
    assert "Nothing was done" in again and "Something else" in again
    assert not Board.objects.published().exists()
    again = helper.post(page_of(board), {**sent, "answer": "1", "sentence": "No."}, follow=True).content.decode()
    assert "Nothing was done" in again and states() == {board.pk: "waiting"}
    sent = sent_by_page(helper, board)
    wrong = helper.post(page_of(board), {**sent, "answer": "1", "sentence": "x" * 1001})
    assert "errorlist" in wrong.content.decode() and states() == {board.pk: "waiting"}
    assert helper.post(page_of(board), {**sent, "answer": "1", "sentence": "No."})["Location"] == WAITING
    assert PublicationReview.objects.get().sentence == "No."


def test_the_list_of_what_waits_costs_as_many_queries_for_many_as_for_few(helper: Client, zia: Account) -> None:
    counts: list[int] = []
    for _ in range(4):
        asked_by(zia)
        with CaptureQueriesContext(connection) as captured:
            assert len(helper.get(WAITING).context["cl"].result_list) == len(counts) + 1
        counts.append(len(captured))
    assert counts[1] == counts[3] <= 8


def test_who_may_not_change_boards_answers_nobody(helper: Client, zia: Account) -> None:
    board = asked_by(zia)
    group = Group.objects.get(name="support")
    group.permissions.remove(*group.permissions.filter(codename="change_board"))
    assert helper.get(page_of(board)).status_code == 403
    body = {"publish": "1", "asked_at": (timezone.now() + timedelta(1)).isoformat()}
    assert helper.post(page_of(board), body).status_code == 403
    act_on_list(helper, "publish", board)
    assert states() == {board.pk: "waiting"}
    assert Client().get(page_of(board)).status_code == 302


def test_what_the_owner_changes_while_the_list_is_read_is_not_published(
    helper: Client, zia: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The list shows the text that it has read, and its form must not vouch for a later one."""
    board = asked_by(zia, title="Harmless")
    read = ChangeList.get_results

    def read_then_edit(self: ChangeList, request: Any) -> None:
        read(self, request)
        list(self.result_list)
        edit_board(zia, board.pk, {"title": "Another text"}, seen=digest_of(board))

    monkeypatch.setattr(ChangeList, "get_results", read_then_edit)
    sent = open_page(helper, WAITING)
    monkeypatch.undo()
    helper.post(WAITING, {**sent, "action": "accept", "_selected_action": [str(board.pk)], "index": "0"})
    board.refresh_from_db()
    assert (board.title, board.published_at) == ("Another text", None)


def test_the_page_shows_every_text_of_the_file_that_would_be_published(helper: Client, zia: Account) -> None:
    calls = (Call("1NT", explanation="Explanation-7c1f"), *[Call("Pass")] * 3)
    board = asked_by(zia, auction=Auction(Seat.NORTH, calls))
    Board.objects.update(system_text="System-7c1f")
    page = helper.get(page_of(board)).content.decode()
    assert "Explanation-7c1f" in page and "System-7c1f" in page
