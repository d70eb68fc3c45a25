"""What a reader gets of collections, and the boards that a search finds for a new one.

Boards that the reader may not see are left out: drafts of others.
"""

from collections.abc import Collection as Container
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import urljoin, urlsplit
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import TooManyFieldsSent
from django.db.models import Count
from django.http import QueryDict
from django.http.request import split_domain_port, validate_host
from django.urls import reverse
from rest_framework import serializers

from accounts.models import Account
from boards.catalogue.answers import voter_of
from boards.catalogue.deals import ListedBoard, find_deals
from boards.catalogue.reading import Search, page_finder, read_boards
from boards.collections.services import OF_ENTRY, CollectionEntry, places_of
from boards.events.reading import EVENT
from boards.models import MAX_BOARDS, Board, Collection, CollectionBoard
from boards.querysets import CollectionQuerySet
from boards.searching.parameters import BoardListQuery, parse_list
from config.api.errors import ApiError, ServiceUnavailable
from config.api.pagination import Cursor, CursorPage, Page, read_page
from config.api.unknown_parameters import refuse_unknown
from search.index.finding import Permit
from themes.labels import get_label_cache, get_revision

MAX_PAGES = 8
"""So many pages of deals are walked at most for a collection: 17,600 boards, of an event of 512 tables 34 deals."""

Caller = Account | AnonymousUser
COLUMNS_OF_NAMES = (
    *("title", "deal_title", "board_number", "event", "date", "stage", "site"),
    *("room", "table", "pair_ns", "pair_ew"),
)
"""The columns of a board that its name is made of (boards.models.names), which lists read and no others."""


@dataclass(frozen=True)
class CollectionList:
    """A list of collections: its rows, what they are sorted by, and its letter in cursors."""

    rows: CollectionQuerySet
    moment: str
    letter: str


def public_collections(owner_id: str | None = None) -> CollectionList:
    rows = Collection.objects.public().select_related("owner")
    return CollectionList(rows.filter(owner_id=owner_id) if owner_id else rows, "published_at", "n")


def newest_collections(limit: int) -> CollectionQuerySet:
    return Collection.objects.public().newest_first("published_at")[:limit]


def collections_of(owner: Account) -> CollectionList:
    """Return all of an account's collections, for the account itself."""
    return CollectionList(Collection.objects.filter(owner=owner).select_related("owner"), "created_at", "m")


def owner_name(owner: Account) -> str:
    """Return what an owner is called, "" for one without a name. Some providers make the id of an e-mail address."""
    return owner.display_name or owner.organisation_name


class ListedCollection(NamedTuple):
    """A collection and how many of its boards the reader may see. Where it is read alone, these and the hidden ones.

    `whole` has the boards as GET /api/boards/{id} answers them, by their ids, where they were asked for.
    """

    collection: Collection
    board_count: int
    boards: Sequence[CollectionBoard] = ()
    hidden: Sequence[CollectionEntry] = ()
    whole: Mapping[UUID, Any] = {}


class CollectionPage(NamedTuple):
    page: Page | CursorPage
    collections: Sequence[ListedCollection]
    next_cursor: str | None


def read_collections(listed: CollectionList, query: Mapping[str, Any], caller: Caller) -> CollectionPage:
    """Return the page, newest first, that a parsed CursorPageQuery asks for."""
    rows, size = listed.rows.newest_first(listed.moment), query["pageSize"]
    page: Page | CursorPage
    if after := query.get("after"):
        found = rows.read_after(listed.moment, after.moment, after.id, size + 1)
        page, found = CursorPage(size, rows.count(), len(found) > size), found[:size]
    else:
        page, found = read_page(rows, query)
    last = found[-1] if found and page.has_more else None
    cursor = Cursor(listed.letter, getattr(last, listed.moment), last.pk).encode() if last else None
    return CollectionPage(page, count_boards(found, caller), cursor)


def count_boards(collections: Sequence[Collection], caller: Caller) -> list[ListedCollection]:
    """Return each collection with the number of boards that the caller may see, by one query."""
    entries = CollectionBoard.objects.filter(collection__in=collections, board__in=Board.objects.visible_to(caller))
    counts = dict(entries.order_by().values("collection_id").annotate(n=Count("pk")).values_list("collection_id", "n"))
    return [ListedCollection(each, counts.get(each.pk, 0)) for each in collections]


def read_contents(collection: Collection, caller: Caller, *, with_boards: bool = False) -> ListedCollection:
    """Return a collection with the boards that the caller may see, in their order. It takes a fixed number of queries.

    `with_boards` reads the boards themselves too. One that was unpublished between two queries is left out.
    """
    entries = collection.entries.filter(board__in=Board.objects.visible_to(caller)).select_related("board")
    columns = (f"board__{name}" for name in (*COLUMNS_OF_NAMES, "published_at"))
    boards = list(entries.only("collection", "position", *OF_ENTRY, *columns))
    whole: Mapping[UUID, Any] = {}
    if with_boards:
        whole = read_boards([entry.board_id for entry in boards], voter_of(caller))
        boards = [entry for entry in boards if entry.board_id in whole]
    hidden = find_hidden(collection, caller, {entry.board_id for entry in boards})
    return ListedCollection(collection, len(boards), boards, hidden, whole)


