from collections.abc import Iterator

import pytest

from accounts.models import Account
from tests import factories
from tests.boards.catalogue.comparing import assert_readers_and_a_new_copy_get_what_the_boards_say


@pytest.fixture
def zia(db: None) -> Account:
    """Return the member who does what a test is about."""
    return factories.account("zia")


@pytest.fixture
def readers_get_what_the_boards_say(db: None) -> Iterator[None]:
    """Compare what readers and a copy by the feed get with the boards, once a test has run."""
    yield
    assert_readers_and_a_new_copy_get_what_the_boards_say()
