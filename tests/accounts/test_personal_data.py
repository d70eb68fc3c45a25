"""A person's data on request: exported as one file, or erased. Through the service and the admin."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connections
from django.db.models import Count, Q
from django.test import Client
from rest_framework.test import APIClient

from accounts.identifiers import SYSTEM
from accounts.models import Account, OneTimeCode
from accounts.personal_data import export as export_module
from accounts.personal_data.erasure import erase as erase_person
from accounts.personal_data.export import export
from accounts.personal_data.registry import REGISTRY
from accounts.tokens import development
from boards.models import Board, Collection, Upload
from boards.records import fingerprint_of, record_of
from boards.services import change_board, publish_board
from config.api.errors import InvalidToken, PermissionRefused
from impersonation.models import Impersonation, ImpersonationEvent
from tests import factories
from tests.accounts.conftest import PERSON, everything
from tests.config.admin.conftest import log, staff_client, submission
from tests.members import signed_in
from themes.models import Theme
from voting.models import Vote
from voting.services import cast_vote

pytestmark = pytest.mark.django_db

PAGE = "/admin/accounts/account/zia/"


def erase(account_id: str = "zia", by: Account | None = None) -> dict[str, int]:
    return erase_person(account_id=account_id, by=by)


def counters_are_exact() -> bool:
    up, down = Count("votes", Q(votes__value="up")), Count("votes", Q(votes__value="down"))
    rows = Board.objects.annotate(up=up, down=down).values_list("up", "up_votes", "down", "down_votes")
    return all(up == up_votes and down == down_votes for up, up_votes, down, down_votes in rows)


# --- Export


def exported(account: Account) -> dict[str, Any]:
    return json.loads(b"".join(export(account)))


def test_an_export_has_all_about_the_person_and_nothing_about_others(world: Account) -> None:
    person = exported(world)
    assert person["account"] | {"email": "zia@example.org", "displayName": "Zia M"} == person["account"]
    assert "password" not in json.dumps(person)
    assert [theme["identifier"] for theme in person["themes"]] == ["hers"]
    assert {board["ownerId"] for board in person["boards"]} == {"zia"}
    assert (len(person["boards"]), len(person["votes"])) == (3, 4)
    (impersonation,) = person["impersonations"]
    assert (impersonation["actorId"], impersonation["ticket"]) == ("support", "T1")
    assert [event["subjectId"] for event in person["impersonationEvents"]] == ["zia"]
    assert [sent["data"]["message"] for sent in person["submissions"]] == ["mine"]
    assert [entry["userId"] for entry in person["administration"]] == ["support"]
    assert person["account"]["createdAt"].endswith("Z")
    (enrolled,) = person["oneTimeCodes"]
    assert enrolled.keys() == {"accountId", "lastStep", "createdAt"}


def test_an_export_leaves_out_forms_sent_with_an_address_of_two_accounts(world: Account) -> None:
    factories.account(email="Zia@Example.org")
    assert exported(world)["submissions"] == []


def test_an_export_of_an_account_without_an_address_has_no_forms(world: Account) -> None:
    submission(data={"email": "", "message": "anonymous"})
    Account.objects.filter(pk="zia").update(email="")
    assert exported(Account.objects.get(pk="zia"))["submissions"] == []


def test_an_export_of_many_rows_has_each_row_once(zia: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export_module, "CHUNK", 2)
    for _ in range(5):
        factories.theme(owner=zia)
    assert len({theme["id"] for theme in exported(zia)["themes"]}) == 5


def test_every_table_that_refers_to_an_account_is_registered(zia: Account) -> None:
    """Require that a new table is registered, or named here with the reason why it need not be."""
    registered = {table.rows(zia).model for table in REGISTRY}
    referring = {relation.related_model for relation in Account._meta.get_fields(include_hidden=True)
              if relation.auto_created and (relation.one_to_many or relation.one_to_one)}  # fmt: skip
    assert referring <= registered


# --- Erase


def test_an_erased_account_is_blank_and_inactive(world: Account) -> None:
    Account.objects.filter(pk="zia").update(role="support", password="x")
    erase()
    account = Account.objects.get(pk="zia")
    assert {name: getattr(account, name) for name in PERSON} == {
        name: False if isinstance(value, bool) else "" for name, value in PERSON.items()
    }
    assert (account.is_active, account.role, account.auction_system_id) == (False, "member", "other")
    assert not account.has_usable_password()
    everywhere = json.dumps(everything(), default=str).lower()
    assert "zia m" not in everywhere and "zia@" not in everywhere and "mahmood" not in everywhere


def test_an_erased_persons_one_time_codes_are_deleted_and_nobody_elses(world: Account) -> None:
    assert erase()["oneTimeCodes"] == 1
    assert [row.account_id for row in OneTimeCode.objects.all()] == ["support"]


def test_the_admin_s_log_forgets_what_the_person_wrote(world: Account) -> None:
    """Titles and names stand there: of boards, collections, themes and files. Others keep theirs."""
    support, other = Account.objects.get(pk="support"), Account.objects.get(pk="other")
    Board.objects.update(title="A title")
    for owner in (world, other):
        for row in (
            Board.objects.filter(owner=owner)[0],
            Collection.objects.create(title="A collection", owner=owner),
            Theme.objects.get(owner=owner),
            Upload.objects.create(uploader=owner, owner=owner, name="A file", content=b""),
        ):
            log(row, support)
        LogEntry.objects.create(user=owner, object_repr="A file: 5 new boards", action_flag=1)
    before = dict(LogEntry.objects.values_list("pk", "object_repr"))
    assert erase()["administration"] == 6
    changed = [
        (before[pk], name == (object_id or ""))
        for pk, name, object_id in LogEntry.objects.values_list("pk", "object_repr", "object_id")
        if name != before[pk]
    ]
    names = ["A collection", "A file", "A file: 5 new boards", "Zia M", "hers"]
    assert [name for name, _ in sorted(changed) if "A title" not in name] == names
    assert len(changed) == 6 and all(is_the_id for _, is_the_id in changed)


def test_reasons_of_impersonations_go_with_either_person(world: Account) -> None:
    """What staff wrote about the member, and what they wrote themselves."""
    Account.objects.filter(pk="support").update(role="member")
    others = factories.impersonation(
        factories.account(role="admin"), Account.objects.get(pk="other"), ticket="T2"
    )
    erase("support")
    assert list(Impersonation.objects.filter(actor="support").values_list("reason", "ticket")) == [("", "")]
    others.refresh_from_db()
    assert (others.reason, others.ticket) == ("for a test", "T2")
    page = signed_in(world).get("/account/looks").content.decode()
    assert "deleted with the account of who looked" in page
    erase("other")
    others.refresh_from_db()
    assert (others.reason, others.ticket) == ("", "")


def test_votes_are_taken_back_and_every_counter_is_exact(world: Account) -> None:
    assert counters_are_exact()
    assert erase()["votes"] == 4
    assert counters_are_exact()
    assert set(Vote.objects.values_list("account_id", flat=True)) == {"other"}


def test_boards_and_themes_stay_and_belong_to_the_service(world: Account) -> None:
    before = set(Board.objects.values_list("pk", "published_at", "title"))
    done = erase()
    assert (done["boards"], done["themes"]) == (3, 1)
    assert set(Board.objects.values_list("pk", "published_at", "title")) == before
    assert Board.objects.filter(owner=SYSTEM).count() == 3
    assert Theme.objects.get(identifier="hers").owner_id == SYSTEM
    for board in Board.objects.select_related("deal", "auction_system"):
        assert board.fingerprint == fingerprint_of(record_of(board), board.owner_id)


def test_publishing_an_erased_persons_board_for_the_service_finds_that_board(zia: Account) -> None:
    board = factories.board(1, owner=zia)
    erase()
    again, created = publish_board(deal=board.deal, record=record_of(board), owner_id=SYSTEM)
    assert (again.pk, created) == (board.pk, False)


def test_a_board_that_the_service_has_too_stays_whole_beside_it(zia: Account) -> None:
    known, hers = factories.board(1, votes=(0, 0)), factories.board(1, owner=zia, themes=(factories.theme(),))
    cast_vote(account=factories.account("other"), board_id=hers.pk, value=Vote.Value.UP)
    Board.objects.filter(pk=hers.pk).update(title="Her title", commentary="Her words")
    assert erase()["boards"] == 1
    known.refresh_from_db()
    hers.refresh_from_db()
    assert (hers.owner_id, hers.title, hers.commentary) == (SYSTEM, "Her title", "Her words")
    assert (hers.up_votes, hers.themes.count(), hers.votes.count()) == (1, 1, 1)
    assert hers.fingerprint != known.fingerprint == fingerprint_of(record_of(known), SYSTEM)
    again, _ = publish_board(deal=known.deal, record=record_of(known), owner_id=SYSTEM)
    assert again.pk == known.pk


def test_the_texts_of_such_a_twin_can_still_be_changed(zia: Account) -> None:
    factories.board(1)
    hers = factories.board(1, owner=zia)
    erase()
    hers.refresh_from_db()
    before = hers.fingerprint
    changed = change_board(board=hers, record=record_of(hers), owner_id=SYSTEM, auction_system=None)
    assert changed.fingerprint == before


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
    token = development.issue_token("zia", timedelta(hours=1))
    answer = APIClient(headers={"authorization": f"Bearer {token}"}).get("/api/accounts/me")
    assert (answer.status_code, answer.json()["code"]) == (401, "invalid_token")
    Account.objects.get_or_create_from_claims(
        {"sub": "zia", "name": "Zia M", "email": "zia@example.org", "email_verified": True}
    )
    assert Account.objects.values().get(pk="zia") == before


def test_erasing_again_changes_nothing_more(world: Account) -> None:
    erase()
    before = everything()
    assert set(erase().values()) == {0}
    for rows, rows_before in zip(everything()[1:], before[1:], strict=True):
        assert rows == rows_before


def test_a_long_id_in_the_admins_log_is_erased_once() -> None:
    account = factories.account("x" * 255, display_name="Zia M")
    log(account, factories.account("support", role="support"))
    assert erase(account.pk)["administration"] == 1
    assert LogEntry.objects.get(object_id=account.pk).object_repr == "x" * 200
    assert erase(account.pk)["administration"] == 0


def test_erasing_many_boards_and_votes_takes_more_than_one_batch(
    zia: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("boards.personal_data", "voting.services"):
        monkeypatch.setattr(f"{module}.CHUNK", 2)
    for seed in range(5):
        cast_vote(account=zia, board_id=factories.board(seed, owner=zia).pk, value=Vote.Value.UP)
    done = erase()
    assert (done["boards"], done["votes"]) == (5, 5)
    assert counters_are_exact()


@pytest.mark.parametrize("who", ["system", "herself", "by support", "by a member"])
def test_erasing_the_system_oneself_or_without_being_an_admin_is_refused(who: str, world: Account) -> None:
    boss = factories.account("boss", role="admin")
    subject, by, reason = {
        "system": (SYSTEM, boss, "The account system cannot be erased"),
        "herself": ("boss", boss, "You cannot erase your own account"),
        "by support": ("zia", Account.objects.get(pk="support"), "Only admins can erase a person"),
        "by a member": ("zia", Account.objects.get(pk="other"), "Only admins can erase a person"),
    }[who]
    before = everything()
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


@pytest.mark.usefixtures("reference_data")
@pytest.mark.parametrize(
    ("subject", "status"), [("zia", 200), ("a-boss", 403), ("the-support", 200), ("x", 404)]
)
def test_support_exports_the_accounts_that_it_may_edit(subject: str, status: int, zia: Account) -> None:
    factories.account("a-boss", role="admin")
    client = staff_client("support")
    assert client.post(f"/admin/accounts/account/{subject}/export/").status_code == status


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
@pytest.mark.parametrize(
    ("role", "subject"),
    [("support", "zia"), ("support", "the-support"), ("admin", "the-admin"), ("admin", SYSTEM)],
)
def test_nobody_but_an_admin_erases_and_nothing_changes(role: str, subject: str, zia: Account) -> None:
    client = staff_client(role)
    before = everything()[0]
    for send in (client.get, client.post):
        assert send(f"/admin/accounts/account/{subject}/erase/").status_code == 403
    assert everything()[0] == before


def test_a_stranger_is_sent_to_the_login(zia: Account) -> None:
    for page in ("export", "erase"):
        assert Client().post(f"{PAGE}{page}/").status_code == 302
    assert Account.objects.get(pk="zia").is_active


def test_another_sites_form_erases_nobody(zia: Account) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(factories.account(role="admin"))
    assert client.post(f"{PAGE}erase/").status_code == 403
    assert Account.objects.get(pk="zia").is_active


def test_an_account_is_never_deleted_with_its_votes(zia: Account, boss: Client) -> None:
    assert boss.post(f"{PAGE}delete/", {"post": "yes"}).status_code == 403
    assert Account.objects.filter(pk="zia").exists()


def test_the_list_links_to_the_records_of_an_account_and_of_nobody_else(world: Account, boss: Client) -> None:
    listed = boss.get("/admin/accounts/account/", {"q": "zia"}).content.decode()
    assert "boards/board/?owner__exact=zia" in listed and "voting/vote/?account__exact=zia" in listed
    page = boss.get(f"{PAGE}change/").content.decode()
    for link, rows in (
        ("boards/board/?owner__exact=zia", 3),
        ("voting/vote/?account__exact=zia", 4),
        ("themes/theme/?owner__exact=zia", 1),
        ("impersonation/impersonation/?subject__exact=zia", 1),
        ("impersonation/impersonation/?actor__exact=zia", 0),
    ):
        assert f'href="/admin/{link}"' in page
        assert boss.get(f"/admin/{link}").context["cl"].result_count == rows


@pytest.fixture
def boss(db: None) -> Client:
    return staff_client("admin")


@pytest.mark.django_db(transaction=True)
def test_votes_cast_during_an_erasure_leave_no_vote_and_every_counter_exact(
    client_of: Callable[[Account], APIClient],
) -> None:
    zia, boards = factories.account("zia"), [factories.board(seed) for seed in range(6)]

    def vote(number: int) -> None:
        try:
            value = Vote.Value.DOWN if number % 2 else Vote.Value.UP
            with suppress(InvalidToken):  # it came after the erasure
                cast_vote(account=zia, board_id=boards[number % 6].pk, value=value)
        finally:
            connections.close_all()

    def wipe() -> None:
        try:
            erase()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(6) as pool:
        votes = [pool.submit(vote, number) for number in range(12)]
        wipes = [pool.submit(wipe) for _ in range(2)]
        for done in (*votes, *wipes):
            done.result()
    assert not Vote.objects.exists()
    assert counters_are_exact()
