"""Uploading a bridge file in the admin: its preview, and its import."""

import re
from contextlib import ExitStack
from datetime import timedelta
from io import StringIO
from itertools import product
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.core.management import call_command
from django.db import OperationalError
from django.http import HttpRequest
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import Account
from accounts.personal_data.erasure import erase
from accounts.personal_data.export import export
from boards.files import previews, uploading, uploads
from boards.files.importing import import_boards
from boards.files.uploads import MAX_UPLOADS
from boards.models import Board, Upload
from config.edge.limits import exports
from deals.bridge.formats.lin.writer import write_lin
from tests import factories
from tests.boards.admin.pages import LIST, UPLOAD, pbn
from tests.boards.admin.uploading import BAD_RECORD, messages_of, preview_of, send, text_of, work
from tests.config.admin.conftest import staff_client
from tests.log_lines import Lines

pytestmark = pytest.mark.django_db


# --- The preview


def test_the_preview_says_what_would_happen_and_stores_no_board(boss: Client) -> None:
    known = factories.record(number=1, event="Friday pairs", date="2026.11.20", site="Deventer")
    boss.post(preview_of(boss, pbn(known)), {"draft": "1"})
    file = pbn(known, factories.record(number=2), factories.record(number=3, event="Friday pairs")) + BAD_RECORD
    page = text_of(boss, preview_of(boss, file))
    assert "Preview of evening.pbn" in page
    assert "<strong>2 new boards.</strong>" in page
    assert "1 board of system is here already." in page
    assert "1 record will be refused." in page
    assert "<td>13</td><td>4</td>" in page
    assert "Friday pairs, 20 November 2026, Deventer: 1 record" in page
    assert "Without an event: 1 record" in page
    assert page.count('class="diagram"') == 3
    assert Board.objects.count() == 1


def test_a_file_without_a_board_has_no_button_to_import(boss: Client) -> None:
    page = text_of(boss, preview_of(boss, b"%PDF-1.7 a menu", name="menu.pdf"))
    assert "0 new boards" in page and "PDF" in page
    assert "Choose another file" in page and 'value="Import' not in page


def test_strangers_texts_are_escaped(boss: Client) -> None:
    record = factories.record(number=1, event="<script>alert(1)</script>")
    page = text_of(boss, preview_of(boss, pbn(record), name="<b>x<b>.pbn"))
    assert "<script>alert" not in page and "&lt;script&gt;alert(1)" in page
    assert "<b>x" not in page


# --- The import


@pytest.mark.parametrize(("button", "published"), [("publish", 3), ("draft", 0)])
def test_the_same_file_is_imported_once_with_what_was_chosen(button: str, published: int, boss: Client) -> None:
    stayman, zia = factories.theme("stayman"), factories.account("zia")
    file = pbn(factories.record(number=1, event="Own"), factories.record(number=2), factories.record(number=3))
    url = preview_of(boss, file, owner="zia")
    body = {button: "1", "theme": str(stayman.pk), "event": "Friday pairs", "date": "2026-11-20"}
    assert boss.post(url, body)["Location"] == LIST
    boards = Board.objects.order_by("board_number")
    assert [board.event for board in boards] == ["Own", "Friday pairs", "Friday pairs"]
    assert {(board.owner_id, board.date) for board in boards} == {(zia.pk, "2026.11.20")}
    assert all(set(board.themes.all()) == {stayman} for board in boards)
    assert Board.objects.published().count() == published
    word = "published" if published else "as drafts"
    (message,) = messages_of(boss)
    assert message.startswith(f"evening.pbn: 3 new boards, {word}.<br>")
    assert not Upload.objects.exists()
    again = boss.post(url, body, follow=True)
    assert "This file is not here any more" in again.content.decode()
    assert Board.objects.count() == 3


