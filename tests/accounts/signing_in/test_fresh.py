"""A fresh sign-in before data leave, the account ends or other devices are signed out. Clubs share computers."""

import time
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from accounts.models import Account, Session
from accounts.signing_in.doors import ADMIN, MEMBER_BACKEND
from tests.config.site.documents import Document
from tests.members import signed_in

pytestmark = pytest.mark.django_db

GUARDED: tuple[tuple[str, str, dict[str, str], str], ...] = (
    ("get", "/account/data.json", {}, "/account"),
    ("post", "/account/delete", {"word": "DELETE"}, "/account/delete"),
    ("post", "/account/devices", {"end": "others"}, "/account/devices"),
)
"""What asks for it, and the page to press on once more."""


def signed_in_before(account: Account, seconds: int, backend: str = MEMBER_BACKEND) -> Client:
    """Return a browser whose person proved who they are so many seconds ago."""
    client = Client()
    client.force_login(account, backend=backend)
    session = client.session
    session["authenticated"] = int(time.time()) - seconds
    session.save()
    return client


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


def test_staff_are_led_to_the_door_that_they_came_by(zia: Account, settings: Any) -> None:
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
