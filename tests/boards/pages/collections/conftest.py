"""A member with a collection of three boards."""

import pytest
from django.test import Client

from accounts.models import Account
from boards.collections.services import Place, Texts, create_collection
from boards.models import Board, Collection
from tests import factories
from tests.members import signed_in


@pytest.fixture
def anna(db: None) -> Account:
    return factories.account("anna", display_name="Anna")


@pytest.fixture
def phone(anna: Account) -> Client:
    return signed_in(anna)


@pytest.fixture
def boards(db: None) -> list[Board]:
    return [factories.board(title=title) for title in ("One", "Two", "Three")]


@pytest.fixture
def collection(anna: Account, boards: list[Board]) -> Collection:
    places = [Place(board.pk) for board in boards]
    return create_collection(owner=anna, texts=Texts("Lesson"), places=places)[0]
