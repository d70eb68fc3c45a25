"""A member with a collection of three boards, which are stored once for a module."""

import pytest

from boards.models import Collection
from tests import factories
from tests.boards.collections.stored import store
from tests.members import signed_in
from tests.pages.collections.forms import Desk


@pytest.fixture(scope="module")
def stored_collection(rows_of_module: None) -> Collection:
    boards = [factories.board(title=title) for title in ("One", "Two", "Three")]
    return store(factories.account("anna", display_name="Anna"), *boards)


@pytest.fixture
def desk(stored_collection: Collection, db: None) -> Desk:
    collection = Collection.objects.get(pk=stored_collection.pk)
    boards = [entry.board for entry in collection.entries.select_related("board")]
    return Desk(signed_in(collection.owner), collection, boards)
