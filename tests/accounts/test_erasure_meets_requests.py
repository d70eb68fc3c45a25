"""An erasure that meets requests of its account on PostgreSQL: nothing of the person is stored once it has ended.

Either the request is waited for, and what it stored is erased, or it waits, and is then refused.
"""

from collections.abc import Callable
from functools import partial
from io import BytesIO
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from rest_framework.test import APIClient

from accounts.models import Account, Session
from accounts.personal_data import erasure
from boards.files.importing import import_boards
from boards.files.options import ImportOptions
from boards.models import Board
from boards.services.boards import publish_board
from bridge.formats.pbn.writer import HEADER, write_pbn
from config.api.errors import InvalidToken, PermissionRefused, ValidationFailed
from tests import factories
from tests.accounts.conftest import erase
from tests.answers import assert_error
from tests.meetings import during
from tests.members import signed_in
from voting.models import Vote
from voting.services import cast_vote

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite lets one transaction write at a time."),
]


@pytest.fixture
def zia(transactional_db: None) -> Account:
    return factories.account("zia")


def test_who_becomes_staff_at_that_moment_is_not_erased_by_themselves(zia: Account) -> None:
    promote = partial(Account.objects.filter(pk="zia").update, role="support")
    assert isinstance(during(promote, partial(erasure.erase, account_id="zia", by=zia)), PermissionRefused)
    assert Account.objects.get(pk="zia").erased_at is None


def vote_of(account: Account) -> Callable[[], Any]:
    return partial(cast_vote, account=account, board_id=factories.board().pk, value=Vote.Value.UP)


def publication(account: Account) -> Callable[[], Any]:
    record = factories.record()
    deal = factories.Deal.objects.create(cards=record.layout.cards)
    return partial(publish_board, deal=deal, record=record, owner_id=account.pk)


def import_of_a_file(account: Account) -> Callable[[], Any]:
    file = (HEADER + write_pbn(factories.record())).encode()
    return lambda: import_boards(BytesIO(file), ImportOptions(owner_id=account.pk, publish=True))


def what_is_left(account: Account) -> tuple[int, int]:
    return Vote.objects.filter(account=account).count(), Board.objects.filter(owner=account).count()


@pytest.mark.parametrize(
    ("make_request", "refusal"),
    [(vote_of, InvalidToken), (publication, ValidationFailed), (import_of_a_file, ValidationFailed)],
)
def test_what_runs_is_waited_for_and_erased_and_what_comes_later_is_refused(
    zia: Account, make_request: Callable[[Account], Callable[[], Any]], refusal: type[Exception]
) -> None:
    erased = during(make_request(zia), erase)
    assert sum(erased[name] for name in ("votes", "boards")) == 1
    assert what_is_left(zia) == (0, 0)
    assert Board.objects.count() == 1
    mia = factories.account("mia")
    assert isinstance(during(partial(erase, "mia"), make_request(mia)), refusal)
    assert what_is_left(mia) == (0, 0)


def test_a_person_who_is_being_erased_fills_in_nothing(zia: Account, client_of: Callable[[Account], APIClient]) -> None:
    patch = partial(client_of(zia).patch, "/api/accounts/zia", {"displayName": "Zia again"})
    assert_error(during(erase, patch), 401, "invalid_token")
    assert Account.objects.get(pk="zia").display_name == ""
    mia = factories.account("mia")
    send = partial(signed_in(mia).post, "/account", {"displayName": "Mia again", "initial-displayName": ""})
    assert during(partial(erase, "mia"), send).status_code == 401
    assert Account.objects.get(pk="mia").display_name == ""


def test_a_sign_in_that_meets_an_erasure_leaves_no_session(transactional_db: None, settings: Any) -> None:
    settings.DEVELOPMENT_SIGN_IN = True
    anna = factories.account("demo-anna")
    send = partial(Client().post, "/sign-in", {"member": "demo-anna"}, HTTP_USER_AGENT="Anna's phone")
    assert during(partial(erase, "demo-anna"), send).status_code == 403
    anna.refresh_from_db()
    assert anna.last_login is None and not Session.objects.filter(account=anna).exists()
