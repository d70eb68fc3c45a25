"""What the feed is asked and what it answers."""

import re
from typing import Any
from uuid import UUID

from django.conf import settings
from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from config.api import fields
from config.api.pagination import NaturalField
from config.api.serializers import QuerySerializer, ReadSerializer
from deals.events.feed import MAX_EVENTS, MAX_SECONDS
from deals.models import FeedEvent

LATEST = "latest"
CURSOR = re.compile(r"0|[1-9][0-9]{0,17}")
READABLE = (
    FeedEvent.Type.BOARD_PUBLISHED,
    FeedEvent.Type.BOARD_CHANGED,
    FeedEvent.Type.BOARD_VOTES_CHANGED,
    FeedEvent.Type.COLLECTION_PUBLISHED,
)
"""The events of boards and collections that everybody may read."""


class SecondsField(serializers.IntegerField):
    """A query parameter that is a number of seconds in plain digits."""

    def to_internal_value(self, data: Any) -> int:
        if not re.fullmatch(r"[0-9]{1,3}", data):
            self.fail("invalid")
        return int(data)


class FeedQuery(QuerySerializer):
    after = serializers.CharField(
        required=False,
        allow_blank=True,
        help_text="The nextCursor of the last answer, or the id of the last event that you have handled. Without it"
        " the feed begins with the oldest event that is kept; `latest` answers only the current cursor.",
    )
    limit = NaturalField(default=100, min_value=1, max_value=MAX_EVENTS, help_text="The maximum number of events.")
    wait = SecondsField(
        default=0,
        min_value=0,
        max_value=MAX_SECONDS,
        help_text="How many seconds to wait for an event. The answer may come sooner without one.",
    )

    def validate_after(self, value: str) -> int | str | None:
        if value == LATEST or not value:
            return value or None
        if not CURSOR.fullmatch(value):
            raise serializers.ValidationError(
                "Send a cursor unchanged, as the feed sent it, or `latest`.", code="invalid"
            )
        return int(value)


class EventVotesSerializer(ReadSerializer):
    """The totals of a board's votes."""

    up = serializers.IntegerField(source="up_votes", help_text="How many voted for the board.")
    down = serializers.IntegerField(source="down_votes", help_text="How many voted against it.")


class EventLinksSerializer(ReadSerializer):
    """Where to read what an event is about."""

    deal = serializers.CharField(
        allow_null=True, help_text="The address of the deal. null for the events of a collection."
    )
    board = serializers.CharField(
        allow_null=True, help_text="The address of the board. null when the event has no published board."
    )
    collection = serializers.CharField(
        allow_null=True, help_text="The address of the collection. null when the event has no public collection."
    )


class EventDataSerializer(ReadSerializer):
    """What the event is about. Read the rows themselves at the links: they may have changed since."""

    dealId = serializers.UUIDField(
        source="deal_id", allow_null=True, help_text="The id of the deal. null for the events of a collection."
    )
    boardId = serializers.UUIDField(
        source="board_id", allow_null=True, help_text="null for the events of a deal and of a collection."
    )
    collectionId = serializers.UUIDField(
        source="collection_id", allow_null=True, help_text="null for the events of deals and boards."
    )
    votes = serializers.SerializerMethodField(
        help_text="The totals after the change, for board.votes_changed only; else null."
    )
    links = serializers.SerializerMethodField(help_text="Where to read what the event is about.")

    @extend_schema_field(EventVotesSerializer(allow_null=True))
    def get_votes(self, event: FeedEvent) -> dict[str, Any] | None:
        return None if event.up_votes is None else {"up": event.up_votes, "down": event.down_votes}

    @extend_schema_field(EventLinksSerializer)
    def get_links(self, event: FeedEvent) -> dict[str, str | None]:
        is_readable = event.type in READABLE
        return {
            "deal": address_of("deal-detail", event.deal_id),
            "board": address_of("board-detail", event.board_id) if is_readable else None,
            "collection": address_of("collection-detail", event.collection_id) if is_readable else None,
        }


def address_of(route: str, row_id: UUID | None) -> str | None:
    return settings.PUBLIC_BASE_URL + reverse(route, args=[row_id]) if row_id else None


class FeedEventSerializer(ReadSerializer):
    """Something that happened."""

    id = serializers.CharField(
        source="cursor", help_text="A cursor: send it as `after` to read later events. It has no other meaning."
    )
    type = serializers.ChoiceField(choices=FeedEvent.Type.choices, help_text="What happened.")
    createdAt = fields.TimestampField(source="created_at", help_text="When it happened.")
    data = EventDataSerializer(source="*", help_text="What it is about.")  # type: ignore[assignment]  # the wire's name, not what is parsed


class FeedPageSerializer(ReadSerializer):
    """Events of the feed, and where to go on."""

    events = FeedEventSerializer(many=True, help_text="In the order in which they were committed.")
    nextCursor = serializers.CharField(
        source="cursor", help_text="Send it as `after` to get the next events. Never null: others will come."
    )
    hasMore = serializers.BooleanField(source="has_more", help_text="Whether more events are there already.")
