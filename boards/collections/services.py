"""Making, changing and deleting collections.

Who changes one locks the account first (accounts.services.lock_if_active), then the collection, then the boards that
are added, and last the rows of CollectionBoard. Who deletes a board locks it before its rows, too. So nothing
deadlocks, and of two changes at once the second one begins with what the first one has stored.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone

from accounts.models import Account
from accounts.services import lock_alone, lock_if_active
from boards.models import MAX_BOARDS, MAX_COLLECTIONS, Board, Collection, CollectionBoard, LessonClass
from boards.services.reviews import Publishing, publishing
from config.api.errors import InvalidToken, LimitReached, PermissionRefused, ValidationFailed
from config.database.transactions import retried_transaction
from config.edge.limits.read_limit import charge_changes
from deals.events.recording import record_collection
from deals.models import FeedEvent

REPEATED_WITHIN = timedelta(minutes=10)
"""The time in which a second request for the same collection is the same request."""

REPEATED_AMONG = 10
"""So many of the owner's newest collections with the same texts are looked at: each costs a query."""

EVENT_WRITES = 10
"""The changes that one event counts as, beside the change that it tells of."""

CLOSED = (
    "This collection is public, and members do not publish here. You can take boards out or delete it. To change"
    " anything else, make it private or by link first; you cannot make it public again."
)

Visibility = Collection.Visibility


class CollectionEntry(NamedTuple):
    """A board where a collection is to have it: its note, and whom practice asks from which call on."""

    board_id: UUID
    note: str = ""
    seat: str = ""
    step: int | None = None


OF_ENTRY = CollectionEntry._fields[1:]
"""The columns of a board in a collection beside the board and its position."""


@dataclass(frozen=True)
class Texts:
    """What a collection says of itself, and who may read it."""

    title: str
    description: str = ""
    language: str = ""
    visibility: str = Visibility.PRIVATE


@retried_transaction
def create_collection(
    *, owner: Account, texts: Texts, places: Sequence[CollectionEntry] = ()
) -> tuple[Collection, bool]:
    """Store a collection. Return it and whether it is new.

    The same again within REPEATED_WITHIN is the stored one, so that a request may be repeated whose answer was lost.
    Raise LimitReached for an account with MAX_COLLECTIONS, and what `store_places` raises.
    """
    if not lock_alone(owner.pk):
        raise InvalidToken("This account is not active.")
    recent = owner.collections.filter(created_at__gt=timezone.now() - REPEATED_WITHIN, **vars(texts))
    for repeated in recent.order_by("-created_at")[:REPEATED_AMONG]:
        if places_of(repeated.entries.all()) == list(places):
            return repeated, False
    if owner.collections.count() >= MAX_COLLECTIONS:
        raise LimitReached(
            f"You have {MAX_COLLECTIONS} collections, the limit of an account. Delete one first.",
            meta={"limit": MAX_COLLECTIONS},
        )
    check_visibility(texts.visibility)
    collection = Collection(owner=owner, **vars(texts))
    collection.published_at = timezone.now() if collection.is_public else None
    collection.save(force_insert=True)
    store_places(collection, owner, places)
    if collection.is_public:
        tell_feed(FeedEvent.Type.COLLECTION_PUBLISHED, collection)
    return collection, True


def lock_own(*, account: Account, collection_id: UUID) -> Collection:
    """Return a collection that the account may change, which is then locked until the transaction ends.

    Raise InvalidToken for an account that was switched off, Http404 for a collection that it may not read, and
    PermissionRefused for one that it may read but not change.
    """
    if not lock_if_active(account.pk):
        raise InvalidToken("This account is not active.")
    readable = Collection.objects.readable_by(account).select_for_update(of=("self",))
    collection = get_object_or_404(readable, pk=collection_id)
    if collection.owner_id != account.pk:
        raise PermissionRefused("Only the owner of a collection may change it.")
    return collection


def change_collection(
    *, collection: Collection, owner: Account, places: Sequence[CollectionEntry] | None = None, **texts: Any
) -> Collection:
    """Store other texts, another visibility or other boards. Lock the collection before, with `lock_own`.

    Write what changes and nothing else: repeating a change changes nothing, not even `updated_at`. Raise
    PermissionRefused for other texts or boards of one that `is_closed` and stays public.
    """
    changed = {name: value for name, value in texts.items() if getattr(collection, name) != value}
    if "visibility" in changed:
        check_visibility(changed["visibility"], collection)
        record_visibility(collection, changed["visibility"])
        changed["published_at"] = collection.published_at
    elif is_closed(collection) and (changed or not takes_out(collection, owner, places)):
        raise PermissionRefused(CLOSED)
    for name, value in changed.items():
        setattr(collection, name, value)
    has_other_places = places is not None and store_places(collection, owner, places)
    if changed or has_other_places:
        collection.save(update_fields=[*changed, "updated_at"])
    return collection


