"""A person's data on request: exported as one file, or erased. Through the service and the admin."""

import json
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.utils import timezone

from accounts.identifiers import SYSTEM
from accounts.models import Account, OneTimeCode
from accounts.personal_data import REGISTRY
from accounts.personal_data import export as export_module
from accounts.personal_data.export import export
from boards.models import Board, Collection, PublicationReview, Upload
from boards.records import fingerprint_of, record_of
from config.api.errors import PermissionRefused
from impersonation.models import Impersonation, ImpersonationEvent
from tests import factories
from tests.accounts.conftest import PERSON, counters_are_exact, erase, everything, fill_every_table, make_zia, who
from tests.answers import assert_error
from tests.config.admin.conftest import log, staff_client, submission
from tests.conftest import token_of
from tests.members import signed_in
from tests.undone import undone
from themes.models import Theme
from voting.models import Vote

pytestmark = pytest.mark.django_db

PAGE = "/admin/accounts/account/zia/"


# --- Export


@pytest.fixture(scope="module")
def rows_of_world(rows_of_module: None) -> None:
    fill_every_table(make_zia())


@pytest.fixture
def world(rows_of_world: None, db: None) -> Account:
    return Account.objects.get(pk="zia")


def exported(account: Account) -> dict[str, Any]:
    return json.loads(b"".join(export(account)))


def test_an_export_has_all_about_the_person_and_nothing_about_others(world: Account) -> None:
    person = exported(world)
    assert person["account"] | {"email": "zia@example.org", "displayName": "Zia M"} == person["account"]
    assert person["account"]["createdAt"].endswith("Z") and "password" not in json.dumps(person)
    columns = {
        "themes": "identifier", "boards": "ownerId", "votes": "accountId", "impersonations": "actorId",
        "impersonationEvents": "subjectId", "administration": "userId",
    }  # fmt: skip
    assert {table: [row[column] for row in person[table]] for table, column in columns.items()} == {
        "themes": ["hers"], "boards": ["zia"] * 3, "votes": ["zia"] * 4, "impersonations": ["support"],
        "impersonationEvents": ["zia"], "administration": ["support"],
    }  # fmt: skip
    assert person["impersonations"][0]["ticket"] == "T1"
    assert [sent["data"]["message"] for sent in person["submissions"]] == ["mine"]
    (enrolled,) = person["oneTimeCodes"]
    assert enrolled.keys() == {"accountId", "lastStep", "createdAt"}
    assert [wish["address"] for wish in person["mailOfTheWeek"]] == ["zia@home.example"]


def test_what_members_asked_of_staff_is_theirs_and_staff_get_their_own_answers_alone() -> None:
    owner, support = factories.account("asker"), factories.account("answerer", role="support")
    board = factories.board(owner=owner)
    changes, sentence = {"title": "Of the owner"}, "Whose deal is this?"
    answer = {"state": "declined", "sentence": sentence, "answered_by_id": support.pk, "answered_at": timezone.now()}
    PublicationReview.objects.create(board=board, changes=changes, **answer)
    ((asked,), (answered,)) = exported(owner)["publicationReviews"], exported(support)["answeredReviews"]
    assert (asked["changes"], asked["sentence"], answered["sentence"]) == (changes, sentence, sentence)
    assert "changes" not in answered and exported(owner)["answeredReviews"] == []
    assert exported(support)["publicationReviews"] == []


def test_an_export_has_no_forms_sent_with_an_address_of_two_accounts_or_without_one(world: Account) -> None:
    submission(data={"email": "", "message": "anonymous"})
    factories.account(email="Zia@Example.org")
    assert exported(world)["submissions"] == []
    Account.objects.filter(pk="zia").update(email="")
    assert exported(Account.objects.get(pk="zia"))["submissions"] == []


def test_an_export_of_many_rows_has_each_row_once(world: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export_module, "CHUNK", 2)
    for _ in range(4):
        factories.theme(owner=world)
    ids = [theme["id"] for theme in exported(world)["themes"]]
    assert len(ids) == len(set(ids)) == 5


def test_every_table_that_refers_to_an_account_is_registered(world: Account) -> None:
    """Require that a new table is registered, or named here with the reason why it need not be."""
    registered = {table.rows(world).model for table in REGISTRY}
    referring = {relation.related_model for relation in Account._meta.get_fields(include_hidden=True)
              if relation.auto_created and (relation.one_to_many or relation.one_to_one)}  # fmt: skip
    assert referring <= registered


# --- Erase


