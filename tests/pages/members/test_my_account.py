"""The pages of one's own account: what it says, the download of one's data, and its deletion."""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient
from time_machine import travel

from accounts.models import Account, Session
from config.edge.limits import exports
from tests import factories
from tests.accounts.conftest import everything
from tests.config.edge.limits.test_exports import end
from tests.members import signed_in
from tests.pages.documents import Document
from tests.undone import undone

pytestmark = pytest.mark.django_db

PAGE, DATA, DELETE = "/account", "/account/data.json", "/account/delete"
PRIVATE = "private, no-store"


@pytest.fixture
def as_zia(zia: Account) -> Client:
    return signed_in(zia)


def opened(client: Client) -> dict[str, str]:
    """Return what the form of the page sends when nothing is changed on it, as a browser reads it."""
    return Document(client.get(PAGE)).form_values()


def stored() -> dict[str, Any]:
    return {**Account.objects.values().get(pk="zia")}


def send(client: Client, form: dict[str, str], **changes: str | None) -> Any:
    sent = {name: value for name, value in {**form, **changes}.items() if value is not None}
    return client.post(PAGE, sent)


# --- What the account says of itself


def test_the_page_shows_what_is_stored_and_changes_nothing_when_it_is_sent_as_it_is(as_zia: Client) -> None:
    before, form = stored(), opened(as_zia)
    shown = {"displayName": "Zia M", "country": "PK", "isOrganisation": "yes"}
    assert form | {**shown, "auctionSystem": before["auction_system_id"]} == form
    html = as_zia.get(PAGE).content.decode()
    assert "zia@example.org" in html and "came from the identity provider" in html
    assert 'name="email"' not in html and 'name="role"' not in html
    answer = send(as_zia, form)
    assert (answer.status_code, answer["Location"], stored()) == (303, PAGE, before)


def test_what_is_changed_is_stored_and_nothing_else(as_zia: Client) -> None:
    before, acol = stored(), factories.auction_system("acol")
    changes = {"displayName": "Zia", "country": "NL", "language": "pt-br", "auctionSystem": acol.pk}
    assert send(as_zia, opened(as_zia), **changes, showEmailPublicly=None).status_code == 303
    after = stored()
    assert after.pop("updated_at") > before.pop("updated_at")
    changed = {"display_name": "Zia", "country": "NL", "language": "pt-BR", "auction_system_id": acol.pk}
    assert after == {**before, **changed, "show_email_publicly": False}
    page = as_zia.get(PAGE).content.decode()
    assert "Saved." in page and "Saved." not in as_zia.get(PAGE).content.decode()


def test_a_wrong_value_is_named_at_its_field_and_nothing_is_stored(as_zia: Client) -> None:
    before, form = stored(), opened(as_zia)
    wrong = {"avatarUrl": "http://example.org/a.png", "language": "xx-not-one", "auctionSystem": ""}
    for changes in (wrong, {"organisationName": ""}):
        answer = send(as_zia, form, **changes, displayName="Kept as typed")
        assert (answer.status_code, stored()) == (400, before)
        html = answer.content.decode()
        for name in changes:
            assert f'id="{name}_error"' in html and f'href="#{name}"' in html
            assert re.search(rf'aria-invalid="true"[^>]*id="{name}"', html)
        assert 'value="Kept as typed"' in html and "<title>Error:" in html
    assert send(as_zia, Document(answer).form_values(), organisationName="A club").status_code == 303
    assert (stored()["display_name"], stored()["organisation_name"]) == ("Kept as typed", "A club")


def test_what_was_changed_elsewhere_in_another_field_or_to_the_same_stays(as_zia: Client) -> None:
    form = opened(as_zia)
    Account.objects.filter(pk="zia").update(country="BE", display_name="Zia")
    assert send(as_zia, form, displayName="Zia").status_code == 303
    assert (stored()["country"], stored()["display_name"]) == ("BE", "Zia")


def test_what_was_changed_elsewhere_in_the_same_field_is_shown_before_it_is_replaced(as_zia: Client) -> None:
    form = opened(as_zia)
    Account.objects.filter(pk="zia").update(display_name="<b>Elsewhere</b>")
    answer = send(as_zia, form, displayName="Here", firstName="Z.")
    assert (answer.status_code, stored()["display_name"]) == (409, "<b>Elsewhere</b>")
    assert stored()["first_name"] == "Zia", "all or nothing"
    assert "Somebody changed this to “&lt;b&gt;Elsewhere&lt;/b&gt;”" in answer.content.decode()
    assert send(as_zia, Document(answer).form_values()).status_code == 303
    assert (stored()["display_name"], stored()["first_name"]) == ("Here", "Z.")


def test_a_country_that_is_none_any_more_is_kept(as_zia: Client) -> None:
    Account.objects.filter(pk="zia").update(country="XQ")
    form = opened(as_zia)
    assert form["country"] == "XQ"
    assert send(as_zia, form, displayName="Zia").status_code == 303
    assert stored()["country"] == "XQ"


