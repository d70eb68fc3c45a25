"""The inbox in the admin: what visitors sent, readable, and handled once."""

import itertools
import re
from datetime import timedelta
from html import unescape
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from boards.models import Board
from forms.models import Submission
from tests import factories
from tests.config.admin.conftest import run_action, staff_client, submission
from tests.forms.bodies import ORGANISATION, bodies
from tests.undone import undone

pytestmark = pytest.mark.django_db

LIST = "/admin/forms/submission/"
HOSTILE = '<script>alert("canary")</script><img src=x onerror=alert(1)>'


def page_of(client: Client, one: Submission) -> str:
    response = client.get(f"{LIST}{one.pk}/change/")
    assert response.status_code == 200
    return response.content.decode()


def press(client: Client, one: Submission, button: str = "handled", **more: bool) -> Any:
    response = client.post(f"{LIST}{one.pk}/{button}/", **more)
    one.refresh_from_db()
    return response


def listed(client: Client, **parameters: str) -> list[Submission]:
    return list(client.get(LIST, parameters).context["cl"].result_list)


# --- The list ------------------------------------------------------------------------------------------------


def test_a_row_says_who_wrote_about_what_and_how_it_begins(boss: Client) -> None:
    message = "Dear all,\n\n" + "the scores of last Tuesday are missing from our page " * 4
    submission(data={"name": "Ann", "email": "ann@example.org", "subject": "Scores", "message": message})
    submission("organisation", data={**ORGANISATION, "contactName": "Bo"})
    shown = boss.get(LIST).content.decode()
    for text in (
        "Ann", "Scores", "Dear all, the scores of last Tuesday", "from our page …</bdi>", "Write to us", "just now",
        "Bo", "Bridge Club Delft", "Join as an organisation",
    ):  # fmt: skip
        assert text in shown
    assert message not in shown


def test_what_waits_comes_first_and_then_the_newest_and_a_form_may_be_chosen(boss: Client) -> None:
    ages = {"old": 9, "new": 1, "old and handled": 5, "new and handled": 0}
    names = {}
    for name, hours in ages.items():
        handled_at = timezone.now() if "handled" in name else None
        row = submission("organisation" if name == "old" else "contact", timedelta(hours=hours), handled_at=handled_at)
        names[row.pk] = name
    for chosen, expected in (
        ({}, ["new", "old", "new and handled", "old and handled"]), ({"handled": "no"}, ["new", "old"]),
        ({"handled": "yes"}, ["new and handled", "old and handled"]), ({"form": "organisation"}, ["old"]),
        ({"form": "nothing"}, []),
    ):  # fmt: skip
        assert [names[row.pk] for row in listed(boss, **chosen)] == expected


def test_no_content_breaks_the_list_or_the_page(boss: Client) -> None:
    contents: list[Any] = [
        [], "text", {"name": None, "subject": 5, "message": ["x"]}, {"boardId": 7, "email": {}, "website": []},
        {"name": "x" * 10_000, "subject": "y" * 10_000, "message": "z" * 100_000},
        {"name": " ", "subject": "\n", "message": "\u2028"},
    ]  # fmt: skip
    for data, form in itertools.product(contents, ("contact", "board-report", "survey")):
        with undone():
            one = submission(form, data=data)
            assert len(boss.get(LIST).content) < 40_000, (data, form)
            assert page_of(boss, one), (data, form)


# --- One message ---------------------------------------------------------------------------------------------


def test_a_page_shows_each_field_with_its_label_and_its_line_breaks(boss: Client) -> None:
    one = submission("organisation", data={**ORGANISATION, "message": "Two\nlines", "fax": "1"}, language="nl")
    shown = page_of(boss, one)
    for text in ("Name of the organisation", "Bridge Club Delft", "Netherlands", "Two<br>lines", "Fax"):
        assert text in shown
    assert "{&" not in shown and "{'" not in shown


