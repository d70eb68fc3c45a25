from typing import Any
from uuid import UUID

from django.conf import settings
from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from accounts.fields import LanguageField
from accounts.identifiers import PATTERN
from boards.collections.reading import ListedCollection, find_boards_of_text, owner_name
from boards.collections.services import CollectionEntry
from boards.models import MAX_BOARDS, SEAT_CHOICES, Collection, CollectionBoard
from boards.models.names import full_name_of
from boards.searching.parameters import ME
from boards.serializers import BoardSerializer
from bridge.auction import MAX_CALLS
from bridge.texts import clean_lines, to_one_line
from config.api import fields
from config.api.pagination import CursorPaginationSerializer
from config.api.serializers import QuerySerializer, ReadSerializer, StrictSerializer, WholeSerializer, model_string
from config.edge.limits.dear_reads import keep_permit

MAX_QUERY_LENGTH = 6000
"""The characters of a search, about as many as an address may have."""


def help_of(column: str) -> str:
    described: Any = CollectionBoard._meta.get_field(column)
    return str(described.help_text)


def seat_field(help_text: str) -> serializers.ChoiceField:
    return fields.ChoiceField(choices=SEAT_CHOICES, required=False, allow_blank=True, help_text=help_text)


def step_field(help_text: str) -> serializers.IntegerField:
    """Return the field of a number of calls. The longest auction has MAX_CALLS."""
    return fields.IntegerField(required=False, allow_null=True, min_value=0, max_value=MAX_CALLS, help_text=help_text)


class CollectionQuery(QuerySerializer):
    owner = serializers.RegexField(
        rf"^(?:{PATTERN})\Z",
        required=False,
        allow_blank=True,
        trim_whitespace=False,  # what is compared is what the address says
        error_messages={"invalid": "This is not a valid value. Give one account id, or me."},
        help_text=f"An account's id, for its public collections, or {ME} for all of your own.",
    )


class WholeBoardsQuery(QuerySerializer):
    boards = fields.ChoiceField(
        choices=["full"],
        required=False,
        allow_blank=True,
        help_text="full: each entry of `boards` has the board itself too, as GET /api/boards/{id} answers it.",
    )


class CollectionSummarySerializer(ReadSerializer):
    """A collection without its boards."""

    id = serializers.UUIDField(source="collection.id", help_text="The id of the collection.")
    userId = serializers.SerializerMethodField(
        help_text='The account that the collection belongs to. "" for callers who have not signed in.'
    )
    displayName = serializers.SerializerMethodField(
        help_text='The name of its owner, a person or an organisation. "" if the owner has set none.'
    )
    title = serializers.CharField(source="collection.title", help_text="What it is called.")
    description = serializers.CharField(source="collection.description", help_text="Plain text.")
    language = serializers.CharField(
        source="collection.language",
        help_text='The language of title, description and notes (BCP 47). "" when it is not known.',
    )
    visibility = serializers.ChoiceField(
        source="collection.visibility",
        choices=Collection.Visibility.choices,
        help_text=Collection._meta.get_field("visibility").help_text,
    )
    boardCount = serializers.IntegerField(source="board_count", help_text="How many of its boards you may see.")
    publishedAt = fields.TimestampField(
        source="collection.published_at",
        allow_null=True,
        help_text="When it was first made public. null if it never was.",
    )
    createdAt = fields.TimestampField(source="collection.created_at", help_text="When it was made.")
    updatedAt = fields.TimestampField(
        source="collection.updated_at", help_text="When its texts, boards or notes last changed."
    )

    def get_userId(self, listed: ListedCollection) -> str:
        return listed.collection.owner_id if self.context["request"].user.is_authenticated else ""

    def get_displayName(self, listed: ListedCollection) -> str:
        return owner_name(listed.collection.owner)


class PlacedBoardSerializer(ReadSerializer):
    """A board, and what a collection says of it."""

    boardId = serializers.UUIDField(source="board_id", help_text="The id of the board.")
    note = serializers.CharField(help_text="What the collection says of it. Plain text.")
    seat = serializers.ChoiceField(choices=SEAT_CHOICES, allow_blank=True, help_text=help_of("seat"))
    step = serializers.IntegerField(allow_null=True, help_text=help_of("step"))


class CollectionEntrySerializer(PlacedBoardSerializer):
    """A board in a collection. Read the board itself at GET /api/boards/{id}, or all of them with boards=full."""

    optional_fields = ("board",)

    name = serializers.SerializerMethodField(
        help_text='What the board is called: its title, number and event. "" if it has none of them.'
    )
    published = serializers.SerializerMethodField(
        help_text="false for a draft, which only its owner and staff find here."
    )
    board = serializers.SerializerMethodField(help_text="The board itself, only with boards=full.")

    def to_representation(self, instance: CollectionBoard) -> dict[str, Any]:
        """Return all fields, or all but the board where boards were not asked for."""
        shown: dict[str, Any] = super().to_representation(instance)
        if not self.context.get("whole"):
            del shown["board"]
        return shown

    @extend_schema_field(BoardSerializer)
    def get_board(self, entry: CollectionBoard) -> Any:
        whole = self.context.get("whole")
        return whole[entry.board_id] if whole else None

    def get_name(self, entry: CollectionBoard) -> str:
        return full_name_of(entry.board)

    def get_published(self, entry: CollectionBoard) -> bool:
        return entry.board.published_at is not None