def test_a_finished_import_links_to_its_events_their_boards_and_hand_records(boss: Client) -> None:
    names = ("A & B", "A & B", "", "Friday pairs")
    file = pbn(*(factories.record(number=number, event=name) for number, name in enumerate(names, 1)))
    boss.post(preview_of(boss, file), {"publish": "1", "date": "2026-11-20"})
    page = boss.get(LIST)
    (message,) = map(str, page.context["messages"])
    assert "A &amp; B, 20 November 2026</a>: <a" in message and "Without an event" in message
    assert message.removeprefix("evening") in page.content.decode()
    links = re.findall(r'<a href="([^"]+)">([^<]+)</a>', message)
    assert [text for _, text in links].count("hand records") == 3
    shown = [boss.get(path).content.decode() for path, text in links if text == "boards"]
    assert [page.count('class="preview"') for page in shown] == [2, 1, 4]
    assert all(boss.get(path).status_code == 200 for path, _ in links)
    boss.post(preview_of(boss, pbn(factories.record(number=9, event="A & B"))), {"draft": "1"})
    (message,) = messages_of(boss)
    assert message.endswith(f'as drafts.<br><a href="{LIST}?published=no">Drafts</a>')


def test_other_formats_are_uploaded_the_same_way(boss: Client) -> None:
    lin = write_lin(factories.record(number=1)).encode()
    boss.post(preview_of(boss, lin, name="evening.lin"), {"publish": "1"})
    assert Board.objects.published().count() == 1