def test_nothing_that_was_typed_becomes_markup(boss: Client) -> None:
    for name, body in bodies().items():
        hostile = {field: f"{value} {HOSTILE}" for field, value in body.items()}
        for data in (hostile, {**body, "message": HOSTILE, HOSTILE: HOSTILE}):
            sent = {**data, "website": "javascript:alert(1)"}
            one = submission(name, data=sent, request_id=HOSTILE, language=HOSTILE[:35])
            for shown in (boss.get(LIST).content.decode(), page_of(boss, one)):
                assert "<script>alert" not in shown and "<img src=x" not in shown, name
                assert 'href="javascript' not in shown, name


def test_the_answer_by_mail_goes_to_the_sender_alone(boss: Client) -> None:
    for subject in (
        "Hello", "a&bcc=everybody@example.org", "x\r\nBcc: everybody@example.org", "50 % of ♠?#", "x\u2028Bcc: y",
        "a\x1bb",
    ):  # fmt: skip
        one = submission(data={"name": "Ann", "email": "ann+x@example.org", "subject": subject, "message": "m"})
        (link,) = {urlsplit(unescape(link)) for link in re.findall(r'href="(mailto:[^"]*)"', page_of(boss, one))}
        expected = "Re: " + " ".join(subject.replace("\x1b", "").split())
        assert (unquote(link.path), parse_qs(link.query)) == ("ann+x@example.org", {"subject": [expected]})
        assert expected.isprintable()
    for email in ("", "nobody", "a@b.example?bcc=c@d.example", "a@b.example,c@d.example", 5):
        one = submission(data={"name": "Ann", "email": email, "subject": "s", "message": "m"})
        assert "mailto:" not in page_of(boss, one), email


def test_a_report_leads_to_the_board_and_its_themes(boss: Client) -> None:
    theme = factories.theme("stayman", labels={"en": "Stayman"})
    board = factories.board(number=7, themes=(theme,))
    one = submission("board-report", data={"boardId": str(board.pk), "problem": "wrong_cards", "message": "m"})
    shown = page_of(boss, one)
    assert f'<a href="/boards/{board.pk}">{board}</a>' in shown
    assert f'<a href="/admin/boards/board/{board.pk}/change/">' in shown
    assert f'<a href="/admin/themes/theme/{theme.pk}/change/">Stayman</a>' in shown
    Board.objects.update(published_at=None)
    assert "(a draft now)" in page_of(boss, one)
    named = str(board.pk)
    board.delete()
    assert named in page_of(boss, one) and f"/boards/{named}" not in page_of(boss, one)


def test_links_lead_only_where_the_reader_may_go(reference_data: None) -> None:
    helper = staff_client("support")
    board = factories.board(themes=(factories.theme(),))
    one = submission("board-report", data={"boardId": str(board.pk), "message": "m"})
    assert f"/admin/boards/board/{board.pk}/change/" in page_of(helper, one)
    permissions = Group.objects.get(name="support").permissions
    permissions.remove(*permissions.filter(codename__regex="_(board|collection|theme)$"))
    shown = page_of(helper, one)
    assert f"/boards/{board.pk}" in shown
    assert "/admin/boards/" not in shown and "/admin/themes/" not in shown


def test_a_page_takes_as_many_queries_among_many_rows_as_among_few(boss: Client) -> None:
    board = factories.board(themes=(factories.theme(),))
    one = submission("board-report", data={"boardId": str(board.pk), "message": "m"})

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            page_of(boss, one)
        return len(captured)

    page_of(boss, one)
    submission()
    few = queries()
    for _ in range(3):
        submission()
        board.themes.add(factories.theme())
    assert queries() == few <= 12