class HiddenBoardSerializer(PlacedBoardSerializer):
    """A board of a collection that its owner may not see now."""


class CollectionSerializer(CollectionSummarySerializer):
    """A collection with its boards."""

    boards = CollectionEntrySerializer(
        many=True, help_text="Its boards in their order. Those that you may not see are left out."
    )
    hiddenBoards = HiddenBoardSerializer(
        source="hidden",
        many=True,
        help_text="For its owner: boards that were unpublished. They count towards the limit, and come back when they"
        " are published again. Empty for everybody else.",
    )


@extend_schema_serializer(many=False)
class CollectionPageSerializer(serializers.Serializer):
    """One page of collections."""

    collections = CollectionSummarySerializer(many=True, help_text="The collections of this page.")
    pagination = CursorPaginationSerializer(help_text="The position of this page in the list.")


class PlaceSerializer(WholeSerializer):
    """A board that a collection is to have."""

    boardId = fields.UUIDField(help_text="The id of a board that you may see.")
    note = model_string(CollectionBoard, "note", required=False)
    seat = seat_field(help_of("seat"))
    step = step_field(help_of("step"))

    def validate_note(self, note: str) -> str:
        return clean_lines(note)

    def validate(self, attrs: dict[str, Any]) -> CollectionEntry:
        return CollectionEntry(attrs.pop("boardId"), **attrs)


class CollectionChangesSerializer(StrictSerializer):
    """Changes of a collection. `boards` replaces all boards with their notes; what is not sent stays."""

    title = model_string(Collection, "title")
    description = model_string(Collection, "description", required=False)
    language = model_string(Collection, "language", LanguageField, required=False)
    visibility = fields.ChoiceField(
        choices=Collection.Visibility.choices,
        required=False,
        help_text=Collection._meta.get_field("visibility").help_text,
    )
    boards = fields.ListField(
        child=PlaceSerializer(),
        source="places",
        required=False,
        max_length=MAX_BOARDS,
        help_text="All boards in their order, each with its note, seat and step. Omitted fields become blank.",
    )

    def validate_title(self, title: str) -> str:
        return fields.StringField().run_validation(to_one_line(title))

    def validate_description(self, description: str) -> str:
        return clean_lines(description)

    def validate_boards(self, places: list[CollectionEntry]) -> list[CollectionEntry]:
        seen: set[UUID] = set()
        repeated: dict[str, Any] = {}
        for index, place in enumerate(places):
            if place.board_id in seen:
                reason = "This board is in the list twice. Leave it out here."
                repeated[str(index)] = {"boardId": [serializers.ErrorDetail(reason, code="repeated")]}
            seen.add(place.board_id)
        if repeated:
            raise serializers.ValidationError(repeated)
        return places


class NewCollectionSerializer(CollectionChangesSerializer):
    """A new collection, private unless it says otherwise."""

    fromSearch = fields.StringField(
        required=False,
        max_length=MAX_QUERY_LENGTH,
        help_text="Instead of boards: the query of GET /api/boards, such as theme=stayman&sort=top, or the address of"
        f" a search as a browser shows it, {settings.PUBLIC_BASE_URL}/boards?theme=stayman&sort=top. The"
        f" collection gets the first {MAX_BOARDS} boards that it finds, in its order; those of an event by"
        " number.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        query = attrs.pop("fromSearch", None)
        if query is None:
            return attrs
        if "places" in attrs:
            reason = serializers.ErrorDetail("Give boards or fromSearch, not both.", code="invalid")
            raise serializers.ValidationError({"fromSearch": [reason]})
        request = self.context["request"]
        found = find_boards_of_text(query, request.user, keep_permit)
        return {**attrs, "places": [CollectionEntry(pk) for pk in found.ids]}


class PutBoardSerializer(StrictSerializer):
    """Where a board is to stand in a collection, and what is said of it."""

    note = model_string(CollectionBoard, "note", required=False, help_text="Without it a stored note stays.")
    seat = seat_field(f"{help_of('seat')} Without it a stored seat stays.")
    step = step_field(f"{help_of('step')} Without it a stored number stays.")
    position = fields.IntegerField(
        required=False,
        min_value=1,
        max_value=MAX_BOARDS,
        help_text="Counts from 1. Without it a new board goes to the end, and an existing one keeps its position.",
    )

    def validate_note(self, note: str) -> str:
        return clean_lines(note)
