from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from bridge.double_dummy import DoubleDummyTable
from bridge.errors import BridgeError
from bridge.layout import MAX_DEAL_LENGTH, Layout, high_card_points
from bridge.names import SEAT_KEYS, SUIT_NAMES
from bridge.seats import Seat
from config.api import fields
from config.api.pagination import CursorPaginationSerializer
from config.api.serializers import QuerySerializer, ReadSerializer, StrictSerializer, WholeSerializer, model_string
from deals.models import Deal, SolverStatus


def as_field_error(error: BridgeError) -> serializers.ErrorDetail:
    return serializers.ErrorDetail(error.message, code=error.code)


def suit_field(name: str) -> fields.StringField:
    return fields.StringField(
        allow_blank=True,
        max_length=13,
        required=False,
        default="",
        help_text=f'The ranks of the {name}, such as AKT5, or "".',
    )


class HandSerializer(StrictSerializer):
    """A hand by suit: its ranks, such as "AKT5", or "" for a void."""

    spades = suit_field("spades")
    hearts = suit_field("hearts")
    diamonds = suit_field("diamonds")
    clubs = suit_field("clubs")


class HandsSerializer(StrictSerializer):
    """The four hands by seat."""

    north = HandSerializer(help_text="The cards of North.")
    east = HandSerializer(help_text="The cards of East.")
    south = HandSerializer(help_text="The cards of South.")
    west = HandSerializer(help_text="The cards of West.")


class PointsSerializer(serializers.Serializer):
    """The high-card points of each hand: ace 4, king 3, queen 2, jack 1."""

    north = serializers.IntegerField(help_text="The points of North.")
    east = serializers.IntegerField(help_text="The points of East.")
    south = serializers.IntegerField(help_text="The points of South.")
    west = serializers.IntegerField(help_text="The points of West.")


def hands_of(layout: Layout) -> dict[str, dict[str, str]]:
    """Return {"north": {"spades": "AK5", …}, …}."""
    return {
        key: dict(zip(SUIT_NAMES.values(), hand.split("."), strict=True))
        for key, hand in zip(SEAT_KEYS, layout.hands, strict=True)
    }


def points_of(layout: Layout) -> dict[str, int]:
    return dict(zip(SEAT_KEYS, map(high_card_points, layout.hands), strict=True))


def layout_of(hands: Mapping[str, Mapping[str, str]]) -> Layout:
    """Return the layout of these hands: the inverse of `hands_of`.

    Raise BridgeError when they are not 52 different cards, 13 to a hand.
    """
    return Layout.from_hands(
        {seat: {suit: hands[seat.key][name] for suit, name in SUIT_NAMES.items()} for seat in Seat}
    )


class SourceSerializer(WholeSerializer):
    """The source of a deal: who or what dealt the cards, and under which licence."""

    name = model_string(Deal, "source_name", allow_blank=False)
    url = model_string(Deal, "source_url", required=False, default="")
    licence = model_string(Deal, "source_licence", required=False, default="")


class TricksSerializer(ReadSerializer):
    """One declarer's tricks in each denomination, 0 to 13."""

    C = serializers.IntegerField(help_text="With clubs as trumps.")
    D = serializers.IntegerField(help_text="With diamonds as trumps.")
    H = serializers.IntegerField(help_text="With hearts as trumps.")
    S = serializers.IntegerField(help_text="With spades as trumps.")
    NT = serializers.IntegerField(help_text="With no trumps.")


class DoubleDummySerializer(serializers.Serializer):
    """The double-dummy table: tricks by declarer and denomination when all cards are open."""

    N = TricksSerializer(help_text="The tricks that North wins as declarer.")
    E = TricksSerializer(help_text="The tricks that East wins as declarer.")
    S = TricksSerializer(help_text="The tricks that South wins as declarer.")
    W = TricksSerializer(help_text="The tricks that West wins as declarer.")


@extend_schema_field(DoubleDummySerializer(allow_null=True))
class DoubleDummyField(serializers.ReadOnlyField):
    """The table of a deal's stored 20 digits; null until the deal is solved."""

    def to_representation(self, digits: str) -> dict[str, dict[str, int]] | None:
        return DoubleDummyTable(digits).tricks() if digits else None


