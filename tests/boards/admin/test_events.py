"""Events in the admin: one gets another name, and two become one."""

import re
from typing import Any
from urllib.parse import urlencode

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, Permission
from django.test import Client

from boards.admin import events as pages
from boards.models import Board, Event
from boards.services import bulk
from tests import factories
from tests.boards.admin.pages import messages_of, send_form, unsaid
from tests.boards.events.evenings import EVENING, SLUG, table
from tests.config.admin.conftest import run_action
from tests.log_lines import Lines

pytestmark = pytest.mark.django_db

LIST = "/admin/boards/event/"
PAGE = f"{LIST}{SLUG}/change/"
NEW = {"event": "Club night", "date": "27 November 2026", "site": "The club"}
OTHER = {"event": "Friday teams", "date": "2026.11.20"}


def look(client: Client, **texts: str) -> Any:
    """Ask what changes when the evening gets these texts."""
    return client.get(f"{PAGE}?{urlencode({**NEW, **texts})}")


def test_support_renames_an_event_after_a_look_and_all_boards_have_it_in_their_history(
    helper: Client, lines: Lines, django_capture_on_commit_callbacks: Any
) -> None:
    zia = factories.account("zia")
    boards = [table(1, 1, "1NT", "S", 7), table(1, 1, "1NT", "S", 8, owner=zia)]
    boards += [factories.board(owner=zia, published=False, **EVENING)]
    assert 'value="Friday pairs"' in helper.get(PAGE).content.decode()
    page = look(helper)
    effects = "3 boards of 2 accounts will be changed: 2 published and 1 draft.", "No event has this name yet."
    assert not unsaid(page, *effects, "its old one leads nowhere") and Board.objects.filter(**EVENING).count() == 3
    with django_capture_on_commit_callbacks(execute=True):
        assert send_form(helper, page)["Location"] == LIST
    (event,) = Event.objects.with_boards()
    (message,) = messages_of(helper, LIST)
    assert f'Renamed 3 boards. <a href="/events/{event.pk}">Club night, 27 November 2026, The club</a>' == message
    text = "Renamed the event Friday pairs, 20 November 2026, The club to Club night, 27 November 2026, The club."
    entries = set(LogEntry.objects.values_list("object_id", "change_message", "user_id"))
    assert entries == {(str(board.pk), text, "the-support") for board in boards}
    (line,) = (line for line in lines.of("security") if line["event"] == "boards_changed")
    assert (line["change"], line["boards"], line["account"]) == ("rename-event", 3, "the-support")
    assert SLUG not in helper.get(LIST).content.decode()


def test_two_events_become_one_under_either_name(boss: Client) -> None:
    for texts in ({}, OTHER):
        table(1, 1, "1NT", "S", 7, **texts), table(2 + len(texts), 2, "1NT", "S", 7, **texts)
    table(1, 1, "1NT", "S", 7, **OTHER, owner=factories.account("zia"))
    both = Event.objects.with_boards().order_by("name")
    for chosen in (both[:1], [*both, Event.objects.create(slug="a-third", name="A third")]):
        run_action(boss, "merge", *chosen)
        assert messages_of(boss, LIST) == ["Select the two events that are one."] * (len(chosen) == 1)
    page = boss.get(run_action(boss, "merge", *both)["Location"])
    said = ["the two become one, called Friday teams", "Readers will see 3 deals and 4 tables there."]
    said += ["Shown once, since two accounts have the same: 1 table.", "the same in both events: 1 table."]
    said += ["system has different cards under the same number in the two: 2.", "Keep the other name"]
    assert not unsaid(page, *said)
    (other_way,) = re.findall(r'href="([^"]*)" class="closelink">Keep the other', page.content.decode())
    page = boss.get(other_way.replace("&amp;", "&"))
    assert not unsaid(page, "called Friday pairs", "Keep the other name")
    send_form(boss, page)
    assert Event.objects.with_boards().get().pk == SLUG and Board.objects.filter(**EVENING).count() == 5


def test_what_has_changed_since_the_look_is_shown_again_and_nothing_is_renamed(boss: Client) -> None:
    table(1, 1, "1NT", "S", 7)
    page = look(boss)
    table(1, 1, "1NT", "S", 8)
    again = send_form(boss, page)
    assert not unsaid(again, "Nothing was renamed", "2 boards of 1 account")
    assert Board.objects.filter(**EVENING).count() == 2
    send_form(boss, again)
    assert not unsaid(send_form(boss, again), "Nothing was renamed", "No board is left")


def test_a_long_renaming_stops_in_time_and_goes_on_from_there(boss: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    table(1, 1, "1NT", "S", 6), factories.board(published=False, **EVENING)
    for tricks in (7, 8, 9):
        factories.board(published=False, number=tricks, **EVENING)
    monkeypatch.setattr(bulk, "CHUNK", 2)
    monkeypatch.setattr(pages, "MAX_SECONDS", 0)
    page = look(boss)
    for done, left in ((2, "3 boards are"), (2, "1 board is")):
        page = boss.get(send_form(boss, page)["Location"])
        assert not unsaid(page, f"Renamed {done} boards. {left} left: go on.")
    assert send_form(boss, page)["Location"] == LIST
    assert not Board.objects.filter(**EVENING).exists()


def test_dates_are_read_as_files_have_them_and_a_name_is_needed(boss: Client) -> None:
    table(1, 1, "1NT", "S", 7)
    for date in ("Whitsun", "24.12.2026"):
        factories.board(event="Old", date=date)
    dates = {
        "20/11/2026": "20 November 2026",
        "2026.11.??": "night, November 2026",
        "Whitsun": "Whitsun",
        "24.12.2026": "24.12.2026",
        "": "night, The",
    }
    for date, shown in dates.items():
        assert not unsaid(look(boss, date=date), shown, "1 board of 1 account"), date
    assert not unsaid(look(boss, date="next Friday"), "Write a date such as 20 November 2026")
    for event in ("", " ", "x" * 231):
        page = look(boss, event=event)
        assert "errorlist" in page.content.decode() and "will be changed" not in page.content.decode()


def test_who_may_not_change_boards_renames_nothing(helper: Client) -> None:
    table(1, 1, "1NT", "S", 7), table(1, 1, "1NT", "S", 7, **OTHER)
    page = look(helper)
    Group.objects.get(name="support").permissions.remove(Permission.objects.get(codename="change_board"))
    assert send_form(helper, page).status_code == 403
    assert "Rename" not in helper.get(PAGE).content.decode()
    assert "merge" not in helper.get(LIST).content.decode()
    assert Board.objects.filter(**EVENING).count() == 1
