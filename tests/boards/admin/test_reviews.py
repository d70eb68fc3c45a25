"""Staff publish what members ask for, or answer with a sentence."""

import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.admin.views.main import ChangeList
from django.contrib.auth.models import Group
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.formats import date_format

from accounts.models import Account
from boards.models import Board, PublicationReview
from boards.services.reviews import ask_to_publish, correct_board, edit_board, withdraw
from bridge.auction import Auction, Call
from bridge.contract import Contract
from bridge.seats import Seat
from tests import factories
from tests.boards.admin.pages import LIST, messages_of, send_form, unsaid
from tests.boards.drafts import draft_of, states
from tests.config.admin.conftest import run_action
from tests.config.admin.opened_pages import OpenedForm, open_page
from tests.log_lines import Lines

pytestmark = pytest.mark.django_db

WAITING = f"{LIST}?published=waiting"
BY_EVENING = f"{LIST}waiting/"


@pytest.fixture
def zia(db: None) -> Account:
    return factories.account("zia", display_name="Zia M")


def asked_by(owner: Account, **values: Any) -> Board:
    board = draft_of(owner, **values)
    ask_to_publish(owner, [board.pk])
    return board


def page_of(board: Board) -> str:
    return f"{LIST}{board.pk}/review/"


def publish_listed(client: Client, *boards: Board, sent: dict[str, Any] | None = None, path: str = WAITING) -> Any:
    """Tick boards in the list and publish them. `sent` has the fields of a list that was opened before."""
    selected = [str(board.pk) for board in boards]
    body = {**(sent or open_page(client, WAITING)), "action": "publish", "_selected_action": selected, "index": "0"}
    return client.post(path, body)


def sent_by_page(client: Client, board: Board) -> dict[str, Any]:
    page = client.get(page_of(board)).content.decode()
    return OpenedForm(page[page.index('class="preview-diagrams"') :]).sent


def test_the_list_of_what_waits_names_owners_and_times_with_few_queries(helper: Client, zia: Account) -> None:
    waiting = [asked_by(zia, title="Count"), asked_by(zia)]
    factories.board(published=False)
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as captured:
            page = helper.get(WAITING)
        counts.append(len(captured))
        assert set(page.context["cl"].result_list) == set(waiting)
        waiting += [asked_by(zia), asked_by(zia)]
    assert counts[0] == counts[1] <= 8
    assert not unsaid(page, "Zia M", f"Waits since {date_format(timezone.now())}, ")
    assert not unsaid(helper.get("/admin/"), "Members&#x27; boards waiting", BY_EVENING)


def test_support_publishes_what_is_ticked_in_the_list(
    helper: Client, zia: Account, lines: Lines, django_capture_on_commit_callbacks: Any
) -> None:
    board, other = asked_by(zia), asked_by(zia)
    with django_capture_on_commit_callbacks(execute=True):
        assert publish_listed(helper, board).status_code == 302
    assert list(Board.objects.published()) == [board]
    assert states() == {other.pk: "waiting"}
    assert LogEntry.objects.get().object_id == str(board.pk)
    (line,) = (line for line in lines.of("security") if line["event"] == "boards_changed")
    assert (line["change"], line["boards"], line["account"]) == ("accept", 1, "the-support")


def test_what_was_changed_or_taken_back_since_the_list_was_opened_stays_a_draft(helper: Client, zia: Account) -> None:
    changed, withdrawn, kept = asked_by(zia), asked_by(zia), asked_by(zia)
    sent = open_page(helper, WAITING)
    edit_board(zia, changed.pk, {"title": "Buy my book"})
    withdraw(zia, [withdrawn.pk])
    publish_listed(helper, changed, withdrawn, kept, sent=sent)
    assert list(Board.objects.published()) == [kept]
    edit_board(zia, withdrawn.pk, {"title": "Buy my book"})
    publish_listed(helper, changed, withdrawn, sent=sent, path=LIST)
    assert list(Board.objects.published()) == [kept]


def test_all_that_wait_are_published_after_a_question(helper: Client, zia: Account) -> None:
    boards = [asked_by(zia) for _ in range(3)]
    page = publish_listed(helper, boards[0], sent={**open_page(helper, WAITING), "select_across": "1"})
    assert "3 drafts that members want to be published" in page.content.decode()
    late = asked_by(zia)
    send_form(helper, page)
    assert set(Board.objects.published()) == set(boards)
    assert states() == {late.pk: "waiting"}


FRIDAY = {"event": "Friday pairs & more", "date": "2026.11.20", "site": "Deventer"}


def form_of(client: Client, button: str) -> tuple[str, dict[str, Any]]:
    """Return the address and the fields of the first form with this button."""
    page = client.get(BY_EVENING).content.decode()
    form = next(form for form in page.split("<form ")[1:] if f'value="{button}"' in form).partition("</form>")[0]
    address = re.search(r'action="([^"]+)"', form)
    assert address
    return unescape(address[1]), OpenedForm(form).sent


