"""A member who has boards to collect."""

from collections.abc import Callable

import pytest
from rest_framework.test import APIClient

from accounts.models import Account
from boards.models import Board
from tests import factories


@pytest.fixture
def anna(db: None) -> Account:
    return factories.account("anna")


@pytest.fixture
def owner(anna: Account, client_of: Callable[[Account], APIClient]) -> APIClient:
    return client_of(anna)


@pytest.fixture
def boards(db: None) -> list[Board]:
    return [factories.board(number=number, title=f"Board {number}") for number in (1, 2, 3)]
