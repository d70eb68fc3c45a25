"""The members' door: who is led to the provider, where one is led back to, and what a session there may do."""

from typing import Any

import pytest
from django.http import HttpResponseRedirect
from django.test import Client

from accounts.models import Account, Session
from tests import factories
from tests.members import signed_in

pytestmark = pytest.mark.django_db

ISSUER = "https://id.example"
FROM_OUR_PAGE = {"sec-fetch-site": "same-origin", "sec-fetch-mode": "navigate"}


@pytest.fixture
def provider(settings: Any, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Set up a provider's door. Return the pages that browsers were sent to the provider from."""
    settings.DEVELOPMENT_SIGN_IN = False
    settings.MEMBER_OIDC_CLIENT_ID, settings.JWT_ISSUER = "members", ISSUER
    led: list[str] = []

    def lead(request: Any, door: Any, target: str, *, again: bool) -> Any:
        led.append(f"{target} again" if again else target)
        return HttpResponseRedirect(f"{ISSUER}/authorize")

    monkeypatch.setattr("accounts.signing_in.members.lead_to_provider", lead)
    return led


def test_only_a_link_of_this_site_leads_to_the_provider_at_once(provider: list[str], client: Client) -> None:
    ours: tuple[dict[str, str], ...] = (FROM_OUR_PAGE, {"referer": "http://testserver/boards"})
    others: tuple[dict[str, str], ...] = (
        {}, *({"sec-fetch-site": site, "sec-fetch-mode": "navigate"} for site in ("cross-site", "same-site", "none")),
        {"sec-fetch-site": "same-origin", "sec-fetch-mode": "no-cors"}, {**FROM_OUR_PAGE, "sec-purpose": "prefetch"},
        {"referer": "http://testserver.evil.example/boards"}, {"referer": "https://evil.example/http://testserver/"},
    )  # fmt: skip
    for headers in (*ours, *others):
        provider.clear()
        answer = client.get("/sign-in?next=/boards", headers=headers)
        assert (answer.status_code, provider) == ((302, ["/boards"]) if headers in ours else (200, [])), headers
        if headers in others:
            assert 'href="/sign-in?next=%2Fboards"' in answer.content.decode()
        assert answer["Cache-Control"] == "private, no-store"


def test_one_is_led_back_to_a_path_of_this_site(provider: list[str], client: Client) -> None:
    member = signed_in(factories.account("mia"))
    for target in (
        "/boards?q=slam&page=2", "https://evil.example/", "//evil.example/", "/\\evil.example/", "\\\\evil.example",
        "javascript:alert(1)", "/boards\r\nSet-Cookie: a=b", "/" + "x" * 1000, "boards",
    ):  # fmt: skip
        led_to = target if target == "/boards?q=slam&page=2" else "/"
        provider.clear()
        client.get("/sign-in", {"next": target}, headers=FROM_OUR_PAGE)
        assert (provider, member.get("/sign-in", {"next": target})["Location"]) == ([led_to], led_to), target


def test_without_next_it_is_the_page_that_had_the_link(provider: list[str], client: Client) -> None:
    for page in ("/boards?page=2", "/sign-in?next=/x", "/signed-out"):
        client.get("/sign-in", headers={**FROM_OUR_PAGE, "referer": f"http://testserver{page}"})
    assert provider == ["/boards?page=2", "/", "/"]


def test_a_referer_that_is_no_page_of_this_site_leads_to_the_front_page(client: Client) -> None:
    for referer in ("http://[", "http://[::1", "//", "http://testserver//evil.example/", "é"):
        answer = client.get("/sign-in", headers={"referer": referer})
        assert answer.status_code == 200 and 'action="/sign-in?next=%2F"' in answer.content.decode(), referer
        answer = client.post("/account/devices", headers={"referer": referer})
        assert (answer.status_code, answer["Location"]) == (303, "/sign-in?next=%2F"), referer


def test_without_settings_there_is_no_door_and_no_link_to_one(settings: Any, client: Client) -> None:
    settings.DEVELOPMENT_SIGN_IN = False
    for path in ("/sign-in", "/sign-in/callback", "/account/devices"):
        assert client.get(path).status_code == 404, path
    assert "sign-in" not in client.get("/").content.decode()


class TestDemonstrationMembers:
    def test_they_sign_in_on_this_machine(self, client: Client) -> None:
        assert "Anna" in client.get("/sign-in").content.decode()
        answer = client.post("/sign-in?next=/boards", {"member": "demo-anna"})
        assert (answer.status_code, answer["Location"]) == (303, "/boards")
        assert "Anna" in client.get("/boards").content.decode()
        assert Account.objects.get(pk="demo-anna").role == "member"

    def test_nobody_else_becomes_one_and_they_become_nobody_else(self) -> None:
        factories.account("boss", role="admin")
        for more, headers, member in (
            ({"REMOTE_ADDR": "192.0.2.7"}, {}, "demo-anna"), ({"HTTP_X_FORWARDED_FOR": "127.0.0.1"}, {}, "demo-anna"),
            *(({}, dict([header]), "demo-anna") for header in (
                ("forwarded", "for=192.0.2.7"), ("via", "1.1 a-proxy"), ("x-real-ip", "192.0.2.7"),
                ("x-forwarded-host", "boards.example"), ("sec-fetch-site", "cross-site"),
                ("origin", "https://evil.example"),
            )),
            ({}, {}, "boss"),
        ):  # fmt: skip
            answer = Client(**more).post("/sign-in", {"member": member}, headers=headers)
            assert answer.status_code == 403, (more, headers)
            assert not Account.objects.filter(pk="demo-anna").exists(), (more, headers)

    def test_none_where_there_is_a_provider(self, provider: list[str], client: Client) -> None:
        assert "Anna" not in client.get("/sign-in").content.decode()
        assert client.post("/sign-in", {"member": "demo-anna"}).status_code == 403


def test_a_session_of_the_members_door_gives_no_right_of_staff() -> None:
    draft = factories.board(published=False)
    paths = ("/admin/", "/admin/accounts/account/", f"/boards/{draft.pk}")
    for role in ("support", "admin"):
        staff, through_admin = factories.account(role=role), Client()
        through_admin.force_login(staff)
        assert [signed_in(staff).get(path).status_code for path in paths] == [302, 302, 404], role
        assert [through_admin.get(path).status_code for path in paths[::2]] == [200, 200], role


def test_the_cookies_are_the_browsers_alone(client: Client) -> None:
    client.post("/sign-in", {"member": "demo-anna"})
    client.get("/account/devices")
    for name in ("sessionid", "csrftoken"):
        cookie = client.cookies[name]
        assert cookie["httponly"] and cookie["samesite"] == "Lax"
        assert (cookie["path"], cookie["domain"]) == ("/", "")


def test_a_link_signs_nobody_out() -> None:
    mia = factories.account("mia")
    client, other = signed_in(mia), signed_in(mia)
    for path in ("/sign-out", "/signed-out", "/account/devices?end=others"):
        client.get(path)
    assert client.get("/account/devices").status_code == other.get("/account/devices").status_code == 200


def test_signing_out_ends_the_session_for_good() -> None:
    client = signed_in(factories.account("mia"), enforce_csrf_checks=True)
    key = client.session.session_key
    assert client.post("/sign-out").status_code == 403
    client.get("/account/devices")
    token = client.cookies["csrftoken"].value
    answer = client.post("/sign-out", {"csrfmiddlewaretoken": token})
    assert (answer.status_code, answer["Location"]) == (303, "/signed-out")
    assert answer["Clear-Site-Data"] == '"cache"'
    assert not Session.objects.filter(pk=key).exists()
    client.cookies["sessionid"] = str(key)
    assert client.get("/account/devices").status_code == 302


def test_staff_sign_out_where_members_have_no_door(settings: Any) -> None:
    settings.DEVELOPMENT_SIGN_IN = False
    client = Client()
    client.force_login(factories.account("boss", role="admin"))
    assert "Sign out" in client.get("/boards").content.decode()
    assert client.post("/sign-out")["Location"] == "/signed-out"
    assert client.get("/signed-out").status_code == 200 and client.get("/admin/").status_code == 302


def test_nobody_who_is_signed_in_reads_that_they_are_not() -> None:
    client = signed_in(factories.account("mia"))
    for path in ("/signed-out", "/account/deleted"):
        answer = client.get(path)
        assert (answer.status_code, answer["Location"]) == (302, "/"), path