def test_an_erased_account_is_blank_and_inactive_and_its_one_time_codes_are_deleted(world: Account) -> None:
    Account.objects.filter(pk="zia").update(role="support", password="x")
    assert erase()["oneTimeCodes"] == 1
    assert [row.account_id for row in OneTimeCode.objects.all()] == ["support"]
    account = Account.objects.get(pk="zia")
    blank = {name: False if isinstance(value, bool) else "" for name, value in PERSON.items()}
    assert {name: getattr(account, name) for name in PERSON} == blank
    assert (account.is_active, account.role, account.auction_system_id) == (False, "member", "other")
    assert not account.has_usable_password()
    everywhere = json.dumps(everything(), default=str).lower()
    assert "zia m" not in everywhere and "zia@" not in everywhere and "mahmood" not in everywhere


def test_the_admin_s_log_forgets_what_the_person_wrote(world: Account) -> None:
    """Titles and names stand there: of boards, collections, themes and files. Others keep theirs."""
    support, other = Account.objects.get(pk="support"), Account.objects.get(pk="other")
    Board.objects.update(title="A title")
    for owner in (world, other):
        collection = Collection.objects.create(title="A collection", owner=owner)
        upload = Upload.objects.create(uploader=owner, owner=owner, name="A file", content=b"")
        for row in (Board.objects.filter(owner=owner)[0], collection, Theme.objects.get(owner=owner), upload):
            log(row, support)
        LogEntry.objects.create(user=owner, object_repr="A file: 5 new boards", action_flag=1)
    before = dict(LogEntry.objects.values_list("pk", "object_repr"))
    assert erase()["administration"] == 6
    after = LogEntry.objects.values_list("pk", "object_repr", "object_id")
    changed = [(before[pk], name == (object_id or "")) for pk, name, object_id in after if name != before[pk]]
    names = ["A collection", "A file", "A file: 5 new boards", "Zia M", "hers"]
    assert [name for name, _ in sorted(changed) if "A title" not in name] == names
    assert len(changed) == 6 and all(is_the_id for _, is_the_id in changed)


def test_reasons_of_impersonations_go_with_either_person(world: Account) -> None:
    """What staff wrote about the member, and what they wrote themselves."""
    Account.objects.filter(pk="support").update(role="member")
    others = factories.impersonation(factories.account(role="admin"), Account.objects.get(pk="other"), ticket="T2")
    erase("support")
    assert list(Impersonation.objects.filter(actor="support").values_list("reason", "ticket")) == [("", "")]
    others.refresh_from_db()
    assert (others.reason, others.ticket) == ("for a test", "T2")
    page = signed_in(world).get("/account/looks").content.decode()
    assert "deleted with the account of the viewer" in page
    erase("other")
    others.refresh_from_db()
    assert (others.reason, others.ticket) == ("", "")


def test_votes_are_taken_back_and_published_boards_and_themes_stay_with_another_account(world: Account) -> None:
    before = set(Board.objects.published().values_list("pk", "published_at", "title"))
    assert counters_are_exact()
    done = erase()
    assert {name: done[name] for name in ("votes", "boards", "themes")} == {"votes": 4, "boards": 3, "themes": 1}
    assert counters_are_exact()
    assert set(Vote.objects.values_list("account_id", flat=True)) == {"other"}
    assert set(Board.objects.values_list("pk", "published_at", "title")) == before
    owner = Theme.objects.get(identifier="hers").owner_id
    assert owner not in ("zia", SYSTEM) and Board.objects.filter(owner=owner).count() == 2
    for board in Board.objects.select_related("deal", "auction_system"):
        assert board.fingerprint == fingerprint_of(record_of(board), board.owner_id)


def test_live_impersonations_end_and_the_record_keeps_plain_ids(world: Account) -> None:
    events = list(ImpersonationEvent.objects.order_by("id").values())
    assert erase()["impersonations"] == 1
    assert not Impersonation.objects.filter(ended_at__isnull=True).exists()
    assert list(ImpersonationEvent.objects.order_by("id").values())[: len(events)] == events
    last = ImpersonationEvent.objects.latest("id")
    assert (last.kind, last.subject_id, last.route) == ("stopped", "zia", "the account was erased")


def test_an_erased_persons_token_is_refused_and_fills_in_nothing(world: Account) -> None:
    erase()
    before = Account.objects.values().get(pk="zia")
    assert_error(who(f"Bearer {token_of(world)}"), 401, "invalid_token")
    Account.objects.get_or_create_from_claims(
        {"sub": "zia", "name": "Zia M", "email": "zia@example.org", "email_verified": True}
    )
    assert Account.objects.values().get(pk="zia") == before


