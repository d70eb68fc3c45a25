"""A real provider asks for the login again before a member's data leave or the account ends."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import Account, Session
from tests.config.site.documents import Document
from tests.system.provider.browser import Browser
from tests.system.provider.ways_in import ADMIN, FROM_OUR_PAGE, HOST, MEMBERS, WayIn, query_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("doors")]


def to_provider_again(client: Client, answer: Any) -> str:
    """Follow the link of the page that asks for a new sign-in. Return the provider's address."""
    assert answer.status_code == 403
    (link,) = [each for each in Document(answer).links().values() if "again=yes" in each]
    answer = client.get(link, headers=FROM_OUR_PAGE)
    assert answer.status_code == 302
    return answer["Location"]


def sign_in(client: Client, at_provider: Browser, way: WayIn, address: str) -> Any:
    return client.get(at_provider.fill_in(address, "alice", HOST + way.callback).removeprefix(HOST))


def test_the_provider_asks_again_although_it_knows_the_browser_and_one_presses_once_more() -> None:
    client, at_provider = Client(), Browser()
    sign_in(client, at_provider, MEMBERS, MEMBERS.to_provider(client))
    _, target = at_provider.open(MEMBERS.to_provider(Client()))
    assert target.startswith(HOST), "without being asked to, the provider asks for nothing"

    address = to_provider_again(client, client.get("/account/data.json"))
    assert {"prompt": "login", "max_age": "300"}.items() <= query_of(address).items()
    _, target = at_provider.open(address)
    assert "/interaction/" in target
    assert sign_in(client, at_provider, MEMBERS, address)["Location"] == "/account"
    assert b"".join(client.get("/account/data.json").streaming_content).startswith(b'{"exportedAt"')
    assert Session.objects.filter(account="alice").count() == 1
    assert client.post("/account/delete", {"word": "DELETE"})["Location"] == "/account/deleted"
    assert not Account.objects.get(pk="alice").is_active


@pytest.mark.parametrize(
    ("path", "form"), [("/account/delete", {"word": "DELETE"}), ("/account/devices", {"end": "others"})]
)
def test_a_form_is_not_sent_again_by_itself(path: str, form: dict[str, str]) -> None:
    client, other = Client(), Client()
    for each in (client, other):
        MEMBERS.sign_in(each, "alice")
    address = to_provider_again(client, client.post(path, form))
    assert sign_in(client, Browser(), MEMBERS, address)["Location"] == path
    assert Account.objects.get(pk="alice").is_active and other.get("/account").status_code == 200
    assert client.post(path, form).status_code == 303
    assert other.get("/account").status_code == 302


def test_somebody_else_who_signs_in_gets_at_nothing_of_the_first() -> None:
    client = Client()
    MEMBERS.sign_in(client, "alice")
    address = to_provider_again(client, client.get("/account/data.json"))
    client.get(Browser().fill_in(address, "bob", HOST + MEMBERS.callback).removeprefix(HOST))
    data = b"".join(client.get("/account/data.json").streaming_content)
    assert b'"id":"bob"' in data and b"alice" not in data


def test_staff_prove_it_at_the_admin_s_door_and_stay_there() -> None:
    Account.objects.create(pk="alice", role="support")
    client = Client()
    ADMIN.sign_in(client, "alice")
    address = to_provider_again(client, client.post("/account/devices", {"end": "others"}))
    assert sign_in(client, Browser(), ADMIN, address)["Location"] == "/account/devices"
    assert client.get("/admin/").status_code == 200
    assert client.post("/account/devices", {"end": "others"}).status_code == 303
