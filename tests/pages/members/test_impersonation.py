"""Staff look at the pages as a member: begun with a reason, read-only, recorded for the member to see, and ended."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.sessions.backends.base import UpdateError
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import Account, Session
from accounts.signing_in.logins import end_sessions
from boards.models import Board
from impersonation.models import Impersonation, ImpersonationEvent
from tests import factories
from tests.conftest import token_of
from tests.members import signed_in
from tests.undone import undone

pytestmark = pytest.mark.django_db

FORM = {"accountId": "mia", "reason": "she cannot see her draft", "ticket": "T-1", "ttlMinutes": "15"}
BANNER = "You are viewing the site as"


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


def test_nothing_can_be_changed_or_downloaded(sue: Client, mia: Account) -> None:
    board, before = factories.board(), Account.objects.values().get(pk="mia")
    begin(sue)
    for path, body in (
        ("/account", {"displayName": "X", "initial-displayName": "Mia <b>"}), ("/account/delete", {"word": "DELETE"}),
        (f"/boards/{board.pk}/vote", {"up": "up"}), ("/account/devices", {"end": "others"}), ("/forms/contact", {}),
        ("/sign-in", {"member": "demo-anna"}), (f"/practice/{board.pk}", {"said": "Pass"}),
    ):  # fmt: skip
        answer = sue.post(path, body)
        assert answer.status_code == 403 and "you cannot change anything" in answer.content.decode(), path
    board.refresh_from_db()
    assert (board.up_votes, Account.objects.values().get(pk="mia")) == (0, before)
    assert sue.get("/account/data.json").status_code == 403, "nor downloaded"
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
    assert second.status_code == 409 and "Stop the present one" in second.content.decode()


def test_it_exists_for_staff_in_a_session_of_the_admin_alone(mia: Account, client: Client) -> None:
    callers = [client, signed_in(mia), signed_in(factories.account("boss", role="admin"))]
    for path in ("/impersonation", "/impersonation/stop", "/impersonation/ended"):
        for caller in callers:
            assert (caller.get(path).status_code, caller.post(path, FORM).status_code) == (404, 404), path
    assert not Impersonation.objects.exists()


def test_a_session_with_another_actor_s_impersonation_sees_nothing(sue: Client, mia: Account, draft: Board) -> None:
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


LOOKS = "/account/looks"


@pytest.fixture
def staff(db: None) -> Account:
    return factories.account("sue", role="support", display_name="Sue of support")


def look(actor: Account, subject: Account, days: int = 1, **texts: str) -> None:
    """Store an impersonation that ended some days ago."""
    begun = timezone.now() - timedelta(days=days)
    factories.impersonation(actor, subject, started_at=begun, ended_at=begun, **texts)


def read(client: Client, query: str = "") -> str:
    return client.get(LOOKS + query).content.decode()


def test_a_look_is_shown_with_its_actor_reason_end_and_requests(staff: Account, zia: Account) -> None:
    running = factories.impersonation(staff, zia, ticket="T-7")
    headers = {"authorization": f"Bearer {token_of(staff)}", "x-impersonation-id": str(running.pk)}
    for _ in range(3):
        assert APIClient(headers=headers).get("/api/accounts/me").status_code == 200
    html = read(signed_in(zia))
    words = ("Sue of support", "for a test", "T-7", "still running", "3 pages and requests on record")
    assert [each for each in words if each not in html] == []
    running.end(timezone.now())
    assert "still running" not in read(signed_in(zia))


def test_the_looks_of_others_and_those_of_ones_own_are_not_shown(staff: Account, zia: Account) -> None:
    look(staff, factories.account("other"), reason="about another")
    look(factories.account("boss", role="admin"), zia, reason="about zia")
    html = read(signed_in(zia))
    assert "about zia" in html and "about another" not in html and "Sue" not in html
    assert "Nobody has." in read(signed_in(staff)), "whom one looked at oneself is not a look at oneself"


def test_what_staff_wrote_is_escaped(zia: Account) -> None:
    evil = "<script>alert(1)</script>"
    look(factories.account("sue", role="support", display_name=evil), zia, reason=evil, ticket=evil)
    html = read(signed_in(zia))
    assert "<script>" not in html and "&lt;script&gt;" in html


def test_the_list_comes_in_pages_that_cost_the_same(staff: Account, zia: Account) -> None:
    client, counts = signed_in(zia), []
    for days in (range(1, 2), range(2, 26)):
        for number in days:
            look(staff, zia, number)
        with CaptureQueriesContext(connection) as captured:
            read(client)
        counts.append(len(captured))
    assert counts[0] == counts[1]
    first, second = read(client), read(client, "?page=2")
    assert (first.count("for a test"), second.count("for a test")) == (20, 5)
    assert 'rel="next" href="?page=2"' in first and 'rel="prev" href="?page=1"' in second
    for odd in ("?page=0", "?page=-1", "?page=abc", "?page=99999999999999999999"):
        assert client.get(LOOKS + odd).status_code == 200
