"""The rows of an evening's deals: what is one deal, their order, and how the version before stored them."""

from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.db import connection

from boards.models import Board, EventDeal, PublishedBoard
from tests import factories
from tests.boards.catalogue.comparing import assert_readers_get_what_the_boards_say
from tests.boards.events.evenings import SLUG, board, read, store_as_before

pytestmark = pytest.mark.django_db


def test_all_tables_of_a_deal_have_one_row_whoever_brings_them() -> None:
    first = board(7, 1, stage="Final")
    same = board(7, 1, stage="FINAL ", owner=factories.account("zia"))
    others = board(7, 2, stage="Final"), board(8, 1, stage="Final"), board(7, 1), board(7, 1, date="2026.11.27")
    rows = dict(PublishedBoard.objects.values_list("pk", "event_deal"))
    assert rows[first.pk] == rows[same.pk]
    assert len(set(rows.values())) == 1 + len(others) == EventDeal.objects.count()


def test_deals_are_sorted_by_stage_then_number_then_cards_and_those_without_a_number_come_last() -> None:
    stages = ("", "Final", "Final, Segment 2", "Round 2", "Round 10")
    order = [*(("", number) for number in (1, 2, 10)), ("", None), *((stage, 1) for stage in stages[1:])]
    deals = sorted((factories.board(seed).deal for seed in (1, 2)), key=lambda deal: deal.pk)
    for stage, number in reversed(order):
        for seed in (2, 1):
            board(number, seed, stage=stage, table=str(number))
    shown = [(deal.tables[0].stage, deal.tables[0].board_number, deal.deal_id) for deal in read().deals]
    assert shown == [(*place, deal.pk) for place in order for deal in deals]
    assert list(Board.objects.of_event(SLUG).values_list("stage", "board_number", "deal")) == shown


def test_the_migration_makes_rows_of_what_the_version_before_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    """It goes on where it was broken off, and leaves what is no board of an event."""
    migration = import_module("boards.migrations.0010_fill_event_deals")
    monkeypatch.setattr(migration, "BATCH", 2)
    zia = factories.account("zia")
    for stage, number in (("", 1), ("Final, Segment 2", 12), ("Round 3/4", 36)):
        for owner in (None, zia):
            board(number or 1, 1, stage=stage, owner=owner)
    factories.board(), factories.board(published=False)
    keys = {row.pk: row.event_deal.key for row in PublishedBoard.objects.exclude(event_deal=None)}
    store_as_before()
    editor = SimpleNamespace(connection=connection)
    with monkeypatch.context() as patch:
        patch.setattr(migration, "UPDATE", migration.UPDATE + f" AND stored.board_id = '{min(keys).hex}'")
        migration.fill(apps, editor)
    assert PublishedBoard.objects.exclude(event_deal=None).count() == 1
    migration.fill(apps, editor)
    assert {row.pk: row.event_deal.key for row in PublishedBoard.objects.exclude(event_deal=None)} == keys
    assert EventDeal.objects.count() == 3
    assert_readers_get_what_the_boards_say()


def test_the_version_before_deletes_a_deal_and_does_not_know_the_rows_of_its_events() -> None:
    gone, kept = board(7, 1), board(7, 2)
    gone.delete()
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM deals_deal WHERE id = %s", [gone.deal_id.hex])
    connection.check_constraints()
    assert EventDeal.objects.get().deal_id == kept.deal_id
