"""A deployment with an identity provider and its clock, and a person with a row in every table."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.db.models import Count, Q
from rest_framework.test import APIClient

from accounts.models import Account, MailOfTheWeek, OneTimeCode
from accounts.personal_data.erasure import erase as erase_person
from accounts.tokens import jwks
from accounts.tokens.verifier import get_verifier
from boards.models import Board
from impersonation.models import Impersonation, ImpersonationEvent
from tests import factories
from tests import identity_provider as idp
from tests.clock import Clock, stop_clock
from tests.config.admin.conftest import log, submission
from themes.models import Theme
from voting.models import Vote
from voting.services import cast_vote


@pytest.fixture
def provider() -> Iterator[idp.Provider]:
    with idp.running() as running:
        yield running


PATIENCE = 300.0
"""Seconds for an answer of a provider that a test runs itself: a busy machine is not an outage."""


@pytest.fixture
def deployed(provider: idp.Provider, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the service up with this provider and without a development key."""
    for name, value in idp.settings_of(provider).items():
        setattr(settings, name, value)
    monkeypatch.setattr(jwks, "MAX_WAIT", PATIENCE)
    monkeypatch.setattr(jwks, "TIMEOUT", PATIENCE)
    get_verifier.cache_clear()


def who(header: str, path: str = "/api/accounts/me") -> Any:
    """Send a request with an authorization header, whatever it may be."""
    return APIClient(raise_request_exception=False).get(path, headers={"authorization": header})


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return stop_clock(monkeypatch)


PERSON = {
    "email": "zia@example.org", "display_name": "Zia M", "first_name": "Zia", "last_name": "Mahmood",
    "organisation_name": "A club", "is_organisation": True, "country": "PK", "language": "en",
    "avatar_url": "https://example.org/zia.png", "show_email_publicly": True,
}  # fmt: skip


@pytest.fixture
def zia(db: None) -> Account:
    return make_zia()


def make_zia() -> Account:
    return factories.account("zia", auction_system=factories.auction_system(), **PERSON)


@pytest.fixture
def world(zia: Account) -> Account:
    fill_every_table(zia)
    return zia


def fill_every_table(zia: Account) -> None:
    """Give Zia a row in every table, beside others who have as much."""
    other, support = factories.account("other"), factories.account("support", role="support")
    factories.theme("hers", owner=zia)
    factories.theme("theirs", owner=other)
    boards = [factories.board(seed, owner=owner) for seed in (1, 2) for owner in (zia, other)]
    factories.board(3, owner=zia, published=False)
    for board, value in zip(boards, (Vote.Value.UP, Vote.Value.DOWN, Vote.Value.UP, Vote.Value.UP), strict=True):
        cast_vote(account=zia, board_id=board.pk, value=value)
        cast_vote(account=other, board_id=board.pk, value=Vote.Value.UP)
    running = factories.impersonation(support, zia, ticket="T1")
    for subject in (zia, other):
        event = {"actor_id": "support", "subject_id": subject.pk, "route": "api/themes", "request_id": "r"}
        ImpersonationEvent.objects.create(
            impersonation_id=running.pk, kind="request", method="GET", status=200, **event
        )
    submission(data={"email": "ZIA@example.org", "message": "mine"})
    submission(data={"email": "other@example.org", "message": "not mine"})
    log(zia, support)
    for account in (zia, support):
        OneTimeCode.objects.create(account=account, secret="encrypted")
        MailOfTheWeek.objects.create(account=account, address=f"{account.pk}@home.example")


def erase(account_id: str = "zia", by: Account | None = None) -> dict[str, int]:
    return erase_person(account_id=account_id, by=by)


def counters_are_exact() -> bool:
    up, down = Count("votes", Q(votes__value="up")), Count("votes", Q(votes__value="down"))
    rows = Board.objects.annotate(up=up, down=down).values_list("up", "up_votes", "down", "down_votes")
    return all(up == up_votes and down == down_votes for up, up_votes, down, down_votes in rows)


def everything() -> list[Any]:
    """Return every row that belongs to somebody, to compare before and after."""
    models = (Account, OneTimeCode, MailOfTheWeek, Board, Theme, Vote, Impersonation, ImpersonationEvent, LogEntry)
    return [list(model.objects.order_by("pk").values()) for model in models]
