"""A real provider asks for the login again before a member's data leave or the account ends."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import Account, Session
from tests.pages.documents import Document
from tests.system.provider.browser import Browser
from tests.system.provider.ways_in import ADMIN, FROM_OUR_PAGE, HOST, MEMBERS, WayIn, query_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("clients")]
OTHERS = {"end": "others"}
"""The form that signs out of all other devices."""


def to_provider_again(client: Client, answer: Any) -> str:
    """Follow the link of the page that asks for a new sign-in. Return the provider's address."""
    assert answer.status_code == 403
    (link,) = [each for each in Document(answer).links().values() if "again=yes" in each]
    answer = client.get(link, headers=FROM_OUR_PAGE)
    assert answer.status_code == 302
    return answer["Location"]


def come_back(client: Client, address: str, *, way: WayIn = MEMBERS, account: str = "alice", at: Any = None) -> str:
    """Sign in at the provider, in a new browser or in this one. Return where one is led back to."""
    callback = (at or Browser()).fill_in(address, account, HOST + way.callback)
    return client.get(callback.removeprefix(HOST))["Location"]


def data_of(client: Client) -> bytes:
    return b"".join(client.get("/account/data.json").streaming_content)


def test_the_provider_asks_again_although_it_knows_the_browser_and_one_presses_once_more() -> None:
    client, at_provider = Client(), Browser()
    come_back(client, MEMBERS.to_provider(client), at=at_provider)
    _, target = at_provider.open(MEMBERS.to_provider(Client()))
    assert target.startswith(HOST), "without being asked to, the provider asks for nothing"

    address = to_provider_again(client, client.get("/account/data.json"))
    assert {"prompt": "login", "max_age": "300"}.items() <= query_of(address).items()
    _, target = at_provider.open(address)
    assert "/interaction/" in target
    assert come_back(client, address, at=at_provider) == "/account"
    assert data_of(client).startswith(b'{"exportedAt"')
    assert Session.objects.filter(account="alice").count() == 1
    assert client.post("/account/delete", {"word": "DELETE"})["Location"] == "/account/deleted"
    assert not Account.objects.get(pk="alice").is_active


@pytest.mark.parametrize(("path", "form"), [("/account/delete", {"word": "DELETE"}), ("/account/devices", OTHERS)])
def test_a_form_is_not_sent_again_by_itself(path: str, form: dict[str, str]) -> None:
    client, other = Client(), Client()
    for each in (client, other):
        MEMBERS.sign_in(each, "alice")
    assert come_back(client, to_provider_again(client, client.post(path, form))) == path
    assert Account.objects.get(pk="alice").is_active and other.get("/account").status_code == 200
    assert client.post(path, form).status_code == 303
    assert other.get("/account").status_code == 302


def test_somebody_else_who_signs_in_gets_at_nothing_of_the_first() -> None:
    client = Client()
    MEMBERS.sign_in(client, "alice")
    come_back(client, to_provider_again(client, client.get("/account/data.json")), account="bob")
    data = data_of(client)
    assert b'"id":"bob"' in data and b"alice" not in data


def test_staff_prove_it_in_the_admin_and_stay_there() -> None:
    Account.objects.create(pk="alice", role="support")
    client = Client()
    ADMIN.sign_in(client, "alice")
    address = to_provider_again(client, client.post("/account/devices", OTHERS))
    assert come_back(client, address, way=ADMIN) == "/account/devices"
    assert client.get("/admin/").status_code == 200
    assert client.post("/account/devices", OTHERS).status_code == 303