def test_what_waits_is_listed_by_owner_and_evening_with_few_queries(helper: Client, zia: Account) -> None:
    asked_by(zia, seed=1, table="1", **FRIDAY)
    asked_by(zia, seed=1, table="2", **FRIDAY)
    asked_by(zia)
    asked_by(factories.account("<other>", display_name="<b>Other</b>"), **FRIDAY)
    factories.board(published=False, **FRIDAY)
    with CaptureQueriesContext(connection) as few:
        page = helper.get(BY_EVENING)
    text = page.content.decode()
    evenings = [(row["owner"].pk, row["name"], row["deals"], row["boards"]) for row in page.context["evenings"]]
    friday = "Friday pairs & more, 20 November 2026"
    assert evenings == [("zia", friday, 1, 2), ("zia", "Boards without an event", 1, 1), ("<other>", friday, 1, 1)]
    assert not unsaid(text, "Zia M (zia), Deventer", "1 board, 2 results, waiting since ", "&lt;b&gt;Other&lt;/b&gt;")
    for _ in range(3):
        asked_by(factories.account(), **FRIDAY)
    with CaptureQueriesContext(connection) as many:
        assert len(helper.get(BY_EVENING).context["evenings"]) == 6
    assert len(many) == len(few) <= 8
    listed = helper.get(page.context["evenings"][0]["list"]).context["cl"].result_list
    assert {board.table for board in listed} == {"1", "2"}


def test_an_evening_is_published_with_one_press_but_not_what_was_changed_since(helper: Client, zia: Account) -> None:
    kept, changed, elsewhere = asked_by(zia, **FRIDAY), asked_by(zia, **FRIDAY), asked_by(zia)
    theirs = asked_by(factories.account(), **FRIDAY)
    address, sent = form_of(helper, "Publish all")
    edit_board(zia, changed.pk, {"title": "Buy my book"})
    late = asked_by(zia, **FRIDAY)
    assert helper.post(address, sent)["Location"] == BY_EVENING
    assert messages_of(helper, BY_EVENING) == ["Published 1 board. 1 board needed no change."]
    assert list(Board.objects.published()) == [kept]
    assert states() == {board.pk: "waiting" for board in (changed, elsewhere, theirs, late)}


def test_an_evening_is_declined_with_a_sentence(helper: Client, zia: Account) -> None:
    boards, other = [asked_by(zia), asked_by(zia)], asked_by(zia, **FRIDAY)
    address, sent = form_of(helper, "Decline all")
    assert "This field is required" in helper.post(address, {**sent, "sentence": " "}).content.decode()
    assert helper.post(address, {**sent, "sentence": "Whose deals are these?"})["Location"] == BY_EVENING
    assert states() == {**{board.pk: "declined" for board in boards}, other.pk: "waiting"}


def test_the_boards_of_an_evening_are_looked_at_one_by_one(helper: Client, zia: Account) -> None:
    last, first = asked_by(zia, **FRIDAY), asked_by(zia, **FRIDAY)  # as an import stores them
    asked_by(zia)
    assert not unsaid(helper.get(BY_EVENING), f'href="{page_of(first)}" class="closelink">Look one by one')
    assert not unsaid(helper.get(page_of(first)), f'href="{page_of(last)}"')
    assert helper.post(page_of(first), {**sent_by_page(helper, first), "publish": "1"})["Location"] == page_of(last)
    assert helper.post(page_of(last), {**sent_by_page(helper, last), "publish": "1"})["Location"] == BY_EVENING


def test_an_answer_needs_a_sentence_and_reaches_each_owner(helper: Client, zia: Account) -> None:
    boards = [asked_by(zia), asked_by(factories.account())]
    plain = factories.board(published=False)
    page = run_action(helper, "decline", *boards, plain)
    assert send_form(helper, page).status_code == 200
    assert set(states().values()) == {"waiting"}
    assert send_form(helper, page, sentence="<b>Whose</b> deal is this?").status_code == 302
    assert states() == {board.pk: "declined" for board in boards}
    answers = PublicationReview.objects.values_list("sentence", "answered_by_id")
    assert set(answers) == {("<b>Whose</b> deal is this?", "the-support")}
    assert messages_of(helper) == ["Answered for 2 boards. 1 board needed no change."]
    assert not unsaid(helper.get(f"{LIST}{boards[0].pk}/change/"), "&lt;b&gt;Whose&lt;/b&gt; deal is this?")


