"""Members sign in: who is led to the provider and back, what a session there may do, and when one signs in afresh."""

import time
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.http import HttpResponseRedirect
from django.test import Client

from accounts.models import Account, Session
from accounts.models.sessions import MEMBER_BACKEND
from accounts.signing_in.clients import ADMIN
from tests import factories
from tests.members import signed_in
from tests.pages.documents import Document

pytestmark = pytest.mark.django_db

ISSUER = "https://id.example"
FROM_OUR_PAGE = {"sec-fetch-site": "same-origin", "sec-fetch-mode": "navigate"}


@pytest.fixture
def provider(settings: Any, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Set up members' client of a provider. Return the pages that browsers were sent to the provider from."""
    settings.DEVELOPMENT_SIGN_IN = False
    settings.MEMBER_OIDC_CLIENT_ID, settings.JWT_ISSUER = "members", ISSUER
    led: list[str] = []

    def lead(request: Any, client: Any, target: str, *, again: bool) -> Any:
        led.append(f"{target} again" if again else target)
        return HttpResponseRedirect(f"{ISSUER}/authorize")

    monkeypatch.setattr("pages.members.signing_in.lead_to_provider", lead)
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


def test_without_settings_nobody_signs_in_and_no_link_leads_there(settings: Any, client: Client) -> None:
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


def test_a_members_session_gives_no_right_of_staff() -> None:
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


def test_staff_sign_out_where_members_cannot_sign_in(settings: Any) -> None:
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


# --- A fresh sign-in before data leave, the account ends or others are signed out: clubs share computers

GUARDED: tuple[tuple[str, str, dict[str, str], str], ...] = (
    ("get", "/account/data.json", {}, "/account"),
    ("post", "/account/delete", {"word": "DELETE"}, "/account/delete"),
    ("post", "/account/devices", {"end": "others"}, "/account/devices"),
)
"""What asks for it, and the page to press on once more."""


def signed_in_before(account: Account, seconds: int, backend: str = MEMBER_BACKEND) -> Client:
    """Return a browser whose person proved who they are so many seconds ago."""
    return signed_in(account, backend, authenticated=int(time.time()) - seconds)


def links_of(answer: Any) -> list[str]:
    return [address for address in Document(answer).links().values() if "again=yes" in address]


def test_each_asks_for_it_and_does_nothing_before_while_the_pages_themselves_open(zia: Account) -> None:
    client, other = signed_in_before(zia, 400), signed_in(zia)
    for method, path, form, back in GUARDED:
        answer = getattr(client, method)(path, form)
        assert (answer.status_code, answer["Cache-Control"]) == (403, "private, no-store"), path
        html = answer.content.decode()
        assert "Sign in again first" in html and "zia@example.org" not in html, path
        (link,) = links_of(answer)
        address = urlsplit(link)
        assert (address.path, parse_qs(address.query)["next"]) == ("/sign-in", [back]), path
        assert client.get(back).status_code == 200
    assert Session.objects.filter(account=zia).count() == 2
    assert other.get("/account").status_code == 200 and Account.objects.get(pk="zia").display_name == "Zia M"


def test_a_sign_in_counts_for_five_minutes_and_one_of_an_unknown_time_not_at_all(zia: Account) -> None:
    for seconds, status in ((0, 303), (290, 303), (301, 403), (int(time.time()), 403)):
        answer = signed_in_before(zia, seconds).post("/account/devices", {"end": "others"})
        assert answer.status_code == status, seconds


def test_a_download_leads_back_to_the_page_of_the_account_that_had_the_link(zia: Account) -> None:
    client = signed_in_before(zia, 400)
    for page, back in (("/account/delete", "/account/delete"), ("/boards?page=2", "/account"), ("", "/account")):
        answer = client.get("/account/data.json", headers={"referer": f"http://testserver{page}"})
        assert parse_qs(urlsplit(links_of(answer)[0]).query)["next"] == [back], page


def test_staff_are_led_to_the_sign_in_that_they_came_by(zia: Account, settings: Any) -> None:
    settings.AUTHENTICATION_BACKENDS = [ADMIN.backend, "accounts.backends.PasswordBackend", MEMBER_BACKEND]
    Account.objects.filter(pk="zia").update(role="support")
    zia.refresh_from_db()
    by_provider = signed_in_before(zia, 400, ADMIN.backend).get("/account/data.json")
    assert urlsplit(links_of(by_provider)[0]).path == "/admin/login/provider/"
    by_password = signed_in_before(zia, 400, "accounts.backends.PasswordBackend").get("/account/data.json")
    assert links_of(by_password) == [] and "log in to the administration again" in by_password.content.decode()


def test_a_demonstration_member_signs_in_again_and_presses_once_more(client: Client) -> None:
    client.post("/sign-in?next=/account", {"member": "demo-anna"})
    session = client.session
    session["authenticated"] = 0
    session.save()
    (link,) = links_of(client.post("/account/delete", {"word": "DELETE"}))
    page = client.get(link)
    assert page.status_code == 200 and Account.objects.get(pk="demo-anna").is_active
    (form,) = [each for each, _ in Document(page).all("form") if "again=yes" in each["action"]]
    answer = client.post(form["action"], {"member": "demo-anna"})
    assert (answer.status_code, answer["Location"]) == (303, "/account/delete")
    assert client.post("/account/delete", {"word": "DELETE"})["Location"] == "/account/deleted"
    assert not Account.objects.get(pk="demo-anna").is_active


def test_a_link_of_another_site_has_nobody_sign_in_again(zia: Account, settings: Any) -> None:
    settings.DEVELOPMENT_SIGN_IN, settings.MEMBER_OIDC_CLIENT_ID = False, "members"
    client = signed_in(zia)
    assert client.get("/sign-in?next=/account")["Location"] == "/account"
    answer = client.get("/sign-in?again=yes&next=/account", headers={"sec-fetch-site": "cross-site"})
    assert answer.status_code == 200 and links_of(answer) == ["/sign-in?next=%2Faccount&again=yes"]