def find_hidden(collection: Collection, caller: Caller, visible: Container[UUID]) -> list[CollectionEntry]:
    """Return what the caller's own collection has beside the visible boards, nothing for others.

    Others have unpublished these boards: the owner learns the ids and reads the own notes on them, but nothing else.
    """
    if collection.owner_id != caller.pk:
        return []
    return [place for place in places_of(collection.entries.all()) if place.board_id not in visible]


class FoundBoards(NamedTuple):
    """The first boards of a search, the number of all that it finds, and whether further ones follow."""

    ids: list[UUID]
    total: int
    has_more: bool


def find_boards(query: QueryDict, caller: Account, permit: Permit) -> FoundBoards:
    """Return the first MAX_BOARDS boards that a query of GET /api/boards finds, in its order.

    Those of an event are in the order of their numbers, as in a file of it. Raise what `parse_list` raises.
    """
    selection = parse_list(query, caller)
    condition = Search(selection, permit).condition(get_label_cache(get_revision()))
    found = page_finder(selection, 0, MAX_BOARDS)(condition)
    boards = Board.objects.visible_to(caller).filter(pk__in=found.ids)
    if EVENT in selection.filters and selection.published:
        ids = [*boards.in_order_of_event().values_list("pk", flat=True)]
    else:
        visible = set(boards.values_list("pk", flat=True))
        ids = [pk for pk in found.ids if pk in visible]
    return FoundBoards(ids, found.total, found.total > len(ids))


def find_deals_of(query: QueryDict, caller: Account, permit: Permit, size: int = MAX_BOARDS) -> FoundBoards:
    """Return one board of each deal that `find_boards` would find: the table that lists for people show.

    `total` counts all boards, and `has_more` is about deals. Raise what `parse_list` raises.
    """
    selection = parse_list(query, caller)
    if not selection.published:
        found = find_boards(query, caller, permit)
        deals = dict(Board.objects.filter(pk__in=found.ids).values_list("pk", "deal_id"))
        first = {deals[pk]: pk for pk in reversed(found.ids) if pk in deals}
        ids = sorted(first.values(), key=found.ids.index)
        return FoundBoards(ids[:size], found.total, len(ids) > size or found.has_more)
    search, entries = Search(selection, permit), list[ListedBoard]()
    total, start = 0, 0
    for _ in range(MAX_PAGES):
        page = find_deals(search, start, size - len(entries))
        entries += page.entries
        total = page.total
        if page.next_start is None or len(entries) >= size:
            break
        start = page.next_start
    ids = [board.board_id for board in entries]
    if EVENT in selection.filters:
        ids = [*Board.objects.filter(pk__in=ids).in_order_of_event().values_list("pk", flat=True)]
    return FoundBoards(ids, total, page.next_start is not None)


ADDRESS_STARTS = ("http://", "https://", "/", "?")
"""What an address begins with, as a browser shows it or as a link has it. A query begins with a name."""

PAGE_ONLY = ("after", "fields", "filters", "page", "pageSize", "start", "view")
"""Parameters of /boards and of GET /api/boards that say how the list is shown, and not what is in it."""


def read_search(text: str) -> QueryDict:
    """Return the query of GET /api/boards that a text is, or that stands in an address of it or of the page /boards.

    Raise ValidationError for the address of another site or page.
    """
    if not text.lower().startswith(ADDRESS_STARTS):
        return QueryDict(text)
    page = settings.PUBLIC_BASE_URL + reverse("gallery")
    try:
        address = urlsplit(urljoin(page, text))
    except ValueError:  # such as http://[
        raise serializers.ValidationError("This is not a valid address.", code="invalid") from None
    names_host = "//" not in text.partition("?")[0] or urlsplit(text).netloc
    is_ours = address.netloc.lower() == urlsplit(page).netloc.lower()
    is_ours = is_ours or validate_host(split_domain_port(address.netloc)[0], settings.ALLOWED_HOSTS)
    if not (names_host and is_ours) or address.path.rstrip("/") not in (reverse("gallery"), reverse("board-list")):
        reason = f"Give the address of a search, {page}?…, or the part after its question mark."
        raise serializers.ValidationError(reason, code="invalid")
    query = QueryDict(address.query, mutable=True)
    for name in PAGE_ONLY:
        query.pop(name, None)
    return query


def find_boards_of_text(text: str, caller: Account, permit: Permit) -> FoundBoards:
    """Return what `find_boards` does. Raise ValidationError whose details tell what is wrong with the search.

    Raise ServiceUnavailable, such as TooManyRunning, where nothing is wrong with it.
    A parameter that is not a filter is refused, or a misspelt one would find all boards.
    """
    try:
        query = read_search(text)
        refuse_unknown(query, (BoardListQuery,))
        return find_boards(query, caller, permit)
    except serializers.ValidationError as error:
        raise serializers.ValidationError({"fromSearch": error.detail}) from error
    except TooManyFieldsSent:
        reason = serializers.ErrorDetail("Too many parameters.", code="invalid")
        raise serializers.ValidationError({"fromSearch": [reason]}) from None
    except ServiceUnavailable:
        raise
    except ApiError as error:
        fields = error.meta.get("fields", {})
        reasons = [f"{name}: {reason['message']}" for name, reasons in fields.items() for reason in reasons]
        raise serializers.ValidationError({"fromSearch": reasons or [str(error.detail)]}) from error