def test_the_page_of_a_board_that_waits_shows_every_text_and_publishes_it(helper: Client, zia: Account) -> None:
    auction = Auction(Seat.NORTH, (Call("1NT", explanation="12-14"), *[Call("Pass")] * 3))
    board = asked_by(zia, title="<i>Count</i>", commentary="Draw <b>trumps</b>.", auction=auction)
    Board.objects.update(system_text="Our own system")
    assert not unsaid(helper.get(f"{LIST}{board.pk}/change/"), page_of(board))
    texts = "&lt;i&gt;Count&lt;/i&gt;", "Draw &lt;b&gt;trumps&lt;/b&gt;.", "12-14", "Our own system", 'class="diagram'
    assert not unsaid(helper.get(page_of(board)), "Zia M (zia) wants this board", *texts)
    sent = sent_by_page(helper, board)
    assert helper.post(page_of(board), {**sent, "publish": "1"})["Location"] == BY_EVENING
    assert list(Board.objects.published()) == [board]
    again = helper.post(page_of(board), {**sent, "publish": "1"}, follow=True)
    assert not unsaid(again, "Nothing was done", "answered in the meantime")


def test_the_page_of_a_board_answers_and_shows_what_was_changed_meanwhile(helper: Client, zia: Account) -> None:
    board = asked_by(zia)
    sent, answer = sent_by_page(helper, board), {"answer": "1", "sentence": "No."}
    edit_board(zia, board.pk, {"title": "Something else"})
    for button in ({"publish": "1"}, answer):
        again = helper.post(page_of(board), {**sent, **button}, follow=True)
        assert not unsaid(again, "Nothing was done", "Something else")
        assert states() == {board.pk: "waiting"}
    sent = sent_by_page(helper, board)
    wrong = helper.post(page_of(board), {**sent, **answer, "sentence": "x" * 1001})
    assert "errorlist" in wrong.content.decode() and states() == {board.pk: "waiting"}
    assert helper.post(page_of(board), {**sent, **answer})["Location"] == BY_EVENING
    assert PublicationReview.objects.get().sentence == "No."


def test_who_may_not_change_boards_answers_nobody(helper: Client, zia: Account) -> None:
    board = asked_by(zia)
    group = Group.objects.get(name="support")
    group.permissions.remove(*group.permissions.filter(codename="change_board"))
    assert helper.get(page_of(board)).status_code == helper.get(BY_EVENING).status_code == 403
    assert not unsaid(helper.get("/admin/"), "published=waiting")
    body = {"publish": "1", "asked_at": (timezone.now() + timedelta(1)).isoformat()}
    assert helper.post(page_of(board), body).status_code == 403
    publish_listed(helper, board)
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
        edit_board(zia, board.pk, {"title": "Another text"})

    with monkeypatch.context() as patch:
        patch.setattr(ChangeList, "get_results", read_then_edit)
        sent = open_page(helper, WAITING)
    publish_listed(helper, board, sent=sent)
    board.refresh_from_db()
    assert (board.title, board.published_at) == ("Another text", None)


def test_staff_see_what_a_change_of_a_published_board_changes_and_accept_or_decline_it(
    helper: Client, zia: Account, lines: Lines, django_capture_on_commit_callbacks: Any
) -> None:
    board = factories.board(1, owner=zia, contract=Contract.parse("4S", Seat.NORTH), tricks=10)
    edit_board(zia, board.pk, {"title": "<i>Count</i>", "result": {"tricks": 9}})
    assert not unsaid(helper.get(WAITING), f"a change waits since {date_format(timezone.now())}, ")
    assert not unsaid(helper.get(f"{LIST}{board.pk}/change/"), "wants to change this board", page_of(board))
    rows = (
        '<th scope="row">Title</th><td>–</td><td>&lt;i&gt;Count&lt;/i&gt;</td>',
        '<th scope="row">Tricks that declarer won</th><td>10</td><td>9</td>',
    )
    assert not unsaid(helper.get(page_of(board)), "Zia M (zia) wants to change this board", *rows)
    sent = sent_by_page(helper, board)
    edit_board(zia, board.pk, {"title": "Buy my book"})
    assert not unsaid(helper.post(page_of(board), {**sent, "publish": "1"}, follow=True), "Nothing was done")
    correct_board(board.pk, {"contract": {"text": "Pass", "declarer": None}, "result": {"tricks": None}})
    refused = helper.post(page_of(board), {**sent_by_page(helper, board), "publish": "1"}, follow=True)
    assert not unsaid(refused, "is not possible. There is a result, but the board was passed out.")
    correct_board(board.pk, {"contract": {"text": "4S", "declarer": "N"}})
    answer = {**sent_by_page(helper, board), "answer": "1", "sentence": "No advertising."}
    assert helper.post(page_of(board), answer)["Location"] == BY_EVENING and states() == {board.pk: "declined"}
    edit_board(zia, board.pk, {"title": "Count"})
    with django_capture_on_commit_callbacks(execute=True):
        assert helper.post(page_of(board), {**sent_by_page(helper, board), "publish": "1"})["Location"] == BY_EVENING
    assert Board.objects.published().values_list("title", "tricks").get() == ("Count", 9) and states() == {}
    assert [line["change"] for line in lines.of("security") if line["event"] == "boards_changed"][-1] == "accept-change"