class DealSerializer(ReadSerializer):
    """A deal in the answers to services."""

    id = serializers.UUIDField(help_text="The id of the deal.")
    cards = serializers.CharField(help_text="In PBN, North first, ranks descending: N:AK5.… … … …")
    dealKey = serializers.CharField(source="key", help_text="The same for the same 52 cards, however written.")
    hands = serializers.SerializerMethodField(help_text="The four hands by seat.")
    hcp = serializers.SerializerMethodField(help_text="The high-card points of each hand.")
    doubleDummyStatus = serializers.ChoiceField(
        source="double_dummy_status",
        choices=SolverStatus.choices,
        help_text="The state of the double-dummy table: pending, done, failed, or unavailable without a solver.",
    )
    doubleDummy = DoubleDummyField(
        source="double_dummy", help_text="The double-dummy table, or null until it is computed."
    )
    source = serializers.SerializerMethodField(help_text="Who or what dealt the cards, or null when it is not known.")  # type: ignore[assignment]  # DRF takes fields off the class
    createdAt = fields.TimestampField(source="created_at", help_text="When the deal was brought in.")
    updatedAt = fields.TimestampField(
        source="updated_at", help_text="When the source or the double-dummy table last changed."
    )

    @extend_schema_field(HandsSerializer)
    def get_hands(self, deal: Deal) -> dict[str, Any]:
        return hands_of(deal.layout)

    @extend_schema_field(PointsSerializer)
    def get_hcp(self, deal: Deal) -> dict[str, int]:
        return points_of(deal.layout)

    @extend_schema_field(SourceSerializer(allow_null=True))
    def get_source(self, deal: Deal) -> dict[str, str] | None:
        return SourceSerializer(deal).data if deal.source_name else None


@extend_schema_serializer(many=False)
class DealPageSerializer(serializers.Serializer):
    """One page of deals."""

    deals = DealSerializer(many=True, help_text="The deals of this page.")
    pagination = CursorPaginationSerializer(help_text="The position of this page in the list.")


class NewDealSerializer(StrictSerializer):
    """A new deal, given as `cards` or as `hands`."""

    cards = fields.StringField(
        required=False, max_length=MAX_DEAL_LENGTH, help_text="In PBN, beginning with any hand: N:AK5.QJ2.T98.7643 …"
    )
    hands = HandsSerializer(required=False, help_text="The four hands by seat. Give either this or cards.")
    source = SourceSerializer(
        required=False, allow_null=True, help_text="Who or what dealt the cards, or null when it is not known."
    )  # type: ignore[assignment]  # as above

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Return arguments of register_deal: `layout` and `source`, its columns or None."""
        if ("cards" in attrs) == ("hands" in attrs):
            raise serializers.ValidationError(
                {"cards": [serializers.ErrorDetail("Give either cards or hands.", code="one_of")]}
            )
        name = "cards" if "cards" in attrs else "hands"
        try:
            layout = Layout.parse(attrs["cards"]) if name == "cards" else layout_of(attrs["hands"])
        except BridgeError as error:
            raise serializers.ValidationError({name: [as_field_error(error)]}) from error
        return {"layout": layout, "source": attrs.get("source")}


class DealByCardsSerializer(NewDealSerializer):
    """A new deal, given as `cards`. For the OpenAPI document: NewDealSerializer reads both."""

    cards = fields.StringField(
        max_length=MAX_DEAL_LENGTH, help_text="In PBN, beginning with any hand: N:AK5.QJ2.T98.7643 …"
    )
    hands = None  # type: ignore[assignment]  # DRF's way to drop a field of the base


class DealByHandsSerializer(NewDealSerializer):
    """A new deal, given as `hands`. For the OpenAPI document: NewDealSerializer reads both."""

    cards = None  # type: ignore[assignment]  # as above
    hands = HandsSerializer(help_text="The four hands by seat.")


class DealPatchSerializer(StrictSerializer):
    """A change of a deal. Only the source can change: other cards would be another deal."""

    source = SourceSerializer(allow_null=True, help_text="Who or what dealt the cards, or null when it is not known.")  # type: ignore[assignment]  # as above

    def update(self, instance: Deal, validated_data: dict[str, Any]) -> Deal:
        if "source" not in validated_data:
            return instance
        no_source = {"source_name": "", "source_url": "", "source_licence": ""}
        values = validated_data["source"] or no_source
        return super().update(instance, {**values, "brought_by_member": False})


class DealQuery(QuerySerializer):
    source = serializers.CharField(  # type: ignore[assignment]  # as above
        required=False,
        allow_blank=True,
        max_length=Deal._meta.get_field("source_name").max_length,
        help_text="Only deals whose source has exactly this name.",
    )
