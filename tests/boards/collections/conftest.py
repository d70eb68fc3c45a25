"""A member who has boards to collect."""

from collections.abc import Callable
from uuid import UUID

import pytest
from rest_framework.test import APIClient

from accounts.models import Account
from boards.models import Board, Collection
from tests import factories
from tests.boards.collections.stored import store


@pytest.fixture
def anna(db: None) -> Account:
    return factories.account("anna")


@pytest.fixture
def owner(anna: Account, client_of: Callable[[Account], APIClient]) -> APIClient:
    return client_of(anna)


@pytest.fixture
def others(anonymous: APIClient, member: APIClient, admin: APIClient) -> list[APIClient]:
    return [anonymous, member, admin]


@pytest.fixture(scope="module")
def stored_boards(rows_of_module: None) -> list[UUID]:
    return [factories.board(number=number, title=f"Board {number}").pk for number in (2, 3, 4)]


@pytest.fixture
def boards(stored_boards: list[UUID], db: None) -> list[Board]:
    found = Board.objects.in_bulk(stored_boards)
    return [found[pk] for pk in stored_boards]


@pytest.fixture
def lesson(anna: Account, boards: list[Board]) -> Collection:
    return store(anna, *boards, description="About fits.")
