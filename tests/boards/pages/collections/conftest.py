"""A member with a collection of three boards, which are stored once for a module."""

import pytest
from django.test import Client

from accounts.models import Account
from boards.collections.services import Place, Texts, create_collection
from boards.models import Board, Collection
from tests import factories
from tests.members import signed_in


@pytest.fixture(scope="module")
def stored_collection(rows_of_module: None) -> Collection:
    anna = factories.account("anna", display_name="Anna")
    places = [Place(factories.board(title=title).pk) for title in ("One", "Two", "Three")]
    return create_collection(owner=anna, texts=Texts("Lesson"), places=places)[0]


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
