"""Factories of rows for tests. Whatever a test does not name gets a sensible value."""

import itertools
from copy import copy
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.identifiers import SYSTEM
from accounts.models import Account, AuctionSystem
from boards.catalogue.refreshing import list_new
from boards.models import Board
from boards.records import columns_of, fingerprint_of
from deals.models import Deal
from impersonation.models import Impersonation
from tests.bridge.factories import layout, record
from themes.models import Theme

_numbers = itertools.count(1)

NOBODYS_ID = "00000000-0000-4000-8000-000000000000"
"""A uuid that no row has. It is the same in every process, since parallel runs must collect the same tests."""


def account(id: str | None = None, **values: Any) -> Account:
    return Account.objects.create(pk=id or f"account-{next(_numbers)}", **values)


def auction_system(identifier: str | None = None, **values: Any) -> AuctionSystem:
    identifier = identifier or f"system_{next(_numbers)}"
    return AuctionSystem.objects.create(identifier=identifier, labels={"en": identifier}, **values)


def theme(identifier: str | None = None, **values: Any) -> Theme:
    identifier = identifier or f"theme_{next(_numbers)}"
    return Theme.objects.create(
        **{"type": "convention", "identifier": identifier, "labels": {"en": identifier}, **values}
    )


def deal(seed: int | None = None, **values: Any) -> Deal:
    return Deal.objects.create(cards=layout(seed).cards, **values)


@transaction.atomic
def board(
    seed: int | None = None,
    *,
    owner: Account | None = None,
    published: bool = True,
    themes: tuple[Theme, ...] = (),
    auction_system: AuctionSystem | None = None,
    published_at: Any = None,
    votes: tuple[int, int] = (0, 0),
    **values: Any,
) -> Board:
    """Store a board. `values` are those of `record`."""
    board_record = record(seed, **values)
    owner_id = owner.pk if owner else SYSTEM
    stored = Board.objects.create(
        **columns_of(board_record),
        deal=Deal.objects.get_or_create(cards=board_record.layout.cards)[0],
        owner_id=owner_id,
        auction_system=auction_system,
        fingerprint=fingerprint_of(board_record, owner_id),
        published_at=(published_at or timezone.now()) if published else None,
        up_votes=votes[0],
        down_votes=votes[1],
    )
    stored.themes.add(*themes)
    # A copy, since a test that changes the board's themes or its analysis reads them again.
    listed = copy(stored)
    in_order = sorted(themes, key=lambda each: (each.type, each.identifier, each.pk))
    listed._prefetched_objects_cache = {"themes": in_order}
    list_new([listed])
    return stored


def impersonation(actor: Account, subject: Account, **values: Any) -> Impersonation:
    """Store an impersonation of half an hour that has begun now and has not ended."""
    started_at = values.get("started_at") or timezone.now()
    times = {"started_at": started_at, "expires_at": started_at + timedelta(minutes=30)}
    versions = {"actor_rights_version": actor.rights_version, "subject_rights_version": subject.rights_version}
    return Impersonation.objects.create(
        actor=actor, subject=subject, **{"reason": "for a test", **times, **versions, **values}
    )
