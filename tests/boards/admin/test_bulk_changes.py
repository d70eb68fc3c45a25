"""Changes of many boards in the admin: they say in numbers what will happen, and go on in chunks."""

from contextlib import ExitStack
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from boards.admin import BoardAdmin
from boards.admin import bulk as pages
from boards.models import Board
from boards.services import bulk
from config.edge.limits import exports
from deals.models import FeedEvent
from tests import factories
from tests.boards.admin.pages import LIST, messages_of, page_of_many, send_form, unsaid
from tests.config.admin.conftest import run_action, staff_client
from tests.log_lines import Lines
from voting.models import Vote
from voting.services import cast_vote

pytestmark = pytest.mark.django_db


def ask_about_all(client: Client, action: str, query: str = "") -> Any:
    """Send the action for all boards of the list, as somebody does who has ticked “Select all 9,760 boards”."""
    some = str(Board.objects.all()[0].pk)
    body = {"action": action, "_selected_action": [some], "select_across": "1", "index": "0"}
    return client.post(f"{LIST}{query}", body)


def add_votes(board: Board, *values: str) -> None:
    for value in values:
        cast_vote(account=factories.account(), board_id=board.pk, value=Vote.Value(value))


def test_unpublishing_all_says_in_numbers_what_will_happen_and_changes_nothing_before(boss: Client) -> None:
    for _ in range(3):
        add_votes(factories.board(), "up", "down")
    factories.board(published=False)
    page = ask_about_all(boss, "unpublish")
    numbers = "3 boards will be hidden from readers", "Already drafts, and left as they are: 1.", "Votes that stay: 6."
    assert not unsaid(page, "Unpublish 4 boards?", *numbers)
    assert (page.status_code, Board.objects.published().count()) == (200, 3)
    assert send_form(boss, page)["Location"] == LIST
    assert messages_of(boss) == ["Unpublished 3 boards. 1 board needed no change."]
    assert (Board.objects.published().count(), Vote.objects.count()) == (0, 6)


def test_deleting_says_in_numbers_what_will_happen_and_lists_no_votes(boss: Client) -> None:
    boards = [factories.board(title=f"Board of {number}") for number in range(8)]
    add_votes(boards[0], *["up"] * 4)
    page = run_action(boss, "delete_selected", *boards[:7])
    numbers = "7 boards will be deleted for good. Published now: 7.", "4 votes will be deleted with them."
    assert not unsaid(page, "Delete 7 boards?", *numbers, "and 2 others")
    assert page.content.decode().count("“Board of") == pages.MAX_EXAMPLES
    assert Board.objects.count() == 8
    assert send_form(boss, page)["Location"] == LIST
    assert messages_of(boss) == ["Deleted 7 boards."]
    assert list(Board.objects.all()) == [boards[7]] and not Vote.objects.exists()
    add_votes(boards[7], "up", "up", "down")
    path = f"{LIST}{boards[7].pk}/delete/"  # the page of one board
    page = boss.get(path)
    assert not unsaid(page, "Board of 7, 3 votes") and unsaid(page, "Vote object")
    assert boss.post(path, {"post": "yes"}).status_code == 302
    assert not Board.objects.exists()


def test_what_can_be_taken_back_is_done_at_once_for_ticked_boards_and_asks_for_all(boss: Client) -> None:
    board, other = factories.board(), factories.board()
    assert run_action(boss, "unpublish", board).status_code == 302
    assert list(Board.objects.published()) == [other]
    page = ask_about_all(boss, "publish", "?published=no")
    assert not unsaid(page, "1 draft will be shown to readers")
    assert send_form(boss, page)["Location"] == f"{LIST}?published=no"
    assert Board.objects.published().count() == 2
    run_action(boss, "unpublish", board)
    assert run_action(boss, "publish", board).status_code == 302
    assert Board.objects.published().count() == 2


def test_a_theme_is_added_to_the_boards_that_lack_it(boss: Client) -> None:
    stayman, slam = factories.theme("stayman"), factories.theme("slam")
    boards = [factories.board(themes=(stayman,)), factories.board(themes=(slam,)), factories.board()]
    page = run_action(boss, "add_theme", *boards)
    assert b"This field is required." in send_form(boss, page).content
    assert send_form(boss, page, theme=str(stayman.pk)).status_code == 302
    assert messages_of(boss) == ["Added the theme to 2 boards. 1 board needed no change."]
    assert [set(board.themes.all()) for board in boards] == [{stayman}, {stayman, slam}, {stayman}]


def test_the_event_is_set_and_blank_fields_are_left_alone(boss: Client) -> None:
    boards = [factories.board(event="A", site="Here"), factories.board(published=False, date="2026.01.02")]
    page = run_action(boss, "set_event", *boards)
    assert b"Fill at least one field." in send_form(boss, page).content
    assert b"Fill at least one field." in send_form(boss, page, event="  ").content
    send_form(boss, page, event="Friday pairs", date="2026-11-20")
    stored = {(board.event, board.site, board.date) for board in Board.objects.all()}
    assert stored == {("Friday pairs", "Here", "2026.11.20"), ("Friday pairs", "", "2026.11.20")}
    changed = FeedEvent.objects.filter(type=FeedEvent.Type.BOARD_CHANGED)
    assert [event.board_id for event in changed] == [boards[0].pk]


