"""The database that all examples are recorded on: the same rows, ids and moments in every run and on every database."""

import hashlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Any
from uuid import UUID

import pytest
import time_machine
from django.core.cache import cache
from django.db import connection, models, transaction

from accounts.models import AuctionSystem
from boards.collections.services import CollectionEntry, Texts, create_collection
from boards.files.importing import import_boards
from boards.files.options import ImportOptions
from bridge.double_dummy import Par
from bridge.layout import Layout
from config.api.schema_components import RECORDED_BASE_URL
from deals.models import Deal
from deals.services import register_deal
from deals.solver.queues import TABLES, Order, claim_next
from tests import factories

NOW = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)

PBN = """[Event "Club evening"]
[Site "Delft"]
[Date "2026.11.21"]
[Board "12"]
[Dealer "W"]
[Vulnerable "NS"]
[Deal "W:AJ5.AK42.A42.843 97632.7.J753.AJ6 4.QT83.K86.KT975 KQT8.J965.QT9.Q2"]
[Scoring "MP"]
[Declarer "W"]
[Contract "4H"]
[Result "10"]
[BidSystemNS "SAYC"]
[Description "Stayman finds the heart fit"]
[Auction "W"]
1NT Pass 2C =1= Pass
2H Pass 4H Pass
Pass Pass
[Note "1:Stayman: asks for a four-card major"]
[Play "N"]
S3 - - -
*
"""
OLDER_PBN = """[Board "18"] [Dealer "E"] [Vulnerable "NS"] [Declarer "N"] [Contract "6S"] [Result "12"]
[Deal "E:J4.T965.64.JT965 AQT5.Q74.QJ53.A7 872.83.AT9872.K3 K963.AKJ2.K.Q842"]
*
"""
DRAFT_PBN = """[Board "12"] [Dealer "W"] [Vulnerable "NS"] [Declarer "W"] [Contract "3NT"] [Result "8"]
[Deal "W:AJ5.AK42.A42.843 97632.7.J753.AJ6 4.QT83.K86.KT975 KQT8.J965.QT9.Q2"]
*
"""
NOT_VULNERABLE: Par = {"score": -140, "contracts": ["EW 3H"]}
VULNERABLE: Par = {"score": -140, "contracts": ["EW 2H+1"]}
SOLUTION = {
    "double_dummy": "36373a796836373a7968",
    "par": {"None": NOT_VULNERABLE, "NS": VULNERABLE, "EW": NOT_VULNERABLE, "All": VULNERABLE},
}
"""What the solver finds for the deal of PBN. Python 3.14 has no solver, so it is written down here."""

UNUSED_CARDS = "N:AKQJ.T98.765.432 5432.AKQJ.T98.76 T98.7654.32.AKQJ 76.32.AKQJ4.T985"


@dataclass(frozen=True)
class World:
    """The ids of the rows that requests name. Anna and bob are members, sam and sid support, ada is the only admin."""

    board: str
    draft: str
    deal: str
    unused_deal: str
    theme: str
    impersonation: str
    older_board: str
    collection: str


def build_world(clock: time_machine.Traveller) -> World:
    """Store the rows, and end at NOW. A board of anna's is published and analysed, and anna has a collection.

    Sam impersonates anna.
    """
    AuctionSystem.objects.create(identifier="sayc", labels={"en": "SAYC"}, sort_order=10)
    contact = {"email": "anna@club.example", "show_email_publicly": True, "country": "NL", "language": "nl"}
    anna = factories.account("anna", display_name="Anna de Vries", **contact)
    factories.account("bob", display_name="Bob Jansen")
    sam = factories.account("sam", role="support", display_name="Sam")
    factories.account("sid", role="support", display_name="Sid")
    factories.account("ada", role="admin", display_name="Ada")
    theme = factories.theme("stayman", owner=anna, labels={"en": "Stayman", "nl": "Stayman"})
    factories.theme("finesse", type="declarer_play", labels={"en": "Finesse", "nl": "Snit"})
    clock.move_to(NOW - timedelta(days=1))
    older = import_boards(BytesIO(OLDER_PBN.encode()), ImportOptions(owner_id="anna", publish=True))
    clock.move_to(NOW - timedelta(hours=1))
    published = import_boards(BytesIO(PBN.encode()), ImportOptions(owner_id="anna", themes=[theme], publish=True))
    drafts = import_boards(BytesIO(DRAFT_PBN.encode()), ImportOptions(owner_id="anna"))
    (board,), (draft,) = published.board_ids, drafts.board_ids
    deal = Deal.objects.get(boards=board)
    claim = claim_next(Order.WANTED, [TABLES])
    assert claim is not None
    clock.move_to(NOW)
    TABLES.store(claim, {deal.pk: SOLUTION})
    source = {"source_name": "A dealing machine", "source_url": "https://dealing.example"}
    unused, _ = register_deal(layout=Layout.parse(UNUSED_CARDS), source=source)
    impersonation = factories.impersonation(sam, anna)
    (older_board,) = older.board_ids
    texts = Texts("Slams", description="Boards for Tuesday.", language="en", visibility="public")
    places = [CollectionEntry(older_board, "Count your tricks before you bid six.")]
    collection, _ = create_collection(owner=anna, texts=texts, places=places)
    ids = (board, draft, deal.pk, unused.pk, theme.pk, impersonation.pk, older_board, collection.pk)
    return World(*map(str, ids))


class PredictableIds:
    """Ids of rows that depend on the table and on how many rows it got, and on nothing else."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def next_for(self, field: models.UUIDField) -> UUID:
        table = field.model._meta.db_table
        self.counts[table] += 1
        return UUID(bytes=hashlib.md5(f"{table} {self.counts[table]}".encode()).digest(), version=4)


RESTART = {
    "postgresql": "ALTER SEQUENCE boards_board_number_seq RESTART",
    "sqlite": "UPDATE sqlite_sequence SET seq = 0 WHERE name = 'boards_board_number'",
}


def count_boards_from_one() -> None:
    """Let the first board have the number 1, which cursors carry: other tests have taken numbers."""
    with connection.cursor() as cursor:
        cursor.execute(RESTART[connection.vendor])


@contextmanager
def fixed_world(settings: Any) -> Iterator[tuple[World, PredictableIds]]:
    """Build the world at NOW, and let the block make further rows with predictable ids."""
    settings.PUBLIC_BASE_URL = RECORDED_BASE_URL
    settings.FORM_RATE_PER_CLIENT = "10/m"
    ids = PredictableIds()
    get_default = models.UUIDField.get_default

    def next_id(field: models.UUIDField) -> Any:
        return ids.next_for(field) if field.primary_key else get_default(field)

    count_boards_from_one()
    with time_machine.travel(NOW, tick=False) as clock, pytest.MonkeyPatch.context() as patch:
        patch.setattr(models.UUIDField, "get_default", next_id, raising=False)
        yield build_world(clock), ids


@contextmanager
def undone(ids: PredictableIds) -> Iterator[None]:
    """Take back whatever the block stores, and the ids that it used, so that the order of requests does not matter."""
    counts = ids.counts.copy()
    cache.clear()
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
    ids.counts = counts
