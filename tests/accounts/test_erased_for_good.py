"""An erased account is never switched on again, by nothing, and its published boards stay whole."""

from dataclasses import replace

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.test import Client
from rest_framework.test import APIClient

from accounts.identifiers import SYSTEM
from accounts.models import Account
from boards.models import Board
from boards.records import fingerprint_of, record_of
from boards.services.boards import change_board, publish_board
from tests import factories
from tests.accounts.conftest import counters_are_exact, erase
from tests.accounts.test_roles import save_in_the_admin
from tests.answers import assert_error
from voting.models import Vote
from voting.services import cast_vote

pytestmark = pytest.mark.django_db


@pytest.fixture
def erased(db: None) -> Account:
    factories.account("zia", display_name="Zia")
    factories.account("another admin", role="admin")
    erase()
    return Account.objects.get(pk="zia")


def stays_erased(account: Account) -> bool:
    row = Account.objects.get(pk=account.pk)
    return (row.is_active, row.role, row.erased_at) == (False, "member", account.erased_at)


def test_the_interface_refuses_it_and_another_field_can_be_changed_as_before(admin: APIClient, erased: Account) -> None:
    for change in ({"isActive": True}, {"role": "support"}, {"isActive": True, "role": "admin"}):
        refusal = assert_error(admin.patch("/api/accounts/zia", change), 400, "validation_error")
        (error,) = refusal["meta"]["fields"]["isActive"]
        assert error["code"] == "erased" and "was erased" in error["message"], change
        assert stays_erased(erased), change
    assert admin.patch("/api/accounts/zia", {"country": "NL"}).status_code == 200
    factories.account("yan")
    for value in (False, True):
        assert admin.patch("/api/accounts/yan", {"isActive": value}).json()["isActive"] is value, "only suspended"


def test_the_admin_refuses_it(erased: Account) -> None:
    boss = Client()
    boss.force_login(factories.account("boss", role="admin"))
    assert save_in_the_admin(boss, erased).status_code == 302
    for change in ({"is_active": "on"}, {"role": "admin"}):
        answer = save_in_the_admin(boss, erased, **change)
        assert answer.status_code == 200 and "was erased" in answer.content.decode()
    assert stays_erased(erased)


def test_commands_and_the_database_refuse_it_and_erasing_again_keeps_the_time_of_the_first(erased: Account) -> None:
    for command in (("create_staff", "--id", "zia", "--generated"), ("issue_token", "zia", "--role", "support")):
        with pytest.raises(CommandError, match="was erased"):
            call_command(*command)
        assert stays_erased(erased), command
    for change in (
        {"is_active": True}, {"role": "admin"}, {"erased_at": None}, {"erased_at": None, "is_active": True},
    ):  # fmt: skip
        with pytest.raises(IntegrityError), transaction.atomic():
            Account.objects.filter(pk="zia").update(**change)
        assert stays_erased(erased), change
    erase()
    assert stays_erased(erased)


def test_a_published_board_stays_whole_beside_the_same_of_the_service(zia: Account) -> None:
    known, hers = factories.board(1), factories.board(1, owner=zia, themes=(factories.theme(),))
    cast_vote(account=factories.account("other"), board_id=hers.pk, value=Vote.Value.UP)
    Board.objects.filter(pk=hers.pk).update(title="Her title", commentary="Her words")
    assert erase()["boards"] == 1
    known.refresh_from_db()
    hers.refresh_from_db()
    owner = str(hers.owner_id)
    assert (owner[:7], hers.title, hers.commentary) == ("erased-", "Her title", "Her words")
    assert (hers.up_votes, hers.themes.count(), hers.votes.count()) == (1, 1, 1)
    assert known.fingerprint == fingerprint_of(record_of(known), SYSTEM)
    assert hers.fingerprint == fingerprint_of(record_of(hers), owner)
    again, _ = publish_board(deal=known.deal, record=record_of(known), owner_id=SYSTEM)
    assert again.pk == known.pk
    record = replace(record_of(hers), title="Of staff")
    changed = change_board(board=hers, record=record, owner_id=owner, auction_system=None)
    assert changed.title == "Of staff", "its texts can still be changed"


def test_erasing_many_boards_and_votes_takes_more_than_one_batch(zia: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("boards.personal_data", "voting.services"):
        monkeypatch.setattr(f"{module}.CHUNK", 2)
    for seed in range(5):
        cast_vote(account=zia, board_id=factories.board(seed, owner=zia).pk, value=Vote.Value.UP)
    done = erase()
    assert (done["boards"], done["votes"]) == (5, 5)
    assert counters_are_exact()
