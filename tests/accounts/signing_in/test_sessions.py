"""How long sessions last, what ends them, and the page of devices."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone
from django.utils.formats import date_format

from accounts.models import Account, Session
from accounts.models.sessions import SessionStore
from accounts.roles import ensure_support_group
from tests import factories
from tests.accounts.conftest import erase
from tests.members import is_signed_in, signed_in

pytestmark = pytest.mark.django_db

DEVICES = "/account/devices"
FIREFOX = "Mozilla/5.0 (Android 16; Mobile; rv:150.0) Gecko/150.0 Firefox/150.0"


def through_admin(account: Account) -> Client:
    return signed_in(account, "accounts.backends.PasswordBackend")


@pytest.mark.parametrize(
    ("kind", "idle", "absolute", "seconds"),
    [("member", timedelta(days=7), timedelta(days=30), 600), ("admin", timedelta(hours=1), timedelta(hours=12), 60)],
)
class TestLimits:
    def client(self, kind: str) -> Client:
        account = factories.account("mia", role="support" if kind == "admin" else "member")
        return signed_in(account) if kind == "member" else through_admin(account)

    def test_an_idle_session_ends(self, kind: str, idle: timedelta, absolute: timedelta, seconds: int) -> None:
        with time_machine.travel(timezone.now(), tick=False) as clock:
            client = self.client(kind)
            for _ in range(2):
                clock.shift(idle - timedelta(seconds=1))
                assert is_signed_in(client)
            clock.shift(idle + timedelta(seconds=1))
            assert not is_signed_in(client)

    def test_a_used_session_ends_at_last(self, kind: str, idle: timedelta, absolute: timedelta, seconds: int) -> None:
        with time_machine.travel(timezone.now(), tick=False) as clock:
            client = self.client(kind)
            for _ in range(absolute // (idle / 2)):
                clock.shift(idle / 2 - timedelta(seconds=1))
                assert is_signed_in(client)
                session = client.session  # storing something does not lengthen it
                session["anything"] = "else"
                session.save()
            clock.shift(absolute % (idle / 2) + timedelta(minutes=1))
            assert not is_signed_in(client)

    def test_a_use_is_not_written_always(self, kind: str, idle: timedelta, absolute: timedelta, seconds: int) -> None:
        with time_machine.travel(timezone.now(), tick=False) as clock:
            client, begun = self.client(kind), timezone.now()
            for shift, seen_at in ((seconds - 1, begun), (2, begun + timedelta(seconds=seconds + 1))):
                clock.shift(shift)
                client.get(DEVICES)
                assert Session.objects.get().seen_at == seen_at


def test_a_use_keeps_what_another_request_has_stored_meanwhile() -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        client = signed_in(factories.account("mia"))
        slow = SessionStore(client.session.session_key)
        read = slow.load()
        quick = client.session
        quick["impersonation"] = "an id"
        quick.save()
        clock.shift(1200)
        slow.touch(read)
        assert client.session["impersonation"] == "an id"


class TestWhatEndsThem:
    def test_being_switched_off(self) -> None:
        client = signed_in(factories.account("mia"))
        for is_active in (False, True):
            Account.objects.filter(pk="mia").update(is_active=is_active)
            assert not is_signed_in(client)

    def test_becoming_or_ceasing_to_be_staff(self) -> None:
        for before, after in (("member", "support"), ("support", "member")):
            account = factories.account(role=before)
            client = signed_in(account)
            Account.objects.filter(pk=account.pk).update(role=after)
            assert not is_signed_in(client), before

    def test_being_erased(self) -> None:
        client = signed_in(factories.account("mia"))
        erase("mia")
        assert not is_signed_in(client) and not Session.objects.exists()

    def test_members_cannot_sign_in(self, settings: Any) -> None:
        client = signed_in(factories.account("mia"))
        settings.AUTHENTICATION_BACKENDS = ["accounts.backends.PasswordBackend"]
        assert not is_signed_in(client)

    def test_staff_in_the_admin(self) -> None:
        mia, boss = factories.account("mia"), factories.account("boss", role="admin")
        other = factories.account("other", role="admin")
        client, support = signed_in(mia), through_admin(factories.account("sue", role="support"))
        in_admin = through_admin(boss)
        chosen = {"action": "sign_out", "_selected_action": [mia.pk, boss.pk, other.pk]}
        ensure_support_group()
        support.post("/admin/accounts/account/", chosen)
        assert not is_signed_in(client) and in_admin.get("/admin/").status_code == 200


class TestDevices:
    def test_it_lists_them_as_the_admin_does_and_ends_one(self) -> None:
        phone = Client(headers={"user-agent": FIREFOX})
        phone.post("/sign-in", {"member": "demo-anna"})
        here = signed_in(Account.objects.get(pk="demo-anna"))
        page = here.get(DEVICES).content.decode()
        assert "Firefox on Android" in page and page.count("(this one)") == 1
        boss = through_admin(factories.account("boss", role="admin"))
        staff_page = boss.get("/admin/accounts/account/demo-anna/change/").content.decode()
        assert f"Firefox on Android, member, last used {date_format(timezone.now())}, " in staff_page
        for client in (here, phone):
            assert str(client.session.session_key) not in page
        name = Session.objects.get(pk=phone.session.session_key).name
        assert here.post(DEVICES, {"end": name}).status_code == 303
        assert is_signed_in(here) and not is_signed_in(phone)

    def test_all_others_are_ended_with_one_click(self) -> None:
        account = factories.account("mia")
        here, there, elsewhere = (signed_in(account) for _ in range(3))
        stranger = signed_in(factories.account("zoe"))
        here.post(DEVICES, {"end": "others"})
        left = [is_signed_in(client) for client in (here, there, elsewhere, stranger)]
        assert left == [True, False, False, True]

    def test_nobody_ends_another_member_s(self) -> None:
        mia, zoe = signed_in(factories.account("mia")), signed_in(factories.account("zoe"))
        key = mia.session.session_key
        for end in (Session.objects.get(pk=key).name, key, ""):
            zoe.post(DEVICES, {"end": end})
        assert is_signed_in(mia) and is_signed_in(zoe)

    def test_a_user_agent_is_text(self) -> None:
        client = Client(headers={"user-agent": "<script>\x00" + "x" * 1000})
        client.post("/sign-in", {"member": "demo-bo"})
        assert "<script>" not in client.get(DEVICES).content.decode()
