"""The boards that a search finds, for a new collection."""

from typing import NamedTuple
from uuid import UUID

from django.http import QueryDict
from rest_framework import serializers

from accounts.models import Account
from boards.catalogue.reading import page_finder
from boards.events.reading import EVENT
from boards.models import MAX_BOARDS, Board
from boards.search.filters.parameters import BoardListQuery, parse_list
from boards.search.index.finding import IDS
from config.api.errors import ApiError
from config.api.unknown_parameters import refuse_unknown
from themes.labels import get_label_cache, get_revision


class FoundBoards(NamedTuple):
    """The first boards of a search, and how many it finds in all."""

    ids: list[UUID]
    total: int


def find_boards(query: QueryDict, caller: Account) -> FoundBoards:
    """Return the first MAX_BOARDS boards that a query of GET /api/boards finds, in its order.

    Those of an event are in the order of their numbers, as in a file of it. Raise what `parse_list` raises.
    """
    selection = parse_list(query, caller)
    condition = selection.condition(get_label_cache(get_revision()))
    found = page_finder(selection, 0, MAX_BOARDS, IDS)(condition)
    boards = Board.objects.visible_to(caller).filter(pk__in=found.ids)
    if EVENT in selection.filters and selection.published:
        ordered = boards.in_order_of_event().values_list("pk", flat=True)
        return FoundBoards(list(ordered), found.total)
    visible = set(boards.values_list("pk", flat=True))
    return FoundBoards([pk for pk in found.ids if pk in visible], found.total)


def find_boards_of_text(text: str, caller: Account) -> FoundBoards:
    """Return what `find_boards` does. Raise ValidationError whose details tell what is wrong with the query.

    A parameter that is no filter is refused, or a misspelt one would find all boards.
    """
    try:
        query = QueryDict(text)
        refuse_unknown(query, (BoardListQuery,))
        return find_boards(query, caller)
    except serializers.ValidationError as error:
        raise serializers.ValidationError({"fromSearch": error.detail}) from error
    except ApiError as error:
        fields = error.meta.get("fields", {})
        reasons = [f"{name}: {reason['message']}" for name, reasons in fields.items() for reason in reasons]
        raise serializers.ValidationError({"fromSearch": reasons or [str(error.detail)]}) from error