@pytest.mark.parametrize("role", ["member", "admin"])
def test_no_other_field_is_taken_and_a_post_that_is_no_form_of_the_page_changes_nothing(role: str) -> None:
    client = signed_in(factories.account("zia", role=role, display_name="Zia M"))
    before, form = stored(), opened(client)
    posts: tuple[dict[str, str], ...] = ({}, {"displayName": "Zia M"}, {"initial-displayName": "x"})
    others = (
        "role",
        "email",
        "isActive",
        "id",
        "is_staff",
        "erasedAt",
        "initial-role",
        "initial-email",
        "rightsVersion",
    )
    for post in (*posts, *({**form, field: "member"} for field in others)):
        client.post(PAGE, post)
        assert stored() == before, post
    assert send(client, form, displayName="Zia").status_code == 303
    assert (stored()["display_name"], stored()["role"]) == ("Zia", role)


def test_names_are_escaped(as_zia: Client) -> None:
    evil = '"><script>alert(1)</script>'
    texts = ("display_name", "first_name", "organisation_name", "avatar_url", "language")
    Account.objects.filter(pk="zia").update(**dict.fromkeys(texts, evil), country="'>")
    for path in (PAGE, DELETE):
        assert "<script>" not in as_zia.get(path).content.decode()


# --- Who gets what


def test_nothing_is_kept_by_anybody_and_strangers_are_led_to_sign_in(as_zia: Client) -> None:
    for path in (PAGE, DATA, DELETE, "/account/looks"):
        answer, stranger = as_zia.get(path), Client().get(path)
        assert (answer.status_code, answer["Cache-Control"], "ETag" in answer) == (200, PRIVATE, False), path
        led = (stranger.status_code, stranger["Location"], stranger["Cache-Control"])
        assert led == (302, f"/sign-in?next={path.replace('/', '%2F')}", PRIVATE)


# --- The data


def test_the_download_has_all_of_ones_own_and_nothing_of_others(world: Account) -> None:
    answer = signed_in(world).get(DATA)
    assert answer["Content-Disposition"] == 'attachment; filename="my-data.json"'
    assert answer["Content-Type"] == "application/json"
    data = json.loads(b"".join(answer.streaming_content))
    assert data["account"]["id"] == "zia"
    assert {board["ownerId"] for board in data["boards"]} == {"zia"}
    assert {vote["accountId"] for vote in data["votes"]} == {"zia"}
    (session,) = data["sessions"]
    assert not {"sessionKey", "sessionData"} & session.keys()


def test_downloads_are_counted(as_zia: Client, settings: Any) -> None:
    settings.EXPORT_RATE = "2/m"
    with travel(datetime.now(UTC).replace(second=5), tick=False):  # no minute ends between two of them
        for _ in range(2):
            end(as_zia.get(DATA))
        assert as_zia.get(DATA).status_code == 429
    assert exports.permits.running.total() == 0


# --- The end


def test_the_page_says_what_goes_and_what_stays(world: Account) -> None:
    client, newcomer = signed_in(world), signed_in(factories.account("new"))
    before = everything()
    html = client.get(DELETE).content.decode()
    said = (
        "Votes deleted", "Boards deleted or, if published, kept without a name", "Sessions ended", "Type DELETE",
        "for 730 days", "their reasons deleted",
    )  # fmt: skip
    assert [words for words in said if words not in html] == []
    assert everything() == before
    assert "Votes deleted" not in newcomer.get(DELETE).content.decode(), "of what there is not, nothing is said"


def test_without_the_word_nothing_is_deleted(world: Account, subtests: pytest.Subtests) -> None:
    client, before = signed_in(world), everything()
    for word in ("", "delete", "DELETE!", "yes"):
        with subtests.test(word), undone():
            answer = client.post(DELETE, {"word": word})
            assert answer.status_code == 400 and "Nothing has been deleted" in answer.content.decode()
            assert everything() == before
            assert client.get(PAGE).status_code == 200


def test_a_member_deletes_its_account_and_no_other(
    world: Account, client_of: Callable[[Account], APIClient], settings: Any
) -> None:
    client, elsewhere, others = signed_in(world), signed_in(world), signed_in(factories.account("else"))
    answer = client.post(DELETE, {"word": " DELETE "})
    assert (answer.status_code, answer["Location"]) == (303, "/account/deleted")
    assert (answer["Clear-Site-Data"], answer["Cache-Control"]) == ('"cache", "storage"', PRIVATE)
    assert answer.cookies[settings.SESSION_COOKIE_NAME].value == ""
    assert stored()["erased_at"] is not None and not Session.objects.filter(account="zia").exists()
    for each in (client, elsewhere, signed_in(Account.objects.get(pk="zia"))):
        assert each.get(PAGE).status_code == 302
    assert others.get(PAGE).status_code == 200
    assert client_of(world).get("/api/accounts/me").status_code == 401
    page = client.get("/account/deleted").content.decode()
    assert "The account is deleted" in page and "zia" not in page.lower()


@pytest.mark.parametrize("role", ["support", "admin"])
def test_staff_ask_another_admin(role: str) -> None:
    factories.account("boss", role="admin")
    client = signed_in(factories.account("zia", role=role))
    before, html = stored(), client.get(DELETE).content.decode()
    assert "Ask another admin" in html and '<form method="post" action="/account/delete"' not in html
    assert (client.post(DELETE, {"word": "DELETE"}).status_code, stored()) == (403, before)
