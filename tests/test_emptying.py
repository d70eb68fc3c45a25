"""After a test with real transactions the next one has the tables as `migrate` leaves them."""

import pytest
from django.core.management import call_command

from accounts.identifiers import SYSTEM
from accounts.models import DEFAULT_AUCTION_SYSTEM, Account, AuctionSystem
from tests.config.admin.conftest import one_of_everything
from tests.emptying import empty_tables, full_tables


@pytest.mark.django_db(transaction=True)
def test_all_rows_go_but_those_that_migrate_makes() -> None:
    made = {"accounts_account", "accounts_auctionsystem"}
    assert {*full_tables()} == made
    call_command("load_reference_data", verbosity=0)
    one_of_everything()
    assert len(full_tables()) > 20
    empty_tables()
    assert {*full_tables()} == made
    assert Account.objects.get().pk == SYSTEM and AuctionSystem.objects.get().pk == DEFAULT_AUCTION_SYSTEM
