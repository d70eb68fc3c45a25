from typing import Any

from accounts.models import Account
from boards.models import Board
from tests import factories


def draft_of(owner: Account, **values: Any) -> Board:
    return factories.board(owner=owner, published=False, **values)