def is_closed(collection: Collection) -> bool:
    """Tell whether a collection says nothing new while it is public, since members do not publish here."""
    return collection.is_public and publishing() is Publishing.OFF


def takes_out(collection: Collection, owner: Account, places: Sequence[CollectionEntry] | None) -> bool:
    """Tell whether these are the boards that a collection has, without some of them. None means all of them."""
    if places is None:
        return True
    kept = {place.board_id for place in places}
    return [place for place in visible_places(collection, owner) if place.board_id in kept] == list(places)


def check_visibility(visibility: str, collection: Collection | None = None) -> None:
    if reason := why_not(visibility, collection):
        raise PermissionRefused(reason)


def why_not(visibility: str, collection: Collection | None = None) -> str | None:
    """Return why a collection may not have a visibility: staff have taken it back, or members publish nothing."""
    if collection and collection.withheld_at and visibility != Visibility.PRIVATE:
        return "Staff have made this collection private. To share it again, write to them."
    if visibility == Visibility.PUBLIC and publishing() is Publishing.OFF:
        return "Members do not publish here. Let others read it by its link."
    return None


def record_visibility(collection: Collection, visibility: str) -> None:
    """Tell the feed of a collection that becomes public or ceases to be, and give it its date the first time."""
    if visibility == Visibility.PUBLIC:
        collection.published_at = collection.published_at or timezone.now()
        tell_feed(FeedEvent.Type.COLLECTION_PUBLISHED, collection)
    elif collection.is_public:
        tell_feed(FeedEvent.Type.COLLECTION_UNPUBLISHED, collection)


def tell_feed(event_type: FeedEvent.Type, collection: Collection) -> None:
    """Record an event, which costs the owner as much as EVENT_WRITES changes: followers and webhooks read each."""
    record_collection(event_type, collection.pk)
    charge_changes(collection.owner_id, EVENT_WRITES)


def delete_classes(classes: QuerySet[LessonClass]) -> int:
    """Delete classes with what they answered, and return how many. Call inside a transaction.

    Their rows are locked first: an answer that meets this is counted before, or not at all.
    """
    locked = list(classes.order_by("pk").select_for_update(of=("self",)))
    for lesson_class in locked:
        lesson_class.delete()
    return len(locked)


def delete_collection(collection: Collection) -> None:
    """Delete a collection and tell the feed of a public one. Lock it before."""
    delete_classes(collection.classes.all())
    if collection.is_public:
        tell_feed(FeedEvent.Type.COLLECTION_UNPUBLISHED, collection)
    collection.delete()


@retried_transaction
def take_back(collection_id: UUID) -> bool:
    """Make a collection private for staff, until `lift`. Return whether others could read it before."""
    shared = Collection.objects.exclude(visibility=Visibility.PRIVATE)
    for collection in shared.select_for_update(of=("self",)).filter(pk=collection_id):
        change_collection(
            collection=collection, owner=collection.owner, visibility=Visibility.PRIVATE, withheld_at=timezone.now()
        )
        return True
    return False


def lift(collection_id: UUID) -> bool:
    """Let the owner share a collection again that staff have taken back. Return whether they had."""
    withheld = Collection.objects.filter(pk=collection_id, withheld_at__isnull=False)
    return withheld.update(withheld_at=None) == 1


def delete_collections(account: Account) -> int:
    owned = list(account.collections.order_by("pk").select_for_update(of=("self",)))
    for collection in owned:
        delete_collection(collection)
    return len(owned)


@retried_transaction
def put_board(
    *, account: Account, collection_id: UUID, board_id: UUID, position: int | None = None, **changes: Any
) -> None:
    """Put a board into a collection, or move it there.

    A `position` counts from 1 among those that the owner sees. Without one a new board comes last, and a stored one
    stays where it is. `changes` are those of its entry. Raise Http404 for a board that the account may not see, and
    LimitReached for a collection with MAX_BOARDS.
    """
    collection = lock_own(account=account, collection_id=collection_id)
    boards = Board.objects.visible_to(account).select_for_update(no_key=True, of=("self",))
    get_object_or_404(boards, pk=board_id)
    places = visible_places(collection, account)
    if board_id not in {place.board_id for place in places}:
        places.append(CollectionEntry(board_id))
    places = with_changes(places, {board_id: changes})
    if position is not None:
        places = arrange(places, {board_id: position})
    change_collection(collection=collection, owner=account, places=places)


