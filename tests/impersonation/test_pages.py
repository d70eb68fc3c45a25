"""Staff look at the pages as a member: begun with a reason, read-only, recorded, and ended for good."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.sessions.backends.base import UpdateError
from django.test import Client
from django.utils import timezone

from accounts.models import Account, Session
from accounts.signing_in.devices import end_sessions
from boards.models import Board
from impersonation.models import Impersonation, ImpersonationEvent
from tests import factories
from tests.members import signed_in
from tests.undone import undone

pytestmark = pytest.mark.django_db

FORM = {"accountId": "mia", "reason": "she cannot see her draft", "ticket": "T-1", "ttlMinutes": "15"}
BANNER = "You look at the site as"


@pytest.fixture
def mia() -> Account:
    return factories.account("mia", display_name="Mia <b>")


@pytest.fixture
def draft(mia: Account) -> Board:
    return factories.board(owner=mia, published=False)


@pytest.fixture
def sue(mia: Account) -> Client:
    factories.account("sue", role="support")
    return browser_of_sue()


def browser_of_sue() -> Client:
    client = Client()
    client.force_login(Account.objects.get(pk="sue"))
    return client


def begin(client: Client, **changes: str) -> Any:
    return client.post("/impersonation", {**FORM, **changes})


def events() -> list[tuple[str, str, int]]:
    return list(ImpersonationEvent.objects.order_by("pk").values_list("kind", "route", "status"))


def test_every_page_but_the_admin_s_is_the_member_s_with_a_banner_and_is_recorded(sue: Client, draft: Board) -> None:
    answer = begin(sue)
    assert (answer.status_code, answer["Location"]) == (303, "/")
    pages = {"/": 200, f"/boards/{draft.pk}": 200, "/nothing": 404, "/account/devices": 200}
    for path, status in pages.items():
        page = sue.get(path)
        text = page.content.decode()
        assert page.status_code == status and BANNER in text and "Mia &lt;b&gt;" in text, path
        assert page["Cache-Control"] in ("private, no-store", "no-store")
    kinds = events()
    assert kinds[0] == ("started", "impersonation", 303)
    assert [kind for kind, _, _ in kinds[1:]] == ["request"] * 4
    assert {event.actor_id for event in ImpersonationEvent.objects.all()} == {"sue"}
    admin = sue.get("/admin/")
    assert admin.status_code == 200 and BANNER not in admin.content.decode()


def test_nothing_can_be_changed(sue: Client, mia: Account) -> None:
    board = factories.board()
    begin(sue)
    for path, body in (
        (f"/boards/{board.pk}/vote", {"up": "up"}), ("/account/devices", {"end": "others"}), ("/forms/contact", {}),
        ("/sign-in", {"member": "demo-anna"}), (f"/practice/{board.pk}", {"said": "Pass"}),
    ):  # fmt: skip
        answer = sue.post(path, body)
        assert answer.status_code == 403 and "you can change nothing" in answer.content.decode(), path
    board.refresh_from_db()
    assert board.up_votes == 0
    assert "ballot" not in sue.get(f"/boards/{board.pk}").content.decode()


def test_stopping_makes_the_actor_itself_again(sue: Client, mia: Account, draft: Board) -> None:
    begin(sue)
    answer = sue.post("/impersonation/stop")
    assert (answer.status_code, answer["Location"]) == (303, "/admin/accounts/account/mia/change/")
    assert BANNER not in sue.get("/").content.decode()
    assert events()[-1][:2] == ("stopped", "impersonation/stop")
    assert Impersonation.objects.get().ended_at is not None
    assert sue.post("/impersonation/stop")["Location"] == "/impersonation/ended"


def test_one_that_is_over_leads_to_a_page_that_says_so(mia: Account, subtests: pytest.Subtests) -> None:
    factories.account("sue", role="support")
    endings: dict[str, Callable[[], object]] = {
        "time": lambda: Impersonation.objects.update(expires_at=timezone.now()),
        "stopped elsewhere": lambda: Impersonation.objects.update(ended_at=timezone.now()),
        "subject switched off": lambda: Account.objects.filter(pk="mia").update(is_active=False),
        "subject promoted": lambda: Account.objects.filter(pk="mia").update(role="support"),
    }
    for how, end in endings.items():
        with subtests.test(how), undone():
            sue = browser_of_sue()
            begin(sue)
            end()
            answer = sue.get("/boards")
            assert (answer.status_code, answer["Location"]) == (303, "/impersonation/ended")
            assert "You are yourself again" in sue.get(answer["Location"]).content.decode()
            assert BANNER not in sue.get("/boards").content.decode()
            assert Impersonation.objects.get().ended_at is not None


def test_an_actor_who_is_demoted_is_signed_out_and_sees_nothing(sue: Client, draft: Board) -> None:
    begin(sue)
    Account.objects.filter(pk="sue").update(role="member")
    answer = sue.get(f"/boards/{draft.pk}")
    assert answer.status_code == 404 and BANNER not in answer.content.decode()
    assert "Sign in" in sue.get("/").content.decode()


def test_it_ends_with_its_session_whoever_ends_that(sue: Client, mia: Account) -> None:
    begin(sue)
    end_sessions(Session.objects.filter(account="sue"), why="by staff")
    assert Impersonation.objects.get().ended_at is not None and events()[-1][0] == "stopped"
    again = browser_of_sue()
    begin(again)
    assert again.post("/sign-out").status_code == 303
    assert not Impersonation.objects.filter(ended_at=None).exists()
    assert [kind for kind, _, _ in events()] == ["started", "stopped"] * 2


def test_a_start_that_is_refused_says_why_and_keeps_what_was_typed(sue: Client) -> None:
    for changes, status, said in (
        ({"reason": "short"}, 400, "reason-error"), ({"accountId": "nobody"}, 400, "No account has this id"),
        ({"accountId": ""}, 400, "accountId-error"), ({"ttlMinutes": "x"}, 400, "ttlMinutes-error"),
        ({"ttlMinutes": "9" * 5000}, 400, "ttlMinutes-error"), ({"accountId": "sue"}, 403, "It has not begun"),
    ):  # fmt: skip
        answer = begin(sue, **changes)
        text = answer.content.decode()
        assert answer.status_code == status and said in text and "T-1" in text, changes
        assert not Impersonation.objects.exists() and BANNER not in sue.get("/").content.decode()
    begin(sue)
    second = begin(sue)
    assert second.status_code == 409 and "Stop the one that runs" in second.content.decode()


def test_it_exists_for_staff_in_a_session_of_the_admin_alone(mia: Account, client: Client) -> None:
    callers = [client, signed_in(mia), signed_in(factories.account("boss", role="admin"))]
    for path in ("/impersonation", "/impersonation/stop", "/impersonation/ended"):
        for caller in callers:
            assert (caller.get(path).status_code, caller.post(path, FORM).status_code) == (404, 404), path
    assert not Impersonation.objects.exists()


def test_another_site_s_form_begins_none(mia: Account) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(factories.account("sue", role="support"))
    assert begin(strict).status_code == 403 and not Impersonation.objects.exists()


def test_a_session_that_names_another_actor_s_impersonation_sees_nothing(
    sue: Client, mia: Account, draft: Board
) -> None:
    foreign = factories.impersonation(factories.account("tom", role="support"), mia)
    session = sue.session
    session["impersonation"] = str(foreign.pk)
    session.save()
    assert sue.get("/")["Location"] == "/impersonation/ended"


def test_a_request_that_was_running_does_not_end_it_unseen(sue: Client, mia: Account) -> None:
    """It would store the session as it was before."""
    before = sue.session
    assert before.items(), "It is read now."
    begin(sue)
    before["_messages"] = "what it has done"
    with pytest.raises(UpdateError):
        before.save()
    assert BANNER in sue.get("/").content.decode()
    assert sue.session["impersonation"] and Session.objects.filter(account="sue").count() == 1