def test_a_file_that_goes_while_it_is_read_leads_back_to_the_list(
    boss: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = preview_of(boss, pbn(factories.record()))

    def read_what_is_gone(upload: Upload) -> dict[str, Any]:
        Upload.objects.all().delete()
        return previews.preview_of(upload)

    monkeypatch.setattr("boards.files.uploading.preview_of", read_what_is_gone)
    assert boss.get(url)["Location"] == LIST


def test_a_wrong_field_shows_the_preview_again_and_imports_nothing(boss: Client) -> None:
    url = preview_of(boss, pbn(factories.record(number=1)))
    response = boss.post(url, {"publish": "1", "event": "x" * 201, "date": "yesterday"})
    assert response.status_code == 200
    assert response.content.decode().count('class="errorlist"') == 2
    assert not Board.objects.exists()
    assert Upload.objects.count() == 1


def test_a_cancelled_file_is_forgotten(boss: Client) -> None:
    assert boss.post(preview_of(boss, pbn(factories.record())), {"cancel": "1"})["Location"] == LIST
    assert not Upload.objects.exists()
    assert not Board.objects.exists()


def test_an_import_leaves_a_line_in_both_logs(
    boss: Client, lines: Lines, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        boss.post(preview_of(boss, pbn(factories.record(number=1))), {"publish": "1"})
    entry = LogEntry.objects.get()
    assert (entry.object_repr, entry.user_id) == ("evening.pbn: 1 new board", "the-admin")
    assert "evening.pbn" in boss.get("/admin/").content.decode()
    (line,) = (line for line in lines.of("security") if line["event"] == "boards_uploaded")
    assert (line["boards"], line["owner"], line["account"]) == (1, "system", "the-admin")


def test_a_file_whose_import_breaks_off_is_kept_for_the_next_attempt(
    boss: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    preview = preview_of(boss, pbn(*(factories.record(number=number) for number in (1, 2, 3))))
    with monkeypatch.context() as patch:
        patch.setattr(uploading, "import_boards", fail_halfway)
        assert boss.post(preview, {"publish": "1"}).status_code == 503
    assert Board.objects.drafts().count() == 3
    assert boss.post(preview, {"publish": "1"}).status_code == 302
    assert Board.objects.published().count() == 3
    assert not Upload.objects.exists()


def fail_halfway(**options: Any) -> Any:
    """Import the boards as drafts, then lose the database."""
    import_boards(**{**options, "publish": False})
    raise OperationalError("The server is gone.")


def test_an_owner_who_is_switched_off_meanwhile_gets_no_boards(boss: Client) -> None:
    factories.account("zia")
    url = preview_of(boss, pbn(factories.record(number=1)), owner="zia")
    Account.objects.filter(pk="zia").update(is_active=False)
    response = boss.post(url, {"publish": "1"})
    assert response.status_code == 400
    assert not Board.objects.exists()
    assert send(boss, b"x", owner="zia").status_code == 200  # The form says that there is no such choice.


# --- Limits


def test_a_file_of_too_many_boards_is_refused_before_anything_is_stored(
    boss: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(previews, "MAX_BOARDS", 2)
    three = pbn(*(factories.record(number=number) for number in (1, 2, 3)))
    one_thrice = pbn(*[factories.record()] * 3)
    # Read by the request, and by the worker.
    for size, file in product((previews.MAX_SMALL, 0), (three, one_thrice)):
        monkeypatch.setattr(previews, "MAX_SMALL", size)
        url = preview_of(boss, file)
        work()
        response = boss.get(url)
        assert response.status_code == 413
        assert "more than 2 boards" in response.content.decode()


def test_a_file_may_be_larger_than_other_bodies_and_has_its_limit(boss: Client) -> None:
    assert send(boss, b"x" * 300_000).status_code == 302
    assert send(boss, b"x" * (16 * 2**20)).status_code == 413


def test_staff_import_only_a_few_files_at_once_and_programs_are_not_held_up(
    boss: Client, service: APIClient, lines: Lines
) -> None:
    file = pbn(factories.record())
    url = preview_of(boss, file)
    with ExitStack() as running:
        for _ in range(exports.MAX_OF_STAFF):
            running.enter_context(exports.staff_permit())
        assert boss.get(url).status_code == 200
        refused = boss.post(url, {"publish": "1"})
        assert refused.status_code == 503
        assert "Many imports and changes are running." in refused.content.decode()
        assert {line["level"] for line in lines.of("config.api.handlers")} == {"info"}
        assert Upload.objects.count() == 1
        assert not Board.objects.exists()
        answer = service.post("/api/deals/import", file, content_type="application/x-pbn")
        assert answer.status_code == 200
    assert boss.post(url, {"publish": "1"}).status_code == 302


def test_an_account_has_a_few_files_and_old_ones_go(boss: Client) -> None:
    first = preview_of(boss, pbn(factories.record()))
    for _ in range(MAX_UPLOADS):
        preview_of(boss, b"x")
    assert Upload.objects.count() == MAX_UPLOADS
    assert boss.get(first)["Location"] == LIST
    Upload.objects.update(created_at=timezone.now() - timedelta(days=uploads.RETENTION_DAYS, minutes=1))
    output = StringIO()
    call_command("prune", stdout=output)
    assert f"{MAX_UPLOADS} uploaded files" in output.getvalue()
    assert not Upload.objects.exists()


# --- Who may


@pytest.mark.usefixtures("reference_data")
def test_support_uploads_and_sees_no_file_of_another(boss: Client) -> None:
    helper = staff_client("support")
    url = preview_of(boss, pbn(factories.record(number=1)))
    assert helper.get(url).status_code == 302
    assert helper.post(url, {"publish": "1"}).status_code == 302
    assert not Board.objects.exists()
    own = preview_of(helper, pbn(factories.record(number=2)))
    helper.post(own, {"publish": "1"})
    assert Board.objects.published().count() == 1
    assert "Upload a file" in helper.get(LIST).content.decode()


def test_who_may_not_add_boards_uploads_none(boss: Client) -> None:
    url = preview_of(boss, pbn(factories.record(number=1)))
    helper = staff_client("support")  # without the rights of the group
    for path in (UPLOAD, url):
        assert helper.get(path).status_code == 403
        assert helper.post(path, {"publish": "1"}).status_code == 403


def test_a_stranger_is_led_to_the_login_before_the_file_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(HttpRequest, "parse_file_upload")
    response = send(Client(enforce_csrf_checks=True), b"x" * 1000)
    assert response["Location"].startswith("/admin/login/")


def test_a_form_from_elsewhere_is_refused() -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(factories.account("boss", role="admin"))
    assert send(client, pbn(factories.record())).status_code == 403
    assert not Upload.objects.exists()


def test_erasing_a_person_deletes_their_files_and_an_export_has_none(boss: Client) -> None:
    factories.account("zia")
    preview_of(boss, b"the file itself", owner="zia")
    assert b'"name":"evening.pbn"' in b"".join(export(Account.objects.get(pk="zia")))
    assert erase(account_id="zia", by=None)["uploads"] == 1
    assert not Upload.objects.exists()