def with_changes(places: Sequence[CollectionEntry], changes: Mapping[UUID, Mapping[str, Any]]) -> list[CollectionEntry]:
    return [place._replace(**changes.get(place.board_id, {})) for place in places]


def arrange(places: Sequence[CollectionEntry], positions: Mapping[UUID, int]) -> list[CollectionEntry]:
    """Return the places with some boards at these positions, from 1, and the others around them in their order.

    Of two with one position the first that is named comes first. A position past the end is the end. A board that has
    no place gets none.
    """
    stored = {place.board_id: place for place in places}
    others = (place for place in places if place.board_id not in positions)
    arranged: list[CollectionEntry] = []
    for board_id in filter(stored.__contains__, sorted(positions, key=positions.__getitem__)):
        arranged += islice(others, max(0, positions[board_id] - 1 - len(arranged)))
        arranged.append(stored[board_id])
    return [*arranged, *others]


@retried_transaction
def remove_board(*, account: Account, collection_id: UUID, board_id: UUID) -> None:
    """Take a board out of a collection. Raise Http404 when it is not in it."""
    collection = lock_own(account=account, collection_id=collection_id)
    if not collection.entries.filter(board_id=board_id).delete()[0]:
        raise Http404
    collection.save(update_fields=["updated_at"])


def places_of(entries: QuerySet[CollectionBoard]) -> list[CollectionEntry]:
    return [CollectionEntry(*columns) for columns in entries.values_list("board_id", *OF_ENTRY)]


def visible_places(collection: Collection, owner: Account) -> list[CollectionEntry]:
    """Return the boards of a collection that its owner may see now, in their order. Lock the collection before.

    Their rows are locked: a board that is deleted before the commit would be missing where its row is stored again.
    """
    places = places_of(collection.entries.select_for_update())
    visible = visible_ids([place.board_id for place in places], owner)
    return [place for place in places if place.board_id in visible]


def visible_ids(board_ids: Iterable[UUID], owner: Account) -> set[UUID]:
    return set(Board.objects.visible_to(owner).filter(pk__in=board_ids).values_list("pk", flat=True))


def store_places(collection: Collection, owner: Account, places: Sequence[CollectionEntry]) -> bool:
    """Give a collection these boards in this order. Return whether anything changed. Lock the collection before.

    A stored board that its owner may not see now, since somebody has unpublished it, stays behind the others: it is
    there again when it is published again. Raise ValidationFailed for a board that the owner may not add, and
    LimitReached for more than MAX_BOARDS.
    """
    known = set(collection.entries.values_list("board_id", flat=True))
    lock_added([place.board_id for place in places], known, owner)
    rows = collection.entries.select_for_update().values_list("position", "board_id", *OF_ENTRY)
    stored = {place[0]: (position, CollectionEntry(*place)) for position, *place in rows}
    deleted = known - stored.keys()
    wanted = {place.board_id: place for place in places if place.board_id not in deleted}
    visible = visible_ids(stored, owner)
    wanted |= {pk: place for pk, (_, place) in stored.items() if pk not in visible and pk not in wanted}
    if len(wanted) > MAX_BOARDS:
        raise LimitReached(
            f"A collection can have {MAX_BOARDS} boards. Take one out, or begin another collection.",
            meta={"limit": MAX_BOARDS},
        )
    removed = stored.keys() - wanted
    changed = [
        CollectionBoard(collection=collection, position=position, **place._asdict())
        for position, (pk, place) in enumerate(wanted.items(), 1)
        if stored.get(pk) != (position, place)
    ]
    collection.entries.filter(board_id__in=removed).delete()
    CollectionBoard.objects.bulk_create(
        changed,
        update_conflicts=True,
        unique_fields=["collection", "board"],
        update_fields=["position", *OF_ENTRY],
    )
    return bool(removed or changed)


def lock_added(wanted: Sequence[UUID], stored: Any, owner: Account) -> None:
    """Lock the boards that are new in a collection, so that none of them is deleted. Refuse unknown ones by place."""
    added = [pk for pk in wanted if pk not in stored]
    visible = Board.objects.visible_to(owner).filter(pk__in=added).order_by("pk")
    known = set(visible.select_for_update(no_key=True, of=("self",)).values_list("pk", flat=True))
    reason = {"code": "does_not_exist", "message": "No board that you may see has this id."}
    refused = {
        f"boards.{index}.boardId": [reason] for index, pk in enumerate(wanted) if pk not in stored and pk not in known
    }
    if refused:
        raise ValidationFailed(meta={"fields": refused})
