"""The pages of one's own account: what it says, the download of one's data, and its deletion."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from accounts.models import Account, Session
from config.edge.limits import exports
from impersonation.middleware import IMPERSONATION
from tests import factories
from tests.accounts.conftest import everything
from tests.config.edge.limits.test_exports import end
from tests.config.site.documents import Document
from tests.members import signed_in
from tests.undone import undone
from voting.models import Vote

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


def test_the_page_shows_what_is_stored(as_zia: Client, zia: Account) -> None:
    form = opened(as_zia)
    assert {name: form[name] for name in ("displayName", "country", "auctionSystem", "isOrganisation")} == {
        "displayName": "Zia M",
        "country": "PK",
        "auctionSystem": zia.auction_system_id,
        "isOrganisation": "yes",
    }
    html = as_zia.get(PAGE).content.decode()
    assert "zia@example.org" in html and "came from the identity provider" in html
    assert 'name="email"' not in html and 'name="role"' not in html


def test_sending_the_page_unchanged_changes_nothing(as_zia: Client) -> None:
    before = stored()
    answer = send(as_zia, opened(as_zia))
    assert (answer.status_code, answer["Location"]) == (303, PAGE)
    assert stored() == before


def test_what_is_changed_is_stored_and_nothing_else(as_zia: Client) -> None:
    before = stored()
    acol = factories.auction_system("acol")
    form = opened(as_zia)
    changes = {"displayName": "Zia", "country": "NL", "language": "pt-br", "auctionSystem": acol.pk}
    answer = send(as_zia, form, **changes, showEmailPublicly=None)
    assert answer.status_code == 303
    after = stored()
    assert (after["display_name"], after["country"], after["language"]) == ("Zia", "NL", "pt-BR")
    assert (after["auction_system_id"], after["show_email_publicly"]) == (acol.pk, False)
    changed = {name for name in after if after[name] != before[name]}
    assert changed == {
        *("display_name", "country", "language", "auction_system_id", "show_email_publicly", "updated_at")
    }
    page = as_zia.get(PAGE).content.decode()
    assert "Saved." in page and "Saved." not in as_zia.get(PAGE).content.decode()


def test_a_wrong_value_is_named_at_its_field_and_nothing_is_stored(as_zia: Client) -> None:
    before, form = stored(), opened(as_zia)
    changes = {"avatarUrl": "http://example.org/a.png", "language": "xx-not-one", "firstName": "x" * 1000}
    answer = send(as_zia, form, **changes, displayName="Kept as typed")
    assert (answer.status_code, stored()) == (400, before)
    html = answer.content.decode()
    for name in changes:
        assert f'id="{name}-error"' in html and f'href="#{name}"' in html
        assert re.search(rf'id="{name}"[^>]*aria-invalid="true"', html)
    assert 'value="Kept as typed"' in html and "<title>Error:" in html
    again = Document(answer).form_values()
    fixed = {"avatarUrl": "", "language": "", "firstName": "Zia"}
    assert send(as_zia, again, **fixed).status_code == 303
    assert (stored()["display_name"], stored()["avatar_url"]) == ("Kept as typed", "")


def test_what_was_changed_elsewhere_in_another_field_or_to_the_same_stays(
    as_zia: Client, client_of: Callable[[Account], APIClient], zia: Account
) -> None:
    form = opened(as_zia)
    client_of(zia).patch("/api/accounts/zia", {"country": "BE", "displayName": "Zia"})
    assert send(as_zia, form, displayName="Zia").status_code == 303
    assert (stored()["country"], stored()["display_name"]) == ("BE", "Zia")


def test_what_was_changed_elsewhere_in_the_same_field_is_shown_before_it_is_replaced(
    as_zia: Client, client_of: Callable[[Account], APIClient], zia: Account
) -> None:
    form = opened(as_zia)
    client_of(zia).patch("/api/accounts/zia", {"displayName": "<b>Elsewhere</b>"})
    answer = send(as_zia, form, displayName="Here", firstName="Z.")
    assert (answer.status_code, stored()["display_name"]) == (409, "<b>Elsewhere</b>")
    assert stored()["first_name"] == "Zia", "all or nothing"
    html = answer.content.decode()
    assert "changed elsewhere meanwhile, to “&lt;b&gt;Elsewhere&lt;/b&gt;”" in html
    assert send(as_zia, Document(answer).form_values()).status_code == 303
    assert (stored()["display_name"], stored()["first_name"]) == ("Here", "Z.")


def test_a_country_that_is_none_any_more_is_kept(as_zia: Client) -> None:
    Account.objects.filter(pk="zia").update(country="XQ")
    form = opened(as_zia)
    assert form["country"] == "XQ"
    assert send(as_zia, form, displayName="Zia").status_code == 303
    assert stored()["country"] == "XQ"


def test_no_other_field_is_taken_and_a_post_that_is_no_form_of_the_page_changes_nothing(as_zia: Client) -> None:
    before, form = stored(), opened(as_zia)
    others = ("role", "email", "isActive", "id", "is_staff", "erasedAt", "was-role", "rightsVersion")
    posts: tuple[dict[str, str], ...] = ({}, {"displayName": "Zia M"}, {"was-displayName": "x"})
    for post in (*posts, *({**form, field: "admin"} for field in others)):
        as_zia.post(PAGE, post)
        assert stored() == before, post


def test_a_system_must_be_chosen_and_an_organisation_needs_its_name(as_zia: Client) -> None:
    before, form = stored(), opened(as_zia)
    for changes in ({"auctionSystem": ""}, {"auctionSystem": "nobody's"}, {"organisationName": ""}):
        answer = send(as_zia, form, **changes)
        (name,) = changes
        assert answer.status_code == 400 and f'id="{name}-error"' in answer.content.decode(), changes
    assert stored() == before


def test_names_are_escaped(zia: Account) -> None:
    evil = '"><script>alert(1)</script>'
    Account.objects.filter(pk="zia").update(
        display_name=evil, first_name=evil, organisation_name=evil, avatar_url=evil, country="'>", language=evil
    )
    client = signed_in(Account.objects.get(pk="zia"))
    for path in (PAGE, DELETE):
        assert "<script>" not in client.get(path).content.decode()


def test_staff_who_sign_in_as_members_write_no_more_than_members() -> None:
    client = signed_in(factories.account("zia", role="admin"))
    before = stored()
    client.post(PAGE, {**opened(client), "role": "member", "email": "a@example.org", "was-email": ""})
    assert stored() == before
    assert send(client, opened(client), displayName="Zia").status_code == 303
    assert (stored()["display_name"], stored()["role"]) == ("Zia", "admin")


# --- Who gets what


def test_nothing_is_kept_by_anybody_and_strangers_are_led_to_the_door(as_zia: Client) -> None:
    for path in (PAGE, DATA, DELETE):
        answer, stranger = as_zia.get(path), Client().get(path)
        assert (answer.status_code, answer["Cache-Control"], "ETag" in answer) == (200, PRIVATE, False), path
        led = (stranger.status_code, stranger["Location"], stranger["Cache-Control"])
        assert led == (302, f"/sign-in?next={path.replace('/', '%2F')}", PRIVATE)


def test_another_sites_form_changes_nothing(zia: Account) -> None:
    client, before = signed_in(zia, enforce_csrf_checks=True), stored()
    for path in (PAGE, DELETE):
        form = {"displayName": "x", "was-displayName": "", "word": "DELETE"}
        assert client.post(path, form).status_code == 403, path
        assert stored() == before


# --- The data


def test_whoever_looks_as_a_member_downloads_nothing_and_deletes_nothing(zia: Account) -> None:
    running = factories.impersonation(factories.account("sue", role="support"), zia)
    client = Client()
    client.force_login(running.actor, backend="accounts.backends.PasswordBackend")
    session = client.session
    session[IMPERSONATION] = str(running.pk)
    session.save()
    before = stored()
    assert "Zia M" in client.get(PAGE).content.decode()
    assert client.get(DATA).status_code == 403
    assert send(client, opened(client), displayName="Sue's").status_code == 403
    assert client.post(DELETE, {"word": "DELETE"}).status_code == 403
    assert stored() == before


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
    statuses = []
    for _ in range(3):
        answer = as_zia.get(DATA)
        statuses.append(answer.status_code)
        if answer.status_code == 200:
            end(answer)
    assert statuses == [200, 200, 429]
    assert exports.permits.running.total() == 0


# --- The end


def test_the_page_says_what_goes_and_what_stays(world: Account) -> None:
    client, newcomer = signed_in(world), signed_in(factories.account("new"))
    before = everything()
    html = client.get(DELETE).content.decode()
    said = (
        "Votes deleted", "Boards given to the service", "Sessions ended", "Type DELETE", "for 730 days",
        "their reasons deleted",
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
    assert answer["Clear-Site-Data"] == '"cache", "storage"'
    assert answer.cookies[settings.SESSION_COOKIE_NAME].value == ""
    assert answer["Cache-Control"] == PRIVATE
    after = stored()
    assert (after["is_active"], after["email"], after["display_name"]) == (False, "", "")
    assert after["erased_at"] is not None
    assert not Vote.objects.filter(account="zia").exists() and Vote.objects.exists()
    assert not Session.objects.filter(account="zia").exists()
    for each in (client, elsewhere):
        assert each.get(PAGE).status_code == 302
    assert others.get(PAGE).status_code == 200
    assert client_of(world).get("/api/accounts/me").status_code == 401
    page = client.get("/account/deleted").content.decode()
    assert "The account is deleted" in page and "zia" not in page.lower()


@pytest.mark.parametrize("role", ["support", "admin"])
def test_staff_ask_another_admin(role: str) -> None:
    factories.account("boss", role="admin")
    client = signed_in(factories.account("zia", role=role))
    html = client.get(DELETE).content.decode()
    assert "Ask another admin" in html and '<form method="post" action="/account/delete"' not in html
    before = stored()
    assert client.post(DELETE, {"word": "DELETE"}).status_code == 403
    assert stored() == before


def test_whoever_signs_in_again_after_deleting_is_refused(zia: Account, settings: Any) -> None:
    signed_in(zia).post(DELETE, {"word": "DELETE"})
    client = signed_in(Account.objects.get(pk="zia"))
    assert client.get(PAGE).status_code == 302