def test_erasing_again_changes_nothing_more(world: Account) -> None:
    erase()
    before = everything()
    assert set(erase().values()) == {0}
    assert everything()[1:] == before[1:]


def test_a_long_id_in_the_admins_log_is_erased_once() -> None:
    account = factories.account("x" * 255, display_name="Zia M")
    log(account, factories.account("another", role="support"))
    assert erase(account.pk)["administration"] == 1
    assert LogEntry.objects.get(object_id=account.pk).object_repr == "x" * 200
    assert erase(account.pk)["administration"] == 0


def test_erasing_the_system_or_oneself_or_as_no_admin_is_refused(world: Account, subtests: pytest.Subtests) -> None:
    boss = factories.account("boss", role="admin")
    before = everything()
    for subject, by, reason in (
        (SYSTEM, boss, "The account “system” cannot be erased"),
        ("boss", boss, "You cannot erase your own account"),
        ("zia", Account.objects.get(pk="support"), "Only admins can erase a person"),
        ("zia", Account.objects.get(pk="other"), "Only admins can erase a person"),
    ):
        with subtests.test(f"{subject} by {by.pk}"), undone():
            with pytest.raises(PermissionRefused, match=reason):
                erase(subject, by)
            assert everything() == before


# --- In the admin


def test_an_admin_exports_one_file_by_post(world: Account, boss: Client) -> None:
    assert boss.get(f"{PAGE}export/").status_code == 405
    answer = boss.post(f"{PAGE}export/")
    assert answer["Content-Disposition"] == 'attachment; filename="account-zia.json"'
    assert "no-store" in answer["Cache-Control"]
    assert json.loads(b"".join(answer.streaming_content))["account"]["id"] == "zia"
    assert LogEntry.objects.filter(object_id="zia", user_id="the-admin").count() == 1


def test_an_admin_confirms_first_and_then_erases(world: Account, boss: Client) -> None:
    before = everything()
    page = boss.get(f"{PAGE}erase/")
    assert page.status_code == 200 and b"cannot be undone" in page.content
    assert everything() == before
    answer = boss.post(f"{PAGE}erase/")
    assert (answer.status_code, answer["Location"]) == (302, f"{PAGE}change/")
    assert not Account.objects.get(pk="zia").is_active
    entry = LogEntry.objects.get(user_id="the-admin")
    assert (entry.object_id, entry.object_repr, entry.change_message) == ("zia", "zia", "Erased the person.")


@pytest.mark.usefixtures("reference_data")
def test_support_exports_the_accounts_that_it_may_edit_and_nobody_but_an_admin_erases(world: Account) -> None:
    factories.account("a-boss", role="admin")
    clients = {role: staff_client(role) for role in ("support", "admin")}
    for subject, status in (("zia", 200), ("a-boss", 403), ("the-support", 200), ("x", 404)):
        answer = clients["support"].post(f"/admin/accounts/account/{subject}/export/")
        assert answer.status_code == status, subject
    before = everything()[0]
    for role, subject in (
        ("support", "zia"), ("support", "the-support"), ("admin", "the-admin"), ("admin", SYSTEM)
    ):  # fmt: skip
        for send in (clients[role].get, clients[role].post):
            assert send(f"/admin/accounts/account/{subject}/erase/").status_code == 403, (role, subject)
    assert clients["admin"].post(f"{PAGE}delete/", {"post": "yes"}).status_code == 403, "votes would go with it"
    for page in ("export", "erase"):
        assert Client().post(f"{PAGE}{page}/").status_code == 302
    assert everything()[0] == before


def test_another_sites_form_erases_nobody(world: Account) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(factories.account(role="admin"))
    assert client.post(f"{PAGE}erase/").status_code == 403
    assert Account.objects.get(pk="zia").is_active


def test_the_list_links_to_the_records_of_an_account_and_of_nobody_else(world: Account, boss: Client) -> None:
    listed = boss.get("/admin/accounts/account/", {"q": "zia"}).content.decode()
    assert "boards/board/?owner__exact=zia" in listed and "voting/vote/?account__exact=zia" in listed
    page = boss.get(f"{PAGE}change/").content.decode()
    for link, rows in (
        ("boards/board/?owner__exact=zia", 3), ("voting/vote/?account__exact=zia", 4),
        ("themes/theme/?owner__exact=zia", 1), ("impersonation/impersonation/?subject__exact=zia", 1),
        ("impersonation/impersonation/?actor__exact=zia", 0),
    ):  # fmt: skip
        assert f'href="/admin/{link}"' in page
        assert boss.get(f"/admin/{link}").context["cl"].result_count == rows