# --- Handling ------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("reference_data")
@pytest.mark.parametrize("role", ["admin", "support"])
def test_one_button_records_who_handled_a_message_and_when(role: str) -> None:
    client, one = staff_client(role), submission()
    assert 'value="Mark as handled"' in page_of(client, one)
    assert press(client, one)["Location"] == f"{LIST}{one.pk}/change/"
    assert one.handled_by_id == f"the-{role}"
    assert one.handled_at is not None and timezone.now() - one.handled_at < timedelta(minutes=1)
    entry = LogEntry.objects.get()
    said = (entry.object_id, entry.user_id, entry.change_message)
    assert said == (str(one.pk), f"the-{role}", "Marked as handled.")
    assert "Ann" not in entry.object_repr and "Hello" not in entry.object_repr
    shown = page_of(client, one)
    assert "by Somebody" in shown and 'value="Not handled yet"' in shown


def test_a_second_person_does_not_take_over(boss: Client) -> None:
    one = submission()
    press(boss, one)
    first, other = (one.handled_by_id, one.handled_at), Client()
    other.force_login(factories.account("other", role="admin"))
    told = press(other, one, follow=True).content.decode()
    assert "It was handled already: Somebody, just now. Nothing has changed." in told
    run_action(other, "mark_handled", one)
    one.refresh_from_db()
    assert (one.handled_by_id, one.handled_at) == first
    assert LogEntry.objects.count() == 1


def test_a_message_can_wait_again(boss: Client) -> None:
    one = submission()
    for button in ("handled", "reopen", "reopen"):
        press(boss, one, button)
    assert (one.handled_at, one.handled_by_id) == (None, None)
    notes = list(LogEntry.objects.order_by("pk").values_list("change_message", flat=True))
    assert notes == ["Marked as handled.", "Marked as not handled yet."]


def test_a_list_is_handled_at_once_with_an_entry_for_each(boss: Client) -> None:
    rows = [submission() for _ in range(5)]
    press(boss, rows[0])
    run_action(boss, "mark_handled", *rows)
    assert not Submission.objects.waiting().exists()
    assert LogEntry.objects.count() == 5


def test_who_may_only_look_handles_nothing(reference_data: None) -> None:
    helper, one, permissions = staff_client("support"), submission(), Group.objects.get(name="support").permissions
    permissions.remove(permissions.get(codename="change_submission"))
    assert "Mark as handled" not in page_of(helper, one)
    assert [press(helper, one, button).status_code for button in ("handled", "reopen")] == [403, 403]
    assert one.handled_at is None


def test_neither_an_address_nor_another_site_handles_a_message() -> None:
    one = submission()
    client = Client(enforce_csrf_checks=True)
    client.force_login(factories.account("boss", role="admin"))
    for button in ("handled", "reopen"):
        assert client.get(f"{LIST}{one.pk}/{button}/").status_code == 405
        assert client.post(f"{LIST}{one.pk}/{button}/").status_code == 403
    assert Client().post(f"{LIST}{one.pk}/handled/")["Location"].startswith("/admin/login/")
    one.refresh_from_db()
    assert one.handled_at is None


def next_of(client: Client, one: Submission) -> Submission | None:
    return client.get(f"{LIST}{one.pk}/change/").context["page"]["next"]


def test_the_next_message_that_waits_is_one_click_away(boss: Client) -> None:
    new, middle, old = (submission(age=timedelta(hours=hours)) for hours in (1, 2, 3))
    robot = submission(is_suspected=True)
    assert f'href="{LIST}{middle.pk}/change/">Next message' in page_of(boss, new)
    assert [next_of(boss, one) for one in (new, middle, old)] == [middle, old, new]
    press(boss, middle)
    assert [next_of(boss, one) for one in (new, middle)] == [old, old]
    press(boss, new)
    press(boss, old)
    assert "No other message is waiting." in page_of(boss, old)
    assert [next_of(boss, one) for one in (old, robot)] == [None, None]


def test_messages_of_the_same_moment_are_all_reached(boss: Client) -> None:
    rows = [submission() for _ in range(4)]
    Submission.objects.update(created_at=rows[0].created_at)
    seen, one = set(), listed(boss)[0]
    for _ in rows:
        seen.add(one.pk)
        following = next_of(boss, one)
        assert following
        one = following
    assert len(seen) == 4
