"""A member with a collection of three boards, which are stored once for a module."""

import pytest
from django.test import Client

from accounts.models import Account
from boards.models import Board, Collection
from tests import factories
from tests.boards.collections.stored import store
from tests.boards.pages.collections.forms import Desk
from tests.members import signed_in


@pytest.fixture(scope="module")
def stored_collection(rows_of_module: None) -> Collection:
    boards = [factories.board(title=title) for title in ("One", "Two", "Three")]
    return store(factories.account("anna", display_name="Anna"), *boards)


@pytest.fixture
def collection(stored_collection: Collection, db: None) -> Collection:
    return Collection.objects.get(pk=stored_collection.pk)


@pytest.fixture
def anna(collection: Collection) -> Account:
    return collection.owner


@pytest.fixture
def phone(anna: Account) -> Client:
    return signed_in(anna)


@pytest.fixture
def boards(collection: Collection) -> list[Board]:
    return [entry.board for entry in collection.entries.select_related("board")]


@pytest.fixture
def desk(phone: Client, collection: Collection, boards: list[Board]) -> Desk:
    return Desk(phone, collection, boards)