def test_a_text_that_fits_into_no_file_is_refused(boss: Client) -> None:
    page = run_action(boss, "set_event", factories.board(event="A"))
    for text, stored in (("x" * 201, "A"), ('"' * 120, "A"), ("a\x00b", "A"), ("two\nlines", "two lines")):
        assert send_form(boss, page, event=text).status_code == (200 if stored == "A" else 302)
        assert Board.objects.get().event == stored


def test_a_change_reaches_the_boards_of_the_filter_and_no_others(boss: Client) -> None:
    factories.board(event="Friday pairs")
    monday = factories.board(event="Monday teams")
    page = ask_about_all(boss, "unpublish", "?event=friday")
    late = factories.board(event="Friday pairs")
    assert send_form(boss, page)["Location"] == f"{LIST}?event=friday"
    assert set(Board.objects.published()) == {monday, late}


def test_each_board_has_its_change_in_its_history_and_the_run_has_a_line(
    boss: Client, lines: Lines, django_capture_on_commit_callbacks: Any
) -> None:
    boards = [factories.board(), factories.board(), factories.board(published=False)]
    with django_capture_on_commit_callbacks(execute=True):
        boss.post(f"{LIST}change/unpublish/", page_of_many())
    text = "Unpublish, from the list of boards."
    entries = set(LogEntry.objects.values_list("object_id", "change_message", "user_id"))
    assert entries == {(str(board.pk), text, "the-admin") for board in boards[:2]}
    (line,) = (line for line in lines.of("security") if line["event"] == "boards_changed")
    assert (line["change"], line["boards"], line["account"]) == ("unpublish", 2, "the-admin")


def test_a_long_change_stops_in_time_and_goes_on_from_there(boss: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    boards = [factories.board() for _ in range(5)]
    monkeypatch.setattr(bulk, "CHUNK", 2)
    monkeypatch.setattr(pages, "MAX_SECONDS", 0)
    page = boss.post(f"{LIST}change/set-event/", {**page_of_many(), "event": "Friday pairs"})
    for done in (2, 4):
        assert f"Set the event of {done} boards." in page.content.decode()
        assert Board.objects.filter(event="Friday pairs").count() == done
        page = send_form(boss, page)
    assert (page.status_code, messages_of(boss)) == (302, ["Set the event of 5 boards."])
    assert Board.objects.filter(event="Friday pairs").count() == len(boards)


def test_a_chunk_takes_as_many_statements_for_many_boards_as_for_few(boss: Client) -> None:
    def statements(change: str, boards: list[Board], values: dict[str, str]) -> int:
        with CaptureQueriesContext(connection) as captured:
            sent = {**page_of_many(*boards), **values}
            assert boss.post(f"{LIST}change/{change}/", sent).status_code == 302
        return len(captured)

    first, second, *others = [factories.board() for _ in range(5)]
    for change, values in (("set-event", {"event": "x"}), ("unpublish", {}), ("delete", {})):
        statements(change, [first], values)  # Content types are asked for once a process.
        assert statements(change, [second], values) == statements(change, others, values), change


def test_nothing_is_changed_while_many_changes_run_and_exports_hold_up_none(boss: Client) -> None:
    factories.board()
    for client in ("one", "two"):
        exports.permits.take(client)
    with ExitStack() as running:
        for _ in range(exports.MAX_OF_STAFF):
            running.enter_context(exports.staff_permit())
        response = boss.post(f"{LIST}change/unpublish/", page_of_many())
        assert response.status_code == 503
        assert "Many imports and changes are running." in response.content.decode()
        assert response["Retry-After"]
        assert Board.objects.published().count() == 1
    assert boss.post(f"{LIST}change/unpublish/", page_of_many()).status_code == 302
    assert not Board.objects.published().exists()


@pytest.mark.usefixtures("reference_data")
def test_support_changes_many_boards_and_deletes_none_and_nobody_else_changes_any() -> None:
    board = factories.board()
    for client in (Client(), staff_client("member")):
        response = client.post(f"{LIST}change/unpublish/", page_of_many(board))
        assert response["Location"].startswith("/admin/login/") and Board.objects.published().exists()
    helper = staff_client("support")
    assert helper.post(f"{LIST}change/unpublish/", page_of_many(board)).status_code == 302
    assert helper.post(f"{LIST}change/delete/", page_of_many(board)).status_code == 403
    assert run_action(helper, "delete_selected", board).status_code == 302  # Django warns of no action.
    assert Board.objects.drafts().count() == 1


def test_what_no_page_sends_is_refused_and_changes_nothing(boss: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BoardAdmin, "list_per_page", 1)
    sent = page_of_many(factories.board())
    factories.board()
    wrong: list[tuple[str, dict[str, Any]]] = [
        *(("unpublish/", {"until": value}) for value in ("", "yesterday")),
        *(("unpublish/", {"changed": "-1"}), ("unpublish/", {"after_id": "abc"})),
        ("unpublish/", {"_selected_action": ["abc"]}),
        *((f"unpublish/?{query}", {}) for query in ("theme=abc", "title__regex=(", "p=99")),
    ]
    for path, values in wrong:
        assert boss.post(f"{LIST}change/{path}", {**sent, **values}).status_code == 400, (path, values)
    assert boss.post(f"{LIST}change/nothing/", sent).status_code == 404
    assert boss.get(f"{LIST}change/unpublish/").status_code == 404
    assert Board.objects.published().count() == 2
