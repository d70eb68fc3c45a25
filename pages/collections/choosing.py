"""Boards to choose from: those of a list for a new collection, and those that words find for one that there is."""

import re
from collections.abc import Iterable
from uuid import UUID

from django.http import QueryDict
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from rest_framework.serializers import ValidationError

from accounts.models import Account
from boards.collections.reading import find_deals_of
from boards.drawing.mini_hands import draw_mini
from boards.models import Board
from config.api.errors import ApiError
from pages.presenters.boards import BoardPreview
from pages.site.base import explain
from search.index.finding import Permit

MAX_DRAWN = 36
"""The boards of a choice whose hands are drawn, all of an evening: each takes 0.4 kB. The others have their names."""

MAX_OFFERED = 12
MAX_DRAFTS = 6
"""The boards that words find, and those of them that are drafts."""

BOARD_ID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", re.IGNORECASE)
NUMBER = re.compile(r"\bboard\s+([0-9]+)\b", re.IGNORECASE)
"""A board as pages name it. The search language says board=11."""


class BoardChoice(BoardPreview):
    """A board to choose by its name and its hands."""

    def __init__(self, board: Board, *, is_drawn: bool = True) -> None:
        super().__init__(board)
        self.is_drawn = is_drawn

    @property
    def hands(self) -> SafeString | str:
        return draw_mini(self.board.deal.cards, self.board.board_number) if self.is_drawn else ""


def show_boards(board_ids: Iterable[UUID], reader: Account) -> list[BoardChoice]:
    """Return these boards in their order, without those that the reader may not see."""
    boards = Board.objects.visible_to(reader).select_related("deal").in_bulk([*board_ids])
    found = [boards[pk] for pk in board_ids if pk in boards]
    return [BoardChoice(board, is_drawn=index < MAX_DRAWN) for index, board in enumerate(found)]


def find_to_add(text: str, reader: Account, permit: Permit) -> tuple[list[BoardChoice], str]:
    """Return the board that a text names by its address or id, else the first that it finds, and what is wrong with it.

    One's own drafts come first. Of each deal there is one board.
    """
    if named := BOARD_ID.search(text):
        return show_boards([UUID(named[0])], reader), ""
    text = NUMBER.sub(r"board=\1", text)
    drafts = {"published": "false", "userId": "me"}
    try:
        own = find_deals_of(QueryDict(urlencode({"q": text, **drafts})), reader, permit, MAX_DRAFTS).ids
        others = find_deals_of(QueryDict(urlencode({"q": text})), reader, permit, MAX_OFFERED).ids
    except (ApiError, ValidationError) as error:
        fields = explain(error).meta.get("fields", {})
        reasons = [reason["message"] for reasons in fields.values() for reason in reasons]
        return [], " ".join(reasons) or str(error.detail)
    return show_boards([*own, *others][:MAX_OFFERED], reader), ""
